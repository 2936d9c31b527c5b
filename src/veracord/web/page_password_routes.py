"""The form by which people change their own password; what was typed there is shown nowhere again."""

from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from veracord.audit.events import EventType
from veracord.errors import InputError, VeracordError
from veracord.web.api_access import address_of
from veracord.web.callers import Parts
from veracord.web.cookies import set_session
from veracord.web.forms import read_form
from veracord.web.page_callers import SignedIn
from veracord.web.page_forms import problem_words
from veracord.web.page_rendering import page
from veracord.web.page_viewing import viewer_of
from veracord.web.problems import problem_of

router = APIRouter(include_in_schema=False)

PATH: Final = "/password"
#: The field that a refusal is about.
_FIELDS: Final[Mapping[str, str]] = {"password_refused": "old", "password": "new", "again": "again"}


@router.get(PATH)
async def show_password(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Show the form, and whether the request that the address names has changed the password."""
    request_id = request.query_params.get("done", "")
    events = await parts.service.events_of_request(request_id, EventType.USER_CHANGED) if request_id else []
    is_done = any(one.actor.id == asking.caller.id for one in events)
    return page(request, "password.html", viewer_of(asking), mode=parts.mode, errors={}, is_done=is_done)


@router.post(PATH)
async def change_password(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Change one's own password; every session ends, and this browser gets a fresh one."""
    form = await read_form(request)
    old, new = form.text("old"), form.text("new")
    try:
        if new != form.text("again"):
            raise InputError("these two are not the same", remedy="type the new one twice", code="again")
        done = await parts.access.change_own_password(
            asking.caller, old, new, address_of(request), request_id=asking.request_id
        )
    except VeracordError as error:
        problem = problem_of(error)
        errors = {_FIELDS.get(problem.code, "alert"): problem_words(problem)}
        told = {"mode": parts.mode, "errors": errors, "is_done": False}
        response = page(request, "password.html", viewer_of(asking), problem.status, **told)
        response.headers.update({name: text for name, text in problem.headers.items() if name == "Retry-After"})
        return response
    back = RedirectResponse(f"{PATH}?done={asking.request_id}", 303)
    set_session(back, parts, done)
    return back
