"""Where a value of a repaired record comes from, or why a place is still open, told from the result alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from veracord.errors import InputError
from veracord.records.pointers import Tokens, get, is_pointer, is_under, split
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing
from veracord.records.writing import write_json

_FILL: Final = ("path", "evidence_id", "evidence_ref", "source_pointer")
_OPEN: Final = ("path", "rule", "message", "outcome")
_OUTCOMES: Final = {
    "not_settable": "nothing that could be set would cure it",
    "caller_controlled": "the profile leaves this place to the caller",
    "no_identity": "the record does not say in full which product it is about",
    "conflict": "sources disagree",
    "source_invalid": "what the sources say would not be valid here",
    "source_placeholder": "what the source holds is a placeholder",
    "context_mismatch": "the source's value belongs to another context",
    "row_mismatch": "no row of a source is surely the same row",
    "level_mismatch": "the source is about another level of the product",
    "no_source": "no source about this product states it",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a result says about one place.

    Attributes:
        pointer: The place.
        origin: ``evidence``, ``input`` or another origin; ``open`` where a violation stays; ``several`` for a
            container whose leaves have different origins.
        value: The record's value there; MISSING is left out of the JSON.
        fills: Fills at the place or below it.
        unresolved: Violations at the place or below it.
    """

    pointer: str
    origin: str
    value: JsonValue | Missing
    fills: tuple[JsonObject, ...]
    unresolved: tuple[JsonObject, ...]

    def to_dict(self) -> JsonObject:
        """Return the explanation as JSON."""
        told: JsonObject = {"schema_version": 1, "pointer": self.pointer, "origin": self.origin}
        if self.value is not MISSING:
            told["value"] = self.value
        told["fills"] = list(self.fills)
        told["unresolved"] = list(self.unresolved)
        return told

    def lines(self) -> list[str]:
        """Return the explanation in plain words, a line each."""
        return list(self._lines())

    def _lines(self) -> Iterator[str]:
        if not self.fills and not self.unresolved:
            yield f"{self.pointer or 'the record'}: it came with the record ({self.origin}) and is valid"
        for fill in self.fills:
            yield f"{fill['path']} = {_text(fill['value'])}"
            yield f"  from evidence {fill['evidence_id']} at {fill['source_pointer']} ({fill['evidence_ref']})"
            yield from _list("  also stated by", fill.get("also"))
            yield from _list("  a better rank overrules", fill.get("overruled"))
            for cure in _rows(fill.get("cures")):
                yield f"  cures {cure.get('rule')} at {cure.get('path')}"
        for row in self.unresolved:
            yield f"{row['path']} is open: {row.get('message')} ({row.get('rule')})"
            detail = f" ({row['detail']})" if row.get("detail") else ""
            yield f"  {row['outcome']}: {_OUTCOMES.get(str(row['outcome']), 'no further word')}{detail}"
            if row.get("uncovered_by"):
                yield f"  it could not be checked before {row['uncovered_by']} was filled"
            for candidate in _rows(row.get("candidates")):
                place = f"{candidate.get('evidence_id')} at {candidate.get('source_pointer')}"
                yield f"  {place} says {_text(candidate.get('value'))}"


def explain(result: JsonObject, pointer: str) -> Explanation:
    """Return what a result says about a place of its record.

    Args:
        result: A result of repair as JSON.
        pointer: The place; "" is the whole record.

    Raises:
        InputError: It is no result, the pointer is none, or nothing stands at it.
    """
    fills, rows, record = result.get("fills"), result.get("unresolved"), result.get("record")
    if not isinstance(fills, list) or not isinstance(rows, list) or not isinstance(record, dict):
        raise InputError("this is no result of repair", remedy="give the JSON that repair wrote", code="not_a_result")
    origins = result.get("origins")
    sound = all(_is_row(fill, _FILL) for fill in fills) and all(_is_row(row, _OPEN) for row in rows)
    if not sound or (isinstance(origins, dict) and not all(map(is_pointer, origins))):
        raise InputError(
            "a fill or an open row of the result is malformed",
            remedy="give the JSON that repair wrote",
            code="not_a_result",
        )
    place = _place(pointer)
    near_fills = tuple(_near(fills, place))
    near_rows = tuple(_near(rows, place))
    value = get(record, place)
    if value is MISSING and not near_fills and not near_rows:
        raise InputError(
            "nothing stands at this pointer", where=pointer, remedy="check its spelling", code="no_such_place"
        )
    return Explanation(pointer, _origin(result, place, near_fills, near_rows), value, near_fills, near_rows)


def _is_row(row: JsonValue, texts: tuple[str, ...]) -> bool:
    """Whether a row has the texts that are told of it, and its path is a pointer."""
    return (
        isinstance(row, dict)
        and all(isinstance(row.get(name), str) for name in texts)
        and is_pointer(str(row["path"]))
        and ("value" in row or texts is _OPEN)
    )


def _place(pointer: str) -> Tokens:
    try:
        return split(pointer)
    except ValueError as error:
        raise InputError(str(error), where=pointer, remedy="write it like /a/b/0", code="invalid_pointer") from None


def _near(rows: list[JsonValue], place: Tokens) -> Iterator[JsonObject]:
    """Yield the rows at a place or below it, and the fill of a leaf that the place is in."""
    for row in rows:
        if isinstance(row, dict) and isinstance(row.get("path"), str):
            at = split(str(row["path"]))
            within = isinstance(row.get("value"), list) and is_under(place, at)
            if is_under(at, place) or within:
                yield row


def _origin(result: JsonObject, place: Tokens, fills: tuple[JsonObject, ...], rows: tuple[JsonObject, ...]) -> str:
    if any(split(str(row["path"])) == place for row in rows):
        return "open"
    origins = result.get("origins")
    told = origins if isinstance(origins, dict) else {}
    found = {str(origin) for at, origin in told.items() if is_under(split(at), place)}
    if any(is_under(place, split(str(fill["path"]))) for fill in fills):
        return "evidence"
    if not found and not fills and not rows:
        return "input"
    return "several"


def _rows(value: JsonValue) -> list[JsonObject]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _list(words: str, value: JsonValue) -> Iterator[str]:
    if isinstance(value, list) and value:
        yield f"{words} {', '.join(map(str, value))}"


def _text(value: JsonValue) -> str:
    return write_json(value).decode()
