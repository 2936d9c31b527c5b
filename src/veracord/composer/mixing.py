"""Rows are not mixed: leaves of one row come from two sources only if the two rows agree in all they share."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations, product
from typing import NamedTuple

from veracord.composer.alignment import Aligner, Misfit, rows_around
from veracord.composer.outcomes import Outcome, Status, Statuses
from veracord.composer.units import Unit
from veracord.records.matching import Source
from veracord.records.pointers import Tokens, is_under
from veracord.records.values import JsonObject, JsonValue, equal, holds_objects, is_empty


def settle_rows(
    record: JsonObject, aligner: Aligner, units: dict[Tokens, Unit], statuses: Statuses
) -> dict[Tokens, Unit]:
    """Return the units without those that would mix a row from sources that disagree.

    Where one source supports every leaf of a row, it is the one that is named.  Otherwise every leaf whose source
    has a row that differs from another one's is a conflict.  A rank does not help: were the better source's leaf
    filled, a second repair could not know where it came from and would mix the row after all.
    """
    settled = dict(units)
    rows: dict[Tokens, list[Tokens]] = defaultdict(list)
    for place in units:
        for row in rows_around(record, place):
            rows[row].append(place)
    for row in sorted(rows):  # an outer row comes before the rows inside it
        places = [place for place in rows[row] if place in settled]
        if len(places) > 1:
            _settle_row(_Row(row, tuple(places)), aligner, settled, statuses)
    return settled


class _Row(NamedTuple):
    """A row of the record with the places in it that are to be filled."""

    at: Tokens
    places: tuple[Tokens, ...]

    def fills_below(self, place: Tokens) -> bool:
        return any(is_under(filled, place) for filled in self.places)


def _settle_row(row: _Row, aligner: Aligner, units: dict[Tokens, Unit], statuses: Statuses) -> None:
    if _name_one_source(row.places, units):
        return

    def agree(source: Source, other: Source) -> bool:
        return source.evidence_id == other.evidence_id or _rows_agree(row, source, other, aligner)

    # Leaves that no choice among their supporters brings together are given up, whatever else the row gets.
    apart = {
        place
        for pair in combinations(row.places, 2)
        if not any(agree(a.source, b.source) for a, b in product(*(units[place].statements for place in pair)))
        for place in pair
    }
    _give_up(apart, units, statuses)
    rest = tuple(place for place in row.places if place in units)
    if not rest or _name_one_source(rest, units):
        return
    differing = {
        place
        for pair in combinations(rest, 2)
        if not agree(*(units[place].first.source for place in pair))
        for place in pair
    }
    _give_up(differing, units, statuses)


def _name_one_source(places: tuple[Tokens, ...], units: dict[Tokens, Unit]) -> bool:
    """Name the best source that supports all places; return whether there is one."""
    common = frozenset.intersection(*(units[place].supporters for place in places))
    if not common:
        return False
    statements = units[places[0]].statements
    best = min((s.source for s in statements if s.source.evidence_id in common), key=lambda s: s.order)
    for place in places:
        units[place] = units[place].named_after(best.evidence_id)
    return True


def _give_up(places: Iterable[Tokens], units: dict[Tokens, Unit], statuses: Statuses) -> None:
    # In one order: what is told first of places above them stays.
    for place in sorted(places):
        statuses.add(place, Status(Outcome.CONFLICT, "rows_differ", units.pop(place).statements))


def _rows_agree(row: _Row, source: Source, other: Source, aligner: Aligner) -> bool:
    ours, theirs = aligner.align(source, row.at), aligner.align(other, row.at)
    if isinstance(ours, Misfit) or isinstance(theirs, Misfit):
        return False
    return _compatible(row, row.at, ours.theirs, theirs.theirs)


def _compatible(row: _Row, at: Tokens, ours: JsonValue, theirs: JsonValue) -> bool:
    """Whether two values agree in every member that they share; an empty value says nothing.

    Rows inside the row that are filled, too, are judged as rows of their own.
    """
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return all(_compatible(row, (*at, name), value, theirs[name]) for name, value in ours.items() if name in theirs)
    if holds_objects(ours) and holds_objects(theirs) and row.fills_below(at):
        return True
    return equal(ours, theirs) or is_empty(ours) or is_empty(theirs)
