"""Repair and synthesis as producers of a pipeline: the same code as a composer's, one unit at a time.

The value of a unit is the result as JSON.  Both know what decides it without asking anybody, so a run that goes on,
and another run, take over what stands.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol, cast

from veracord.bootstrap.observed_models import ObservedModel
from veracord.composer.laundering import Marks, mark, marked_pack
from veracord.composer.ledgers import Ledger
from veracord.composer.record_composer import AsyncRecordComposer
from veracord.composer.repair import TOOL, document_of
from veracord.errors import InputError, ModelCeilingError, ModelOutputError, RunInterruptedError
from veracord.pipeline import Attempt, Candidate
from veracord.pipeline.candidates import Unit
from veracord.pipeline.checks import check_of
from veracord.ports import Model
from veracord.promptkit.prompts import bundled_prompt
from veracord.records.evidence import SUGGESTION_ORIGIN, EvidencePack
from veracord.records.matching import EvidenceIndex
from veracord.records.profiles import Profile
from veracord.records.reading import Document, read_value
from veracord.records.schemas import Schema
from veracord.records.values import JsonObject, JsonValue

_CEILING: Final = "cost_ceiling"

#: The bundled prompts that decide what is suggested.
SUGGESTION_PROMPTS: Final = ("structured_suggestions", "suggest")


@dataclass(slots=True)
class LedgerSlot:
    """Where the ledger of a run is, once its store is open."""

    ledger: Ledger | None = None


@dataclass(frozen=True)
class RecordParts:
    """What records of one producer are repaired, or built, from.

    Attributes:
        profile: What they must be.
        pack: The evidence.
        model: Who is asked, or None.
        slot: The ledger of the run.
        is_first: Whether the record is the unit, and not the value of the producer before.
    """

    profile: Profile
    pack: EvidencePack
    model: Model | None
    slot: LedgerSlot
    is_first: bool

    @property
    def index(self) -> EvidenceIndex:
        """The evidence by identity; made once for all units."""
        return EvidenceIndex.of(self.pack, self.profile.identity)

    async def marks(self, document: Document) -> Marks:
        """Return the origins of a record's leaves, and the evidence, with guesses that the ledger knows marked."""
        return await mark(self.slot.ledger, self.profile, document, self.index)

    async def knows_no_guess(self, attempt: Attempt) -> bool:
        """Whether nothing that a result for an attempt rests on is known for a guess by now."""
        marks = await self.marks(self.record_of(attempt))
        return marks.evidence is self.index and SUGGESTION_ORIGIN not in marks.origins.values()

    async def marked(self, pack: EvidencePack) -> EvidencePack:
        """Return evidence in which the guesses are marked that the ledger of the run knows by now."""
        return pack if self.slot.ledger is None else await marked_pack(self.slot.ledger, self.profile, pack)

    async def pack_holds_no_guess(self, _attempt: Attempt) -> bool:
        """Whether nothing in the evidence is known for a guess by now."""
        pairs = zip((await self.marked(self.pack)).items, self.pack.items, strict=True)
        return all(dict(new.origins) == dict(old.origins) for new, old in pairs)

    def value_of(self, attempt: Attempt) -> object:
        """Return what an attempt is about, whatever it is."""
        return attempt.unit.value if self.is_first else record_in(attempt.previous)

    def record_of(self, attempt: Attempt) -> Document:
        """Return the record that an attempt is about.

        Raises:
            ModelOutputError: It is none: a structural failure.
        """
        code = ""
        value = self.value_of(attempt)
        if self.is_first and isinstance(value, dict):
            # The strict reader made it, and nobody changes it: it needs neither a check nor a copy.
            return Document(value, b"", "")
        try:
            # What is no object is told.
            return document_of(cast("JsonObject", value))
        except InputError as error:
            code = error.code
        raise ModelOutputError("the unit is no record", remedy="make it a JSON object", code=code)

    def told(self, record: JsonObject, prompts: tuple[str, ...]) -> JsonObject:
        """Return what decides the result for a record: it, the profile, the sources near it, and who is asked."""
        sources: list[JsonValue] = [
            [item.id, item.evidence_ref, item.rank, dict(sorted(item.origins.items()))]
            for item in sorted((source.item for source in self.index.related(record)), key=lambda item: item.id)
        ]
        parts: JsonObject = {
            "tool": TOOL,
            "profile": self.profile.digest,
            "schema": self.profile.schema_digest,
            "record": record,
            "sources": sources,
        }
        if self.model is not None and prompts:
            parts["model"] = dict(self.model.settings)
            parts["prompts"] = {name: bundled_prompt(name).digest for name in prompts}
        return parts


