"""What a model may say of claims: it may split an answer, and judge what no rule decides; both only ever lower.

A claim that a gate fails stays failed.  A claim that no rule decides counts as supported only if the model points to a
sentence that stands in the cited evidence, letter by letter, and if every number, date and identifier of the claim, and
every word that turns or limits it, stand in that sentence, too.

Source: answers.md sections 2 and 4.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from veracord.answers.cases import AnswerCase
from veracord.answers.checking import Checked
from veracord.answers.codes import AbstentionCode
from veracord.answers.settings import MOST_DECIDED, AnswerSettings
from veracord.errors import ModelError, ModelOutputError, ModelRefusedError, ModelTruncatedError
from veracord.gates.claims import Claim, Reading, read_claim
from veracord.gates.comparisons import compare_mentions
from veracord.gates.mentions import Mention
from veracord.grounding.verdicts import SUPPORTED, UNDECIDED, ClaimVerdict
from veracord.ports import Message, Model
from veracord.promptkit.prompts import bundled_prompt
from veracord.promptkit.structured_output import Exchange, StructuredOutput
from veracord.promptkit.system_prompts import system_message
from veracord.records.values import JsonObject, JsonValue

_CLAIMS_FORM: Final[JsonObject] = {
    "type": "object",
    "properties": {"claims": {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 40}},
    "required": ["claims"],
    "additionalProperties": False,
}
_JUDGEMENT_FORM: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "sentence": {"type": "string"},
        "judgement": {"enum": ["supported", "unsupported", "undecided"]},
    },
    "required": ["sentence", "judgement"],
    "additionalProperties": False,
}
_MOST_SHOWN: Final = 8_000


class ClaimJudge:
    """Judges a draft by the rules first, and asks a model only as it was chosen."""

    def __init__(self, model: Model, settings: AnswerSettings, exchange: Exchange) -> None:
        """Remember who is asked."""
        self._model = model
        self._settings = settings
        self._exchange = exchange

    async def check(self, case: AnswerCase, text: str) -> Checked | ModelError:
        """Judge a draft."""
        case.decided = frozenset()
        checked = case.check(text, "model")
        if self._settings.supports and checked.code is AbstentionCode.UNDECIDED:
            decided = await self._decide(case, checked)
            if isinstance(decided, ModelError):
                return decided
            case.decided = decided
            checked = case.check(text, "model")
        if self._settings.decomposes and checked.answer is not None:
            return await self._split(case, text, checked)
        return checked

    async def _decide(self, case: AnswerCase, checked: Checked) -> frozenset[str] | ModelError:
        decided = set()
        open_claims = [claim for claim in checked.verdict.claims if claim.verdict == UNDECIDED]
        for claim in list(filter(may_be_decided, open_claims))[:MOST_DECIDED]:
            asked: JsonObject = {"claim": claim.text, "evidence": _cited(case, claim)}
            said = await self._ask("support", _JUDGEMENT_FORM, asked)
            if isinstance(said, ModelError):
                return said
            sentence, judgement = str(said.get("sentence", "")), said.get("judgement")
            if judgement == SUPPORTED and stands_in(case, claim, sentence) and keeps_all(claim.text, sentence):
                decided.add(claim.text)
        return frozenset(decided)

    async def _split(self, case: AnswerCase, text: str, checked: Checked) -> Checked | ModelError:
        """Let a model split an answer that has passed; what it finds must pass, too."""
        said = await self._ask("decompose", _CLAIMS_FORM, {"answer": text})
        if isinstance(said, ModelError):
            return said
        claims = said.get("claims")
        texts = [claim for claim in claims if isinstance(claim, str)] if isinstance(claims, list) else []
        task = case.task
        verdict = task.verifier.check(text, task.view, claims=texts, product=task.product)
        open_claims = [
            claim for claim in verdict.claims if claim.verdict != SUPPORTED and claim.text not in case.decided
        ]
        if verdict.coverage.state != checked.verdict.coverage.state:
            return replace(checked, verdict=verdict, answer=None, code=AbstentionCode.INCOMPLETE_COVERAGE)
        if open_claims:
            return replace(checked, verdict=verdict, answer=None, code=AbstentionCode.NOT_SUPPORTED)
        return checked

    async def _ask(self, name: str, form: JsonObject, told: JsonObject) -> JsonObject | ModelError:
        output = StructuredOutput.of_schema(form, name=name, structure_repairs=0)
        messages = (system_message(output.form), Message("user", bundled_prompt(name).render({"input": told})))
        try:
            answer = await output.ask(self._model, messages, self._exchange)
        except (ModelOutputError, ModelRefusedError, ModelTruncatedError):
            # What cannot be read decides nothing: no claim is supported by it, and none owns a word.
            return {}
        except ModelError as error:
            return error.with_traceback(None)
        return answer.value if isinstance(answer.value, dict) else {}


def may_be_decided(claim: ClaimVerdict) -> bool:
    """Whether a model may decide a claim: it is cited, and no gate fails."""
    return bool(claim.evidence_ids) and not claim.failed


def stands_in(case: AnswerCase, claim: ClaimVerdict, sentence: str) -> bool:
    """Whether a sentence stands whole in the evidence that a claim cites."""
    wanted = " ".join(sentence.split())
    views = [case.task.view.items[one] for one in claim.evidence_ids if one in case.task.view.items]
    return bool(wanted) and any(
        f"\n{wanted}" in f"\n{text}" or f" {wanted}" in text for v in views for text in v.quotable
    )


def keeps_all(claim: str, sentence: str) -> bool:
    """Whether every value of a claim, and what turns or limits it, stand in a sentence."""
    said, held = read_claim(Claim(claim)), read_claim(Claim(sentence))
    if sorted(cue for cue, _ in said.shape.cues) != sorted(cue for cue, _ in held.shape.cues):
        return False
    return all(any(_is_same(one, other) for other in _mentions(held)) for one in _mentions(said))


def _mentions(reading: Reading) -> Sequence[Mention]:
    return [mention for mention, _ in reading.shape.mentions]


def _is_same(one: Mention, other: Mention) -> bool:
    if one.kind != other.kind:
        return False
    return one.text == other.text or (one.kind == "quantity" and compare_mentions(one, other) == "same")


def _cited(case: AnswerCase, claim: ClaimVerdict) -> list[JsonValue]:
    rows: list[JsonValue] = []
    for evidence_id in claim.evidence_ids:
        view = case.task.view.items.get(evidence_id)
        if view is not None:
            rows.append({"id": evidence_id, "text": "\n".join(view.quotable)[:_MOST_SHOWN]})
    return rows
