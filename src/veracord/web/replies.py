"""Answers as programs get them: exact JSON, one value or a line each."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from starlette.responses import Response, StreamingResponse

from veracord.records.writing import write_json

JSON: Final = "application/json"
LINES: Final = "application/x-ndjson"


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:  # noqa: ANN401 - any JSON
    """Return a value as an answer; numbers keep all their digits."""
    return Response(write_json(value), status, headers=dict(headers or {}), media_type=JSON)


def text_reply(text: bytes, media_type: str = JSON) -> Response:
    """Return a text as it is."""
    return Response(text, media_type=media_type)


def lines_reply(lines: AsyncIterator[bytes]) -> Response:
    """Return lines of JSON as they come; each without its line end."""

    async def ended() -> AsyncIterator[bytes]:
        async for line in lines:
            yield line + b"\n"

    return StreamingResponse(ended(), media_type=LINES)


def empty_reply(headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer that has nothing to say."""
    return Response(status_code=204, headers=dict(headers or {}))
