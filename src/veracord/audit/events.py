"""Events of the audit log, and the one line of text that each of them is.

A line is the canonical form of its event: there is one spelling of each event, so a line in any other spelling
was not written by us.  What is read back is exactly what was written, or it is refused.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, Literal, NoReturn, get_args

from veracord.errors import InputError
from veracord.records.pointers import is_pointer
from veracord.records.reading import MAX_BYTES, read_value
from veracord.records.values import JsonObject, canonical

#: The longest line that is read: a change that replaces the largest record by another one, all of it escaped.
MAX_LINE_BYTES: Final = 5 * MAX_BYTES
#: An event may hold the value of a record, which may be 128 levels deep.
MAX_LEVELS: Final = 160
#: Whole numbers of an event stay below this, so that every reader of JSON keeps them exactly.
MAX_COUNT: Final = 2**53

ActorKind = Literal["person", "service", "plugin", "pipeline", "system"]

_KINDS: Final = frozenset(get_args(ActorKind))
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


class EventType(StrEnum):
    """The closed set of what the log tells."""

    RECORD_IMPORTED = "record.imported"
    FILL_APPLIED = "fill.applied"
    SUGGESTION_CREATED = "suggestion.created"
    SUGGESTION_ACCEPTED = "suggestion.accepted"
    SUGGESTION_REJECTED = "suggestion.rejected"
    SUGGESTION_DEFERRED = "suggestion.deferred"
    SUGGESTION_REOPENED = "suggestion.reopened"
    VALUE_DECLARED = "value.declared"
    EVIDENCE_ATTACHED = "evidence.attached"
    DECISION_UNDONE = "decision.undone"
    EXPORT_MADE = "export.made"
    CHECKPOINT_SIGNED = "checkpoint.signed"
    KEY_ROTATED = "key.rotated"
    ACCESS_DENIED = "access.denied"
    SETTINGS_CHANGED = "settings.changed"
    USER_CHANGED = "user.changed"
    API_KEY_CHANGED = "api_key.changed"


_TYPES: Final = {str(kind): kind for kind in EventType}


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it, as far as the host knew.

    Attributes:
        id: An id, never a name: names are kept elsewhere, so that they can be removed.
        kind: What the actor is.
        how: How it was signed in, such as ``password`` or ``login_link``; "" where there is no sign-in.
        role: The role that it acted in; "" where it has none.
    """

    id: str
    kind: ActorKind
    how: str
    role: str

    def to_object(self) -> JsonObject:
        """Return the members as JSON."""
        return {"id": self.id, "kind": self.kind, "how": self.how, "role": self.role}


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be told, before it has its place in the log.

    Attributes:
        id: An id of the event, which its caller makes.
        type: What happened.
        actor: Who did it.
        tool: The tool and its version.
        data: What belongs to this type; numbers are int or Decimal.
        request_id: The request that it happened in.
        schema_digest: The digest of the schema in force, ``sha256:<hex>``.
        profile_digest: The digest of the profile in force, ``sha256:<hex>``.
        record_id: The record that it is about.
        revision_before: The revision of that record before, from 1; None where it did not exist.
        revision_after: The revision after.
        pointer: The place in the record.
    """

    id: str
    type: EventType
    actor: Actor
    tool: str
    data: JsonObject = field(repr=False)
    request_id: str | None = None
    schema_digest: str | None = None
    profile_digest: str | None = None
    record_id: str | None = None
    revision_before: int | None = None
    revision_after: int | None = None
    pointer: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One event of the log; what `Draft` has, and its place.

    Attributes:
        seq: Its number, from 1 without gaps.
        prev: The hash of the event before; of the first one, that of `veracord.audit.chain.GENESIS`.
        at: When it was written: UTC, to the microsecond, as ``2026-11-30T09:15:00.000000Z``.
        hash: The hash of all the others.
    """

    seq: int
    prev: str
    id: str
    type: EventType
    at: str
    actor: Actor
    tool: str
    request_id: str | None
    schema_digest: str | None
    profile_digest: str | None
    record_id: str | None
    revision_before: int | None
    revision_after: int | None
    pointer: str | None
    data: JsonObject = field(repr=False)
    hash: str

    def content(self) -> JsonObject:
        """Return what the hash is over: every member but the hash itself."""
        content: JsonObject = {name: getattr(self, name) for name in _CONTENT}
        content["type"] = self.type.value
        content["actor"] = self.actor.to_object()
        return content

    def to_json(self) -> bytes:
        """Return the line of the event, without a line end."""
        return canonical({**self.content(), "hash": self.hash})

    @classmethod
    def from_json(cls, line: bytes, *, where: str = "") -> "Event":
        """Read one line, without its line end.  Whether its hash is right is for `veracord.audit.chain` to say.

        Args:
            line: Bytes as `to_json` gives them.
            where: What errors call the place; by default the number that the line itself tells.

        Raises:
            InputError: ``audit_event``: no strict JSON, another set of members, a value that no event has, or a
                spelling other than the canonical one.
        """
        try:
            value = read_value(line, where=where, max_bytes=MAX_LINE_BYTES, max_levels=MAX_LEVELS)
        except InputError as error:
            _refuse(error.what, where or error.where or "one line")
        if type(value) is not dict:
            _refuse("the line is not a JSON object", where or "one line")
        place = where or _told_place(value)
        _check(value, place)
        if canonical(value) != line:
            _refuse("the line is not in the canonical form", place)
        members: dict[str, Any] = value
        actor = Actor(**members.pop("actor"))
        return cls(type=_TYPES[members.pop("type")], actor=actor, **members)


