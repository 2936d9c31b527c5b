"""Markdown tables as fields: the column's heading is the label, the first cell of a row its name."""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.statements import Field, Name
from veracord.grounding.contexts import is_open
from veracord.grounding.names import name_of, squash

_ROW: Final = re.compile(r"[ \t]*\|.*\|[ \t]*")
_RULE: Final = re.compile(r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*")
_CELL: Final = re.compile(r"(?<!\\)\|")
_UNIT_HEADINGS: Final = frozenset({"unit", "units", "einheit", "einheiten"})
#: Headings of a table whose rows each state one property of the same thing.
_PROPERTY_HEADINGS: Final = frozenset(
    "property properties parameter attribute feature characteristic field name specification spec merkmal eigenschaft"
    " kenngröße kennwert angabe bezeichnung feld parametername".split()
)
_VALUE_HEADINGS: Final = frozenset("value values data specification wert werte angabe daten inhalt content".split())
_UNIT: Final = re.compile(r"([^(\[]{1,80})[(\[]([^()\[\]]{1,24})[)\]]\s*")


def table_blocks(text: str) -> list[tuple[int, int]]:
    """Return the spans of the tables of a text: at least two lines that begin and end with a bar."""
    blocks: list[tuple[int, int]] = []
    start, end, lines, at = 0, 0, 0, 0
    for line in text.split("\n"):
        if len(line) > 2 and _ROW.fullmatch(line):  # noqa: PLR2004 - two bars and something between them
            start = at if not lines else start
            lines, end = lines + 1, at + len(line)
        else:
            if lines > 1:
                blocks.append((start, end))
            lines = 0
        at += len(line) + 1
    if lines > 1:
        blocks.append((start, end))
    return blocks


def fields_of_table(evidence_id: str, text: str, number: int) -> Iterator[Field]:
    """Yield the fields of one table.

    Args:
        text: The lines of the table.
        number: Which table of its item it is; it stands in the pointers.
    """
    rows = [_cells(line) for line in text.split("\n") if not _RULE.fullmatch(line)]
    headings, body = rows[0], rows[1:]
    names = [_heading(heading) for heading in headings]
    is_list = _lists_properties([name for name, _ in names])
    units = next((at for at, (name, _) in enumerate(names) if name.squashed in _UNIT_HEADINGS), None)
    for row_number, row in enumerate(body):
        if any(is_open(cell) for cell in row):
            # A question, a box that is not ticked, or a mark of a note: the row does not simply say its values.
            continue
        shared = row[units] if units is not None and units < len(row) else None
        for column, value in enumerate(row[: len(headings)]):
            if not value or not headings[column] or (column == 0 and (len(body) > 1 or is_list)):
                continue
            (name, unit) = _heading(row[0]) if is_list and column == 1 else names[column]
            yield Field(
                evidence_id=evidence_id,
                path=("tables", number, row_number, column),
                names=(name,),
                row=(row[0],) if len(body) > 1 and not is_list else (),
                products=(),
                value=value,
                unit=unit or (shared if value[-1].isdigit() else None) or None,
                row_words=frozenset(names[0][0].stems) if not is_list else frozenset(),
            )


def _lists_properties(names: list[Name]) -> bool:
    """Whether a table has the names of properties in its first column, and their values in its second."""
    own = [name.squashed for name in names]
    is_pair = own[:1] and own[0] in _PROPERTY_HEADINGS and len(own) > 1 and own[1] in _VALUE_HEADINGS
    return bool(is_pair) and all(name in _UNIT_HEADINGS for name in own[2:])


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(line.strip()[1:-1])]


def _heading(heading: str) -> tuple[Name, str | None]:
    found = _UNIT.fullmatch(heading)
    if found is None:
        return name_of(heading), None
    name = name_of(found[1].strip())
    return Name(name.squashed or squash(heading), name.stems, name.words), found[2].strip()
