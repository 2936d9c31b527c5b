"""Signing in and out, for programs that act for a person."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from veracord.errors import AccessError
from veracord.review.people import Person
from veracord.web.bodies import read_json
from veracord.web.callers import Anyone, Parts, SignedIn, request_id_of
from veracord.web.cookies import clear_session, former_token, set_session
from veracord.web.documenting import describe
from veracord.web.replies import empty_reply, json_reply

router = APIRouter(prefix="/v1/session")


@router.post("", **describe("Session", form="SignIn", refusals=(429,)))
async def sign_in(request: Request, parts: Parts) -> Response:
    """Sign a user in; the answer sets the cookie of a fresh session."""
    body = await read_json(request, "SignIn")
    done = await parts.access.sign_in(
        body.members["user"],
        body.members["password"],
        address_of(request),
        former=former_token(request),
        request_id=request_id_of(request),
    )
    reply = json_reply(_session(done.person, done.csrf_token))
    set_session(reply, parts, done)
    return reply


@router.post("/password", **describe("Session", form="PasswordChange", refusals=(429,)))
async def change_password(request: Request, parts: Parts, asking: Anyone) -> Response:
    """Change one's own password: all sessions end, and the answer sets the cookie of a fresh one."""
    body = await read_json(request, "PasswordChange")
    old, new = body.members["old"], body.members["new"]
    done = await parts.access.change_own_password(
        asking.caller, old, new, address_of(request), request_id=asking.request_id
    )
    reply = json_reply(_session(done.person, done.csrf_token))
    set_session(reply, parts, done)
    return reply


@router.get("", **describe("Session"))
async def show_session(asking: SignedIn) -> Response:
    """Tell who is signed in, and the token that changes need."""
    if not isinstance(asking.caller, Person):
        raise AccessError("this is for people who are signed in", code="not_a_person")
    return json_reply(_session(asking.caller, asking.csrf_token))


@router.delete("", **describe(None, status=204))
async def sign_out(parts: Parts, asking: SignedIn) -> Response:
    """End the session."""
    if asking.session_token is not None:
        await parts.access.sign_out(asking.session_token)
    reply = empty_reply()
    clear_session(reply, parts)
    return reply


def address_of(request: Request) -> str:
    """Return from where a request came, as far as it is known."""
    return request.client.host if request.client is not None else ""


def _session(person: Person, csrf_token: str) -> dict[str, str]:
    return {"user": person.id, "role": person.role, "how": person.how, "csrf_token": csrf_token}
