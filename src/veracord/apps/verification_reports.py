"""What people read of a verification: what is verified, what is not, and what was not looked at."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from veracord.apps.rendering import Look, Sheet
from veracord.apps.wording import count

Row = Mapping[str, Any]

_SECTIONS: Final = (("Verified", True, "green"), ("Not checked", None, "yellow"), ("Not verified", False, "red"))

#: What was not looked at, and what to do about it.
_PARTS: Final[Mapping[str, str]] = {
    "seed": "what the seed says (give it with --seed)",
    "same_product": "whether the sources are about this product and count, and rows are the same by key"
    " (give the profile with -p)",
    "rest_of_record": "the rest of the record",
}


def verification_report(result: Row, look: Look) -> str:
    """Return the report of one verification."""
    sheet = Sheet(look)
    for title, ok, style in _SECTIONS:
        sheet.table(
            title,
            ("path", "source", "at", "" if ok else "why"),
            [
                (
                    str(row["path"]),
                    str(row["evidence_id"]),
                    str(row["source_pointer"]),
                    str(row.get("reason") or ""),
                )
                for row in result["rows"]
                if row["ok"] is ok
            ],
            style=style,
        )
    sheet.line(verification_summary(result), style="bold")
    return sheet.text()


def verification_summary(result: Row) -> str:
    """Return the outcome of a verification on one line, with all that was not checked."""
    rows: Sequence[Row] = result["rows"]
    failed = sum(1 for row in rows if row["ok"] is False)
    unchecked = sum(1 for row in rows if row["ok"] is None)
    verdict = "not verified" if not result["ok"] else "verified as far as checked" if unchecked else "verified"
    told = f"{count(len(rows) - unchecked, 'row')} checked, {failed} failed: {verdict}."
    words = {"seed": f"{count(unchecked, 'row')} of the seed (give it with --seed)"} if unchecked else {}
    return told + not_checked_text(result["not_checked"], words)


def not_checked_text(parts: Iterable[str], words: Mapping[str, str] | None = None) -> str:
    """Return a sentence about what was not checked; none where there is nothing.

    Args:
        parts: Words of the closed set.
        words: What to say of some of them instead.
    """
    told = "; ".join({**_PARTS, **(words or {})}[part] for part in parts)
    return f" Not checked: {told}." if told else ""
