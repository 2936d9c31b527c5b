"""What people read: the readable form of each result, made from its JSON form."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from veracord.apps.escaping import visible
from veracord.apps.rendering import Look, Sheet
from veracord.apps.wording import (
    REASONS,
    candidates_text,
    count,
    plain,
    source_text,
    value_text,
    why_open,
)

Row = Mapping[str, Any]

#: How many unused sources are named for one record among many.
_NAMED: Final = 3


def repair_report(result: Row, look: Look) -> str:
    """Return the report of one repair: filled, open, unused sources, and the sum of it."""
    sheet = Sheet(look)
    fills, still_open = result["fills"], result["unresolved"]
    sheet.table(
        "Filled",
        ("path", "value", "source", "at"),
        [(f["path"], value_text(f["value"]), source_text(f), f["source_pointer"] or '""') for f in fills],
        style="green",
    )
    sheet.table(
        "Open",
        ("path", "why", "candidates"),
        [(row["path"], why_open(row), candidates_text(row)) for row in still_open],
        style="yellow",
    )
    sheet.table("Not used", ("source", "why"), unused_rows(result))
    sheet.line(repair_summary(result), style="bold")
    return sheet.text()


def repair_listing(result: Row, number: int) -> str:
    """Return the repair of one record among many, in plain lines."""
    lines = [f"line {number}: {repair_summary(result)}"]
    lines += [
        f"  filled {f['path']} = {value_text(f['value'])} from {source_text(f)} at {f['source_pointer']}"
        for f in result["fills"]
    ]
    for row in result["unresolved"]:
        offered = candidates_text(row)
        lines.append(f"  open {row['path']}: {why_open(row)}{': ' if offered else ''}{offered}")
    if result["unresolved"]:
        lines += _unused_lines(result)
    return _text(lines)


def _unused_lines(result: Row) -> list[str]:
    """Return a line for each reason, with the first sources that it holds for."""
    sources: dict[str, list[str]] = {}
    for source, why in unused_rows(result):
        sources.setdefault(why, []).append(source)
    return [
        f"  not used, {why}: {', '.join(names[:_NAMED])}"
        + (f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else "")
        for why, names in sources.items()
    ]


def _text(lines: list[str]) -> str:
    return "".join(f"{visible(line)}\n" for line in lines)


def repair_summary(result: Row) -> str:
    """Return the counts of a repair on one line."""
    used = sum(1 for source in result["sources"] if source["used"])
    unused = sum(row.get("count") or 1 for row in result["sources"] if not row["used"])
    verdict = "conforms" if result["conforms"] else "does not conform"
    return (
        f"{len(result['fills'])} filled, {len(result['unresolved'])} open;"
        f" {count(used, 'source')} used, {unused:,} not;"
        f" the record {verdict} to {result['profile']}."
    )


def unused_rows(result: Row) -> list[tuple[str, str]]:
    """Return which sources were not used, and why."""
    rows = []
    for row in result["sources"]:
        if not row["used"]:
            name = row.get("evidence_id") or count(row.get("count") or 1, "more source")
            rows.append((str(name), plain(row.get("reason") or "no value was needed", REASONS)))
    return rows


def violations_report(result: Row, look: Look, *, with_values: bool) -> str:
    """Return the report of one validation."""
    sheet = Sheet(look)
    columns = ["path", "rule", "message"] + (["value"] if with_values else [])
    rows = [
        [row["path"] or '""', row["rule"], row["message"]]
        + ([value_text(row["value"]) if "value" in row else "(missing)"] if with_values else [])
        for row in result["violations"]
    ]
    sheet.table("Violations", columns, rows, style="yellow")
    sheet.line(violations_summary(result), style="bold")
    return sheet.text()


def violations_listing(result: Row, number: int, *, with_values: bool) -> str:
    """Return the validation of one record among many, in plain lines."""
    lines = [f"line {number}: {violations_summary(result)}"]
    for row in result["violations"]:
        line = f"  {row['path']}: {row['rule']}: {row['message']}"
        if with_values:
            line += f" ({value_text(row['value']) if 'value' in row else 'missing'})"
        lines.append(line)
    return _text(lines)


def violations_summary(result: Row) -> str:
    """Return the outcome of a validation on one line."""
    if result["conforms"]:
        return f"The record conforms to {result['profile']}."
    found = count(len(result["violations"]), "violation")
    return f"{found}; the record does not conform to {result['profile']}."


def verification_report(result: Row, look: Look) -> str:
    """Return the report of one verification."""
    sheet = Sheet(look)
    for title, ok, style in (("Verified", True, "green"), ("Not verified", False, "red")):
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
    """Return the outcome of a verification on one line."""
    rows: Sequence[Row] = result["rows"]
    failed = sum(1 for row in rows if not row["ok"])
    verdict = "verified" if result["ok"] else "not verified"
    return f"{count(len(rows), 'row')} checked, {failed} failed: {verdict}."
