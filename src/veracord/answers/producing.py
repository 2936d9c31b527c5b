"""The producer of answers, and the validator that has the last word on them.

One request and at most one correction, which names the claims that failed; then facts of the evidence; then an
abstention.  A refusal of the model ends it at once: facts never bypass one.

Source: ADR 0011; ADR-0014 (`single_response_v1`); answers.md section 5.
"""

import re
from typing import ClassVar, Final, cast

from veracord.answers.cases import AnswerCase, AnswerCases
from veracord.answers.checking import leads_to
from veracord.answers.codes import AbstentionCode
from veracord.answers.composing import answer_from_fields
from veracord.answers.drafts import Draft, DraftForm, defects_of, refuses_in_prose
from veracord.answers.judging import ClaimJudge
from veracord.answers.results import Answered, GroundedAnswer, answered_of
from veracord.answers.showing import shown_evidence
from veracord.answers.sources import AnswerSetting
from veracord.errors import (
    InputError,
    ModelError,
    ModelOutputError,
    ModelRefusedError,
    ModelTruncatedError,
)
from veracord.pipeline.candidates import SINGLE_RESPONSE_V1, Attempt, Candidate, Unit
from veracord.pipeline.checks import reads_only
from veracord.pipeline.verdicts import Defect, Verdict
from veracord.ports import Message, Model, Response
from veracord.promptkit.listening import Listener
from veracord.promptkit.prompts import bundled_prompt
from veracord.promptkit.structured_output import Answer, Exchange
from veracord.promptkit.system_prompts import EVIDENCE_ONLY, system_message
from veracord.promptkit.wording import correction_text
from veracord.records.reading import read_value
from veracord.records.values import JsonObject, JsonValue

#: The bundled prompts: what asks, and those that are sent only where they were chosen.
PROMPT: Final = "draft"
DECOMPOSE: Final = "decompose"
SUPPORT: Final = "support"

#: Stands for a draft that did not pass, with the reasons; no result has this member.
REJECTED: Final = "rejected_draft"

_HALF: Final = re.compile("[\ud800-\udfff]")


class AnswerProducer:
    """Answers the question of each unit; its value is a `GroundedAnswer` or an `Abstention`, as JSON."""

    correction_protocol: ClassVar[str | None] = SINGLE_RESPONSE_V1

    def __init__(self, setting: AnswerSetting, cases: AnswerCases, model: Model | None) -> None:
        """Remember the parts.

        Args:
            setting: What questions are answered from.
            cases: Gives the case of a unit; the validator asks the same.
            model: Who drafts; None: nobody.
        """
        self._setting = setting
        self._cases = cases
        self._model = model
        self._form = DraftForm()

    async def produce(self, attempt: Attempt) -> Candidate[JsonValue]:
        """Answer one question; see `veracord.pipeline.Producer`."""
        case = await self._case(attempt)
        if self._model is None or case.task.narrowed.problem is not None:
            return attempt.candidate(answer_from_fields(case.task).to_dict())
        ended = await self._asked(self._model, case, attempt)
        if isinstance(ended, Candidate):
            return ended
        # The frame that an exception shows must not hold what was asked.
        del case, attempt
        raise ended

    async def _case(self, attempt: Attempt) -> AnswerCase:
        code = ""
        try:
            return await self._cases.case_of(attempt.unit, record_before(attempt))
        except InputError as error:
            code = error.code
        raise ModelOutputError("the unit asks nothing", remedy="give it a question", code=code)

    async def _asked(self, model: Model, case: AnswerCase, attempt: Attempt) -> "Candidate[JsonValue] | ModelError":
        listener = Listener(model)
        exchange = Exchange(attempt.meter, attempt.transcript)
        try:
            answer = await self._form.ask(listener, self._messages(case), exchange, added=_added(attempt))
        except ModelError as error:
            failure = type(error)(error.what, where=error.where, remedy=error.remedy, code=error.code)
        else:
            return await self._drafted(model, case, attempt, answer)
        if isinstance(failure, ModelRefusedError):
            return self._abstained(case, attempt)
        if isinstance(failure, ModelTruncatedError):
            return self._from_fields(case, attempt, AbstentionCode.MODEL_FAILED)
        if not isinstance(failure, ModelOutputError) or listener.heard is None:
            return failure
        return self._unreadable(case, attempt, listener.heard)

    def _unreadable(self, case: AnswerCase, attempt: Attempt, response: Response) -> Candidate[JsonValue]:
        """Go on from an answer that has not the form: one in prose may still be a refusal."""
        text = _HALF.sub("\ufffd", response.text)
        if refuses_in_prose(text):
            return self._abstained(case, attempt)
        if attempt.correction is not None:
            return self._from_fields(case, attempt, AbstentionCode.MODEL_FAILED)
        read = self._form.read(response)
        defects = list(read.defects) if isinstance(read, Verdict) else []
        return attempt.candidate(_rejected(defects), controlling_response=text)

    async def _drafted(
        self, model: Model, case: AnswerCase, attempt: Attempt, answer: Answer[Draft]
    ) -> "Candidate[JsonValue] | ModelError":
        draft = answer.value
        if draft.refuses and not draft.is_mixed:
            return self._abstained(case, attempt)
        judge = ClaimJudge(model, self._setting.settings, Exchange(attempt.meter, attempt.transcript))
        checked = await judge.check(case, draft.text)
        if isinstance(checked, ModelError):
            return checked
        if checked.answer is not None and not draft.refuses:
            return attempt.candidate(checked.answer.to_dict(), controlling_response=answer.response)
        if attempt.correction is None:
            return attempt.candidate(_rejected(defects_of(checked, draft)), controlling_response=answer.response)
        if draft.refuses:
            return self._abstained(case, attempt)
        return self._from_fields(case, attempt, checked.code or AbstentionCode.NOT_SUPPORTED)

    @staticmethod
    def _abstained(case: AnswerCase, attempt: Attempt) -> Candidate[JsonValue]:
        return attempt.candidate(case.task.abstention(AbstentionCode.REFUSED).to_dict())

    @staticmethod
    def _from_fields(case: AnswerCase, attempt: Attempt, otherwise: AbstentionCode) -> Candidate[JsonValue]:
        result: Answered = answer_from_fields(case.task, otherwise=otherwise)
        return attempt.candidate(result.to_dict())

    def _messages(self, case: AnswerCase) -> tuple[Message, ...]:
        """Return the ordinary request: rules, and one message with the question and its evidence."""
        shown = shown_evidence(case.task, self._setting.settings.evidence_characters)
        told: JsonObject = {"question": case.task.question.text, "evidence": shown}
        return (system_message(self._form.form), Message("user", bundled_prompt(PROMPT).render({"input": told})))

    def fingerprint(self, attempt: Attempt) -> JsonObject | None:
        """Return what decides the value; None for a unit whose product another producer made."""
        if attempt.previous is not None:
            return None
        settings = self._setting.settings
        items: list[JsonValue] = [
            [item.id, item.evidence_ref, dict(sorted(item.origins.items()))] for item in self._setting.pack.items
        ]
        parts: JsonObject = {
            "kind": "answer",
            "tool": self._setting.tool,
            "profile": self._setting.profile.digest,
            "schema": self._setting.profile.schema_digest,
            "asked": attempt.unit.value,
            "evidence": items,
        }
        if self._model is not None:
            names = [EVIDENCE_ONLY, PROMPT]
            names += [DECOMPOSE] if settings.decomposes else []
            names += [SUPPORT] if settings.supports else []
            parts["evidence_characters"] = settings.evidence_characters
            parts["model"] = dict(self._model.settings)
            parts["prompts"] = {name: bundled_prompt(name).digest for name in names}
        return parts

    async def aclose(self) -> None:
        """Close the model; it opens itself again when it is asked again."""
        close = getattr(self._model, "aclose", None)
        if close is not None:
            await close()


