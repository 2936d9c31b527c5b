"""Parameters of routes: texts that a store can be asked for, places, moments, pages, and keys of idempotency."""

from datetime import UTC, datetime
from typing import Annotated, Final

from fastapi import Depends, Header, Path, Query
from pydantic import AfterValidator, BeforeValidator
from starlette.requests import Request

from veracord.errors import InputError
from veracord.review.requests import Once
from veracord.review.suggestions import UNDECIDED, Status, SuggestionFilter
from veracord.web.bodies import read_body
from veracord.web.guards import SLASH

_ALL: Final = "all"


def _plain(text: str) -> str:
    """Return a text that any store can be asked for.

    Raises:
        ValueError: It holds a control character or half a surrogate pair.
    """
    if any(character < " " or "\ud800" <= character <= "\udfff" for character in text):
        message = "a control character"
        raise ValueError(message)
    return text


def _whole(text: str) -> str:
    """Return a segment of a path; a slash in it came encoded."""
    return _plain(text.replace(SLASH, "/"))


def _digits(text: object) -> object:
    """Return a number as it came.

    Raises:
        ValueError: It is written in another way than with the digits 0 to 9.
    """
    if isinstance(text, str) and not (text.isascii() and text.isdigit()):
        message = "no number"
        raise ValueError(message)
    return text


#: A segment of a path that names something.
Name = Annotated[str, Path(min_length=1, max_length=500), AfterValidator(_whole)]
Text = Annotated[str | None, Query(max_length=500), AfterValidator(lambda text: None if text is None else _plain(text))]
Pointer = Annotated[str, Query(max_length=10_000), AfterValidator(_plain)]
Cursor = Annotated[
    str | None,
    Query(max_length=2_000, description="The member `next` of the page before."),
    AfterValidator(lambda text: None if text is None else _plain(text)),
]
Limit = Annotated[int, BeforeValidator(_digits), Query(ge=1, le=1_000)]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="The same request under the same key is done once: 1 to 255 visible ASCII characters.",
    ),
]


async def find_once(request: Request, key: IdempotencyKey = None) -> Once | None:
    """Return what makes a request the same as one before; None where no key was given.

    Raises:
        InputError: ``idempotency_key``: it is none; ``too_large``, ``too_slow``.
    """
    if key is None:
        return None
    return Once.of(key, request.method, request.url.path, request.url.query, await read_body(request))


def moment_of(text: str | None, where: str) -> datetime | None:
    """Return a day or time; one without a zone is in UTC.

    Raises:
        InputError: ``invalid_time``: it is none.
    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InputError("this is no date", where=where, remedy="write it as 2026-01-31", code="invalid_time") from None


def statuses_of(names: list[str] | None) -> tuple[Status, ...]:
    """Return the statuses that are meant; none for all of them.

    Raises:
        InputError: ``invalid_parameter``: one is none.
    """
    if not names:
        return UNDECIDED
    known = {status.value: status for status in Status}
    if any(name not in known and name != _ALL for name in names):
        remedy = f"use {', '.join(known)} or {_ALL}"
        raise InputError("there is no such status", where="status", remedy=remedy, code="invalid_parameter")
    return () if _ALL in names else tuple(dict.fromkeys(known[name] for name in names))


# As this is async, the framework gives it no thread of its own.
async def _state(
    status: Annotated[list[str] | None, Query(max_length=10)] = None,
    model: Text = None,
    older: Text = None,
    newer: Text = None,
) -> tuple[tuple[Status, ...], str | None, datetime | None, datetime | None]:
    return statuses_of(status), model, moment_of(older, "older"), moment_of(newer, "newer")


async def suggestion_filter(
    state: Annotated[tuple[tuple[Status, ...], str | None, datetime | None, datetime | None], Depends(_state)],
    record: Text = None,
    pointer: Text = None,
    rule: Text = None,
) -> SuggestionFilter:
    """Return which suggestions a query means.

    Raises:
        InputError: ``invalid_pointer``, ``invalid_time``, ``invalid_parameter``.
    """
    status, model, older, newer = state
    return SuggestionFilter(record, pointer, rule, status, model, older, newer)


OnceOf = Annotated[Once | None, Depends(find_once)]
Wanted = Annotated[SuggestionFilter, Depends(suggestion_filter)]
