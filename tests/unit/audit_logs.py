"""Logs for tests: a hand that writes events one after the other, and ways to tamper with their lines."""

from datetime import UTC, datetime, timedelta

from veracord.audit.chain import GENESIS, Head, event_hash, next_event
from veracord.audit.events import Actor, Draft, Event, EventType
from veracord.audit.replay import change_data, import_data
from veracord.audit.signatures import sign_checkpoint, sign_rotation
from veracord.records.values import canonical

START = datetime(2026, 11, 30, 9, 15, tzinfo=UTC)
PERSON = Actor("u-7", "person", "password", "reviewer")
SYSTEM = Actor("veracord", "system", "", "")


class Log:
    """A log that is being written."""

    def __init__(self):
        """Start before the first event."""
        self.events: list[Event] = []
        self.records: dict[str, tuple[int, str, dict[str, str]]] = {}

    @property
    def head(self):
        return Head(self.events[-1].seq, self.events[-1].hash) if self.events else GENESIS

    @property
    def lines(self):
        return [event.to_json() + b"\n" for event in self.events]

    def add(self, kind=EventType.SUGGESTION_REJECTED, data=None, *, actor=PERSON, **members):
        number = len(self.events)
        draft = Draft(f"e{number}", kind, actor, "veracord 0.1.0", {} if data is None else data, **members)
        self.events.append(next_event(self.head, draft, START + timedelta(seconds=number)))
        return self.events[-1]

    def load(self, record_id, text, origins=None):
        before = self.records[record_id][0] if record_id in self.records else None
        self.records[record_id] = ((before or 0) + 1, text, dict(origins or {}))
        return self.add(
            EventType.RECORD_IMPORTED,
            import_data(text, origins or {}),
            actor=SYSTEM,
            record_id=record_id,
            revision_before=before,
            revision_after=(before or 0) + 1,
        )

    def change(self, record_id, text, origins=None, kind=EventType.FILL_APPLIED, *, at="", **more):
        revision, before, old = self.records[record_id]
        new = old if origins is None else origins
        self.records[record_id] = (revision + 1, text, dict(new))
        return self.add(
            kind,
            {**more, **change_data(before, text, old, new)},
            record_id=record_id,
            revision_before=revision,
            revision_after=revision + 1,
            pointer=at,
        )

    def sign(self, key):
        head = self.head
        return self.add(
            EventType.CHECKPOINT_SIGNED, sign_checkpoint(head.seq, head.hash, key).to_object(), actor=SYSTEM
        )

    def rotate(self, old, new):
        return self.add(EventType.KEY_ROTATED, sign_rotation(self.head, old, new.public).to_object(), actor=SYSTEM)


def log_of(count):
    """Return a log of so many events about one record."""
    log = Log()
    log.load("r", '{"a": 0}', {"/a": "input"})
    for number in range(1, count):
        if number % 2:
            log.change("r", f'{{"a": {number}}}', {"/a": "evidence"})
        else:
            log.add(data={"reason": "no", "value": number}, record_id="r", pointer="/a")
    return log


def rehashed(lines, start):
    """Return lines in which all from an index on follow each other again, as one who rewrites the log would do."""
    events = [Event.from_json(line.rstrip(b"\n")) for line in lines]
    head = Head(events[start - 1].seq, events[start - 1].hash) if start else GENESIS
    out = list(lines[:start])
    for event in events[start:]:
        content = {**event.content(), "seq": head.seq + 1, "prev": head.hash}
        bare = Event.from_json(canonical({**content, "hash": GENESIS.hash}))
        head = Head(head.seq + 1, event_hash(bare))
        out.append(canonical({**content, "hash": head.hash}) + b"\n")
    return out


def edited(line, **members):
    """Return a line with other members; the hash stays."""
    event = Event.from_json(line.rstrip(b"\n"))
    return canonical({**event.content(), "hash": event.hash, **members}) + b"\n"
