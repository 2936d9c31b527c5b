"""Where the lines of a log are read from, and what a replay of them gives."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from veracord.apps.inputs import unreadable
from veracord.audit.chain import follow
from veracord.audit.events import Event
from veracord.audit.replay import Replayed, replay
from veracord.audit.told_suggestions import ToldSuggestion, add_told
from veracord.audit.verification import export_lines, verify, verify_store
from veracord.errors import InputError
from veracord.review.comparing import record_differences, suggestion_differences
from veracord.review.damage import damaged
from veracord.review.suggestions import SuggestionFilter

if TYPE_CHECKING:
    from veracord.audit.findings import AuditReport
    from veracord.audit.keys import PublicKey
    from veracord.audit.signatures import Checkpoint
    from veracord.bootstrap.reviews import ReviewDesk
    from veracord.review.records import StoredRecord
    from veracord.review.suggestions import StoredSuggestion

Row = dict[str, Any]

#: What is wrong with a log, and not with how we were asked for it.
_BROKEN: Final = frozenset({"audit_event", "chain_broken", "replay_mismatch"})
_PAGE: Final = 500


def verified(
    file: Path | None, store: str, checkpoint: "Checkpoint | None", keys: "list[PublicKey] | None"
) -> "AuditReport":
    """Return what is found in an export, or in the log of a store with all that the store keeps beside it.

    Raises:
        VeracordError: The file or the store cannot be read.
    """
    if file is not None:
        with _exported(file) as lines:
            return verify(lines, checkpoint=checkpoint, keys=keys)
    from veracord.bootstrap.reviews import ReviewDesk

    with ReviewDesk(store) as desk:
        return verify_store(desk.each(desk.service.pages()), checkpoint=checkpoint, keys=keys)


def require_sound(desk: "ReviewDesk") -> None:
    """Make sure that the log of a store is sound, before somebody signs for it.

    Raises:
        StorageError: ``store_damaged``: it is broken.
    """
    report = verify_store(desk.each(desk.service.pages()))
    if not report.ok:
        raise damaged(f"the log is broken and is not signed: {report.why}", f"seq {report.first_bad_seq}")


@contextmanager
def _exported(file: Path) -> Iterator[Iterable[bytes]]:
    """Give the lines of an export.

    Raises:
        InputError: The file cannot be read, or is empty (``no_events``).
    """
    try:
        with file.open("rb") as stream:
            if not stream.peek(1):
                raise InputError("the file is empty", where=str(file), remedy="export the log again", code="no_events")
            yield export_lines(stream)
    except OSError as error:
        raise unreadable(error, str(file)) from None


def replayed(file: Path | None, store: str) -> Row:
    """Return all that the log gives, and in what the store differs from it; an export is not compared.

    Raises:
        VeracordError: The file or the store cannot be read.
    """
    try:
        if file is not None:
            with _exported(file) as lines:
                records, _ = _replay(lines)
            return _report(_rows(records, None), [], is_compared=False)
        from veracord.bootstrap.reviews import ReviewDesk

        with ReviewDesk(store) as desk:
            kept, suggestions = _kept(desk), _kept_suggestions(desk)
            records, told = _replay(desk.each(desk.service.lines()))
        return _report(_rows(records, kept), _other_suggestions(told, suggestions), is_compared=True)
    except InputError as error:
        if error.code not in _BROKEN:
            raise
        report = _report([], [], is_compared=file is None)
        return {**report, "ok": False, "why": error.what, "where": error.where}


def _replay(lines: Iterable[bytes]) -> tuple[dict[str, Replayed], dict[str, ToldSuggestion]]:
    told: dict[str, ToldSuggestion] = {}

    def watched() -> Iterator[Event]:
        for number, line in enumerate(lines, 1):
            event = Event.from_json(line.removesuffix(b"\n"), where=f"seq {number}")
            add_told(told, event)
            yield event

    return replay(follow(watched())), told


def _kept(desk: "ReviewDesk") -> "dict[str, StoredRecord]":
    """Return what the store has of each record."""
    found: dict[str, StoredRecord] = {}
    after = ""
    while page := desk.run(desk.service.records(after, _PAGE)):
        found |= {one.record_id: one for one in page}
        after = page[-1].record_id
    return found


def _kept_suggestions(desk: "ReviewDesk") -> "dict[str, StoredSuggestion]":
    """Return every suggestion that the store has, however it stands."""
    found: dict[str, StoredSuggestion] = {}
    wanted = SuggestionFilter(status=())
    while page := desk.run(desk.service.list_suggestions(wanted, limit=_PAGE, offset=len(found))).items:
        found |= {one.id: one for one in page}
    return found


def _rows(records: dict[str, Replayed], kept: "dict[str, StoredRecord] | None") -> list[Row]:
    """Return a row for each record of the log, and for each that only the store has."""
    rows: list[Row] = []
    for name in dict.fromkeys([*records, *(kept or ())]):
        told = records.get(name)
        row: Row = {"record_id": name}
        if told is not None:
            row |= {"revision": told.revision, "digest": told.digest, "origins": dict(told.origins)}
            row["declarations"] = dict(told.declarations)
        if kept is not None:
            differs = record_differences(told, kept.get(name))
            row |= {"same": not differs, "differs": differs}
        rows.append(row)
    return rows


def _other_suggestions(told: dict[str, ToldSuggestion], kept: "dict[str, StoredSuggestion]") -> list[Row]:
    """Return the suggestions of which the store has something else than the log gives."""
    rows: list[Row] = []
    for name in dict.fromkeys([*told, *kept]):
        one, other = told.get(name), kept.get(name)
        differs = suggestion_differences(one, other)
        if differs:
            record_id = one.record_id if one else other.record_id if other else None
            rows.append({"id": name, "record_id": record_id, "differs": differs})
    return rows


def _report(rows: list[Row], suggestions: list[Row], *, is_compared: bool) -> Row:
    why = ""
    if suggestions:
        why = "a suggestion of the store is not what the log gives"
    if not all(row.get("same", True) for row in rows):
        why = "a record of the store is not what the log gives"
    report: Row = {"ok": not why, "why": why, "where": "", "compared": is_compared, "records": rows}
    return {**report, "suggestions": suggestions}