class AnswerCheck:
    """The validator: it verifies every answer anew, whoever wrote it."""

    def __init__(self, cases: AnswerCases) -> None:
        """Remember where cases come from."""
        self._cases = cases

    @reads_only
    async def __call__(self, value: JsonValue, unit: Unit) -> list[Defect]:
        """Tell what is not grounded in a value; an abstention asserts nothing."""
        if not isinstance(value, dict):
            return [Defect("malformed", "", "the value is no result")]
        rows = value.get(REJECTED)
        if isinstance(rows, list):
            return [Defect(*map(str, row)) for row in rows if isinstance(row, list)]
        answer = answered_of(value, 0)
        if not isinstance(answer, GroundedAnswer):
            return []
        case = self._cases.known(unit) or await self._cases.case_of(unit)
        return _faults(case, answer)


def _faults(case: AnswerCase, answer: GroundedAnswer) -> list[Defect]:
    """Return what is wrong with an answer, worked out anew from its text and citations."""
    checked = case.check(answer.text, answer.path)
    if checked.answer is None:
        return defects_of(checked)
    if answer.path == "model" and checked.answer.claims != answer.claims:
        return [Defect("claims_differ", "/claims", "the claims are not those of the text")]
    if not all(leads_to(citation, case.task.view, case.task.items) for citation in answer.citations):
        return [Defect("broken_citation", "/citations", "a citation leads nowhere")]
    return []


def record_before(attempt: Attempt) -> JsonObject | None:
    """Return the record that a producer before made: the `record` of its value, or its value; None for the first."""
    if attempt.previous is None:
        return None
    dump = getattr(attempt.previous, "model_dump_json", None)
    value = attempt.previous if dump is None else read_value(dump().encode(), keeps_names=False)
    inside = value.get("record") if isinstance(value, dict) else None
    found = inside if isinstance(inside, dict) else value
    return cast("JsonObject", found) if isinstance(found, dict) else None


def _rejected(defects: list[Defect]) -> JsonObject:
    rows: list[JsonValue] = [
        [defect.code, defect.path, defect.fact, *([defect.guidance] if defect.guidance else [])] for defect in defects
    ]
    return {REJECTED: rows}


def _added(attempt: Attempt) -> tuple[Message, ...]:
    correction = attempt.correction
    if correction is None:
        return ()
    return (Message("assistant", correction.response), Message("user", correction_text(correction)))
