"""The closed sets of results in plain words, and values as text fit to be shown."""

from collections.abc import Mapping
from typing import Any, Final

from veracord.apps.escaping import shortened, visible
from veracord.records.writing import write_json
from veracord.reports.meanings import WHY_OPEN

#: The longest value that is shown; programs read `--json`.
_VALUE_LENGTH: Final = 60

REASONS: Final[Mapping[str, str]] = {
    "other_product": "about another product",
    "weaker_key_only": "matches by a weaker key only",
    "identity_conflict": "sources that match by a weaker key are different products",
    "no_identity": "the record does not say in full which product it is about",
    "self": "it is the record itself",
    "level": "about another level (model, batch, item)",
    "not_structured": "text; a value is never taken from text",
}


def plain(code: str, words: Mapping[str, str]) -> str:
    """Return a code of a closed set in plain words."""
    return words.get(code, code.replace("_", " "))


def value_text(value: object) -> str:
    """Return a value as JSON on one line, shortened and safe to show."""
    return shortened(visible(write_json(value).decode()), _VALUE_LENGTH)


def why_open(row: Mapping[str, Any]) -> str:
    """Return why a violation stays, in plain words."""
    words = [plain(row["outcome"], WHY_OPEN)]
    if row.get("detail"):
        words.append(f"({plain(str(row['detail']), {})})")
    if row.get("uncovered_by"):
        words.append(f"(seen only since {row['uncovered_by']} is filled)")
    return visible(" ".join(words))


def candidates_text(row: Mapping[str, Any]) -> str:
    """Return the values that sources offer for a violation, each with its source."""
    candidates = row.get("candidates") or ()
    return "; ".join(
        f"{value_text(candidate['value'])} from {visible(candidate['evidence_id'])}" for candidate in candidates
    )


def source_text(fill: Mapping[str, Any]) -> str:
    """Return the sources of a fill: where it was taken from, who agrees, who is overruled."""
    words = visible(fill["evidence_id"])
    if fill.get("also"):
        words += f", also {', '.join(visible(str(other)) for other in fill['also'])}"
    if fill.get("overruled"):
        words += f"; overruled: {', '.join(_overruled(other) for other in fill['overruled'])}"
    return words


def _overruled(other: object) -> str:
    if isinstance(other, Mapping):
        return f"{value_text(other.get('value'))} from {visible(str(other.get('evidence_id')))}"
    return visible(str(other))


def count(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
