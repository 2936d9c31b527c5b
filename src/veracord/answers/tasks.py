"""One question with its evidence, narrowed and viewed once for every step that follows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from veracord.answers.codes import AbstentionCode
from veracord.answers.looking_up import passages_of
from veracord.answers.products import Narrowed, narrow
from veracord.answers.questions import Question, cleaned, read_question
from veracord.answers.ranking import rank
from veracord.answers.results import Abstention
from veracord.answers.sources import AnswerSetting
from veracord.grounding.packs import PackView, identifies
from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidenceItem
from veracord.records.values import JsonObject

_MOST_NEAR: Final = 5


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """A question, what it is about, and who judges.

    Attributes:
        question: The question.
        narrowed: The evidence about its product.
        verifier: The judge.
        items: The items about the product, by id.
        tool: What results name as their maker.
        profile: ``name@version``, or None.
    """

    question: Question
    narrowed: Narrowed
    verifier: Verifier
    items: Mapping[str, EvidenceItem] = field(repr=False)
    tool: str = ""
    profile: str | None = None

    @property
    def view(self) -> PackView:
        """The evidence about the product."""
        return self.narrowed.inside

    @property
    def product(self) -> str | None:
        """The product for the verifier: the one that is named, where all evidence that names one names it."""
        named = self.narrowed.product
        views = [view for view in self.view.items.values() if view.products]
        return named if named is not None and views and all(identifies(view, named) for view in views) else None

    def abstention(
        self, code: AbstentionCode, near: tuple[str, ...] = (), *, detail: str | None = None, requests: int = 0
    ) -> Abstention:
        """Return that there is no answer.

        Args:
            near: The items that come nearest; none: those that rank best.
        """
        return Abstention(
            code=code,
            looked_for=self.question.looked_for,
            nearest_ids=(near or self.nearest())[:_MOST_NEAR],
            detail=detail,
            profile=self.profile,
            requests=requests,
            tool=self.tool,
        )

    def nearest(self) -> tuple[str, ...]:
        """Return the items that rank best by the words of the question."""
        passages = passages_of(self.view)
        ranked = rank([self.question.words.keys[at] for at in self.question.free], [words for _, words in passages])
        return tuple(passages[number][0] for number, _ in ranked)


def prepare(setting: AnswerSetting, question: str, product: JsonObject | None) -> AnswerTask:
    """Read a question and narrow its evidence.

    Args:
        setting: What questions are answered from.
        question: The question.
        product: A record that says which product is meant, or None.

    Raises:
        InputError: The question is empty or too long.
    """
    text = cleaned(question)
    narrowed = narrow(text, setting.pack, product, setting.profile.identity, setting.labels)
    read = read_question(text, narrowed.names, narrowed.naming)
    label = setting.profile.label if setting.profile.name else None
    items = {item.id: item for item in narrowed.items}
    return AnswerTask(read, narrowed, Verifier(setting.labels), items, setting.tool, label)
