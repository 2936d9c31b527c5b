"""What people see of where a value of a record under review comes from, and of what happened to its place."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from veracord.apps.escaping import shortened
from veracord.apps.rendering import Look, Sheet
from veracord.apps.review_reports import status_text
from veracord.apps.wording import candidates_text, value_text, why_open

Row = dict[str, Any]

#: So much of a text that somebody wrote is shown; programs read `--json`.
_MOST_TEXT: Final = 500
#: The beginning of an event's id, which `review undo` takes.
_SHORT_ID: Final = 12
_WORDS: Final[Mapping[str, str]] = {
    "input": "it came with the record",
    "evidence": "filled from evidence",
    "declared": "declared by a person from a document",
    "accepted_suggestion": "a guess that a person accepted; unverified, and it supports nothing",
    "suggestion_origin": "a guess that came back in an import; unverified, and it supports nothing",
    "seed": "it came with the record, from a seed",
    "several": "its leaves have different origins",
    "open": "open: something is wrong there",
    "absent": "nothing stands there, and no rule asks for it",
}

#: Where nothing stands and the profile is not what it was.
_UNTOLD: Final = "nothing stands there; whether a rule asks for it is not known (absent)"


def account_text(report: Row, look: Look) -> str:
    """Return what is known of a place for people."""
    sheet = Sheet(look)
    sheet.line(f"Record {report['record_id']} ({report['profile']}), revision {report['revision']}", "bold")
    leaf = report["leaves"][0] if len(report["leaves"]) == 1 else {}
    # What is said of the one leaf that it is, is not said twice.
    if (leaf.get("pointer"), leaf.get("origin")) != (report["pointer"], report["origin"]):
        place = report["pointer"] or "(the whole record)"
        sheet.line(f"{place} = {value_text(report['value'])}" if report["stands"] else f"{place}: nothing stands there")
        is_told = report["origin"] != "absent" or report["violations"] is not None
        sheet.line(f"  {_words(report['origin']) if is_told else _UNTOLD}")
    sheet.line()
    for leaf in report["leaves"]:
        for line in _leaf_lines(leaf):
            sheet.line(line, is_whole=True)
    _add_violations(sheet, report["violations"])
    _add_suggestions(sheet, report["suggestions"])
    _add_evidence(sheet, report["evidence"])
    rows = [
        (
            *(str(one["seq"]), one["event_id"][:_SHORT_ID], one["at"], one["type"]),
            *(one["actor"]["id"], one["pointer"] or "", _why(one)),
        )
        for one in report["history"]
    ]
    sheet.table("What happened here", ("seq", "event id", "time", "event", "who", "place", "why"), rows)
    return sheet.text()


def _leaf_lines(leaf: Row) -> Iterator[str]:
    event = leaf["event"]
    yield f"{leaf['pointer'] or '(the whole record)'} = {value_text(leaf['value'])}"
    yield f"  {_words(leaf['origin'])}"
    if "fill" in leaf:
        fill = leaf["fill"]
        yield f"  from {fill['evidence_id']} at {fill['source_pointer'] or '(the whole source)'}"
        if fill["also"]:
            yield f"  also stated by {', '.join(fill['also'])}"
        if fill["overruled"]:
            yield f"  overruled, by rank: {', '.join(fill['overruled'])}"
        kept = "" if leaf["evidence_kept"] else "; it is not kept with the record any more, or does not count"
        yield f"  reference {fill['evidence_ref']}{kept}"
    if "suggestion" in leaf:
        yield from _suggestion_lines(leaf)
    if "declaration" in leaf:
        told = leaf["declaration"]
        yield f"  document {told['document_digest']}, page {shortened(told['page'], _MOST_TEXT)}"
        found = {True: "found in it", None: "not looked for: the document was not at hand as text"}
        yield f"  quote ({found.get(told['quote_found'], 'not found')}): {shortened(told['quote'], _MOST_TEXT)}"
    if event is not None:
        yield f"  by {event['actor']['id']} ({event['actor']['kind']}), {event['at']}, event {event['event_id']}"
        if event["reason"]:
            yield f"  because: {shortened(event['reason'], _MOST_TEXT)}"
    yield ""


def _words(origin: str) -> str:
    return f"{_WORDS.get(origin, origin)} ({origin})"


def _suggestion_lines(leaf: Row) -> Iterator[str]:
    guess = leaf["suggestion"]
    model = f" of {guess['model']}" if guess["model"] else ""
    yield f"  suggestion {guess['id']}{model}, confidence {guess['confidence']}"
    if leaf["edited"]:
        yield f"  the person entered another value than the suggested {value_text(guess['value'])}"
    if guess["rationale"]:
        yield f"  the model says: {shortened(guess['rationale'], _MOST_TEXT)}"
    if leaf["first_person"]:
        yield f"  first of two persons: {leaf['first_person']}"


def _add_violations(sheet: Sheet, violations: list[Row] | None) -> None:
    if violations is None:
        sheet.line("What is wrong here is not known: the profile cannot be loaded, or is not what it was.", "yellow")
        sheet.line()
        return
    rows = [
        (one["path"], one["rule"], one["message"], why_open(one) if one["outcome"] else "", candidates_text(one))
        for one in violations
    ]
    sheet.table("Wrong here", ("place", "rule", "message", "why it is open", "what sources offer"), rows)


def _add_suggestions(sheet: Sheet, suggestions: list[Row]) -> None:
    rows = [
        (
            *(one["id"], one["pointer"], value_text(one["value"]), status_text(one)),
            "(a declaration)" if one["is_declaration"] else one["model"],
        )
        for one in suggestions
    ]
    sheet.table("Suggested here, unverified", ("id", "place", "value", "status", "model"), rows)


def _add_evidence(sheet: Sheet, evidence: list[Row]) -> None:
    rows = [
        (
            one["id"],
            value_text(one["value"]) if "value" in one else "(a text; review show has it)",
            f"supports nothing: {one['origin']}" if one["origin"] else "",
            one["evidence_ref"],
        )
        for one in evidence
    ]
    sheet.table("Evidence beside it", ("id", "says", "", "reference"), rows)


def _why(event: Row) -> str:
    words = [event["code"] or "", shortened(event["reason"], _MOST_TEXT) if event["reason"] else ""]
    words.append(f"takes back {event['takes_back']}" if event["takes_back"] else "")
    words.append("(taken back since)" if event["undone"] else "")
    return " ".join(filter(None, words))
