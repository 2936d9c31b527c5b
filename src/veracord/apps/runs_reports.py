"""What is told of runs that a store has: lists, manifests, histories, removals."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from veracord.apps.failures import usage_error
from veracord.apps.plots import rate_plot
from veracord.apps.rendering import Look, Sheet
from veracord.apps.run_reports import usage_lines
from veracord.apps.wording import count
from veracord.records.writing import write_json
from veracord.reports.meanings import UNIT_OUTCOMES

Report = dict[str, Any]

_WORDS: Final[Mapping[str, str]] = {
    "intent": "taken by start {epoch}",
    "lost": "given up: the process that had it ended without a word; found by start {epoch}",
    "set_aside": "set aside: its claims were lost too often",
    "stale": "its end came too late: another process had taken it; from start {epoch}",
    "commit": "kept as {outcome}",
}

_ATTEMPTS: Final[Mapping[str, str]] = {
    "ok": "the value was accepted, if not by every check",
    "rejected": "a validator rejected the value",
    "structural": "no answer had the form that was asked for",
    "lost": "the process died in it; it may have been paid for",
    "stale": "it ended after another process had taken the unit",
    "cached": "a value that was known already; no model was asked",
    "other": "refused, cut off, not reached, or cancelled",
}


def list_text(report: Report, look: Look) -> str:
    """Return a list of runs for people."""
    sheet = Sheet(look)
    if not report["runs"]:
        sheet.line("The store has no runs.")
    rows = [
        (row["run_id"], row["name"], row["created_at"], _of(row["done"], row["units"]), _state(row))
        for row in report["runs"]
    ]
    sheet.table("Runs", ("id", "name", "made at", "units done", "state"), rows)
    return sheet.text()


def _of(done: int, units: int | None) -> str:
    return f"{done:,} of {'?' if units is None else f'{units:,}'}"


def _state(row: Mapping[str, Any]) -> str:
    if row["running"]:
        return "running"
    return "complete" if row["complete"] else "unfinished"


def manifest_text(manifest: Report, times: Sequence[float], look: Look) -> str:
    """Return a manifest for people, with a plot of when units ended."""
    sheet = Sheet(look)
    # What was cancelled under way is done by the next start; `runs list` counts it as open, too.
    done = sum(number for name, number in manifest["outcomes"].items() if name != "cancelled")
    sheet.line(f"{manifest['name']} ({manifest['run_id']}): {_of(done, manifest['units'])} units, {_state(manifest)}")
    sheet.line()
    _table(sheet, "Outcomes", manifest["outcomes"], UNIT_OUTCOMES)
    _table(sheet, "Attempts", {name: number for name, number in manifest["attempts"].items() if number}, _ATTEMPTS)
    starts = [
        (str(row["epoch"]), row["started_at"], row["ended_at"] or "", _end_of(row, manifest["running"]))
        for row in manifest["starts"]
    ]
    sheet.table("Starts", ("start", "from", "to", "ended by"), starts)
    for line in usage_lines(manifest["usage"]):
        sheet.line(line)
    for line in _notes(manifest):
        sheet.line(line)
    sheet.line(f"Receipts: {manifest['receipts_digest']}", is_whole=True)
    plot = rate_plot(times, look.width)
    if plot:
        sheet.line()
        sheet.line("Units per second, from the first to the last (UTC)", style="bold")
        for line in plot:
            sheet.line(line, is_whole=True)
    return sheet.text()


def _table(sheet: Sheet, title: str, numbers: Mapping[str, int], meanings: Mapping[str, str]) -> None:
    rows = [(name, f"{number:,}", meanings[name]) for name, number in numbers.items()]
    sheet.table(title, (title.lower().removesuffix("s"), "number", "meaning"), rows)


def _end_of(start: Mapping[str, Any], is_running: bool) -> str:
    if start["ended_by"] is None:
        return "running" if is_running else "without a word"
    return start["ended_by"] or "its end"


def _notes(report: Report) -> list[str]:
    words = {
        "same_run": "gone on with under other parts (--same-run): {}",
        "debug_transcripts": "texts of the model were written down (--debug-transcripts)",
    }
    return [
        f"{note['at']}: {words.get(note['what'], note['what']).format(', '.join(note.get('differs', ())))}"
        for note in report["notes"]
    ]


def explanation_text(report: Report, look: Look) -> str:
    """Return what decided the results of a run, for people."""
    sheet = Sheet(look)
    sheet.line(f"{report['name']} ({report['run_id']}), input {report['input']}")
    sheet.line()
    sheet.table("Parts", ("part", "digest or version"), list(report["parts"].items()))
    for producer, policy in (report["policy"] or {}).items():
        rows = [(name, row["disposition"], row["origin"]) for name, row in policy.items()]
        sheet.table(f"Policy of {producer}", ("outcome", "disposition", "set by"), rows)
    for title, name in (("Model", "model"), ("Versions", "versions")):
        sheet.table(title, ("setting", "value"), [(key, _plain(item)) for key, item in (report[name] or {}).items()])
    for line in _notes(report):
        sheet.line(line)
    return sheet.text()


def _plain(value: object) -> str:
    return value if isinstance(value, str) else write_json(value).decode()


def unit_text(report: Report, look: Look) -> str:
    """Return why a unit stands where it stands, for people."""
    sheet = Sheet(look)
    outcome = report["outcome"] or report["state"]
    sheet.line(f"unit {report['key']} of run {report['run_id']}: {outcome}{_why(report)}")
    sheet.line()
    rows = [
        (str(row["fence"]), row["kind"], row.get("producer", ""), _told(row), row.get("started_at", ""))
        for row in report["receipts"]
    ]
    sheet.table("Receipts", ("claim", "kind", "producer", "what happened", "at"), rows)
    earlier = report["not_reused"]
    if earlier is not None:
        sheet.line(f"Run {earlier['run_id']} had accepted a value of {earlier['producer']}. {_difference(earlier)}")
    return sheet.text()


def _why(report: Report) -> str:
    parts = [report["code"]] if report["code"] else []
    parts += [f"{name} rejected it ({', '.join(codes)})" for name, codes in report["rejected_by"].items()]
    parts += [f"{name} could not check" for name in report["incomplete"]]
    if report["disposition"] is not None:
        parts.append(f"the policy says {report['disposition']}")
    return f"; {'; '.join(parts)}" if parts else ""


def _told(row: Mapping[str, Any]) -> str:
    if row["kind"] in _WORDS:
        return _WORDS[row["kind"]].format(epoch=row.get("epoch", "?"), outcome=row.get("outcome", "?"))
    if row["kind"] == "cached":
        return f"a value that was known already{_checks(row)}"
    correction = ", a correction" if row["correction"] else ""
    return f"attempt {row['attempt']}{correction}: {row['outcome']}{_in_brackets(row['code'])}{_checks(row)}"


def _checks(row: Mapping[str, Any]) -> str:
    told = [
        f"; {check['validator']} {check['status']}{_in_brackets(', '.join(check['codes']))}" for check in row["checks"]
    ]
    return "".join(told)


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _difference(earlier: Mapping[str, Any]) -> str:
    if earlier["differs"]:
        return f"It was not taken, because these differ: {', '.join(earlier['differs'])}."
    if earlier["kind"] is not None:
        return f"It was not taken, because {earlier['kind']} differs."
    return "Why it was not taken cannot be told from what is kept."


def removal_text(report: Report, look: Look) -> str:
    """Return what was removed, for people."""
    sheet = Sheet(look)
    removed = report["removed"]
    rows = [
        (
            row["run_id"],
            row["name"],
            row["created_at"],
            *(f"{row[name]:,}" for name in ("units", "receipts", "records")),
        )
        for row in removed
    ]
    title = "Would be removed" if report["dry_run"] else "Removed"
    sheet.table(title, ("id", "name", "made at", "units", "receipts", "records"), rows)
    total = sum(row[name] for row in removed for name in ("units", "receipts", "records", "provisional"))
    word = "would be freed" if report["dry_run"] else "freed"
    sheet.line(f"{count(len(removed), 'run')}, {count(total, 'row')} {word}." if removed else "Nothing to remove.")
    return sheet.text()


def copy_text(report: Report, look: Look) -> str:
    """Return what was copied, for people."""
    sheet = Sheet(look)
    sheet.table("Copied", ("table", "rows"), [(name, f"{number:,}") for name, number in report["rows"].items()])
    sheet.line("Counts and the digests of all receipts are the same in both.")
    return sheet.text()


def read_day(text: str) -> float:
    """Return a day or time as seconds since 1970; one without a zone is in UTC.

    Raises:
        ConfigurationError: It is none.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None:
        raise usage_error("this is no date", where=f"--before {text}", remedy="write it as 2026-01-31")
    return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp()