_CONTENT: Final = tuple(name for name in Event.__slots__ if name != "hash")
_MEMBERS: Final = frozenset(Event.__slots__)
_ACTOR: Final = frozenset(Actor.__slots__)


def utc_text(at: datetime) -> str:
    """Return a moment as events tell it.

    Raises:
        ValueError: The moment has no time zone.
    """
    if at.tzinfo is None:
        message = "a moment without a time zone is not one moment"
        raise ValueError(message)
    # isoformat and not strftime, which leaves out the zeros before a year below 1000 on some systems.
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def is_digest(value: object) -> bool:
    """Whether a value is ``sha256:`` and 64 small hexadecimal digits."""
    return type(value) is str and _DIGEST.fullmatch(value) is not None


def is_count(value: object, least: int) -> bool:
    """Whether a value is a whole number that events may hold (a boolean is none)."""
    return type(value) is int and least <= value < MAX_COUNT


def _check(value: JsonObject, where: str) -> None:
    """Refuse members that an event does not have or lacks, and values that they cannot have."""
    _check_names(value, _MEMBERS, "the event", where)
    actor = value["actor"]
    if type(actor) is not dict:
        _refuse("its member actor is not an object", where)
    _check_names(actor, _ACTOR, "its actor", where)
    for members, rules, what in ((value, _RULES, "its member"), (actor, _ACTOR_RULES, "its actor's member")):
        for name, is_right in rules:
            if not is_right(members[name]):
                _refuse(f"{what} {name} is none that an event can have", where)


def _check_names(value: JsonObject, wanted: frozenset[str], what: str, where: str) -> None:
    if value.keys() == wanted:
        return
    missing = sorted(wanted - value.keys())
    # An unknown name is not repeated: it may be content.
    _refuse(f"{what} lacks {', '.join(missing)}" if missing else f"{what} has a member that no event has", where)


def _is_text(value: object) -> bool:
    return type(value) is str


def _is_name(value: object) -> bool:
    return type(value) is str and value != ""


def _is_moment(value: object) -> bool:
    if type(value) is not str or not _TIME.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


_Rules = tuple[tuple[str, Callable[[object], bool]], ...]

#: What each member of an actor must be.
_ACTOR_RULES: Final[_Rules] = (
    ("id", _is_name),
    ("kind", lambda value: type(value) is str and value in _KINDS),
    ("how", _is_text),
    ("role", _is_text),
)

#: What each member of an event must be, besides the actor.
_RULES: Final[_Rules] = (
    ("seq", lambda value: is_count(value, 1)),
    ("prev", is_digest),
    ("id", _is_name),
    ("type", lambda value: type(value) is str and value in _TYPES),
    ("at", _is_moment),
    ("tool", _is_name),
    ("request_id", lambda value: value is None or _is_text(value)),
    ("schema_digest", lambda value: value is None or is_digest(value)),
    ("profile_digest", lambda value: value is None or is_digest(value)),
    ("record_id", lambda value: value is None or _is_name(value)),
    ("revision_before", lambda value: value is None or is_count(value, 1)),
    ("revision_after", lambda value: value is None or is_count(value, 1)),
    ("pointer", lambda value: value is None or (type(value) is str and is_pointer(value))),
    ("data", lambda value: type(value) is dict),
    ("hash", is_digest),
)


def _told_place(value: JsonObject) -> str:
    seq = value.get("seq")
    return f"seq {seq}" if is_count(seq, 0) else "one line"


def _refuse(what: str, where: str) -> NoReturn:
    raise InputError(what, where=where, remedy="compare it with another copy of the log", code="audit_event")
