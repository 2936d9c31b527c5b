"""Forms of the page, from a body that was read with a limit."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote_to_bytes

from python_multipart.exceptions import FormParserError
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import Request

from veracord.web.bodies import media_type, read_body
from veracord.web.problems import bad_request

URLENCODED: Final = "application/x-www-form-urlencoded"
MULTIPART: Final = "multipart/form-data"
CSRF_FIELD: Final = "csrf_token"
_FORM: Final = "veracord.form"
_MOST_PARTS: Final = 200


@dataclass(frozen=True, slots=True)
class Form:
    """What a form of the page sent.

    Attributes:
        texts: The fields, the last of those that have the same name.
        files: The bytes of the files that were chosen, by field.
        every: All texts of each field in order.
    """

    texts: Mapping[str, str]
    files: Mapping[str, bytes] = field(default_factory=dict)
    every: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return a field; "" where it was not sent."""
        return self.texts.get(name, "")


def is_form(request: Request) -> bool:
    """Whether a body is a form of a page."""
    return media_type(request) in (URLENCODED, MULTIPART)


def known_form(request: Request) -> Form | None:
    """Return the form of a request where it was read already."""
    known: Form | None = request.scope.get(_FORM)
    return known


async def read_form(request: Request) -> Form:
    """Return the form that was sent; a second time the same one.

    Raises:
        InputError: ``too_large``, ``too_slow``; ``bad_request``: it cannot be read; ``unsupported_media_type``.
    """
    known = known_form(request)
    if known is not None:
        return known
    if not is_form(request):
        raise bad_request("this is no form", remedy=f"send {URLENCODED}", code="unsupported_media_type")
    body = await read_body(request)

    try:
        if media_type(request) == MULTIPART:
            parser = MultiPartParser(
                request.headers,
                _stream(body),
                max_files=_MOST_PARTS,
                max_fields=_MOST_PARTS,
                max_part_size=len(body) + 1,
            )
            found = await parser.parse()
        else:
            found = await FormParser(request.headers, _stream(body)).parse()
    except (MultiPartException, FormParserError, KeyError, ValueError):
        raise bad_request("the form cannot be read", remedy="send it as a browser does") from None
    texts: dict[str, list[str]] = {}
    files: dict[str, bytes] = {}
    for name, value in found.multi_items():
        if isinstance(value, UploadFile):
            files[name] = await value.read()
        else:
            texts.setdefault(name, []).append(value)
    await found.close()
    _check_encoding(request, body, found)
    form = Form({name: told[-1] for name, told in texts.items()}, files, {n: tuple(t) for n, t in texts.items()})
    request.scope[_FORM] = form
    return form


def _check_encoding(request: Request, body: bytes, found: FormData) -> None:
    """Make sure that every field is UTF-8: what is not would be kept as something else.

    Raises:
        InputError: ``wrong_encoding``.
    """
    if media_type(request) == MULTIPART:
        texts = [text for pair in found.multi_items() for text in pair if isinstance(text, str) and not text.isascii()]
        is_plain = all(text.encode("utf-8", "replace") in body for text in texts)
    else:
        is_plain = _is_utf8(unquote_to_bytes(body))
    if not is_plain:
        raise bad_request("a field is not in UTF-8", remedy="send it as a browser does", code="wrong_encoding")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


async def _stream(body: bytes) -> AsyncGenerator[bytes]:
    yield body
