"""Which sources are about the same product as a record, found through an index, with a reason for the others.

Evidence is indexed by identity once, so that a record among tens of thousands of sources looks only at
those that share a key with it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Final, NamedTuple

from veracord.records.evidence import EvidenceItem, EvidencePack
from veracord.records.identity import Broken, Identity, Key, Normal, Reason, normal_form
from veracord.records.pointers import Tokens, get, join
from veracord.records.values import MISSING, JsonObject

#: This many sources are named; beyond that they are counted by reason.
MOST_NAMED: Final = 100


@dataclass(frozen=True)
class Source:
    """A structured evidence item with its identity.

    Attributes:
        item: The evidence.
        content: Its content.
        values: Normal forms of its identity members.
        level: model, batch, item or None.
    """

    item: EvidenceItem
    content: JsonObject
    values: dict[Tokens, Normal | Broken]
    level: str | None

    @property
    def evidence_id(self) -> str:
        """The id of the evidence."""
        return self.item.id

    @cached_property
    def order(self) -> tuple[bool, int, str]:
        """Sorts the better rank first, then by id."""
        return (*self.standing, self.item.id)

    @cached_property
    def copies(self) -> dict[Tokens, object]:
        """What may be copied of its arrays, the latest answer for each by place; whoever works it out keeps it here."""
        return {}

    @cached_property
    def standing(self) -> tuple[bool, int]:
        """The rank, comparable; unranked comes after all ranks."""
        return self.item.rank is None, self.item.rank or 0


@dataclass(frozen=True)
class Match:
    """The same-product decision for one record.

    Attributes:
        key: The key that decided; None where the record has none in full.
        level: The record's level.
        sources: The sources that match and may be asked, by id.
        disputed: Sources that match by a key weaker than one in which they differ among themselves.
        reasons: Why sources that share a key with the record were not used.
        broken: The record's trade item number whose check digit is wrong.
    """

    key: Key | None
    level: str | None
    sources: tuple[Source, ...] = ()
    disputed: tuple[Source, ...] = ()
    reasons: dict[str, Reason] = field(default_factory=dict)
    broken: Tokens | None = None

    @property
    def detail(self) -> str | None:
        """What to say of a record that has no complete key."""
        return f"wrong check digit at {join(self.broken)}" if self.broken else None


class SourceRow(NamedTuple):
    """Whether a source was asked, and why not.

    Attributes:
        evidence_id: The source; None for a row that counts several.
        used: Whether it is about the same product and could be asked.
        reason: Why it was not used; None where it was.
        count: For a row that counts several sources of one reason: how many.
    """

    evidence_id: str | None
    used: bool
    reason: str | None = None
    count: int | None = None  # type: ignore[assignment]  # hides tuple.count, which nobody needs here

    def to_dict(self) -> JsonObject:
        """Return the row as JSON."""
        evidence_id, used, reason, count = self
        row: JsonObject = {"evidence_id": evidence_id, "used": used, "reason": reason}
        if count is not None:
            row["count"] = count
        return row


class EvidenceIndex:
    """The sources of a pack by the values of their identity keys."""

    def __init__(self, pack: EvidencePack, identity: Identity) -> None:
        """Read the identity of every structured item."""
        self.identity = identity
        #: What is worked out from the sources for several records; whoever does so keeps it here, and bounds it.
        self.kept: object = None
        self.sources: list[Source] = []
        self.unstructured: list[EvidenceItem] = []
        self._far: dict[Reason, list[SourceRow]] = {}
        self._swapped: Mapping[str, Source] = {}
        self._by_key: list[dict[tuple[Normal | Broken, ...], list[Source]]] = [defaultdict(list) for _ in identity.keys]
        for item in pack.items:
            content = item.structured
            if content is None:
                self.unstructured.append(item)
                continue
            source = Source(item, content, identity.values(content), identity.level_of(content))
            self.sources.append(source)
            for number, key in enumerate(identity.keys):
                values = _values_of(key, source.values)
                if values is not None:
                    self._by_key[number][values].append(source)

    @classmethod
    def of(cls, pack: EvidencePack, identity: Identity) -> "EvidenceIndex":
        """Return the index of a pack, made once for each identity."""
        # By object, not by value: to hash an identity costs more than to match a record.
        index = pack.indexes.get(id(identity))
        if not isinstance(index, EvidenceIndex):
            index = pack.indexes[id(identity)] = cls(pack, identity)
        return index

    def match(self, record: JsonObject, violating: Collection[Tokens]) -> Match:
        """Decide which sources are about the record's product.

        Args:
            record: The record.
            violating: Places of it that violate: an identity member there counts as absent.
        """
        identity = self.identity
        values = identity.values(record, violating)
        key = identity.deciding_key(values)
        level = identity.level_of(record)
        if key is None:
            return Match(None, level, broken=identity.broken_member(values))
        reasons: dict[str, Reason] = {}
        matching: list[Source] = []
        own_id = normal_form(get(record, identity.record_id)) if identity.record_id else MISSING
        for source in self._sharing(key, values, reasons):
            if not _agrees(values, source.values):
                reasons[source.evidence_id] = Reason.OTHER_PRODUCT
            elif own_id is not MISSING and self._record_id(source) == own_id:
                reasons[source.evidence_id] = Reason.SELF
            else:
                matching.append(source)
        disputed = self._disputed(key, values, matching)
        reasons |= {source.evidence_id: Reason.IDENTITY_CONFLICT for source in disputed}
        usable = tuple(source for source in matching if source.evidence_id not in reasons)
        if identity.level is not None:
            for source in usable:
                if not identity.level_can_fill(level, source.level):
                    reasons[source.evidence_id] = Reason.LEVEL
        return Match(key, level, self._in_place(usable), self._in_place(disputed), reasons)

    def _in_place(self, sources: Collection[Source]) -> tuple[Source, ...]:
        """Return sources as they were swapped."""
        return tuple(self._swapped.get(source.evidence_id, source) for source in sources)

    def swapped(self, sources: Mapping[str, Source]) -> "EvidenceIndex":
        """Return an index that matches the same sources and hands out others in their place.

        What is indexed is shared, so this costs nothing whatever the number of sources.

        Args:
            sources: By the id of the source that each takes the place of; they differ in the origins of leaves alone.
        """
        other = copy(self)
        other._swapped = {**self._swapped, **sources}  # noqa: SLF001 - of the same class
        # It was worked out from others.
        other.kept = None
        return other

    def related(self, record: JsonObject) -> list[Source]:
        """Return the sources that share a key with a record, or with a source that does: whatever may match it.

        More than those that match: once an identity member is filled, others do.
        """
        found: dict[str, Source] = {}
        followed: set[tuple[int, tuple[Normal | Broken, ...]]] = set()
        waiting = [self.identity.values(record)]
        while waiting:
            values = waiting.pop()
            for number, key in enumerate(self.identity.keys):
                told = _values_of(key, values)
                if told is None or (number, told) in followed:
                    continue
                followed.add((number, told))
                new = [source for source in self._by_key[number].get(told, ()) if source.evidence_id not in found]
                found |= {source.evidence_id: self._swapped.get(source.evidence_id, source) for source in new}
                waiting += [source.values for source in new]
        return list(found.values())

    def rows(self, match: Match) -> tuple[SourceRow, ...]:
        """Return a row for every source that matches, and why the others do not.

        The first `MOST_NAMED` are named: those that match, then those that share a key with the record, then the
        others, each by id.  What is beyond that is counted by reason.
        """
        near = [SourceRow(s.evidence_id, used=True) for s in match.sources if s.evidence_id not in match.reasons]
        near += [SourceRow(at, used=False, reason=match.reasons[at].value) for at in sorted(match.reasons)]
        named = near[:MOST_NAMED]
        beyond = Counter(row.reason for row in near[MOST_NAMED:])
        known = {row.evidence_id for row in near}
        default = Reason.NO_IDENTITY if match.key is None else Reason.OTHER_PRODUCT
        for reason, number in (
            (default, len(self.sources) - len(near)),
            (Reason.NOT_STRUCTURED, len(self.unstructured)),
        ):
            room = MOST_NAMED - len(named)
            # So many of them hold enough that are not near.
            first = [row for row in self._far_rows(reason)[: room + len(known)] if row.evidence_id not in known][:room]
            named += first
            beyond[reason.value] += number - len(first)
        counted = sorted((reason or "", number) for reason, number in beyond.items() if number)
        rows = [SourceRow(None, not reason, reason or None, number) for reason, number in counted]
        return (*sorted(named, key=attrgetter("evidence_id")), *rows)

    def _far_rows(self, reason: Reason) -> list[SourceRow]:
        """Return a row for each source, as if it shared no key with a record; made once for all records."""
        rows = self._far.get(reason)
        if rows is None:
            items = self.unstructured if reason is Reason.NOT_STRUCTURED else [source.item for source in self.sources]
            rows = self._far[reason] = [SourceRow(item.id, used=False, reason=reason.value) for item in items]
        return rows

    def _sharing(
        self, deciding: Key, values: dict[Tokens, Normal | Broken], reasons: dict[str, Reason]
    ) -> Iterator[Source]:
        """Yield the sources that have the deciding key; note those that only a weaker one joins."""
        for number, key in enumerate(self.identity.keys):
            found = _values_of(key, values)
            if found is None:
                continue
            for source in self._by_key[number].get(found, ()):
                if key == deciding:
                    yield source
                elif any(source.values[member.tokens] is MISSING for member in deciding) and _agrees(
                    values, source.values
                ):
                    reasons.setdefault(source.evidence_id, Reason.WEAKER_KEY_ONLY)

    def _record_id(self, source: Source) -> Normal | Broken:
        assert self.identity.record_id is not None  # noqa: S101 - asked only where there is one
        return normal_form(get(source.content, self.identity.record_id))

    def _disputed(self, deciding: Key, values: dict[Tokens, Normal | Broken], matching: list[Source]) -> list[Source]:
        """Return the matching sources that differ among themselves in a stronger key."""
        stronger = self.identity.keys[: self.identity.keys.index(deciding)]
        members = {m.tokens for key in stronger for m in key if values[m.tokens] is MISSING}
        disputed: set[str] = set()
        for tokens in members:
            having = [source for source in matching if source.values[tokens] is not MISSING]
            if len({source.values[tokens] for source in having}) > 1:
                disputed |= {source.evidence_id for source in having}
        return [source for source in matching if source.evidence_id in disputed]


def _values_of(key: Key, values: dict[Tokens, Normal | Broken]) -> tuple[Normal | Broken, ...] | None:
    found = tuple(values[member.tokens] for member in key)
    return None if any(value is MISSING or isinstance(value, Broken) for value in found) else found


def _agrees(ours: dict[Tokens, Normal | Broken], theirs: dict[Tokens, Normal | Broken]) -> bool:
    """Whether no identity member that both have differs; a broken number equals nothing."""
    for tokens, their_value in theirs.items():
        if isinstance(their_value, Broken):
            return False
        our_value = ours[tokens]
        if our_value is not MISSING and their_value is not MISSING and our_value != their_value:
            return False
    return True
