"""Who asks: a key in the header `Authorization`, or a session in a cookie; and what they may ask for here.

What a person may decide is decided by `veracord.review.permissions` alone.  Here only stands who is let in at all, and
what a key is good for.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends
from starlette.requests import Request

from veracord.bootstrap.served_runs import asker_name
from veracord.bootstrap.serving import ServedParts
from veracord.errors import AccessError
from veracord.review.people import Person, Service
from veracord.review.permissions import Action, refusal
from veracord.review.settings import ReviewSettings

_BEARER: Final = "bearer "
_READ: Final = "read"
_PROPOSE: Final = "propose"
#: Where a request keeps what was found out about it.
_ASKING: Final = "asking"


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks.

    Attributes:
        caller: The person or the program.
        request_id: Names the request in the log.
        scopes: What a key is good for; nothing for a person.
        csrf_token: What forms of this session must hold; "" for a key.
        session_token: The token of the session; None for a key.
    """

    caller: Person | Service
    request_id: str
    scopes: frozenset[str] = frozenset()
    csrf_token: str = ""
    session_token: str | None = None

    @property
    def is_person(self) -> bool:
        """Whether somebody is signed in."""
        return type(self.caller) is Person


def served_parts(request: Request) -> ServedParts:
    """Return the services behind this application."""
    parts: ServedParts = request.app.state.parts
    return parts


async def _find_parts(request: Request) -> ServedParts:
    """Return the services, without a thread of its own, as the framework gives one to functions that do not wait."""
    return served_parts(request)


def request_id_of(request: Request) -> str:
    """Return what names the request."""
    return str(request.scope.get("veracord.request_id", ""))


def cookie_name(parts: ServedParts) -> str:
    """Return the name of the cookie; browsers let no other host set one with the long name.

    They send a cookie to every port of a host, so without TLS the port is in its name: two servers on one machine do
    not sign each other out.  Behind a proxy the port is not what browsers see, and several servers may share it.
    """
    if parts.is_secure:
        return "__Host-veracord"
    return "veracord" if parts.port is None else f"veracord-{parts.port}"


def has_key(request: Request) -> bool:
    """Whether a request came with a key: then its cookie does not matter."""
    return "authorization" in request.headers


async def find_asking(request: Request) -> Asking | None:
    """Return who asks; None where nobody is signed in and no key was given.

    Raises:
        AccessError: ``key_refused``: the key is none, has ended or was revoked.
    """
    known: dict[str, Asking | None] = request.scope.setdefault("veracord.found", {})
    if _ASKING not in known:
        known[_ASKING] = await (_by_key(request) if has_key(request) else _by_session(request))
    return known[_ASKING]


async def _by_key(request: Request) -> Asking:
    told = request.headers["authorization"]
    holder = None
    if told[: len(_BEARER)].lower() == _BEARER:
        holder = await served_parts(request).access.service_of(told[len(_BEARER) :].strip())
    if holder is None:
        raise AccessError("the key is not one that is good", remedy="ask for another key", code="key_refused")
    return Asking(holder.service, request_id_of(request), holder.scopes)


async def _by_session(request: Request) -> Asking | None:
    parts = served_parts(request)
    token = request.cookies.get(cookie_name(parts))
    found = await parts.access.person_of(token) if token else None
    if token is None or found is None:
        return None
    person, csrf_token = found
    return Asking(person, request_id_of(request), csrf_token=csrf_token, session_token=token)


async def require_asking(request: Request) -> Asking:
    """Return who asks.

    Raises:
        AccessError: ``not_signed_in``; ``key_refused``.
    """
    asking = await find_asking(request)
    if asking is None:
        raise AccessError("nobody is signed in", remedy="sign in, or give a key", code="not_signed_in")
    return asking


async def require_person(request: Request) -> Asking:
    """Return the person who is signed in; pages are for people.

    Raises:
        AccessError: ``not_signed_in``; ``not_a_person``: a key was given.
    """
    asking = await require_asking(request)
    if not asking.is_person:
        raise AccessError("this is for people who are signed in", remedy="use /v1/ with a key", code="not_a_person")
    return asking


def _with_scope(*scopes: str) -> Callable[[Request], Awaitable[Asking]]:
    async def require(request: Request) -> Asking:
        asking = await require_asking(request)
        if scopes == (_PROPOSE,):
            _check_role(asking)
        if not asking.is_person and not asking.scopes.intersection(scopes):
            raise _lacks(scopes[0])
        return asking

    return require


def _lacks(scope: str) -> AccessError:
    message = f"the key is not for this: it lacks the scope {scope}"
    return AccessError(message, remedy="ask for a key that has it", code="scope_missing")


def check_own(asking: Asking, asked_by: str | None) -> None:
    """Make sure that a key that may not read everything looks at nothing but what it asked for itself.

    Raises:
        AccessError: ``scope_missing``.
    """
    if not asking.is_person and _READ not in asking.scopes and asked_by != asker_name(asking.caller):
        raise _lacks(_READ)


def _check_role(asking: Asking) -> None:
    """Make sure that who only looks asks for nothing that is kept, or paid for.

    Raises:
        AccessError: ``not_allowed``.
    """
    why = refusal(asking.caller, Action.IMPORT, ReviewSettings())
    if why is not None:
        raise AccessError(why.what, remedy=why.remedy, code=why.code)


#: The services, for a route.
Parts = Annotated[ServedParts, Depends(_find_parts)]
#: Whoever asks, person or key; what they may do is decided by who does it, and refusals of that are in the log.
Anyone = Annotated[Asking, Depends(require_asking)]
#: A person, for pages.
SignedIn = Annotated[Asking, Depends(require_person)]
#: A person, or a key with this scope.
Reading = Annotated[Asking, Depends(_with_scope(_READ))]
#: The same, or a key that proposes, for what it must know to do so.
ReadingOrProposing = Annotated[Asking, Depends(_with_scope(_READ, _PROPOSE))]
Proposing = Annotated[Asking, Depends(_with_scope(_PROPOSE))]
Exporting = Annotated[Asking, Depends(_with_scope("export"))]
