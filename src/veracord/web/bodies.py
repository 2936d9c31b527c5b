"""Bodies of requests, read with a limit on bytes and on time."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from starlette.requests import Request

from veracord.errors import InputError
from veracord.records.reading import MAX_DEPTH, Document, check_levels, read_text
from veracord.records.values import JsonValue, digest
from veracord.records.violations import first_findings
from veracord.web.callers import find_asking, served_parts
from veracord.web.held_bodies import held_body
from veracord.web.problems import bad_request
from veracord.web.schemas import request_schema

_JSON: Final = "application/json"
_BODY: Final = "veracord.body"
#: A body holds records in lists of evidence.
_LEVELS: Final = MAX_DEPTH + 6
_MOST_ROWS: Final = 20
_MOST_SECONDS: Final = 60.0
_PART_OF_NOBODY: Final = 8


def media_type(request: Request) -> str:
    """Return the type of a body, in small letters and without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip(" \t").lower()


async def read_body(request: Request) -> bytes:
    """Return the body of a request; a second time the same one.

    Raises:
        InputError: ``too_large``, ``too_slow``.
        StorageError: ``busy``: all that is sent at once is too much.
    """
    known: bytes | None = request.scope.get(_BODY)
    if known is not None:
        return known
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise bad_request("the body is compressed or encoded", remedy="send it as it is", code="unsupported_media_type")
    most, held = served_parts(request).most_body_bytes, held_body(request.scope)
    if await find_asking(request) is None:
        # Whoever is not signed in has a form to send at most, and in it what they typed while they were.
        most //= _PART_OF_NOBODY
    told = request.headers.get("content-length", "")
    if told.isascii() and told.isdigit() and (len(told) > len(str(most)) or int(told) > most):
        raise _too_large(most)
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            async for chunk in request.stream():
                size += len(chunk)
                if size > most:
                    raise _too_large(most)
                held.add(len(chunk))
                chunks.append(chunk)
    except TimeoutError:
        raise bad_request("the body came too slowly", remedy="send it again", code="too_slow") from None
    body = b"".join(chunks)
    request.scope[_BODY] = body
    return body


def _too_large(most: int) -> InputError:
    return InputError(f"the body is larger than {most} bytes", remedy="send less at once", code="too_large")


@dataclass(frozen=True, slots=True)
class Body:
    """A body in JSON, checked against its form.

    Attributes:
        members: What it says.
        text: The text of each member, in its own spelling.
        data: The bytes that came.
    """

    members: dict[str, Any]
    text: Mapping[str, bytes]
    data: bytes

    def document(self, name: str) -> Document:
        """Return a member as a record, in the spelling that it came in.

        Raises:
            InputError: ``too_deep``: a body may be deeper than a record.
        """
        check_levels(self.members[name], name)
        text = bytes(self.text[name])
        return Document(self.members[name], text, digest(text), name)

    def get(self, name: str, otherwise: Any = None) -> Any:  # noqa: ANN401 - any JSON
        """Return a member, or what stands for it where it is not given."""
        return self.members.get(name, otherwise)


async def read_json(request: Request, form: str) -> Body:
    """Return the body of a request: one JSON object.

    Args:
        request: The request.
        form: The name of its form.

    Raises:
        InputError: ``unsupported_media_type``, ``too_large``, ``too_slow``; it is no strict JSON; ``invalid_body``:
            it has not this form.
    """
    if media_type(request) != _JSON:
        raise bad_request("the body is not JSON", remedy=f"send {_JSON}", code="unsupported_media_type")
    return body_of(await read_body(request), form)


def body_of(data: bytes, form: str, where: str = "") -> Body:
    """Return a body that was read.

    Raises:
        InputError: It is no strict JSON, or has not this form (``invalid_body``).
    """
    value, text = read_text(data, where=where, max_bytes=len(data), max_levels=_LEVELS)
    check_form(value, form)
    assert isinstance(value, dict)  # noqa: S101 - every form is one of objects
    return Body(value, msgspec.json.decode(text, type=dict[str, msgspec.Raw]), data)


def check_form(value: JsonValue, form: str) -> None:
    """Make sure that a value has a form.

    Raises:
        InputError: ``invalid_body``: it has not; every violation is told.
    """
    schema = request_schema(form)
    if schema.is_valid(value):
        return
    findings, _ = first_findings(schema, value)
    rows = [one.violation._asdict() for one in findings[:_MOST_ROWS]]
    first = rows[0] if rows else {"path": "", "message": "it has not the form that is asked for"}
    raise InputError(
        f"the body has not the form that is asked for: {first['message']}",
        where=first["path"],
        remedy="see /openapi.json",
        code="invalid_body",
        details={"violations": rows},
    )
