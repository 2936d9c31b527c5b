"""Exports of the log: its lines for verifiers, a table of decisions for people, and PROV for other tools.

Only the lines can be verified.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Final
from urllib.parse import quote

from veracord.audit.events import Actor, Event, EventType
from veracord.errors import ConfigurationError
from veracord.records.writing import write_json

#: What people decided.
DECISIONS: Final = frozenset(
    {
        EventType.SUGGESTION_ACCEPTED,
        EventType.SUGGESTION_REJECTED,
        EventType.SUGGESTION_DEFERRED,
        EventType.SUGGESTION_REOPENED,
        EventType.VALUE_DECLARED,
        EventType.EVIDENCE_ATTACHED,
        EventType.DECISION_UNDONE,
    }
)

_EVENT_COLUMNS: Final = (
    *("seq", "at", "type", "record_id", "revision_before", "revision_after", "pointer"),
    *("request_id", "id", "hash"),
)
_ACTOR_COLUMNS: Final = ("id", "kind", "how", "role")
#: Members of the data that have a column; texts as they are, everything else as JSON.
_DATA_COLUMNS: Final = (
    *("suggestion_id", "reason_code", "reason", "note", "value", "edited", "undone"),
    *("document_digest", "page", "quote", "quote_found", "awaits_second", "first_person"),
)

#: A spreadsheet runs a cell that begins with one of these; the wide ones count as the narrow ones for some of them.
_RUNNING: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - they are meant

_NAMESPACE: Final = "urn:veracord:audit:"


def json_lines(events: Iterable[Event]) -> Iterator[bytes]:
    """Yield the line of each event with its end; put together they are an export that can be verified offline."""
    for event in events:
        yield event.to_json() + b"\n"


def decisions_csv(events: Iterable[Event]) -> Iterator[bytes]:
    r"""Yield a table of what people decided: a header and one row for each decision, in UTF-8, lines ended by ``\r\n``.

    A cell that a spreadsheet would run gets an apostrophe in front, also a negative number: the table is for reading,
    and exact values stand in the lines.
    """
    yield _row([*_EVENT_COLUMNS, *(f"actor_{name}" for name in _ACTOR_COLUMNS), *_DATA_COLUMNS])
    for event in events:
        if event.type in DECISIONS:
            cells = [getattr(event, name) for name in _EVENT_COLUMNS]
            cells += [getattr(event.actor, name) for name in _ACTOR_COLUMNS]
            yield _row([*map(_plain, cells), *(_data_cell(event, name) for name in _DATA_COLUMNS)])


def harmless(cell: str) -> str:
    """Return a cell so that no spreadsheet runs it."""
    return f"'{cell}" if cell.startswith(_RUNNING) else cell


def prov_json(events: Iterable[Event]) -> bytes:
    """Return the events as PROV-JSON: events are activities, actors agents, revisions of records entities.

    Values are left out; a revision has its digest where its event tells one.  The whole document is held in memory.

    Raises:
        ConfigurationError: ``missing_extra``: the library is not installed.
    """
    library = _prov()
    document = library.ProvDocument()
    document.add_namespace("v", _NAMESPACE)
    actors: set[str] = set()
    revisions: set[str] = set()
    for event in events:
        activity = document.activity(f"v:event-{event.seq}", event.at, event.at, _activity(event))
        agent = _agent_name(event.actor)
        if agent not in actors:
            actors.add(agent)
            kind = "Person" if event.actor.kind == "person" else "SoftwareAgent"
            about = [("prov:type", library.PROV[kind]), ("v:id", event.actor.id), ("v:kind", event.actor.kind)]
            document.agent(agent, about)
        document.wasAssociatedWith(activity, agent)
        _add_revisions(document, activity, event, revisions)
    text: str = document.serialize(format="json")
    return text.encode()


def _add_revisions(document: Any, activity: Any, event: Event, known: set[str]) -> None:  # noqa: ANN401 - of prov
    """Tell which revision of a record an event used, and which one it made."""
    if event.record_id is None:
        return
    before = _revision_name(event.record_id, event.revision_before)
    after = _revision_name(event.record_id, event.revision_after)
    for name, revision in ((before, event.revision_before), (after, event.revision_after)):
        if name and name not in known:
            known.add(name)
            told = event.data.get("text_digest") if name == after else None
            about = [("v:record_id", event.record_id), ("v:revision", revision)]
            document.entity(name, [*about, ("v:digest", told)] if type(told) is str else about)
    if before:
        document.used(activity, before)
    if after and after != before:
        document.wasGeneratedBy(after, activity)
        if before:
            document.wasDerivedFrom(after, before, activity)


def _activity(event: Event) -> list[tuple[str, str]]:
    about = [("v:type", event.type.value), ("v:hash", event.hash), ("v:tool", event.tool), ("v:role", event.actor.role)]
    return [*about, ("v:pointer", event.pointer)] if event.pointer is not None else about


def _agent_name(actor: Actor) -> str:
    return f"v:{actor.kind}-{_local(actor.id)}"


def _revision_name(record_id: str, revision: int | None) -> str:
    return f"v:record-{_local(record_id)}-{revision}" if revision is not None else ""


def _local(text: str) -> str:
    """Return any text as a part of a name; different texts stay different."""
    return quote(text, safe="")


def _row(cells: list[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerow([harmless(cell) for cell in cells])
    return out.getvalue().encode()


def _plain(value: object) -> str:
    return "" if value is None else str(value)


def _data_cell(event: Event, name: str) -> str:
    if name not in event.data:
        return ""
    value = event.data[name]
    # A value is always JSON: the text "1" is not the number 1.
    return value if type(value) is str and name != "value" else write_json(value).decode()


def _prov() -> Any:  # noqa: ANN401 - a library that may be absent
    try:
        return import_module("prov.model")
    except ImportError:
        pass
    raise ConfigurationError(
        "PROV needs the library prov, which is not installed",
        remedy="pip install 'veracord[audit]'",
        code="missing_extra",
    )
