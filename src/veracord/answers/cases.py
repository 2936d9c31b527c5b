"""One unit of an answering pipeline: its task, what a model has said of open claims, and how its value is read.

A unit's value is a question as a text, or ``{"question", "product"?}``.  After another producer, the product is the
record in that one's value.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from veracord.answers.checking import Checked, check_text
from veracord.answers.results import Path
from veracord.answers.sources import AnswerSetting
from veracord.answers.tasks import AnswerTask, prepare
from veracord.errors import InputError
from veracord.pipeline.candidates import Unit
from veracord.records.values import JsonObject, JsonValue

#: Cases that are kept, should attempts end without their validator.
_MOST_KNOWN: Final = 256


@dataclass(slots=True)
class AnswerCase:
    """A question under way.

    Attributes:
        task: It.
        decided: Claims that no rule decides and a model says are supported, as texts.
    """

    task: AnswerTask
    decided: frozenset[str] = frozenset()

    def check(self, text: str, path: Path) -> Checked:
        """Judge a text by the rules, and by what a model has said where no rule decides."""
        return check_text(self.task, text, path, decided=self.decided)


class AnswerCases:
    """Makes the case of a unit, and keeps it while the unit is in flight."""

    def __init__(self, setting: AnswerSetting) -> None:
        """Remember what questions are answered from."""
        self._setting = setting
        self._known: OrderedDict[str, tuple[JsonValue, AnswerCase]] = OrderedDict()

    async def case_of(self, unit: Unit, record: JsonObject | None = None) -> AnswerCase:
        """Return the case of a unit.

        Args:
            record: The record that a producer before made.

        Raises:
            InputError: The unit asks nothing.
        """
        asked = [unit.value, record]
        known = self._known.get(unit.key)
        if known is not None and known[0] == asked:
            return known[1]
        question, product = question_in(unit.value)
        pack = self._setting.pack
        if self._setting.marking is not None:
            pack = await self._setting.marking(pack)
        setting = replace(self._setting, pack=pack)
        task = prepare(setting, question, product if record is None else record)
        case = AnswerCase(task)
        while len(self._known) >= _MOST_KNOWN:
            self._known.popitem(last=False)
        self._known[unit.key] = ([unit.value, record], case)
        return case

    def known(self, unit: Unit) -> AnswerCase | None:
        """Return the case of a unit in flight."""
        found = self._known.get(unit.key)
        return None if found is None else found[1]


def question_in(value: JsonValue) -> tuple[str, JsonObject | None]:
    """Return the question, and the product, that the value of a unit is.

    Raises:
        InputError: It is neither a text nor an object with a question.
    """
    if isinstance(value, str):
        return value, None
    question: JsonValue = value.get("question") if isinstance(value, Mapping) else None
    product: JsonValue = value.get("product") if isinstance(value, Mapping) else None
    if not isinstance(question, str) or not (product is None or isinstance(product, dict)):
        raise InputError(
            "the unit asks nothing",
            remedy='make it a text, or an object with "question" and, if need be, "product"',
            code="invalid_question",
        )
    return question, product
