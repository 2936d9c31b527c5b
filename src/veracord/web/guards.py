"""What stands before every route: names of hosts, keys in addresses, other sites, headers, and faults of ours.

Source: OWASP's cheat sheets on CSRF and on HTTP headers; W3C Fetch Metadata; review.md of the project's design.
"""

import asyncio
import re
import secrets
from contextlib import suppress
from typing import Final
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veracord.bootstrap.serving import ServedParts
from veracord.errors import AccessError, InputError, StorageError, VeracordError
from veracord.web.answering import KEY_IN_URL, answer_problem
from veracord.web.held_bodies import HeldBodies
from veracord.web.problems import bad_request, fault, problem_of

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITE: Final = ("same-origin", "none")
#: Stands for a slash inside a segment of a path; no id holds it.
SLASH: Final = "\x1f"
#: Requests that are worked on at once; who comes then is told to come again.
_MOST_AT_ONCE: Final = 512
_KEY: Final = re.compile(rb"vrc_([0-9a-f]{8})_", re.IGNORECASE)
#: Under what a refusal holds the part of a key that may be shown.
_PREFIX: Final = "key_prefix"
_PORT: Final = re.compile(r":[0-9]+\Z")

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: Of every answer that says nothing else.
HEADERS: Final = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    # Not no-referrer: with that, browsers name no origin in forms of our own page either.
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_TRANSPORT: Final = "max-age=31536000"


class Guard:
    """The outermost part of the application."""

    def __init__(self, app: ASGIApp, parts: ServedParts) -> None:
        """Remember what is behind it."""
        self._app = app
        self._parts = parts
        self._at_once = 0
        self._bodies = HeldBodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            # Whoever sends it leaves the body out, and goes by the scope that it was given.
            scope = {**scope, "method": "GET"}
        request_id = secrets.token_hex(16)
        scope["veracord.request_id"] = request_id
        scope["path"] = _path_of(scope)
        held = self._bodies.begin(scope)
        reply = _Reply(send, request_id, is_secure=self._parts.is_secure)
        self._at_once += 1
        try:
            self._check(scope)
            await self._app(scope, receive, reply)
        except ClientDisconnect:
            # Whoever asked went away before all was said: nothing was done, and nobody is there to be told.
            return
        except asyncio.CancelledError:
            # The server ends, and has waited for this as long as it waits.
            await self._answer(scope, receive, reply, answer_problem(Request(scope), problem_of(_ending())))
        except VeracordError as error:
            await self._note(error, request_id)
            await self._answer(scope, receive, reply, answer_problem(Request(scope), problem_of(error)))
        except Exception as error:  # noqa: BLE001 - whatever it is, its text may quote anything and goes nowhere
            self._parts.report_fault(error, request_id)
            await self._answer(scope, receive, reply, answer_problem(Request(scope), fault(request_id)))
        finally:
            self._at_once -= 1
            held.end()

    async def _note(self, error: VeracordError, request_id: str) -> None:
        """Tell in the log of a key in an address; how often is for the service to say."""
        if error.code == KEY_IN_URL:
            prefix = str(error.details[_PREFIX])
            # The refusal itself must not depend on the store.
            with suppress(VeracordError):
                await self._parts.access.note_refusal(error.code, key_prefix=prefix, request_id=request_id)

    async def _answer(self, scope: Scope, receive: Receive, reply: "_Reply", response: Response) -> None:
        # An answer that has begun can only be broken off.
        if not reply.has_begun:
            await response(scope, receive, reply)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if self._at_once > _MOST_AT_ONCE:
            raise StorageError("too many requests at once", remedy="come again", code="busy", details=_SOON)
        if "transfer-encoding" in headers and "content-length" in headers:
            # A proxy may go by the other one, and take the end of this request for the next.
            raise bad_request("two headers say where the body ends", remedy="send one of them", code="two_lengths")
        host = _PORT.sub("", headers.get("host", ""))
        if self._parts.hosts and host.lower() not in self._parts.hosts:
            raise bad_request("this host is not known here", remedy="use the address that was told", code="wrong_host")
        _check_address(scope)
        if scope["method"] not in SAFE_METHODS and "authorization" not in headers:
            _check_site(headers, is_secure=self._parts.is_secure)


def _check_address(scope: Scope) -> None:
    """Make sure that no key stands in the address.

    Raises:
        InputError: ``key_in_url``: one does; its details hold the part of it that may be shown.
    """
    for part in ("raw_path", "query_string"):
        found = _KEY.search(unquote_to_bytes(scope.get(part) or b""))
        if found is not None:
            raise InputError(
                "a key stands in the address, where it is written down by many",
                remedy="revoke it, and send another one in the header Authorization",
                code=KEY_IN_URL,
                details={_PREFIX: found[1].decode().lower()},
            )


def _ending() -> StorageError:
    return StorageError(
        "the server ends; what was not acknowledged may not be done",
        remedy="send it again when it is back",
        code="ending",
        details=_SOON,
    )


_SOON: Final = {"retry_after_s": 1}


def _path_of(scope: Scope) -> str:
    """Return the path, in which a slash that came encoded is told from one that parts segments."""
    raw = scope.get("raw_path")
    if not raw or b"%2f" not in raw.lower():
        return str(scope["path"])
    segments = (unquote(segment) for segment in raw.decode("ascii", "replace").partition("?")[0].split("/"))
    return "/".join(segment.replace(SLASH, "\0").replace("/", SLASH) for segment in segments)


def _check_site(headers: Headers, *, is_secure: bool) -> None:
    """Make sure that what changes something was not sent by another site.

    Raises:
        AccessError: ``other_site``: it was.
    """
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    is_own = (
        site in _OWN_SITE
        if site is not None
        else origin is None or _is_own_origin(origin, headers, is_secure=is_secure)
    )
    if not is_own:
        raise AccessError("another site sent this", remedy="use the page itself", code="other_site")


def _is_own_origin(origin: str, headers: Headers, *, is_secure: bool) -> bool:
    """Whether a page of ours is named; behind TLS one that came without it is none."""
    try:
        told = urlsplit(origin)
    except ValueError:
        return False
    return told.netloc == headers.get("host", "") and told.scheme == ("https" if is_secure else "http")


class _Reply:
    """What is sent, with the headers that every answer has."""

    def __init__(self, send: Send, request_id: str, *, is_secure: bool) -> None:
        self._send = send
        self._headers = {**HEADERS, "x-request-id": request_id}
        if is_secure:
            self._headers["strict-transport-security"] = _TRANSPORT
        self.has_begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)
        await self._send(message)
