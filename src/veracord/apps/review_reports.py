"""What people see of suggestions: the list, one place with everything beside it, and what came of a decision."""

from collections.abc import Mapping
from difflib import ndiff
from typing import Any, Final

from veracord.apps.escaping import shortened
from veracord.apps.rendering import Look, Sheet
from veracord.apps.wording import count, value_text
from veracord.records.values import MISSING, JsonValue, Missing
from veracord.records.writing import laid_out

Row = dict[str, Any]

_SHORT_ID: Final = 12
_DIGEST: Final = "sha256:"
#: Lines of one value, and characters of one of them, that one screen bears; programs read `--json`.
_MOST_LINES: Final = 40
_MOST_TEXT: Final = 500

_WHAT: Final[Mapping[bool, str]] = {
    False: "model guess, unverified, no evidence",
    True: "declared by a person from a document; it waits for a second person",
}


def list_text(report: Row, look: Look) -> str:
    """Return a page of suggestions for people."""
    sheet = Sheet(look)
    rows = [
        (
            one["id"].removeprefix(_DIGEST)[:_SHORT_ID],
            one["record_id"],
            one["pointer"],
            value_text(one["value"]),
            one["rule"],
            status_text(one),
            "(a declaration)" if one["is_declaration"] else one["model"],
        )
        for one in report["suggestions"]
    ]
    sheet.table("Suggestions", ("id", "record", "place", "value", "rule", "status", "model"), rows)
    counts = ", ".join(f"{number:,} {status}" for status, number in report["counts"].items() if number)
    sheet.line(f"{len(rows):,} of {report['total']:,} shown; in all: {counts or 'none'}.")
    return sheet.text()


def status_text(one: Row) -> str:
    """Return how a suggestion stands, and for whose second person it waits."""
    first = one["first"]
    return f"{one['status']}; {first['person_id']} did the first of two acts" if first else str(one["status"])


def place_text(report: Row, look: Look) -> str:
    """Return a place with everything beside it for people."""
    sheet = Sheet(look)
    guess = report["suggestion"]
    sheet.line(f"Record {report['record_id']} ({report['profile']}), revision {report['revision']}", "bold")
    sheet.line(f"Place  {report['pointer'] or '(the whole record)'}")
    sheet.line(f"Seen   {report['seen']}", is_whole=True)
    for warning in report["warnings"]:
        sheet.line(f"Warning: {warning['message']}", "yellow")
    sheet.line()
    wrong = [(one["path"], one["rule"], one["message"]) for one in report["violations"]]
    sheet.table("Wrong here", ("place", "rule", "message"), wrong)
    if guess is not None:
        _add_guess(sheet, guess, report)
    else:
        sheet.line("Stands there now", "bold")
        for line in _value_lines(_present(report)):
            sheet.line(f"  {line}")
    sheet.line()
    beside = report["evidence"]
    sheet.line(f"Evidence beside it ({len(beside)})" if beside else "No evidence says anything of this place.")
    for one in beside:
        origin = f", and supports nothing: {one['origin']}" if one["origin"] else ""
        sheet.line(f"  {one['id']}{origin}")
        for line in _says(one):
            sheet.line(f"    {line}")
    return sheet.text()


def _add_guess(sheet: Sheet, guess: Row, report: Row) -> None:
    model = f" of {guess['model']}" if guess["model"] else ""
    sheet.line(f"Suggestion {guess['id']}", "bold", is_whole=True)
    sheet.line(f"  {_WHAT[guess['is_declaration']]}", "yellow")
    sheet.line(f"  {status_text(guess)}{model}, confidence {guess['confidence']} (never above {report['cap']})")
    if guess["rationale"]:
        sheet.line(f"  it says: {shortened(guess['rationale'], _MOST_TEXT)}")
    present = _present(report)
    before = [] if present is MISSING else _value_lines(present)
    for line in ndiff(before, _value_lines(guess["value"])):
        if not line.startswith("?"):
            sheet.line(f"  {line}")


def _present(report: Row) -> JsonValue | Missing:
    present: JsonValue = report["present"]
    return present if report["stands"] else MISSING


def _says(one: Row) -> list[str]:
    return _value_lines(one["value"]) if "value" in one else _fit(one["text"].splitlines())


def _value_lines(value: JsonValue | Missing) -> list[str]:
    """Return a value as lines of JSON, whole as far as one screen bears it: who decides must see it."""
    if value is MISSING:
        return ["(nothing)"]
    return _fit(laid_out(value).split("\n"))


def _fit(lines: list[str]) -> list[str]:
    """Return lines of which one screen bears all."""
    rest = len(lines) - _MOST_LINES
    shown = [shortened(line, _MOST_TEXT) for line in lines[:_MOST_LINES]]
    return shown if rest <= 0 else [*shown, f"... {rest} more lines"]


_DONE: Final[Mapping[str, str]] = {
    "accept": "accepted; it stays unverified, and supports nothing",
    "edit": "accepted with another value; it stays unverified, and supports nothing",
    "reject": "rejected; it is not suggested again",
    "defer": "put off",
    "declare": "declared",
    "attach": "attached",
    "undo": "undone",
}


def done_text(report: Row, look: Look) -> str:
    """Return what came of a decision for people."""
    sheet = Sheet(look)
    done = "noted; nothing is changed yet" if report["awaits_second"] else _DONE[report["act"]]
    sheet.line(f"{report['record_id']}, revision {report['revision']}: {done}.")
    if report["awaits_second"]:
        sheet.line("It waits for a second person who does the same.")
    for pointer in report["fills"]:
        sheet.line(f"  filled from evidence: {pointer}")
    sheet.line(f"event {report['event_id']}", is_whole=True)
    return sheet.text()


def rejected_text(report: Row, look: Look) -> str:
    """Return what came of a rejection of many for people."""
    sheet = Sheet(look)
    sheet.line(f"{count(report['rejected'], 'suggestion')} rejected; none is suggested again.")
    return sheet.text()


def settings_text(report: Row, look: Look) -> str:
    """Return the settings of a store for people."""
    sheet = Sheet(look)
    sheet.line(f"second person needed: {', '.join(report['second_person']) or 'nowhere'}")
    sheet.line(f"own proposals may be accepted: {'yes' if report['own_proposals'] else 'no'}")
    sheet.line(f"reasons for a rejection: {', '.join(report['reject_reasons'])}")
    if report["changed"]:
        sheet.line("changed; the log tells of it.")
    return sheet.text()
