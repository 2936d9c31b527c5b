"""What people read: the readable form of each result, made from its JSON form."""

from collections.abc import Mapping
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
from veracord.composer.explanation import ORIGIN_WORDS
from veracord.records.pointers import get, split

Row = Mapping[str, Any]

#: Guesses stand under a title that says what they are.
_UNVERIFIED: Final = "Unverified guesses of a model, from its training; nothing here is a fact or was put in the record"

#: Not about suggestions, though it is counted beside them.
_SEARCH_BOUND: Final = "search_bound"

#: What stands for the evidence of a leaf that the seed holds.
_SEED: Final = "request:seed"

#: How many unused sources are named for one record among many.
_NAMED: Final = 3


def repair_report(result: Row, look: Look) -> str:
    """Return the report of one repair: filled, open, unused sources, and the sum of it."""
    sheet = Sheet(look)
    fills, still_open, guesses = result["fills"], result["unresolved"], result["suggestions"]
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
    sheet.table("Origins", ("path", "origin"), origin_rows(result), style="magenta")
    sheet.table("Not used", ("source", "why"), unused_rows(result))
    sheet.table(
        _UNVERIFIED,
        ("path", "guess", "confidence", "what the model says for it"),
        [(row["path"] or '""', value_text(row["value"]), str(row["confidence"]), row["rationale"]) for row in guesses],
        style="magenta",
    )
    for line in suggestion_lines(result):
        sheet.line(line)
    sheet.line(repair_summary(result), style="bold")
    return sheet.text()


def suggestion_lines(result: Row) -> list[str]:
    """Return what else is to be said of suggestions: why there are none, and how many were not shown."""
    lines = []
    status = str(result.get("suggestions_status", ""))
    if status.startswith("failed:"):
        lines.append(f"No suggestions: the model gave none that can be used ({status.removeprefix('failed:')}).")
    hidden = sum(number for reason, number in result["suppressed"].items() if reason != _SEARCH_BOUND)
    if hidden:
        lines.append(f"{count(hidden, 'suggestion')} of the model not shown; --json tells why.")
    return lines


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
    lines += [f"  {path} is {words}" for path, words in origin_rows(result)]
    if result["unresolved"]:
        lines += _unused_lines(result)
    lines += [
        f"  unverified guess for {row['path']}: {value_text(row['value'])} ({row['confidence']}): {row['rationale']}"
        for row in result["suggestions"]
    ]
    lines += [f"  {line}" for line in suggestion_lines(result)]
    return _text(lines)


def origin_rows(result: Row) -> list[tuple[str, str]]:
    """Return the leaves that are suggestions that came back or were accepted, or that are declared."""
    return [
        (path or '""', ORIGIN_WORDS[origin]) for path, origin in result["origins"].items() if origin in ORIGIN_WORDS
    ]


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


def synthesis_report(result: Row, look: Look) -> str:
    """Return the report of one synthesis: where each leaf comes from, unused sources, and the sum of it."""
    sheet = Sheet(look)
    support = result["support"]
    sheet.table(
        "Record",
        ("path", "value", "source", "at"),
        [
            (
                row["path"] or '""',
                value_text(get(result["record"], split(row["path"]))),
                _supporter(row["evidence_id"]),
                row["source_pointer"] or '""',
            )
            for row in support
        ],
        style="green",
    )
    sheet.table(
        "Left out",
        ("path", "why", "candidates"),
        [(row["path"], why_open(row), candidates_text(row)) for row in result["left_out"]],
        style="yellow",
    )
    sheet.table("Not used", ("source", "why"), unused_rows(result))
    own = sum(1 for row in support if row["evidence_id"] == _SEED)
    how = "put together without a model" if result["method"] == "assembly" else "written by a model, and checked"
    sheet.line(
        f"{count(len(support), 'leaf', 'leaves')}: {own:,} of the seed, {len(support) - own:,} from evidence; {how};"
        f" the record conforms to {result['profile']}.",
        style="bold",
    )
    return sheet.text()


def refusal_report(told: Row, look: Look) -> str:
    """Return why there is no record: every path with its reason."""
    sheet = Sheet(look)
    rows = [(row["path"] or '""', row["rule"], row["message"]) for row in told["violations"]]
    sheet.table("No record", ("path", "rule", "why"), rows, style="red")
    sheet.line(f"{told['error']['code']}: {told['error']['message']}", style="bold")
    return sheet.text()


def _supporter(evidence_id: str) -> str:
    return "the seed" if evidence_id == _SEED else evidence_id


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
