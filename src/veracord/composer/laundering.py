"""A guess that is pasted back does not become a fact.

What equals a suggestion that we issued for the same product, at the same place, supports nothing: neither as a leaf of
an incoming record or seed, nor as a leaf of a source.  It is told by the ledger alone, so a sidecar that was deleted
changes nothing.  There are two ways out, both of them somebody's word: the leaf was `declared`, here or in another
source about the product; or a source stated the value before it was ever suggested, and it was never entered.

Source: records.md of the project's design, section 7.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from veracord.composer.ledgers import (
    Ledger,
    LedgerEntry,
    Told,
    entries_of,
    guessed_leaves,
    is_rejected,
    products_of,
    products_of_values,
    told_leaves,
)
from veracord.composer.outcomes import Outcome
from veracord.composer.results import RepairResult
from veracord.composer.verified_rows import is_same_place
from veracord.records.evidence import SUGGESTION_ORIGIN, UNSUPPORTING_ORIGINS, EvidencePack
from veracord.records.matching import EvidenceIndex, Source
from veracord.records.pointers import Tokens, join, split
from veracord.records.profiles import Profile
from veracord.records.reading import Document
from veracord.records.structured_texts import structured_pack
from veracord.records.values import JsonObject, JsonValue, equal, leaves

_DECLARED: Final = "declared"

#: Disputes in which no source surely speaks about this product, or none speaks at all.
_NO_STATEMENT: Final = ("identity", SUGGESTION_ORIGIN)


class Marks(NamedTuple):
    """A record and its evidence, with guesses marked.

    Attributes:
        origins: The origins of the record's leaves, by pointer: those given, and `suggestion_origin` for guesses.
        evidence: The sources; what equals a guess in one that may match bears that origin, too.  It is the very index
            that was given where none holds one.
    """

    origins: dict[str, str]
    evidence: EvidenceIndex


async def mark(
    ledger: Ledger | None,
    profile: Profile,
    document: Document,
    evidence: EvidencePack | EvidenceIndex,
    origins: Mapping[str, str] | None = None,
) -> Marks:
    """Mark every leaf of a record, and of the sources about its product, that equals a suggestion we issued.

    Args:
        ledger: What was suggested; None marks nothing.
        profile: What the record must be.
        document: The record or seed.
        evidence: The evidence; the pack and its index are not changed, and can be shared.
        origins: Origins that came with the record, by pointer.

    Raises:
        StorageError: The ledger cannot be read.
    """
    index = _index_of(evidence, profile)
    if ledger is None:
        return Marks(dict(origins or {}), index)
    products = products_about(profile, document, index)
    return mark_issued(await ledger.issued(products) if products else (), profile, document, index, origins)


def products_about(profile: Profile, document: Document, evidence: EvidencePack | EvidenceIndex) -> frozenset[str]:
    """Return the names of the product of a record, and of the sources that may be about it."""
    values = profile.identity.values(document.value)
    related = _index_of(evidence, profile).related(document.value)
    return products_of_values(profile.identity, [values, *(source.values for source in related)])


def mark_issued(
    issued: Collection[LedgerEntry],
    profile: Profile,
    document: Document,
    evidence: EvidencePack | EvidenceIndex,
    origins: Mapping[str, str] | None = None,
) -> Marks:
    """Mark a record and its sources as `mark` does, by entries that are known already.

    Args:
        issued: What was suggested for `products_about` them.
        profile: What the record must be.
        document: The record or seed.
        evidence: The evidence.
        origins: Origins that came with the record, by pointer.
    """
    given = dict(origins or {})
    index = _index_of(evidence, profile)
    guesses = {(entry.place, entry.value_digest) for entry in issued}
    if not guesses:
        return Marks(given, index)
    related = index.related(document.value)
    guesses -= {told for source in related for told in _declared(profile, source)}
    found = _guesses_in(profile, document.value, guesses)
    kept = {at: origin for at, origin in given.items() if origin in (_DECLARED, *UNSUPPORTING_ORIGINS)}
    marked = {source.evidence_id: _marked(profile, source, guesses) for source in related}
    is_changed = any(marked[source.evidence_id] is not source for source in related)
    return Marks({**given, **found, **kept}, index.swapped(marked) if is_changed else index)


async def marked_pack(ledger: Ledger, profile: Profile, pack: EvidencePack) -> EvidencePack:
    """Return evidence in which every leaf that equals a suggestion we issued for its own product is marked.

    Args:
        ledger: What was suggested.
        profile: What records are.
        pack: The evidence; a text that is one JSON object counts as one here.

    Raises:
        StorageError: The ledger cannot be read.
    """
    index = EvidenceIndex(structured_pack(pack), profile.identity)
    origins: dict[str, Mapping[str, str]] = {}
    for source in index.sources:
        if source.evidence_id in origins:
            continue
        marks = await mark(ledger, profile, Document(source.content, b"", ""), index)
        for near in (source, *marks.evidence.related(source.content)):
            found = {**origins.get(near.evidence_id, {}), **near.item.origins}
            if near.evidence_id == source.evidence_id:
                found |= {at: told for at, told in marks.origins.items() if found.get(at) != _DECLARED}
            origins[near.evidence_id] = found
    items = [replace(item, origins={**item.origins, **origins.get(item.id, {})}) for item in pack.items]
    return EvidencePack(items, pack.skipped)


async def issue_suggestions(ledger: Ledger, profile: Profile, result: RepairResult) -> None:
    """Enter the suggestions of a repair before they are shown; what a source states there, too, is no guess.

    Such a source is one of several that disagree: were nothing said otherwise, its value had been filled.  A source
    that does not count, as one in another context, states nothing here.

    Args:
        ledger: Where they are kept.
        profile: What the record must be.
        result: The repair, with its suggestions.

    Raises:
        StorageError: They could not be kept; then they must not be shown.
    """
    new = unstated_entries(profile, result)
    if new:
        await ledger.issue(new)


def unstated_entries(profile: Profile, result: RepairResult) -> list[LedgerEntry]:
    """Return the entries of the suggestions of a repair, but for what a source states there, too."""
    candidates = [
        (split(candidate.source_pointer), candidate.value)
        for row in result.unresolved
        if row.outcome == Outcome.CONFLICT and row.detail not in _NO_STATEMENT
        for candidate in row.candidates
    ]
    return [
        entry
        for found in result.suggestions
        for entry in entries_of(
            profile, result.record, found.path, found.value, without=_stated(found.path, found.value, candidates)
        )
    ]


async def rejected_suggestions(
    ledger: Ledger, profile: Profile, record: JsonObject
) -> Callable[[str, JsonValue], bool]:
    """Return a function that tells whether a reviewer has refused a suggestion (path and value) before.

    Raises:
        StorageError: The ledger cannot be read.
    """
    rejected = await ledger.rejected(products_of(profile.identity, record))
    return lambda path, value: bool(rejected) and is_rejected(profile, record, path, value, rejected)


def _index_of(evidence: EvidencePack | EvidenceIndex, profile: Profile) -> EvidenceIndex:
    return evidence if isinstance(evidence, EvidenceIndex) else EvidenceIndex.of(evidence, profile.identity)


def _declared(profile: Profile, source: Source) -> Iterator[Told]:
    """Yield the leaves of a source that somebody stands for."""
    origins = source.item.origins
    if _DECLARED in origins.values():
        for at, told in told_leaves(profile, source.content):
            if origins.get(join(at)) == _DECLARED:
                yield from told


def _stated(path: str, value: JsonValue, candidates: Sequence[tuple[Tokens, JsonValue]]) -> set[Tokens]:
    """Return the places of the leaves of a suggestion that a source states there, and that others dispute."""
    top = split(path)
    return {
        (*top, *at)
        for at, leaf in leaves(value)
        if any(is_same_place((*top, *at), pointer) and equal(leaf, stated) for pointer, stated in candidates)
    }


def _marked(profile: Profile, source: Source, guesses: set[Told]) -> Source:
    """Return a source whose guesses are marked; the very source where it holds none."""
    item = source.item
    found = _guesses_in(profile, source.content, guesses)
    new = {at: origin for at, origin in found.items() if item.origins.get(at) not in UNSUPPORTING_ORIGINS}
    if not new:
        return source
    # The reference is of the bytes that were read, or of the content; neither has changed.
    return replace(source, item=replace(item, origins={**item.origins, **new}))


def _guesses_in(profile: Profile, content: JsonObject, guesses: set[Told]) -> dict[str, str]:
    return {join(at): SUGGESTION_ORIGIN for at in guessed_leaves(profile, content, guesses)}
