"""One place of a record for the page: what stands there, what is wrong, what sources and models say, what happened."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from veracord.records.evidence import UNSUPPORTING_ORIGINS, EvidenceItem
from veracord.records.pointers import split
from veracord.reports.meanings import WHY_OPEN
from veracord.web.page_addresses import evidence_address, place_address, record_address
from veracord.web.page_layouts import Line, json_lines, text_lines, value_lines, windowed
from veracord.web.page_texts import (
    EVENTS,
    ORIGINS,
    UNDOABLE,
    UNUSED,
    badge,
    place_text,
    plain,
    time_text,
    value_line,
    visible,
)
from veracord.web.page_trees import leaf_source

Row = Mapping[str, Any]

#: Sources that are laid out; of the others only the name is shown.
_MOST_SOURCES: Final = 12
#: No source is known not to count.
NO_REASONS: Final[Mapping[str, str]] = MappingProxyType({})
_TEXT: Final = "a text; a value is never taken from text"
_SAME_PLACE: Final = "says something at the same place"
_SAME_NUMBER: Final = "says something in the row of the same number, which may be another row"


@dataclass(frozen=True, slots=True)
class Source:
    """A source as it is opened beside a place.

    Attributes:
        evidence_id: Its id.
        evidence_ref: Its reference.
        why: Why it is shown.
        place: Where in it it is opened; None for a text.
        lines: Its lines around that.
        address: The whole of it.
        note: Why it supports nothing, or "".
    """

    evidence_id: str
    evidence_ref: str
    why: str
    place: str | None
    lines: Sequence[Line]
    address: str
    note: str = ""


@dataclass(slots=True)
class _Wanted:
    """Sources to open, each place of one once."""

    record_id: str
    items: Mapping[str, EvidenceItem]
    quote: str | None = None
    unused: Mapping[str, str] = field(default_factory=dict)
    found: list[Source] = field(default_factory=list)
    seen: set[tuple[str, str | None]] = field(default_factory=set)

    def add(self, evidence_id: str, pointer: str, why: str, note: str | None = None) -> None:
        item = self.items.get(evidence_id)
        at = None if item is None or item.text is not None else pointer
        if item is None or (evidence_id, at) in self.seen or len(self.found) >= _MOST_SOURCES:
            return
        self.seen.add((evidence_id, at))
        reason = UNUSED.get(self.unused.get(evidence_id, ""), "")
        notes = [f"supports nothing: {plain(note, {})}" if note else "", reason]
        self.found.append(
            Source(
                evidence_id=visible(evidence_id),
                evidence_ref=item.evidence_ref,
                why=why,
                place=None if at is None else place_text(at),
                lines=windowed(source_lines(item, at, self.quote)),
                address=evidence_address(self.record_id, evidence_id, at or "", self.quote or ""),
                note="; ".join(filter(None, notes)),
            )
        )


def source_lines(item: EvidenceItem, pointer: str | None, quote: str | None) -> list[Line]:
    """Return a source line by line, what is meant marked: a place of JSON, a quote of a text."""
    if item.text is not None:
        return text_lines(item.text, quote)
    return json_lines(item.content, None if pointer is None else split(pointer))


def place_view(
    account: Row, items: Mapping[str, EvidenceItem], unused: Mapping[str, str] = NO_REASONS
) -> dict[str, Any]:
    """Return what the page of a place shows, of the report that explains it and the evidence that is kept.

    Args:
        account: The report.
        items: The evidence, by id.
        unused: Why some of it does not count for this record, by id.
    """
    record_id, pointer = account["record_id"], account["pointer"]
    return {
        "record_id": visible(record_id),
        "record_address": record_address(record_id),
        "profile": visible(account["profile"]),
        "revision": account["revision"],
        "pointer": place_text(pointer),
        "address": place_address(record_id, pointer),
        "declare_address": record_address(record_id, "declare", pointer=pointer),
        "attach_address": record_address(record_id, "attach", pointer=pointer),
        "above": place_address(record_id, pointer.rpartition("/")[0]) if pointer else "",
        "stands": account["stands"],
        "lines": value_lines(account["value"])[:200] if account["stands"] else [],
        "origin": badge(ORIGINS, account["origin"]),
        "leaves": [
            {
                "pointer": place_text(leaf["pointer"]),
                "origin": badge(ORIGINS, leaf["origin"]),
                "value": value_line(leaf["value"]),
                "behind": leaf_source(leaf),
                "is_lost": "fill" in leaf and not leaf["evidence_kept"],
            }
            for leaf in account["leaves"][:50]
        ],
        "is_known": account["violations"] is not None,
        "problems": [_problem(row) for row in account["violations"] or ()],
        "candidates": list(_candidates(account, items)),
        "sources": sources_of(account, items, unused),
        "history": [event_row(event) for event in reversed(account["history"])],
    }


def is_guessed(account: Row) -> bool:
    """Whether a guess that nothing verifies stands at a place or below it."""
    return any(leaf["origin"] in UNSUPPORTING_ORIGINS for leaf in account["leaves"])


def was_accepted(account: Row) -> bool:
    """Whether a guess was ever accepted at a place."""
    return any(event["type"] == "suggestion.accepted" for event in account["history"])


def _problem(row: Row) -> dict[str, str]:
    return {
        "pointer": place_text(row["path"]),
        "rule": visible(row["rule"]),
        "message": visible(row["message"]),
        "why": plain(row["outcome"], WHY_OPEN) if row["outcome"] else "",
        "detail": plain(str(row["detail"]), {}) if row["detail"] else "",
        "uncovered_by": visible(row["uncovered_by"]) if row["uncovered_by"] else "",
    }


def _candidates(account: Row, items: Mapping[str, EvidenceItem]) -> Iterator[dict[str, Any]]:
    """Yield what sources offer for what is open, each value once with all who say it."""
    told: dict[tuple[str, str], dict[str, Any]] = {}
    for row in account["violations"] or ():
        for one in row["candidates"]:
            value = value_line(one["value"])
            found = told.setdefault(
                (row["path"], value), {"pointer": place_text(row["path"]), "value": value, "sources": []}
            )
            item = items.get(one["evidence_id"])
            source = {
                "id": visible(one["evidence_id"]),
                "place": place_text(one["source_pointer"]),
                "rank": None if item is None else item.rank,
                "address": evidence_address(account["record_id"], one["evidence_id"], one["source_pointer"]),
            }
            if source not in found["sources"]:
                found["sources"].append(source)
    yield from told.values()


def sources_of(account: Row, items: Mapping[str, EvidenceItem], unused: Mapping[str, str] = NO_REASONS) -> list[Source]:
    """Return the sources to be opened beside a place: where its value was read, what is offered, what else says so."""
    declared = next((leaf["declaration"] for leaf in account["leaves"] if "declaration" in leaf), None)
    wanted = _Wanted(account["record_id"], items, declared["quote"] if declared else None, unused)
    for leaf in account["leaves"]:
        if "fill" in leaf:
            wanted.add(leaf["fill"]["evidence_id"], leaf["fill"]["source_pointer"], "the value was read here")
    for row in account["violations"] or ():
        for one in row["candidates"]:
            wanted.add(one["evidence_id"], one["source_pointer"], f"offers {value_line(one['value'])}")
    opened, is_row = {source.evidence_id for source in wanted.found}, _is_in_row(account["pointer"])
    for one in account["evidence"]:
        is_text = "text" in one
        if is_row and visible(one["id"]) in opened:
            # Rows of a source may be in another order: the same number is another row where its row is known.
            continue
        if is_text and declared and one["evidence_ref"] == declared["document_digest"]:
            why = "the document that was declared from; the quote is marked"
        else:
            why = _TEXT if is_text else (_SAME_NUMBER if is_row else _SAME_PLACE)
        wanted.add(one["id"], account["pointer"], why, one["origin"])
    return wanted.found


def _is_in_row(pointer: str) -> bool:
    return any(token.isdigit() for token in split(pointer))


def event_row(event: Row) -> dict[str, Any]:
    """Return an event of a report as a row of a history."""
    actor = event["actor"]
    words = [plain(event["code"] or "", {}), event["reason"] or ""]
    if event["takes_back"]:
        words.append(f"takes back {event['takes_back'][:12]}")
    pointer = event["pointer"]
    return {
        "seq": event["seq"],
        "id": event["event_id"],
        "at": time_text(event["at"]),
        "exact": event["at"],
        "what": plain(event["type"], EVENTS),
        "type": event["type"],
        "who": visible(actor["id"]),
        "how": visible(", ".join(filter(None, (actor["kind"], actor["role"], actor["how"])))),
        "pointer": None if pointer is None else place_text(pointer),
        "why": visible("; ".join(filter(None, words))),
        "is_undone": event.get("undone", False),
        "can_be_undone": event["type"] in UNDOABLE and not event.get("undone", False),
    }


def undoable_event(account: Row, suggestion_id: str) -> str | None:
    """Return the latest decision about a suggestion that can be taken back."""
    for event in reversed(account["history"]):
        is_decision = event["type"] in UNDOABLE and event["suggestion_id"] == suggestion_id
        if is_decision and not event["undone"]:
            return str(event["event_id"])
    return None