def record_in(value: object) -> object:
    """Return the record inside the value of another producer: its `record`, if it has one, else all of it."""
    dump = getattr(value, "model_dump_json", None)
    plain = value if dump is None else read_value(dump().encode(), keeps_names=False)
    inside = plain.get("record") if isinstance(plain, dict) else None
    return inside if isinstance(inside, dict) else plain


class RepairProducer:
    """Repairs the record of each unit; see `veracord.RecordComposer.repair`."""

    correction_protocol: ClassVar[str | None] = None

    def __init__(self, parts: RecordParts, *, suggests: bool) -> None:
        """Prepare the repair.

        Args:
            parts: What records are repaired from.
            suggests: Whether the model is asked for suggestions.
        """
        self._parts = parts
        self._model = ObservedModel(parts.model) if suggests and parts.model is not None else None
        self._composer: AsyncRecordComposer | None = None
        self._prompts = SUGGESTION_PROMPTS if suggests else ()

    async def produce(self, attempt: Attempt) -> Candidate[JsonValue]:
        """Repair one record; see `veracord.pipeline.Producer`."""
        document = self._parts.record_of(attempt)
        if self._model is None:
            return attempt.candidate(await self._repaired(document))
        with self._model.working_on(attempt):
            return attempt.candidate(await self._repaired(document))

    async def _repaired(self, document: Document) -> JsonValue:
        if self._composer is None:
            self._composer = AsyncRecordComposer(self._parts.profile, self._model, ledger=self._parts.slot.ledger)
        code = ""
        try:
            result = await self._composer.repair(document, self._parts.pack, suggest_from_training=self._prompts != ())
            return result.to_dict()
        except RunInterruptedError as error:
            if error.code != _CEILING:
                raise
            code = error.code
        # What ends the question ends the run.
        raise ModelCeilingError("the next request could pass the limit on cost", code=code)

    async def still_stands(self, attempt: Attempt) -> bool:
        """Whether a value that was made before may be taken over; see `veracord.pipeline.units`."""
        return await self._parts.knows_no_guess(attempt)

    def fingerprint(self, attempt: Attempt) -> JsonObject | None:
        """Return what decides the value; None for a unit that is no record."""
        record = self._parts.value_of(attempt)
        if type(record) is not dict:
            return None
        return {"kind": "repair", "suggests": bool(self._prompts), **self._parts.told(record, self._prompts)}


class Asked(Protocol):
    """A producer that knows what decides its values without asking anybody."""

    correction_protocol: str | None

    async def produce(self, attempt: Attempt) -> Candidate[JsonValue]:
        """Make one candidate."""

    def fingerprint(self, attempt: Attempt) -> JsonObject | None:
        """Return what decides the value; None where nothing can be said."""

    async def aclose(self) -> None:
        """Close it."""


class GuessFreeStep:
    """A producer in a run whose values also depend on what the ledger of the run knows for a guess."""

    def __init__(self, producer: Asked, is_guess_free: Callable[[Attempt], Awaitable[bool]]) -> None:
        """Remember both.

        Args:
            producer: Makes the values.
            is_guess_free: Whether what a value was made from holds nothing that is known for a guess by now.
        """
        self.correction_protocol = producer.correction_protocol
        self._producer = producer
        self._is_guess_free = is_guess_free

    async def produce(self, attempt: Attempt) -> Candidate[JsonValue]:
        """Make one candidate."""
        return await self._producer.produce(attempt)

    def fingerprint(self, attempt: Attempt) -> JsonObject | None:
        """Return what decides the value; None for a unit that it cannot be told of."""
        return self._producer.fingerprint(attempt)

    async def still_stands(self, attempt: Attempt) -> bool:
        """Whether a value that was made before may be taken over; see `veracord.pipeline.units`."""
        return await self._is_guess_free(attempt)

    async def aclose(self) -> None:
        """Close the producer."""
        await self._producer.aclose()


class RecordCheck:
    """A schema or a profile for the record inside a result; the rest of the result is not looked at."""

    def __init__(self, kind: Schema | Profile) -> None:
        """Prepare the check."""
        self._check = check_of(kind)

    def __call__(self, value: object, unit: Unit) -> Any:  # noqa: ANN401 - whatever the check finds
        """Check the record; a value without one is told by whoever checks its form."""
        record = value.get("record") if isinstance(value, Mapping) else None
        return None if record is None else self._check(record, unit)
