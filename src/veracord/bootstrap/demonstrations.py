"""The demonstration: what it does, on which files, and the model that it plays from a file.

The answers of that model were written for it and recorded by `tools/record_demo.py`; no model is asked here.
"""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from veracord.bootstrap.choices import Choices, load_evidence
from veracord.composer.record_composer import RecordComposer
from veracord.errors import DecisionError, PipelineError, RecordGenerationError
from veracord.records.evidence import EvidencePack
from veracord.records.profiles import Profile
from veracord.records.reading import Document, read_record
from veracord.review.importing import Import
from veracord.review.people import Person

if TYPE_CHECKING:
    from veracord.answers.results import Answered
    from veracord.composer.results import RepairResult
    from veracord.composer.synthesis_results import SynthesisResult
    from veracord.grounding.verdicts import Verdict
    from veracord.ports import Model
    from veracord.review.service import DecisionService

#: The profile of all parts.
PROFILE: Final = "eu-dpp-demo"
#: The files, in the folder of the demonstration.
RECORD: Final = "record.json"
EVIDENCE: Final = "evidence"
SEED: Final = "synthesis/seed.json"
SOURCES: Final = "synthesis/sources"
#: The one source that is left where a synthesis must be refused.
ONE_SOURCE: Final = "synthesis/sources/parts_list.json"
ANSWERS: Final = "answers.jsonl"
#: About the product of the record: one that a source answers, and one on which two sources disagree.
QUESTION: Final = "What is the share of copper?"
OPEN_QUESTION: Final = "What is the repairability index?"
#: What somebody might say instead.
FALSE_ANSWER: Final = "The share of copper is 81.5 % [supplier_declaration]."
#: What the record is called under review.
RECORD_ID: Final = "heat-pump"
#: Who is said to have made the guesses.
MODEL_NAME: Final = "demonstration"


@dataclass(frozen=True, slots=True)
class Demonstration:
    """What the demonstration shows.

    Attributes:
        violations: How many the record has.
        sources: How many pieces of evidence there are for it.
        repair: The record after its repair, with a guess beside it.
        synthesis: A record that was put together from a seed.
        refusal: Why there is no record where a model invents a value.
        answer: The answer to `QUESTION`.
        abstention: Why `OPEN_QUESTION` has none.
        verdict: What the verifier says of `FALSE_ANSWER`.
    """

    violations: int
    sources: int
    repair: "RepairResult"
    synthesis: "SynthesisResult"
    refusal: RecordGenerationError
    answer: "Answered"
    abstention: "Answered"
    verdict: "Verdict"


def demo_folder() -> Path:
    """Return where the files of the demonstration are."""
    return Path(str(files("veracord") / "bundled" / "demo"))


def recorded_model(folder: Path) -> "Model":
    """Return the model whose answers are on file."""
    from veracord.models.cassettes import Cassette

    return Cassette(folder / ANSWERS)


def demonstrate(model: "Model", folder: Path) -> Demonstration:
    """Do everything that is shown.

    Args:
        model: Who is asked: `recorded_model`, or one that is being recorded.
        folder: See `demo_folder`.

    Raises:
        ModelError: An answer is not on file.
    """
    from veracord.grounding.verifier import Verifier

    profile = Profile.load(PROFILE)
    document, seed = _document(folder / RECORD), _document(folder / SEED)
    pack = load_evidence(Choices(evidence=(folder / EVIDENCE,)))
    sources = load_evidence(Choices(evidence=(folder / SOURCES,)))
    one_source = load_evidence(Choices(evidence=(folder / ONE_SOURCE,)))
    with RecordComposer(profile, model) as composer:
        repair = composer.repair(document, pack)
        synthesis = composer.synthesize(seed, sources)
        refusal = _refusal(composer, seed, one_source)
    # Nobody is asked about these: what a field of the evidence states can be told without a model.
    asked = RecordComposer(profile)
    verifier = Verifier()
    return Demonstration(
        violations=len(profile.validate(document.value)),
        sources=len(pack),
        repair=repair,
        synthesis=synthesis,
        refusal=refusal,
        answer=asked.answer(QUESTION, pack, document),
        abstention=asked.answer(OPEN_QUESTION, pack, document),
        verdict=verifier.check(FALSE_ANSWER, verifier.view(pack.items)),
    )


async def keep_demonstration(service: "DecisionService", person: Person, shown: Demonstration, folder: Path) -> None:
    """Put the record with its evidence and guesses under review, as an import does; once, whatever was decided since.

    Args:
        service: Of the store.
        person: Who brings it in.
        shown: What was shown.
        folder: See `demo_folder`.

    Raises:
        VeracordError: The store fails.
    """
    try:
        await service.record(RECORD_ID)
    except DecisionError:
        pack = load_evidence(Choices(evidence=(folder / EVIDENCE,)))
        document = _document(folder / RECORD)
        guesses = shown.repair.suggestions
        asked = Import(RECORD_ID, PROFILE, document, pack, {}, guesses, MODEL_NAME if guesses else "")
        await service.import_record(person, asked)


def _refusal(composer: RecordComposer, seed: Document, pack: EvidencePack) -> RecordGenerationError:
    """Return the error of a synthesis that must be refused."""
    try:
        composer.synthesize(seed, pack)
    except RecordGenerationError as error:
        return error
    raise PipelineError("the demonstration made a record that it must not make", remedy="please report it")


def _document(path: Path) -> Document:
    return read_record(path.read_bytes(), where=path.name)
