"""What changes something by a cookie must hold the token of its session: another site cannot know it."""

import hmac
from typing import Final

from starlette.requests import Request

from veracord.errors import AccessError
from veracord.web.callers import find_asking, has_key
from veracord.web.forms import CSRF_FIELD, is_form, read_form
from veracord.web.guards import SAFE_METHODS

CSRF_HEADER: Final = "x-csrf-token"


async def protect(request: Request) -> None:
    """Refuse what changes something by a cookie without the token of its session; every route has this before it.

    Raises:
        AccessError: ``csrf``: the token is missing or another one; ``key_refused``.
    """
    if request.method in SAFE_METHODS or has_key(request):
        return
    asking = await find_asking(request)
    if asking is None:
        # Nothing is done by a cookie; who may do it without being signed in is for the route.
        return
    told = request.headers.get(CSRF_HEADER, "")
    if not told and is_form(request):
        told = (await read_form(request)).text(CSRF_FIELD)
    if not hmac.compare_digest(told.encode("utf-8", "replace"), asking.csrf_token.encode()):
        raise AccessError("the form is not one of this session", remedy="load the page again", code="csrf")
