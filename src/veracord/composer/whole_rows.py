"""Rows of a whole record: each is one source's, and what is added to a list is what a source says the list lacks.

This is stricter than what a repair does.  A repair mends what violates and may bring leaves of one row from two
sources that agree in all they share; a record that is built gets the rest of a row from one source alone, and only from
one that contradicts nothing that the row already says.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator

from veracord.composer.alignment import Aligner, Misfit, key_values, rows_around
from veracord.composer.outcomes import Outcome, Statement, Status, Statuses
from veracord.composer.statements import Sieve
from veracord.composer.units import Unit
from veracord.records.matching import Source
from veracord.records.pointers import Tokens, get
from veracord.records.profiles import Profile
from veracord.records.values import JsonObject, JsonValue, equal, holds_objects, is_empty, leaves

#: What is said of a leaf whose row gets the rest from another source.
ROWS_MIXED = "rows_mixed"

Ask = Callable[[Tokens], list[Statement]]
RowKey = tuple[str | bytes, ...]

#: A declared array: its place, its rows, and their key members.
_Declared = tuple[Tokens, list[JsonValue], tuple[Tokens, ...]]


def row_keys(rows: list[JsonValue], key: tuple[Tokens, ...]) -> list[RowKey] | None:
    """Return the key of each row; None where one has none, or two have the same."""
    found = [key_values(row, key) for row in rows]
    told = [values for values in found if values is not None]
    return told if len(set(told)) == len(rows) else None


def further_rows(
    profile: Profile, record: JsonObject, ask: Ask, sieve: Sieve, statuses: Statuses
) -> dict[Tokens, list[Statement]]:
    """Return for each declared array of the record the rows that sources say it lacks, where any says so.

    A source that lacks a row of the record lists something else: it adds nothing, and where it is among the best by
    rank, nobody does.
    """
    found: dict[Tokens, list[Statement]] = {}
    for place, rows, key in _declared_arrays(profile, (), record):
        ours = row_keys(rows, key)
        fitting: list[Statement] = []
        others: list[Statement] = []
        for statement in ask(place):
            theirs = row_keys(statement.value, key) if isinstance(statement.value, list) and statement.value else None
            if ours is None or theirs is None:
                statuses.add(place, Status(Outcome.ROW_MISMATCH, statements=(statement,)))
                continue
            assert isinstance(statement.value, list)  # noqa: S101 - narrows for mypy
            known = set(ours)
            tail = [row for row, values in zip(statement.value, theirs, strict=True) if values not in known]
            said = Statement(statement.source, statement.pointer, tail)
            if known <= set(theirs):
                fitting += sieve.row_statements(place, [said]) if tail else [said]
            else:
                others.append(said)
        best = min((s.source.standing for s in (*fitting, *others)), default=None)
        if any(s.source.standing == best for s in others):
            if any(s.value for s in (*fitting, *others)):
                statuses.add(place, Status(Outcome.CONFLICT, "rows_differ", (*fitting, *others)))
        elif any(s.value for s in fitting):
            found[place] = fitting
    return found


def _declared_arrays(profile: Profile, at: Tokens, node: JsonValue) -> Iterator[_Declared]:
    """Yield every declared array of objects, with its rows and their key members."""
    if isinstance(node, dict):
        for name, child in node.items():
            yield from _declared_arrays(profile, (*at, name), child)
    elif isinstance(node, list) and holds_objects(node):
        key = profile.row_key(at)
        if key is not None:
            yield at, node, key
        for number, row in enumerate(node):
            yield from _declared_arrays(profile, (*at, str(number)), row)


def keep_rows_whole(
    record: JsonObject, aligner: Aligner, units: dict[Tokens, Unit], statuses: Statuses
) -> dict[Tokens, Unit]:
    """Return the units without those by which a row of the record would get leaves of more than one source.

    Of the sources that contradict nothing in the row, the one that states most of what is planned gives all of it;
    among several the best by rank, then by id.
    """
    kept = dict(units)
    rows: dict[Tokens, list[Tokens]] = defaultdict(list)
    for place in units:
        row = next(rows_around(record, place), None)
        if row is not None:
            rows[row].append(place)
    for row, places in rows.items():
        source = _one_source(_sound_sources(record, aligner, row, places, units), places, units)
        for place in places:
            unit = kept.pop(place)
            if source is not None and source.evidence_id in unit.supporters:
                kept[place] = unit.named_after(source.evidence_id)
            else:
                detail = "rows_differ" if source is None else ROWS_MIXED
                statuses.add(place, Status(Outcome.CONFLICT, detail, unit.statements))
    while lonely := [at for at, unit in kept.items() if not unit.needs <= kept.keys()]:
        for place in lonely:
            statuses.add(place, Status(Outcome.CONTEXT_MISMATCH, None, kept.pop(place).statements))
    return dict(sorted(kept.items()))


def _sound_sources(
    record: JsonObject, aligner: Aligner, row: Tokens, places: list[Tokens], units: dict[Tokens, Unit]
) -> dict[str, Source]:
    """Return the sources, by id, that state something in a row and contradict nothing that it says."""
    sources = {s.source.evidence_id: s.source for place in places for s in units[place].statements}
    ours = [((*row, *below), value) for below, value in leaves(_value(record, row))]
    return {
        evidence_id: source
        for evidence_id, source in sources.items()
        if not any(_contradicts(aligner, source, place, value) for place, value in ours)
    }


def _contradicts(aligner: Aligner, source: Source, place: Tokens, value: JsonValue) -> bool:
    theirs = aligner.align(source, place)
    return not isinstance(theirs, Misfit) and not is_empty(theirs.theirs) and not equal(theirs.theirs, value)


def _one_source(sources: dict[str, Source], places: list[Tokens], units: dict[Tokens, Unit]) -> Source | None:
    def worth(source: Source) -> tuple[int, tuple[bool, int, str]]:
        stated = sum(source.evidence_id in units[place].supporters for place in places)
        return -stated, source.order

    return min(sources.values(), key=worth, default=None)


def _value(record: JsonObject, place: Tokens) -> JsonValue:
    found = get(record, place)
    return found if isinstance(found, dict | list) else {}
