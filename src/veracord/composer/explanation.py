"""Where a value of a repaired or built record comes from, or why a place is still open, told from the result alone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from veracord.composer.synthesis_results import REQUEST_SEED
from veracord.errors import InputError
from veracord.records.evidence import ORIGINS
from veracord.records.pointers import Tokens, get, is_pointer, is_under, split
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing
from veracord.records.writing import write_json

_SOURCED: Final = ("path", "evidence_id", "evidence_ref", "source_pointer")
_OPEN: Final = ("path", "rule", "message", "outcome")
#: Why a place stays open, in plain words.
OUTCOMES: Final = {
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


#: What an origin that is more than that of the record itself, the evidence or the seed means, in plain words.
ORIGIN_WORDS: Final = {
    "suggestion_origin": "a suggestion that came back; it supports nothing",
    "accepted_suggestion": "a suggestion that was accepted; it supports nothing",
    "declared": "declared by who gave it",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a result says about one place.

    Attributes:
        pointer: The place.
        origin: ``evidence``, ``input`` or another origin; ``open`` where a violation stays; ``several`` for a
            container whose leaves have different origins; ``left_out`` where a synthesis took nothing that sources say.
        value: The record's value there; MISSING is left out of the JSON.
        fills: Fills at the place or below it.
        unresolved: Violations at the place or below it.
        support: Rows of support at the place or below it; None where the result is one of repair.
        origins: Leaves at the place, below it or around it that are suggestions that came back, or declared.
        left_out: What sources say at the place or below it, and a synthesis did not take.
    """

    pointer: str
    origin: str
    value: JsonValue | Missing
    fills: tuple[JsonObject, ...]
    unresolved: tuple[JsonObject, ...]
    support: tuple[JsonObject, ...] | None = None
    origins: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[JsonObject, ...] = ()

    def to_dict(self) -> JsonObject:
        """Return the explanation as JSON."""
        told: JsonObject = {"schema_version": 1, "pointer": self.pointer, "origin": self.origin}
        if self.value is not MISSING:
            told["value"] = self.value
        told["fills"] = list(self.fills)
        told["unresolved"] = list(self.unresolved)
        if self.support is not None:
            told["support"] = list(self.support)
        if self.origins:
            told["origins"] = {**self.origins}
        if self.left_out:
            told["left_out"] = list(self.left_out)
        return told

    def lines(self) -> list[str]:
        """Return the explanation in plain words, a line each."""
        return list(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.support is not None:
            yield from self._support_lines(self.support)
        elif not self.fills and not self.unresolved:
            yield f"{self.pointer or 'the record'}: it came with the record ({self.origin}) and is valid"
        for path, origin in self.origins.items():
            yield f"{path or 'the record'}: {ORIGIN_WORDS[origin]} ({origin})"
        for row in self.left_out:
            yield f"{row['path']} was left out"
            yield from _outcome_lines(row)
        for fill in self.fills:
            yield f"{fill['path']} = {_text(fill['value'])}"
            yield f"  from evidence {fill['evidence_id']} at {fill['source_pointer']} ({fill['evidence_ref']})"
            yield from _list("  also stated by", fill.get("also"))
            yield from _list("  a better rank overrules", fill.get("overruled"))
            for cure in _rows(fill.get("cures")):
                yield f"  cures {cure.get('rule')} at {cure.get('path')}"
        for row in self.unresolved:
            yield f"{row['path']} is open: {row.get('message')} ({row.get('rule')})"
            yield from _outcome_lines(row)

    def _support_lines(self, support: tuple[JsonObject, ...]) -> Iterator[str]:
        place = split(self.pointer)
        for row in support:
            at = split(str(row["path"]))
            value = self.value if self.value is MISSING else get(self.value, at[len(place) :])
            yield str(row["path"]) + (f" = {_text(value)}" if value is not MISSING else "")
            where = "the seed" if row["evidence_id"] == REQUEST_SEED else f"evidence {row['evidence_id']}"
            yield f"  from {where} at {row['source_pointer']} ({row['evidence_ref']})"


def _outcome_lines(row: JsonObject) -> Iterator[str]:
    """Yield why a place is as it is, and what the sources say there."""
    detail = f" ({row['detail']})" if row.get("detail") else ""
    yield f"  {row['outcome']}: {OUTCOMES.get(str(row['outcome']), 'no further word')}{detail}"
    if row.get("uncovered_by"):
        yield f"  it could not be checked before {row['uncovered_by']} was filled"
    for candidate in _rows(row.get("candidates")):
        place = f"{candidate.get('evidence_id')} at {candidate.get('source_pointer')}"
        yield f"  {place} says {_text(candidate.get('value'))}"


def explain(result: JsonObject, pointer: str) -> Explanation:
    """Return what a result says about a place of its record.

    Args:
        result: A result of repair or synthesis as JSON.
        pointer: The place; "" is the whole record.

    Raises:
        InputError: It is no result, the pointer is none, or nothing stands at it.
    """
    if "support" in result:
        return _explain_support(result, pointer)
    fills, rows, record = result.get("fills"), result.get("unresolved"), result.get("record")
    if not isinstance(fills, list) or not isinstance(rows, list) or not isinstance(record, dict):
        raise InputError(
            "this is no result of repair or synthesize",
            remedy="give the JSON that one of them wrote",
            code="not_a_result",
        )
    origins = result.get("origins")
    sound = all(_is_row(fill, _SOURCED) and _has_value(fill) for fill in fills) and all(
        _is_row(row, _OPEN) for row in rows
    )
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
        raise _no_such_place(pointer)
    told = _told_origins(result.get("origins"), place)
    return Explanation(
        pointer, _origin(result, place, near_fills, near_rows), value, near_fills, near_rows, origins=told
    )


def _explain_support(result: JsonObject, pointer: str) -> Explanation:
    """Return what a result of synthesis says about a place of its record."""
    support, record, origins = result.get("support"), result.get("record"), result.get("origins")
    is_sound = isinstance(support, list) and all(_is_row(row, _SOURCED) for row in support)
    if not is_sound or not isinstance(record, dict) or not isinstance(origins, dict):
        raise InputError(
            "this is no result of synthesis", remedy="give the JSON that synthesize wrote", code="not_a_result"
        )
    place = _place(pointer)
    value = get(record, place)
    left = [row for row in _rows(result.get("left_out")) if _is_row(row, ("path", "outcome"))]
    near = tuple(row for row in left if is_under(split(str(row["path"])), place))
    if value is MISSING and near:
        return Explanation(pointer, "left_out", value, (), (), (), left_out=near)
    if value is MISSING:
        raise _no_such_place(pointer)
    rows = [row for row in _rows(support) if _concerns(split(str(row["path"])), place)]
    told = {str(origins[path]) for row in rows if (path := str(row["path"])) in origins}
    origin = told.pop() if len(told) == 1 else "several"
    return Explanation(pointer, origin, value, (), (), tuple(rows), _told_origins(origins, place), near)


def _concerns(at: Tokens, place: Tokens) -> bool:
    """Whether a leaf stands at a place or below it, or is the array that the place is in."""
    return is_under(at, place) or is_under(place, at)


def _no_such_place(pointer: str) -> InputError:
    return InputError(
        "nothing stands at this pointer", where=pointer, remedy="check its spelling", code="no_such_place"
    )


def _is_row(row: JsonValue, texts: tuple[str, ...]) -> bool:
    """Whether a row has the texts that are told of it, and its path is a pointer."""
    return (
        isinstance(row, dict) and all(isinstance(row.get(name), str) for name in texts) and is_pointer(str(row["path"]))
    )


def _has_value(row: JsonValue) -> bool:
    return isinstance(row, dict) and "value" in row


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
    if any(is_under(place, split(str(fill["path"]))) for fill in fills):
        return "evidence"
    origins = result.get("origins")
    told = origins if isinstance(origins, dict) else {}
    around = [str(origin) for at, origin in told.items() if is_under(place, split(at))]
    if around:
        # The place is a leaf, or in one.
        return around[-1] if around[-1] in ORIGINS else "several"
    below = any(is_under(split(at), place) and origin != "input" for at, origin in told.items())
    return "several" if below or fills or rows else "input"


def _told_origins(origins: JsonValue, place: Tokens) -> dict[str, str]:
    """Return the leaves at a place, below it or around it whose origin says more than where they were read."""
    told = origins if isinstance(origins, dict) else {}
    return {
        path: str(origin)
        for path, origin in told.items()
        if origin in ORIGIN_WORDS and is_pointer(path) and _concerns(split(path), place)
    }


def _rows(value: JsonValue) -> list[JsonObject]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _list(words: str, value: JsonValue) -> Iterator[str]:
    if isinstance(value, list) and value:
        yield f"{words} {', '.join(map(str, value))}"


def _text(value: JsonValue) -> str:
    return write_json(value).decode()
