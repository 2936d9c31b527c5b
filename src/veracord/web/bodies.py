"""Bodies of requests, read with a limit on bytes and on time."""

import asyncio
from typing import Final

from starlette.requests import Request

from veracord.errors import InputError
from veracord.web.callers import served_parts
from veracord.web.problems import bad_request

_BODY: Final = "veracord.body"
_MOST_SECONDS: Final = 60.0


def media_type(request: Request) -> str:
    """Return the type of a body, in small letters and without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_body(request: Request) -> bytes:
    """Return the body of a request; a second time the same one.

    Raises:
        InputError: ``too_large``, ``too_slow``.
    """
    known: bytes | None = request.scope.get(_BODY)
    if known is not None:
        return known
    most = served_parts(request).most_body_bytes
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
                chunks.append(chunk)
    except TimeoutError:
        raise bad_request("the body came too slowly", remedy="send it again", code="too_slow") from None
    body = b"".join(chunks)
    request.scope[_BODY] = body
    return body


def _too_large(most: int) -> InputError:
    return InputError(f"the body is larger than {most} bytes", remedy="send less at once", code="too_large")
