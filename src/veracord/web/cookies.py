"""The cookie of a session: no script reads it, and no other site sends it along."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from veracord.access.service import SignedIn
from veracord.bootstrap.serving import ServedParts
from veracord.web.callers import cookie_name, served_parts

_ABSOLUTE_S: Final = 24 * 60 * 60


def set_session(response: Response, parts: ServedParts, signed_in: SignedIn) -> None:
    """Let a browser keep a new session."""
    response.set_cookie(
        cookie_name(parts),
        signed_in.session_token,
        max_age=_ABSOLUTE_S,
        path="/",
        secure=parts.is_secure,
        httponly=True,
        samesite="strict",
    )


def clear_session(response: Response, parts: ServedParts) -> None:
    """Let a browser forget its session."""
    response.delete_cookie(cookie_name(parts), path="/", secure=parts.is_secure, httponly=True, samesite="strict")


def former_token(request: Request) -> str | None:
    """Return the token of the session that a browser still has."""
    return request.cookies.get(cookie_name(served_parts(request)))
