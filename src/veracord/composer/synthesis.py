"""Synthesis: a whole record for the product of a seed, in which every leaf is grounded, or none.

What is assembled is checked here at once.  Only where a model is to be asked does the pipeline carry the rest: the same
producer and the same validators as in a run of many.

Source: ADR 0011; records.md section 6.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from veracord.composer.synthesis_cases import SynthesisCase
from veracord.composer.synthesis_checks import Note, SynthesisChecks
from veracord.composer.synthesis_endings import unreadable_answer
from veracord.composer.synthesis_failures import NO_MODEL, generation_error
from veracord.composer.synthesis_producer import SynthesisProducer, SynthesisSetting
from veracord.composer.synthesis_results import SynthesisResult, result_of
from veracord.errors import VeracordError
from veracord.pipeline.bindings import ProducerBinding
from veracord.pipeline.candidates import Unit
from veracord.pipeline.outcomes import Outcome
from veracord.pipeline.policies import Disposition, Policy
from veracord.pipeline.runner import AsyncPipeline
from veracord.pipeline.verdicts import Defect
from veracord.ports import Model
from veracord.promptkit.listening import AttentiveModel, failure_of
from veracord.records.evidence import EvidencePack
from veracord.records.matching import EvidenceIndex
from veracord.records.profiles import Profile
from veracord.records.reading import Document
from veracord.records.values import JsonObject, JsonValue

#: Gives the origins of a seed's leaves and the evidence as it is for it; who keeps a ledger marks guesses in both.
Marks = Callable[[Document], Awaitable[tuple[Mapping[str, str], EvidenceIndex]]]


def synthesis_binding(
    profile: Profile,
    evidence: EvidencePack | EvidenceIndex,
    model: Model | None,
    *,
    id: str = "synthesis",  # noqa: A002 - as ProducerBinding calls it
    assemble: bool = True,
    marks: Marks | None = None,
) -> ProducerBinding[JsonValue]:
    """Return a synthesis as a producer with its validators.

    The value of a unit is a seed, or, after another producer, the record in that one's value.  A candidate is the JSON
    of a `SynthesisResult`.

    Args:
        profile: What records must be.
        evidence: What they are built from.
        model: Who is asked for what cannot be assembled; None: nobody.
        id: The name of the producer.
        assemble: Whether assembly is tried first.
        marks: Gives for a seed the origins of its leaves, and its evidence; without it there are no origins.
    """
    index = evidence if isinstance(evidence, EvidenceIndex) else EvidenceIndex.of(evidence, profile.identity)
    return _binding(SynthesisSetting(profile, index, model, assemble), id, marks, None)


def _binding(
    setting: SynthesisSetting, name: str, marks: Marks | None, note: Note | None
) -> ProducerBinding[JsonValue]:
    async def case_of(seed: JsonObject) -> SynthesisCase:
        document = Document(seed, b"", "")
        if marks is None:
            return SynthesisCase(setting.profile, setting.index, document)
        origins, index = await marks(document)
        return SynthesisCase(setting.profile, index, document, origins)

    checks = SynthesisChecks(case_of, note)
    return ProducerBinding(
        name,
        SynthesisProducer(setting, case_of, checks),
        checks.bindings(f"{setting.profile.digest} {setting.profile.schema_digest}"),
        retries=1,
        # What could not be checked in full is no record.
        policy=Policy(validator_execution_failure=Disposition.FAIL_RUN),
    )


def _assembled(case: SynthesisCase) -> SynthesisResult | VeracordError | None:
    """Build a record without a model.

    Returns:
        The result; the error that nothing could avert, whoever wrote the record; or None where assembly alone is not
        enough.
    """
    if case.refusals:
        return generation_error(case, case.refusals)
    if not case.assembly.conforms:
        return None
    record = case.assembly.record
    grounding = case.grounding(record)
    problems = [*grounding.problems, *case.seed_losses(record)]
    return generation_error(case, problems) if problems else case.result(record, grounding, "assembly")


def assembled_record(
    profile: Profile,
    document: Document,
    evidence: EvidencePack | EvidenceIndex,
    origins: Mapping[str, str] | None = None,
) -> SynthesisResult | None:
    """Build a whole record if assembly alone is enough, without waiting for anybody; None where it is not.

    Raises:
        RecordGenerationError: There is no such record, whoever writes it.
    """
    ended = _assembled(_case(profile, document, evidence, origins))
    if isinstance(ended, VeracordError):
        raise ended
    return ended


def _case(
    profile: Profile, document: Document, evidence: EvidencePack | EvidenceIndex, origins: Mapping[str, str] | None
) -> SynthesisCase:
    index = evidence if isinstance(evidence, EvidenceIndex) else EvidenceIndex.of(evidence, profile.identity)
    return SynthesisCase(profile, index, document, origins or {})


async def synthesize_record(
    profile: Profile,
    model: Model | None,
    document: Document,
    evidence: EvidencePack | EvidenceIndex,
    *,
    assemble: bool = True,
    origins: Mapping[str, str] | None = None,
) -> SynthesisResult:
    """Build a whole record; see `veracord.RecordComposer.synthesize`."""
    case = _case(profile, document, evidence, origins)
    ended: SynthesisResult | VeracordError | None = None
    if assemble or case.refusals:
        ended = _assembled(case)
    if ended is None:
        ended = await _settle(case, SynthesisSetting(profile, case.index, model, assemble))
    if isinstance(ended, SynthesisResult):
        return ended
    raise ended


async def _settle(case: SynthesisCase, setting: SynthesisSetting) -> SynthesisResult | VeracordError:
    """Let the pipeline bring a seed to its end, and return how it ended."""
    found: dict[str, Sequence[Defect]] = {}

    async def marks(_document: Document) -> tuple[Mapping[str, str], EvidenceIndex]:
        return case.origins, case.index

    asked = None if setting.model is None else AttentiveModel(setting.model)
    binding = _binding(replace(setting, model=asked), "synthesis", marks, found.__setitem__)
    result = await AsyncPipeline([binding]).run_unit(Unit(case.seed_digest, case.seed.value))
    if result.outcome is Outcome.ACCEPTED:
        assert isinstance(result.value, dict)  # noqa: S101 - the validators saw to it
        return result_of(result.value, case.seed, result.usage.requests)
    if result.outcome is Outcome.REJECTED:
        if found.get("form") and not case.refusals:
            return unreadable_answer(found["form"])
        remedy = NO_MODEL if asked is None and not setting.assemble else None
        return generation_error(case, [defect for defects in found.values() for defect in defects], remedy)
    return failure_of(result, None if asked is None else asked.failure)
