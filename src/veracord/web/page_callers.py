"""Who asks for a page: where nobody is signed in, what was typed into a form is read, so that it is kept."""

from contextlib import suppress
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from veracord.errors import AccessError, VeracordError
from veracord.web.callers import Asking, require_person
from veracord.web.forms import is_form, read_form
from veracord.web.guards import SAFE_METHODS


async def require_visitor(request: Request) -> Asking:
    """Return the person who is signed in.

    Raises:
        AccessError: ``not_signed_in``; ``not_a_person``: a key was given.
    """
    try:
        return await require_person(request)
    except AccessError:
        if request.method not in SAFE_METHODS and is_form(request):
            # It is shown again by whoever tells of the refusal.
            with suppress(VeracordError):
                await read_form(request)
        raise


#: A person, for pages.
SignedIn = Annotated[Asking, Depends(require_visitor)]
