"""A seed that is given to a check: whether rows of support say what it says, and whether all of it survived."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from veracord.composer.seeds import identity_problems, survival_problems
from veracord.composer.synthesis_results import REQUEST_SEED
from veracord.composer.verified_rows import VerifiedRow, holds_at
from veracord.records.evidence import UNSUPPORTING_ORIGINS
from veracord.records.pointers import Tokens, join, split
from veracord.records.profiles import Profile
from veracord.records.values import JsonObject, JsonValue, canonical, digest, leaves

OTHER_SEED = "the seed given is another one: its digest differs"


@dataclass(frozen=True)
class GivenSeed:
    """A seed, with the origins that stand beside it.

    Attributes:
        content: It.
        origins: Origins of its leaves, by pointer.
    """

    content: JsonObject
    origins: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def ref(self) -> str:
        """``sha256:<hex>`` of its canonical form."""
        return digest(canonical(self.content))

    def contradictions(self, evidence_ref: JsonValue, source: Tokens, value: JsonValue) -> Iterator[str]:
        """Yield what is not so about a value that is said to stand in the seed."""
        if evidence_ref != self.ref:
            yield OTHER_SEED
            return
        if any(source[: len(at)] == at[: len(source)] for at in self._guesses):
            yield "the seed itself held a suggestion there"
        if not holds_at(self.content, source, value):
            yield "the seed does not hold this value there"

    def losses(
        self, record: JsonObject, rows: Iterable[VerifiedRow], named: JsonValue, profile: Profile | None
    ) -> Iterator[VerifiedRow]:
        """Yield a row for each leaf of the seed that a record lacks or says otherwise.

        Args:
            record: The record.
            rows: What was checked so far; it tells which row of the record is which of the seed.
            named: The digest of the seed that the result names.
            profile: Knows the keys of rows; without one the rows of support say which row is which.
        """
        if named != self.ref:
            yield VerifiedRow("", REQUEST_SEED, self.ref, "", ok=False, reason=OTHER_SEED)
            return
        lost: Iterable[Tokens]
        if profile is None:
            lost = self._lost(record, rows)
        else:
            problems = (
                *survival_problems(profile, self.content, record),
                *identity_problems(profile, self.content, record),
            )
            lost = (split(path) for path in sorted({problem.path for problem in problems}))
        for at in lost:
            reason = "what the seed says here was dropped or changed"
            yield VerifiedRow(join(at), REQUEST_SEED, self.ref, join(at), ok=False, reason=reason)

    @cached_property
    def _guesses(self) -> tuple[Tokens, ...]:
        return tuple(split(at) for at, origin in self.origins.items() if origin in UNSUPPORTING_ORIGINS)

    def _lost(self, record: JsonObject, rows: Iterable[VerifiedRow]) -> Iterator[Tokens]:
        found: dict[Tokens, Tokens] = {}
        for row in rows:
            if row.evidence_id == REQUEST_SEED and row.ok:
                source, path = split(row.source_pointer), split(row.path)
                found |= {source[:depth]: path[:depth] for depth in range(1, len(source) + 1)}
        for at, value in leaves(self.content) if self.content else ():
            known = next((depth for depth in range(len(at), 0, -1) if at[:depth] in found), 0)
            held_at = (*found[at[:known]], *at[known:]) if known else at
            if not holds_at(record, held_at, value):
                yield at
