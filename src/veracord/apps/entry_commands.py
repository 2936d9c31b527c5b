"""The commands of people who hold a document or evidence: `review declare` and `review attach`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracord.apps import options
from veracord.apps.exchange_commands import DEFAULT_STORE, SigningKey, Store
from veracord.apps.review_commands import (
    Document,
    EvidenceFile,
    MaybeReason,
    Page,
    Pointer,
    Quote,
    Reason,
    RecordId,
    SeenText,
    Value,
    decide,
)

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from veracord.bootstrap.reviews import ReviewDesk
    from veracord.records.evidence import EvidenceItem
    from veracord.review.decisions import Done, Seen


def declare(
    record: RecordId,
    pointer: Pointer,
    value: Value,
    *,
    document: Document,
    page: Page = "",
    quote: Quote = "",
    reason: Reason = "",
    seen: SeenText = None,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Enter a value from a document that you hold; it supports no other record."""
    from veracord.apps.review_inputs import read_document, read_typed
    from veracord.records.values import digest
    from veracord.review.decisions import Declare

    typed = read_typed(value)
    data = read_document(document, options.chosen(config=config).settings.max_record_bytes)

    def act(desk: "ReviewDesk") -> "Coroutine[Any, Any, Done]":
        found = _seen(desk, record, pointer, seen)
        asked = Declare(record, pointer, typed, digest(data), page, quote, reason, found, document=data)
        return desk.service.declare(desk.person, asked)

    return decide("declare", act, store, signing_key, as_json=as_json)


def attach(
    record: RecordId,
    file: EvidenceFile,
    *,
    reason: MaybeReason = "",
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Add evidence to a record, and fill the record from it: the one way to ground what was accepted."""
    from veracord.review.decisions import Attach

    item = _only_item(file, options.chosen(config=config).settings.max_record_bytes)

    def act(desk: "ReviewDesk") -> "Coroutine[Any, Any, Done]":
        return desk.service.attach(desk.person, Attach(record, item, reason))

    return decide("attach", act, store, signing_key, as_json=as_json)


def _only_item(file: Path, most_bytes: int) -> "EvidenceItem":
    """Return the one evidence item of a file.

    Raises:
        VeracordError: It cannot be read, or holds none or several.
    """
    from veracord.apps.failures import usage_error
    from veracord.records.evidence import EvidencePack

    items = EvidencePack.from_paths([file], max_bytes=most_bytes).items
    if len(items) != 1:
        raise usage_error(
            f"the file holds {len(items)} evidence items", where=str(file), remedy="give a file that holds one"
        )
    return items[0]


def _seen(desk: "ReviewDesk", record_id: str, pointer: str, text: str | None) -> "Seen":
    """Return what the person saw; without their word, what stands there now."""
    from veracord.apps.review_inputs import read_seen_option
    from veracord.errors import DecisionError
    from veracord.review.decisions import Seen

    if text is not None:
        return read_seen_option(text)
    try:
        return desk.run(desk.service.show_place(record_id, pointer)).seen
    except DecisionError:
        # The decision is asked for all the same: its refusal belongs in the log.
        return Seen(0, "")
