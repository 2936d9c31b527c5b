"""What changes something by a cookie must hold the token of its session: another site cannot know it."""

import hmac
from typing import Any, Final

from starlette.requests import Request

from veracord.errors import AccessError
from veracord.web.callers import find_asking, has_key
from veracord.web.forms import CSRF_FIELD, is_form, read_form
from veracord.web.guards import SAFE_METHODS
from veracord.web.problems import bad_request

CSRF_HEADER: Final = "x-csrf-token"


async def check_query(request: Request) -> None:
    """Refuse a question that the API would not look at: what was meant to filter would be answered with everything.

    Raises:
        InputError: ``unknown_parameter``; ``repeated_parameter``: the last one would win.
    """
    if not request.url.query:
        return
    told = request.app.openapi()["paths"].get(getattr(request.scope.get("route"), "path", ""), {})
    if request.method.lower() not in told:
        # A page, or the like.
        return
    parameters = told[request.method.lower()].get("parameters", ())
    known = {one["name"]: one["schema"] for one in parameters if one["in"] == "query"}
    names = [name for name, _ in request.query_params.multi_items()]
    if not known.keys() >= set(names):
        remedy = f"it takes {', '.join(known)}" if known else "it takes none"
        raise bad_request("there is no such parameter", where="query", remedy=remedy, code="unknown_parameter")
    for name, form in known.items():
        if names.count(name) > 1 and not _is_list(form):
            raise bad_request("a parameter is given twice", where=f"query.{name}", code="repeated_parameter")


def _is_list(form: dict[str, Any]) -> bool:
    return any(one.get("type") == "array" for one in (form, *form.get("anyOf", ())))


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
