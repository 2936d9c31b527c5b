"""What a synthesised record is held to, as validators of the pipeline; who wrote the record means nothing.

Each works out anew what it says, from the record, the seed and the evidence.  A candidate is the JSON of a
`SynthesisResult`, or ``{"malformed": [[code, pointer, fact], ...]}`` where there is no record to check.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, cast

from veracord.composer.repair import TOOL
from veracord.composer.synthesis_cases import SynthesisCase
from veracord.pipeline.candidates import Unit
from veracord.pipeline.checks import reads_only
from veracord.pipeline.validators import ValidatorBinding
from veracord.pipeline.verdicts import Defect
from veracord.records.values import JsonObject, JsonValue, canonical, digest

MALFORMED: Final = "malformed"

#: Is told what each validator found, by its id; an empty list where nothing.
Note = Callable[[str, Sequence[Defect]], None]

#: Gives the case of a seed.
Cases = Callable[[JsonObject], Awaitable[SynthesisCase]]


def malformed(defects: Sequence[Defect]) -> JsonObject:
    """Return the candidate that stands for no record, with the reasons."""
    return {MALFORMED: [[defect.code, defect.path, defect.fact] for defect in defects]}


class SynthesisChecks:
    """The four validators of a synthesis."""

    def __init__(self, cases: Cases, note: Note | None = None) -> None:
        """Remember where cases come from, and who is told all that is found.

        Args:
            cases: Gives the case of a seed.
            note: Is told of every defect; a verdict keeps only so many.
        """
        self._cases = cases
        self._note = note
        self._known: dict[str, SynthesisCase] = {}

    def bindings(self, version: str) -> list[ValidatorBinding[JsonValue]]:
        """Return the validators, in order."""
        version = f"{TOOL} {version}"
        return [
            ValidatorBinding("form", self.form, version=version),
            ValidatorBinding("conformance", self.conformance, version=version),
            ValidatorBinding("support", self.support, version=version),
            ValidatorBinding("seed", self.seed, version=version),
        ]

    def remember(self, unit: Unit, case: SynthesisCase) -> None:
        """Remember the case of a unit in flight: its seed may be what a producer before made of the unit."""
        self._known.pop(unit.key, None)
        if len(self._known) >= _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        self._known[unit.key] = case

    @reads_only
    def form(self, value: JsonValue) -> list[Defect]:
        """Tell why there is no record, where there is none."""
        rows = value.get(MALFORMED) if isinstance(value, dict) else None
        told = [Defect(*map(str, row)) for row in rows if isinstance(row, list)] if isinstance(rows, list) else []
        return self._told("form", told)

    @reads_only
    async def conformance(self, value: JsonValue, unit: Unit) -> list[Defect]:
        """Check the schema with its formats, and the rules of the profile."""
        case, record = await self._case(value, unit)
        return self._told("conformance", case.conformance_problems(record) if case is not None else [])

    @reads_only
    async def support(self, value: JsonValue, unit: Unit) -> list[Defect]:
        """Check that every leaf is grounded, and that the rows of support say how."""
        case, record = await self._case(value, unit)
        if case is None:
            return self._told("support", [])
        grounding = case.grounding(record)
        problems = list(grounding.problems)
        told = cast("Mapping[str, JsonValue]", value).get("support")
        if not problems and told != [row.to_dict() for row in grounding.rows]:
            problems = [Defect("support_differs", "", "the rows of support are not those of the record")]
        return self._told("support", problems)

    @reads_only
    async def seed(self, value: JsonValue, unit: Unit) -> list[Defect]:
        """Check that the seed survives, and what it says of the product."""
        case, record = await self._case(value, unit)
        found = self._told("seed", case.seed_losses(record) if case is not None else [])
        # It is the last one, so the attempt is over.
        self._known.pop(unit.key, None)
        return found

    async def _case(self, value: JsonValue, unit: Unit) -> tuple[SynthesisCase | None, JsonObject]:
        """Return the case of a candidate, and its record; no case where there is no record."""
        if not isinstance(value, dict) or MALFORMED in value:
            return None, {}
        record, digests = value["record"], cast("Mapping[str, JsonValue]", value["digests"])
        assert isinstance(record, dict)  # noqa: S101 - the producer made it so
        known = self._known.get(unit.key)
        if known is not None and known.seed_digest == digests["seed"]:
            return known, record
        seed = unit.value
        if not isinstance(seed, dict) or digest(canonical(seed)) != digests["seed"]:
            # The seed came from a producer before, in another process: nothing can be said of the record.
            raise LookupError
        return await self._cases(seed), record

    def _told(self, name: str, defects: list[Defect]) -> list[Defect]:
        if self._note is not None:
            self._note(name, defects)
        return defects


#: Cases that are kept, should attempts end without their last validator.
_MOST_KNOWN: Final = 4_096
