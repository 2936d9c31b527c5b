"""The producer of a synthesis: assembly first, and a model only for what assembly cannot settle.

One request and at most one correction, whatever happens: an answer that cannot be read is a candidate, too, so that it
is corrected within the same budget.  The request is always the same for the same seed and evidence.

Source: ADR 0011; ADR-0014 (`single_response_v1`).
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, cast

from veracord.composer.repair import TOOL
from veracord.composer.synthesis_cases import SynthesisCase
from veracord.composer.synthesis_checks import Cases, SynthesisChecks, malformed
from veracord.errors import ModelError, ModelOutputError
from veracord.pipeline.candidates import SINGLE_RESPONSE_V1, Attempt, Candidate
from veracord.pipeline.verdicts import Verdict
from veracord.ports import Message, Model
from veracord.promptkit.listening import Listener
from veracord.promptkit.prompts import bundled_prompt
from veracord.promptkit.structured_output import Answer, Exchange, StructuredOutput
from veracord.promptkit.system_prompts import EVIDENCE_ONLY, system_message
from veracord.promptkit.wording import correction_text
from veracord.records.evidence import EvidenceItem
from veracord.records.matching import EvidenceIndex
from veracord.records.profiles import Profile
from veracord.records.reading import read_value
from veracord.records.values import JsonObject, JsonValue

#: The bundled prompt that asks.
PROMPT: Final = "synthesize"

#: Texts are shown where there are few: in a large pack they are about anything.
_MOST_TEXTS: Final = 10
_LONGEST_TEXT: Final = 4_000

_ANY_OBJECT: Final[JsonObject] = {"type": "object"}
_HALF: Final = re.compile("[\ud800-\udfff]")


class RecordForm(StructuredOutput[JsonValue]):
    """Asks for the schema of a profile and reads any object: what does not conform is the validators' to tell."""

    def __init__(self, profile: Profile) -> None:
        """Choose what is sent: the schema, where it is whole in itself."""
        super().__init__(_ANY_OBJECT, _same, name="record", structure_repairs=0)
        content = profile.schema.content
        if isinstance(content, dict) and not _refers_elsewhere(content):
            self.form = content


@dataclass(frozen=True, slots=True)
class SynthesisSetting:
    """What the records of a synthesis are built from.

    Attributes:
        profile: What records must be.
        index: The evidence.
        model: Who is asked for what cannot be assembled; None: nobody.
        assemble: Whether assembly is tried first.
    """

    profile: Profile
    index: EvidenceIndex
    model: Model | None = None
    assemble: bool = True


