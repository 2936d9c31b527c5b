"""Checking a result of synthesis against the evidence, trusting nothing in it.

Every leaf of the record must have exactly one row of support, and every row must name evidence that is there,
unchanged, and that holds an equal value at a pointer which is the leaf's own place.  Rows of the seed must name the
seed's digest; they are checked against the seed itself where it is given, and otherwise told as not checked.  Which
product the evidence is about, and which of its rows is the same row, is decided anew where a profile is given.
"""

from collections.abc import Iterator
from typing import Final

from veracord.composer.decided_anew import Claim, refused_support
from veracord.composer.results import SCHEMA_VERSION
from veracord.composer.synthesis_results import REQUEST_SEED
from veracord.composer.verified_places import keep_rows_apart
from veracord.composer.verified_rows import (
    NotChecked,
    Verification,
    VerifiedRow,
    is_same_place,
    other_profile,
    source_contradictions,
    with_refusals,
)
from veracord.composer.verified_seed import GivenSeed
from veracord.errors import InputError
from veracord.records.evidence import EvidenceItem, EvidencePack
from veracord.records.pointers import Tokens, get, is_pointer, join, split
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, leaves

_TEXTS: Final = ("path", "evidence_id", "evidence_ref", "source_pointer")
_OF_SEED: Final = ("seed", "declared")
NO_SEED: Final = "the seed was not given"


def verify_support(
    result: JsonObject, pack: EvidencePack, *, profile: Profile | None = None, seed: GivenSeed | None = None
) -> Verification:
    """Check a result of synthesis against the evidence; see `veracord.composer.verification.verify_result`.

    Raises:
        InputError: It is no result of synthesis.
    """
    support, record, digests = result.get("support"), result.get("record"), result.get("digests")
    sound = isinstance(support, list) and isinstance(record, dict) and isinstance(digests, dict)
    if not sound or result.get("schema_version") != SCHEMA_VERSION:
        raise InputError(
            "this is no result of synthesis", remedy="give the JSON that synthesize wrote", code="not_a_result"
        )
    assert isinstance(support, list)  # noqa: S101 - narrows for mypy, as do the next two
    assert isinstance(record, dict)  # noqa: S101
    assert isinstance(digests, dict)  # noqa: S101
    named = digests.get("seed")
    check = _Check(record, (named, seed), result.get("origins"), {item.id: item for item in pack.items})
    rows = keep_rows_apart(record, [check.row(row) for row in support], one_source=True)
    if profile is not None:
        rows = _decided(profile, record, rows, pack)
        rows += [*other_profile(profile, result), *_violations(profile, record)]
    rows += check.unsupported()
    if seed is not None:
        rows += seed.losses(record, rows, named, profile)
    open_points = [NotChecked.SEED] if any(row.ok is None for row in rows) or seed is None else []
    open_points += [NotChecked.SAME_PRODUCT] if profile is None else []
    return Verification(tuple(rows), tuple(open_points))


class _Check:
    """One check under way."""

    def __init__(
        self,
        record: JsonObject,
        seed: tuple[JsonValue, GivenSeed | None],
        origins: JsonValue,
        items: dict[str, EvidenceItem],
    ) -> None:
        self._leaves = {join(at): (at, value) for at, value in leaves(record)} if record else {}
        self._seed_ref, self._seed = seed
        self._origins = origins if isinstance(origins, dict) else {}
        self._items = items
        self._seen: set[str] = set()

    def row(self, row: JsonValue) -> VerifiedRow:
        """Check one row."""
        texts = [row.get(name) for name in _TEXTS] if isinstance(row, dict) else []
        path, evidence_id, evidence_ref, pointer = (
            text if isinstance(text, str) else "" for text in (*texts, *[None] * (len(_TEXTS) - len(texts)))
        )
        if not texts or not all(isinstance(text, str) for text in texts):
            reason: str | None = "the row is malformed"
        elif not is_pointer(path) or not is_pointer(pointer):
            reason = "a pointer is malformed"
        else:
            reason = next(self._contradictions(path, evidence_id, evidence_ref, split(pointer)), None)
        self._seen.add(path)
        told = VerifiedRow(path, evidence_id, evidence_ref, pointer, ok=reason is None, reason=reason)
        if reason is None and evidence_id == REQUEST_SEED and self._seed is None:
            return VerifiedRow(path, evidence_id, evidence_ref, pointer, ok=None, reason=NO_SEED)
        return told

    def unsupported(self) -> Iterator[VerifiedRow]:
        """Yield a row for each leaf that no row stands for, and for each origin of a leaf that is not there."""
        for path in self._leaves:
            if path not in self._seen:
                yield VerifiedRow.failed(path, "no row of support stands for this leaf")
        for path in self._origins:
            if path not in self._leaves:
                yield VerifiedRow.failed(path, "an origin is told of a leaf that the record does not have")

    def _contradictions(self, path: str, evidence_id: str, evidence_ref: str, source: Tokens) -> Iterator[str]:
        leaf = self._leaves.get(path)
        if leaf is None:
            yield "the record has no leaf there"
            return
        if path in self._seen:
            yield "two rows stand for this leaf"
        is_seed = evidence_id == REQUEST_SEED
        if self._origins.get(path) not in (_OF_SEED if is_seed else ("evidence",)):
            yield "the origin of the leaf is another one"
        item = self._items.get(evidence_id)
        if is_seed:
            yield from self._seed_contradictions(leaf, evidence_ref, source)
        elif item is None:
            yield "no evidence has this id"
        else:
            yield from source_contradictions(item, evidence_ref, (leaf[0], source), leaf[1])

    def _seed_contradictions(self, leaf: tuple[Tokens, JsonValue], evidence_ref: str, source: Tokens) -> Iterator[str]:
        if evidence_ref != self._seed_ref:
            yield "the seed is not the one of this result: its digest differs"
        if not is_same_place(leaf[0], source):
            yield "the source pointer is another place"
        if self._seed is not None:
            yield from self._seed.contradictions(evidence_ref, source, leaf[1])


def _decided(profile: Profile, record: JsonObject, rows: list[VerifiedRow], pack: EvidencePack) -> list[VerifiedRow]:
    """Return rows with those refused that the profile does not allow."""
    claims: list[Claim] = []
    for row in rows:
        value = get(record, split(row.path)) if row.ok and row.evidence_id != REQUEST_SEED else MISSING
        if value is not MISSING:
            claims.append(Claim(split(row.path), row.evidence_id, split(row.source_pointer), value))
    refused = refused_support(profile, record, claims, pack)
    reasons = {n: refused[split(row.path)] for n, row in enumerate(rows) if row.ok and split(row.path) in refused}
    return with_refusals(rows, reasons)


def _violations(profile: Profile, record: JsonObject) -> Iterator[VerifiedRow]:
    for finding in profile.findings(record):
        yield VerifiedRow.failed(
            finding.violation.path, f"the record violates the profile here ({finding.violation.rule})"
        )
