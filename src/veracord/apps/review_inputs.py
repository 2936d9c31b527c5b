"""What a person types for a decision: moments, statuses, values."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from veracord.apps.failures import usage_error
from veracord.apps.inputs import RecordSource
from veracord.errors import InputError
from veracord.records.pointers import is_pointer
from veracord.records.reading import read_value
from veracord.reports.places import read_seen
from veracord.review.suggestions import UNDECIDED, Status

if TYPE_CHECKING:
    from veracord.records.values import JsonValue
    from veracord.review.decisions import Seen

_ALL: Final = "all"


def read_moment(text: str) -> datetime:
    """Return a day or time; one without a zone is in UTC.

    Raises:
        ConfigurationError: ``usage``: it is none.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise usage_error("this is no date", where=f"--older {text}", remedy="write it as 2026-01-31") from None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def read_one(texts: Sequence[str] | None, option: str) -> str | None:
    """Return the one value of an option; None where it is not given.

    Raises:
        ConfigurationError: ``usage``: it is given twice.
    """
    if texts and len(texts) > 1:
        raise usage_error("the option is given more than once", where=option, remedy="do one after the other")
    return texts[0] if texts else None


def read_statuses(texts: Sequence[str] | None) -> tuple[Status, ...]:
    """Return the statuses that are meant; none for all of them.

    Raises:
        ConfigurationError: ``usage``: one is none.
    """
    if not texts:
        return UNDECIDED
    known = {status.value: status for status in Status}
    for text in texts:
        if text not in known and text != _ALL:
            raise usage_error(
                "there is no such status", where=f"--status {text}", remedy=f"use {', '.join(known)} or {_ALL}"
            )
    return () if _ALL in texts else tuple(known[text] for text in texts)


def read_patterns(texts: Sequence[str] | None, *, is_none: bool) -> tuple[str, ...] | None:
    """Return patterns of pointers; None where nothing was said of them.

    Raises:
        ConfigurationError: ``usage``: one is no pattern, or there are some and none.
    """
    if not texts:
        return () if is_none else None
    if is_none:
        raise usage_error("--second-person and --no-second-person exclude each other", remedy="leave one of them out")
    for text in texts:
        if not is_pointer(text):
            raise usage_error(
                "this is no pattern of pointers", where=f"--second-person {text}", remedy="write it like /a/*/b"
            )
    return tuple(dict.fromkeys(texts))


def read_codes(texts: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return codes for rejections; None where nothing was said of them.

    Raises:
        ConfigurationError: ``usage``: one says nothing.
    """
    if not texts:
        return None
    if not all(text.strip() for text in texts):
        raise usage_error("a reason code is empty", where="--reject-reason", remedy="name it")
    return tuple(dict.fromkeys(texts))


def read_typed(text: str) -> "JsonValue":
    """Return a value that was typed as JSON.

    Raises:
        ConfigurationError: ``usage``: it is no JSON.
    """
    try:
        return read_value(text.encode("utf-8", "surrogateescape"))
    except InputError as error:
        # Its error would tell line and column of an argument, and nothing that helps.
        if error.code != "invalid_json":
            raise usage_error(f"VALUE cannot be used: {error.what}", remedy="give another value") from None
        raise usage_error(
            "VALUE is no JSON value", remedy="write a text in double quotes of its own, like '\"text\"'"
        ) from None


def read_seen_option(text: str) -> "Seen":
    """Return what was seen, as `review show` printed it.

    Raises:
        ConfigurationError: ``usage``: it is none.
    """
    try:
        return read_seen(text)
    except InputError as error:
        raise usage_error("--seen is not what review show printed", remedy=error.remedy) from None


def read_document(path: Path, most_bytes: int) -> bytes:
    """Return the bytes of a document.

    Raises:
        InputError: It cannot be read, or is too large (``too_large``).
    """
    data = RecordSource(str(path), lines=False, max_bytes=most_bytes).read()
    if len(data) > most_bytes:
        raise InputError(
            f"the document has more than {most_bytes} bytes",
            where=str(path),
            remedy="raise max_record_bytes in the settings file",
            code="too_large",
        )
    return data