class SynthesisProducer:
    """Builds a whole record for the seed of each unit."""

    correction_protocol: ClassVar[str | None] = SINGLE_RESPONSE_V1

    def __init__(self, setting: SynthesisSetting, cases: Cases, checks: SynthesisChecks) -> None:
        """Remember the parts.

        Args:
            setting: What all records are built from.
            cases: Gives the case of a seed.
            checks: The validators of the same synthesis.
        """
        self._profile = setting.profile
        self._index = setting.index
        self._model = setting.model
        self._assembles = setting.assemble
        self._cases = cases
        self._checks = checks

    async def produce(self, attempt: Attempt) -> Candidate[JsonValue]:
        """Build one record; see `veracord.pipeline.Producer`."""
        case = await self._case(attempt)
        if case.refusals:
            return attempt.candidate(malformed(case.refusals))
        if self._assembles and (self._model is None or case.assembly.conforms):
            grounding = case.grounding(case.assembly.record)
            return attempt.candidate(case.result(case.assembly.record, grounding, "assembly").to_dict())
        if self._model is None:
            grounding = case.grounding(case.seed.value)
            return attempt.candidate(case.result(case.seed.value, grounding, "assembly").to_dict())
        ended = await self._ask(self._model, case, attempt)
        if isinstance(ended, Candidate):
            return ended
        # The frame that an exception shows must not hold what was asked.
        del case, attempt
        raise ended

    async def _ask(self, model: Model, case: SynthesisCase, attempt: Attempt) -> "Candidate[JsonValue] | ModelError":
        listener = Listener(model)
        exchange = Exchange(attempt.meter, attempt.transcript)
        answer: Answer[JsonValue] | Verdict
        try:
            answer = await self._form.ask(listener, self._messages(case), exchange, added=_added(attempt))
        except ModelOutputError as error:
            if listener.heard is None:
                return error.with_traceback(None)
            answer = self._form.read(listener.heard)
        except ModelError as error:
            return error.with_traceback(None)
        if isinstance(answer, Answer):
            record = cast("JsonObject", answer.value)
            value = case.result(record, case.grounding(record), "model").to_dict()
            return attempt.candidate(value, controlling_response=answer.response)
        assert listener.heard is not None  # noqa: S101 - it was read
        response = _HALF.sub("\ufffd", listener.heard.text)
        return attempt.candidate(malformed(answer.defects), controlling_response=response)

    def fingerprint(self, attempt: Attempt) -> JsonObject | None:
        """Return what decides the value; None for a unit that is no record."""
        seed = seed_in(attempt)
        if not isinstance(seed, dict):
            return None
        items = sorted((source.item for source in self._index.related(seed)), key=lambda item: item.id)
        parts: JsonObject = {
            "kind": "synthesis",
            "tool": TOOL,
            "profile": self._profile.digest,
            "schema": self._profile.schema_digest,
            "assembles": self._assembles,
            "seed": seed,
            "sources": [[item.id, item.evidence_ref, item.rank, dict(sorted(item.origins.items()))] for item in items],
        }
        if self._model is not None:
            parts["model"] = dict(self._model.settings)
            parts["prompts"] = {name: bundled_prompt(name).digest for name in (EVIDENCE_ONLY, PROMPT)}
            parts["texts"] = [item.evidence_ref for item in _shown_texts(self._index)]
        return parts

    @cached_property
    def _form(self) -> RecordForm:
        return RecordForm(self._profile)

    async def _case(self, attempt: Attempt) -> SynthesisCase:
        seed = seed_in(attempt)
        if not isinstance(seed, dict):
            raise ModelOutputError("the unit is no record", remedy="make it a JSON object", code="not_an_object")
        case = await self._cases(seed)
        self._checks.remember(attempt.unit, case)
        return case

    def _messages(self, case: SynthesisCase) -> tuple[Message, ...]:
        """Return the ordinary request: rules, and one message with all that may be used."""
        draft, findings = case.seed.value, case.findings
        if self._assembles:
            draft, findings = case.assembly.record, case.assembly.findings
        violations: list[JsonValue] = [
            {"path": row.path, "rule": row.rule, "message": row.message} for row in (f.violation for f in findings)
        ]
        told: JsonObject = {
            "seed": case.seed.value,
            "draft": draft,
            "violations": violations,
            "sources": _shown_sources(case),
        }
        user = Message("user", bundled_prompt(PROMPT).render({"input": told}))
        return (system_message(self._form.form), user)

    async def aclose(self) -> None:
        """Close the model; it opens itself again when it is asked again."""
        close = getattr(self._model, "aclose", None)
        if close is not None:
            await close()


def seed_in(attempt: Attempt) -> JsonValue:
    """Return the seed of an attempt: the unit, or of the producer before the `record` of its value, or its value."""
    if attempt.previous is None:
        return attempt.unit.value
    dump = getattr(attempt.previous, "model_dump_json", None)
    value = attempt.previous if dump is None else read_value(dump().encode(), keeps_names=False)
    inside = value.get("record") if isinstance(value, dict) else None
    return cast("JsonValue", inside if isinstance(inside, dict) else value)


def _added(attempt: Attempt) -> tuple[Message, ...]:
    correction = attempt.correction
    if correction is None:
        return ()
    return (Message("assistant", correction.response), Message("user", correction_text(correction)))


def _shown_sources(case: SynthesisCase) -> list[JsonValue]:
    """Return the sources about the product, and texts where there are few of them."""
    sources: list[JsonValue] = [
        {"id": source.evidence_id, "content": source.content} for source in case.assembly.basis.match.sources
    ]
    return sources + [{"id": item.id, "text": (item.text or "")[:_LONGEST_TEXT]} for item in _shown_texts(case.index)]


def _shown_texts(index: EvidenceIndex) -> list[EvidenceItem]:
    texts = [item for item in index.unstructured if item.text is not None]
    return texts if len(texts) <= _MOST_TEXTS else []


def _refers_elsewhere(node: JsonValue) -> bool:
    """Whether a schema refers to anything outside itself."""
    if isinstance(node, dict):
        found = (node.get(word) for word in ("$ref", "$dynamicRef", "$recursiveRef"))
        if any(isinstance(reference, str) and not reference.startswith("#") for reference in found):
            return True
        return any(map(_refers_elsewhere, node.values()))
    return isinstance(node, list) and any(map(_refers_elsewhere, node))


def _same(value: JsonValue) -> JsonValue:
    return value
