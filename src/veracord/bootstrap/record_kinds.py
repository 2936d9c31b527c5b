"""The producers of a pipeline file that work on records and evidence: `repair`, `synthesis` and `answer`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import UNSET

from veracord.bootstrap.answer_steps import answer_setting, answer_settings
from veracord.bootstrap.budgets import ANSWER, RECORD_KINDS, REPAIR
from veracord.bootstrap.choices import profile_files
from veracord.bootstrap.pipeline_tables import ProducerTable, ValidatorTable, about, refused
from veracord.bootstrap.record_steps import Asked, GuessFreeStep, LedgerSlot, RecordCheck, RecordParts, RepairProducer
from veracord.composer.repair import TOOL
from veracord.config import Settings
from veracord.pipeline import ProducerBinding
from veracord.pipeline.keys import content_digest
from veracord.ports import Model
from veracord.records.evidence import EvidencePack
from veracord.records.evidence_files import EvidenceFiles
from veracord.records.profiles import Profile
from veracord.records.schemas import Schema
from veracord.records.values import JsonValue, canonical, digest

if TYPE_CHECKING:
    from veracord.answers.settings import AnswerSettings
    from veracord.answers.validating import GroundingCheck

#: Fields that only the kinds of this module take, and fields that they do not take.
_OWN: Final = ("profile", "evidence", "suggest")
_OF_OTHERS: Final = ("prompt", "schema", "via", "retries", "structure_repairs", "correction", "settings")


@dataclass(frozen=True)
class RecordStep:
    """A producer of one of these kinds, wired.

    Attributes:
        binding: It, with the validators that belong to it, before any that the file names, and its policy.
        parts: What makes a run of it this run, by name.
        files: The files that it reads.
        skipped: Files in evidence folders that are of no kind that is read.
    """

    binding: ProducerBinding[Any]
    parts: dict[str, str]
    files: tuple[Path, ...]
    skipped: tuple[str, ...]


def check_fields(table: ProducerTable, where: str) -> None:
    """Make sure that a producer has no field of another kind.

    Raises:
        ConfigurationError: It has; the error names file and field.
    """
    is_record = table.kind in RECORD_KINDS
    for name in _OF_OTHERS if is_record else _OWN:
        if getattr(table, name) is not None:
            kinds = "other kinds" if is_record else f"{', '.join(RECORD_KINDS[:-1])} and {RECORD_KINDS[-1]}"
            raise refused(f"{name} is for {kinds}", f"{where}.{name}", "take it out")
    if is_record and table.stop_when_stuck:
        raise refused("stop_when_stuck is for other kinds", f"{where}.stop_when_stuck", "take it out")
    if is_record and table.kind != ANSWER and table.profile is None:
        raise refused("the field profile is missing", f"{where}.profile", "add it", code="missing_field")
    if is_record and table.kind != REPAIR and table.policy.validator_execution_failure is not UNSET:
        name = "policy.validator_execution_failure"
        raise refused("what could not be checked is never accepted", f"{where}.{name}", "take it out")
    if table.suggest is not None and table.kind != REPAIR:
        raise refused("suggest is for repair", f"{where}.suggest", "take it out")
    if table.answers is not None and table.kind != ANSWER:
        raise refused(f"answers is for {ANSWER}", f"{where}.answers", "take it out")


class RecordKinds:
    """Makes the producers of these kinds; what two of them name is read once.

    Attributes:
        slot: Where the ledger of the run is to be put.
    """

    def __init__(self, folder: Path, model: Model | None, settings: Settings) -> None:
        """Remember what paths are relative to, and who is asked."""
        self.slot = LedgerSlot()
        self._folder = folder
        self._model = model
        self._max_bytes = settings.max_record_bytes
        self._packs: dict[tuple[Path, ...], EvidencePack] = {}
        self._profiles: dict[str, Profile] = {}

    def step(self, table: ProducerTable, where: str, *, is_first: bool) -> RecordStep:
        """Return a producer.

        Raises:
            ConfigurationError: Its profile or evidence cannot be used; the error names file and field.
        """
        with about(f"{where}.profile"):
            profile = Profile.of_anything() if table.profile is None else self._profile(table.profile)
        paths = self._evidence_paths(table)
        with about(f"{where}.evidence"):
            pack = self._pack(paths)
            files = [file for path in paths for file in EvidenceFiles(0).files(path)]
        parts = RecordParts(profile, pack, self._model, self.slot, is_first)
        with about(where):
            binding = record_binding(
                table.kind,
                table.id,
                parts,
                suggests=table.suggest is not False,
                answers=answer_settings(table.answers) if table.kind == ANSWER else None,
            )
        told = {
            f"profile of {table.id}": digest(f"{profile.digest} {profile.schema_digest}".encode()),
            f"evidence of {table.id}": pack_digest(pack),
        }
        files += [] if table.profile is None else profile_files(self._folder / table.profile)
        return RecordStep(binding, told, tuple(files), pack.skipped)

    def _profile(self, name: str) -> Profile:
        if name not in self._profiles:
            path = self._folder / name if name.endswith(".toml") else name
            self._profiles[name] = Profile.load(path, max_bytes=self._max_bytes)
        return self._profiles[name]

    def _evidence_paths(self, table: ProducerTable | ValidatorTable) -> tuple[Path, ...]:
        named = (table.evidence,) if isinstance(table.evidence, str) else table.evidence or ()
        return tuple(self._folder / name for name in named)

    def grounding(self, table: ValidatorTable, where: str) -> tuple["GroundingCheck", str, list[Path]]:
        """Return the verifier as a validator, its version, and the files that it reads.

        Raises:
            ConfigurationError: Its evidence cannot be used.
        """
        from veracord.answers.validating import GroundingCheck

        if table.evidence is None:
            return GroundingCheck(), TOOL, []
        paths = self._evidence_paths(table)
        with about(f"{where}.evidence"):
            pack = self._pack(paths)
            files = [file for path in paths for file in EvidenceFiles(0).files(path)]
        return GroundingCheck(pack), f"{TOOL} {pack_digest(pack)}", files

    def _pack(self, paths: tuple[Path, ...]) -> EvidencePack:
        if paths not in self._packs:
            self._packs[paths] = EvidencePack.from_paths(paths, max_bytes=self._max_bytes)
        return self._packs[paths]


def about_record(check: Any, version: str) -> tuple[Any, str]:  # noqa: ANN401 - any kind of check
    """Return a check of a file's validator as it is used on a result, and its version.

    A schema or a profile is for the record inside; a callable gets the whole result.
    """
    if isinstance(check, Schema | Profile):
        return RecordCheck(check), f"{version} {content_digest(check)}"
    return check, version


def record_binding(
    kind: str, producer_id: str, parts: RecordParts, *, suggests: bool, answers: "AnswerSettings | None" = None
) -> ProducerBinding[Any]:
    """Return a producer of one of these kinds.

    Args:
        kind: Which.
        producer_id: What names it.
        parts: What it works with.
        suggests: Of `repair`: whether a model is asked for suggestions.
        answers: Of `answer`: what may be chosen about answers.
    """
    if kind == REPAIR:
        producer = RepairProducer(parts, suggests=suggests)
        return ProducerBinding(producer_id, producer, retries=0, correction="off")
    if kind == ANSWER:
        from veracord.answers.answering import answer_binding

        asked = answer_binding(answer_setting(parts, answers), parts.model, id=producer_id)
        return replace(asked, producer=GuessFreeStep(cast("Asked", asked.producer), parts.pack_holds_no_guess))
    from veracord.composer.synthesis import synthesis_binding

    binding = synthesis_binding(parts.profile, parts.index, parts.model, id=producer_id, marks=parts.marks)
    return replace(binding, producer=GuessFreeStep(cast("Asked", binding.producer), parts.knows_no_guess))


def pack_digest(pack: EvidencePack) -> str:
    """Return the digest of all that a pack says."""
    items: list[JsonValue] = [
        [item.id, item.evidence_ref, item.rank, item.source_ref, dict(sorted(item.origins.items()))]
        for item in pack.items
    ]
    return digest(canonical(items))
