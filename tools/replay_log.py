"""Check and replay an export of the audit log, with nothing but the standard library of Python.

It shares no line with the package, and checks no signature: a tail that was cut off, or a log that was written anew, it
does not see (docs/audit.md).  It prints a line of JSON for each record.  Exit codes: 0 sound, 1 broken, 2 no export.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Final

GENESIS: Final = "sha256:" + hashlib.sha256(b"veracord audit log, format 1").hexdigest()
MEMBERS: Final = {
    *("seq", "prev", "id", "type", "at", "actor", "tool", "request_id", "schema_digest", "profile_digest"),
    *("record_id", "revision_before", "revision_after", "pointer", "data", "hash"),
}
CHANGING: Final = ("fill.applied", "suggestion.accepted", "value.declared", "evidence.attached", "decision.undone")


class BrokenError(Exception):
    """What is wrong with a line."""


def check(*, holds: bool, what: str) -> None:
    """Raise where something does not hold."""
    if not holds:
        raise BrokenError(what)


def sha256(data: bytes) -> str:
    """Return the digest of bytes as the log writes it."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of which no member stands twice."""
    check(holds=len(dict(pairs)) == len(pairs), what="a name stands twice in one object")
    return dict(pairs)


def read_event(line: bytes, seq: int, prev: str) -> dict[str, Any]:
    """Return the event of a line, checked to be the next one of the chain."""
    try:
        event: dict[str, Any] = json.loads(line.decode(), object_pairs_hook=once, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        raise BrokenError("the line is no JSON in UTF-8") from None
    check(holds=type(event) is dict and event.keys() == MEMBERS, what="the line has other members than an event")
    # The hash is over the bytes of the line without its member hash; after that only plain members follow.
    before, taken, after = line.rpartition(f'"hash":"{event["hash"]}",'.encode(errors="replace"))
    check(holds=bool(taken) and after.startswith(b'"id":'), what="the hash does not stand in its place")
    check(holds=sha256(before + after) == event["hash"], what="its content is not what its hash was made of")
    check(holds=(event["seq"], event["prev"]) == (seq, prev), what="it does not follow the event before")
    return event


def apply(event: dict[str, Any], records: dict[str, dict[str, Any]]) -> None:
    """Make the change that an event tells, and check the record before and after."""
    data, name, is_import = event["data"], event["record_id"], event["type"] == "record.imported"
    known, steps = records.get(name, {}), (event["revision_before"], event["revision_after"])
    revision = known.get("revision")
    if not (is_import or "edit" in data):
        check(holds=name is None or {*steps} <= {None, revision}, what="the event tells another revision")
        return
    check(holds=type(name) is str, what="the event changes a record and names none")
    check(holds=steps == (revision, (revision or 0) + 1), what="the event starts from or leads to another revision")
    if is_import:
        text, origins = data["text"], dict(data["origins"])
        check(holds=data.get("text_digest") in (None, sha256(text.encode())), what="the text has another digest")
    else:
        check(holds=bool(known) and event["type"] in CHANGING, what="this event may change no record")
        text, origins = known["text"], dict(known["origins"])
        start, removed = data["edit"]["start"], data["edit"]["removed"]
        check(holds=0 <= start <= len(text) and text.startswith(removed, start), what="its edit does not fit the text")
        text = text[:start] + data["edit"]["inserted"] + text[start + len(removed) :]
        check(holds=data["text_digest"] == sha256(text.encode()), what="the text has another digest")
        for pointer in data["origins"]["removed"]:
            del origins[pointer]
        origins.update(data["origins"]["set"])
    records[name] = {"revision": event["revision_after"], "text": text, "origins": origins}


def replay(path: Path) -> dict[str, dict[str, Any]]:
    """Return the records of an export by id; at the first bad line, end with exit code 1."""
    records: dict[str, dict[str, Any]] = {}
    head, seq = GENESIS, 0
    with path.open("rb") as lines:
        for seq, line in enumerate(lines, 1):
            try:
                apply(event := read_event(line.removesuffix(b"\n"), seq, head), records)
            except (BrokenError, KeyError, TypeError, AttributeError, ValueError) as error:
                what = error if isinstance(error, BrokenError) else "its data is not that of such an event"
                raise SystemExit(f"broken at seq {seq}: {what}") from None
            head = event["hash"]
    print(f"chain sound: {seq} events, head {head}; signatures were not checked", file=sys.stderr)
    return records


def main() -> None:
    """Read the arguments, replay, and tell each record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export", type=Path, help="the log as JSON Lines")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write the texts there, as 1.json, 2.json, ...")
    options = parser.parse_args()
    try:
        if not options.export.stat().st_size:
            parser.error("the export is empty")
        for number, (name, record) in enumerate(replay(options.export).items(), 1):
            text = record.pop("text").encode()
            if options.out:
                options.out.mkdir(parents=True, exist_ok=True)
                (options.out / f"{number}.json").write_bytes(text)
            print(json.dumps({"number": number, "record_id": name, "digest": sha256(text), **record}))
    except OSError as error:
        parser.error(error.strerror or "the export cannot be read")


if __name__ == "__main__":
    main()
