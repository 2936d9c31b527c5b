"""The audit log: the processor time to write, verify and replay it, and whether memory stays flat."""

import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bench.figures import Figure, expect
from bench.process_memory import resident_mb
from veracord.audit.chain import GENESIS, Head, follow, next_event
from veracord.audit.events import Actor, Draft, Event, EventType
from veracord.audit.keys import SigningKey
from veracord.audit.replay import change_data, import_data, replay
from veracord.audit.signatures import CHECKPOINT_EVERY, sign_checkpoint
from veracord.audit.verification import export_lines, verify

_EVENTS: Final = 100_000
_ACTOR: Final = Actor("u-7", "person", "password", "reviewer")
_RECORDS: Final = 20
_DIGEST: Final = GENESIS.hash
_AT: Final = datetime(2026, 11, 30, tzinfo=UTC)


def measure(count: int) -> Iterator[Figure]:
    """Yield the figures of a log of so many events, a signed checkpoint after each thousand."""
    with tempfile.TemporaryDirectory() as folder:
        export = Path(folder) / "export.jsonl"
        key = SigningKey.make()
        began = time.process_time()
        with export.open("wb") as file:
            for event in _events(count, key):
                file.write(event.to_json() + b"\n")
        written_s = time.process_time() - began
        yield from _verification(export, count, key)
        yield _replaying(export, count)
    yield Figure("writing an event", written_s * 1e6 / count, "us", detail="hashed, and read back before it counts")


def _verification(export: Path, count: int, key: SigningKey) -> Iterator[Figure]:
    memory = _Memory(count)
    began = time.process_time()
    with export.open("rb") as file:
        report = verify(memory.watched(export_lines(file)), keys=[key.public])
    seconds = time.process_time() - began
    expect(holds=report.ok and report.events == count, what="the log is sound")
    expect(holds=report.checkpoints == (count - 1) // (CHECKPOINT_EVERY + 1), what="its checkpoints are genuine")
    yield Figure(
        "verifying a log of 100,000 events",
        seconds * _EVENTS / count,
        "s",
        at_most=5,
        detail=f"{count:,} events, {export.stat().st_size / 1e6:.0f} MB, {report.checkpoints} signatures",
    )
    if memory.early_mb:
        yield Figure(
            "memory at the end of verifying, of that at a fifth of it",
            memory.late_mb / memory.early_mb,
            "x",
            at_most=1.05,
            detail=f"{memory.early_mb:.0f} MB and {memory.late_mb:.0f} MB",
        )


def _replaying(export: Path, count: int) -> Figure:
    began = time.process_time()
    with export.open("rb") as file:
        records = replay(follow(Event.from_json(line.rstrip(b"\n")) for line in export_lines(file)))
    seconds = time.process_time() - began
    expect(holds=len(records) == _RECORDS, what="every record is there")
    return Figure("replaying a log of 100,000 events", seconds * _EVENTS / count, "s", detail="the chain checked, too")


class _Memory:
    """The resident memory of this process when a fifth of the lines was read, and after all of them."""

    def __init__(self, count: int) -> None:
        self._early_at = count // 5
        self.early_mb = self.late_mb = 0.0

    def watched(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        for number, line in enumerate(lines):
            if number == self._early_at:
                self.early_mb = resident_mb(os.getpid())
            yield line
        self.late_mb = resident_mb(os.getpid())


def _events(count: int, key: SigningKey) -> Iterator[Event]:
    """Yield events of every size: imports, changes of records, decisions, checkpoints."""
    head = GENESIS
    revisions: dict[str, int] = {}
    for number in range(count):
        is_due = head.seq and head.seq % (CHECKPOINT_EVERY + 1) == CHECKPOINT_EVERY
        draft = _checkpoint(head, key) if is_due else _draft(number, revisions)
        event = next_event(head, draft, _AT)
        head = Head(event.seq, event.hash)
        yield event


def _checkpoint(head: Head, key: SigningKey) -> Draft:
    data = sign_checkpoint(head.seq, head.hash, key).to_object()
    return Draft(f"e{head.seq}", EventType.CHECKPOINT_SIGNED, Actor("veracord", "system", "", ""), "veracord", data)


def _draft(number: int, revisions: dict[str, int]) -> Draft:
    record_id = f"record-{number % _RECORDS}"
    revision = revisions.get(record_id)
    if revision is None:
        kind, data, after = EventType.RECORD_IMPORTED, import_data(_text(1), {"/a": "input"}), 1
    elif number % 3:
        kind, data, after = EventType.SUGGESTION_REJECTED, {"suggestion_id": _DIGEST, "reason_code": "wrong"}, revision
    else:
        old, new = {"/a": "input"}, {"/a": "evidence"}
        data = {"reason": "as on the label", **change_data(_text(revision), _text(revision + 1), old, new)}
        kind, after = EventType.FILL_APPLIED, revision + 1
    revisions[record_id] = after
    return Draft(
        f"0194f0a2-7b1c-7000-8000-{number:012}",
        kind,
        _ACTOR,
        "veracord 0.1.0",
        data,
        request_id=f"request-{number}",
        schema_digest=_DIGEST,
        profile_digest=_DIGEST,
        record_id=record_id,
        revision_before=revision,
        revision_after=after,
        pointer="/a",
    )


def _text(revision: int) -> str:
    return f'{{"a": {revision}, "rows": [{", ".join(map(str, range(300)))}]}}'
