"""Rows are not mixed: leaves of one row come from two sources only if the two rows agree in all they share."""

from collections import defaultdict

from veracord.composer.alignment import Aligner, Misfit, row_of
from veracord.composer.outcomes import Outcome, Status, Statuses
from veracord.composer.units import Unit
from veracord.records.matching import Source
from veracord.records.pointers import Tokens
from veracord.records.values import JsonObject, JsonValue, equal, is_empty


def settle_rows(
    record: JsonObject, aligner: Aligner, units: dict[Tokens, Unit], statuses: Statuses
) -> dict[Tokens, Unit]:
    """Return the units without those that would mix a row from sources that disagree.

    Where one source supports every leaf of a row, it is the one that is named.  Otherwise the leaves of the
    best-ranked source stay, if one is best, and those of sources whose row differs from its row are a conflict.
    """
    settled = dict(units)
    rows: dict[Tokens, list[Tokens]] = defaultdict(list)
    for place in units:
        row = row_of(record, place)
        if row is not None:
            rows[row].append(place)
    for row in sorted(rows):
        if len(rows[row]) > 1:
            _settle_row(row, rows[row], aligner, settled, statuses)
    return settled


def _settle_row(
    row: Tokens, places: list[Tokens], aligner: Aligner, units: dict[Tokens, Unit], statuses: Statuses
) -> None:
    common = frozenset.intersection(*(units[place].supporters for place in places))
    if common:
        first = units[places[0]]
        best = min((s.source for s in first.statements if s.source.evidence_id in common), key=lambda s: s.order)
        for place in places:
            units[place] = units[place].named_after(best.evidence_id)
        return
    named = {units[place].first.source.evidence_id: units[place].first.source for place in places}
    sources = sorted(named.values(), key=lambda source: source.order)
    lost = _lost(row, sources, aligner)
    for place in places:
        if units[place].first.source.evidence_id in lost:
            unit = units.pop(place)
            statuses.add(place, Status(Outcome.CONFLICT, "rows_differ", unit.statements))


def _lost(row: Tokens, sources: list[Source], aligner: Aligner) -> set[str]:
    """Return the ids of sources that must not give a leaf of a row."""
    lost: set[str] = set()
    for number, source in enumerate(sources):
        for other in sources[number + 1 :]:
            if not _rows_agree(row, source, other, aligner):
                lost.add(other.evidence_id)
                if source.standing == other.standing:
                    lost.add(source.evidence_id)
    return lost


def _rows_agree(row: Tokens, source: Source, other: Source, aligner: Aligner) -> bool:
    ours, theirs = aligner.align(source, row), aligner.align(other, row)
    if isinstance(ours, Misfit) or isinstance(theirs, Misfit):
        return False
    return _compatible(ours.theirs, theirs.theirs)


def _compatible(ours: JsonValue, theirs: JsonValue) -> bool:
    """Whether two values agree in every member that they share; an empty value says nothing."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return all(_compatible(value, theirs[name]) for name, value in ours.items() if name in theirs)
    return equal(ours, theirs) or is_empty(ours) or is_empty(theirs)
