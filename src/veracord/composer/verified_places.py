"""Rows of a record beside rows of what is named for them: what is mixed, as far as it shows without a profile.

Whose row is whose only a profile can tell, by its keys.  But whatever the keys are, the leaves of one row come from one
row of a source, and no two rows of a record come from the same one.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from veracord.composer.alignment import rows_around
from veracord.composer.synthesis_results import REQUEST_SEED
from veracord.composer.verified_rows import VerifiedRow, with_refusals
from veracord.records.pointers import Tokens, split
from veracord.records.values import JsonObject

_TWO_ROWS: Final = "leaves of this row of the record come from several rows of one source"
_ONE_ROW: Final = "several rows of the record come from this row of the source"
_TWO_SOURCES: Final = "leaves of this row of the record come from several sources"

#: Numbers of rows by what they name, for each thing that may be named but once.
_Groups = Mapping[tuple[str, Tokens], Mapping[Tokens | str, set[int]]]


def keep_rows_apart(record: JsonObject, rows: Sequence[VerifiedRow], *, one_source: bool) -> list[VerifiedRow]:
    """Return rows with those refused that mix rows of the record or of a source.

    Args:
        record: The record of the result.
        rows: What was checked so far; what failed already counts for nothing here.
        one_source: Whether all leaves of a row that evidence states must come from one source.
    """
    sources: dict[tuple[str, Tokens], dict[Tokens | str, set[int]]] = defaultdict(lambda: defaultdict(set))
    takers: dict[tuple[str, Tokens], dict[Tokens | str, set[int]]] = defaultdict(lambda: defaultdict(set))
    givers: dict[tuple[str, Tokens], dict[Tokens | str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for number, row in enumerate(rows):
        if row.ok is False:
            continue
        path, source = split(row.path), split(row.source_pointer)
        # A row may itself be a leaf: it is around itself, too.
        around = list(rows_around(record, (*path, "")))
        for at in around:
            theirs = source[: len(at)]
            sources[row.evidence_id, at][theirs].add(number)
            takers[row.evidence_id, theirs][at].add(number)
        if one_source and around and row.evidence_id != REQUEST_SEED:
            givers["", around[0]][row.evidence_id].add(number)
    reasons: dict[int, str] = {}
    for groups, reason in ((sources, _TWO_ROWS), (takers, _ONE_ROW), (givers, _TWO_SOURCES)):
        reasons = dict.fromkeys(_several(groups), reason) | reasons
    return with_refusals(rows, reasons)


def _several(groups: _Groups) -> Iterator[int]:
    """Yield the numbers of rows that share with others what is named but once."""
    for named in groups.values():
        if len(named) > 1:
            for numbers in named.values():
                yield from numbers
