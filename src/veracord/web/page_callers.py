"""Who asks for a page: where nobody is signed in, what was typed into a form is read, so that it is kept."""

from contextlib import suppress
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from veracord.errors import AccessError, VeracordError
from veracord.web.callers import Asking, find_asking, require_person, served_parts
from veracord.web.forms import is_form, read_form
from veracord.web.guards import SAFE_METHODS


async def require_visitor(request: Request) -> Asking:
    """Return the person who is signed in.

    Raises:
        AccessError: ``not_signed_in``; ``not_a_person``: a key was given.
    """
    try:
        return await require_person(request)
    except AccessError as error:
        if request.method not in SAFE_METHODS:
            await _note_key(request, error)
        if request.method not in SAFE_METHODS and is_form(request):
            # It is shown again by whoever tells of the refusal.
            with suppress(VeracordError):
                await read_form(request)
        raise


async def _note_key(request: Request, error: AccessError) -> None:
    """Tell in the log that a program sent what people send: it would have decided."""
    asking = await find_asking(request) if error.code == "not_a_person" else None
    if asking is None:
        return
    # The refusal itself must not depend on the store.
    with suppress(VeracordError):
        await served_parts(request).access.note_refusal(error.code, caller=asking.caller, request_id=asking.request_id)


#: A person, for pages.
SignedIn = Annotated[Asking, Depends(require_visitor)]
