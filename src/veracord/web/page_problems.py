"""Problems as people see them: a page of their own, or a note in the place of what was asked for."""

from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veracord.web.page_rendering import is_fragment, page, render_text
from veracord.web.page_texts import sentences
from veracord.web.problems import Problem

#: Where a part of a page was asked for, a problem stands beside it: what was typed there is kept.
_NOTE: Final = {"hx-retarget": "#problem", "hx-reswap": "innerHTML"}


def render(request: Request, problem: Problem) -> Response:
    """Return a page that tells a problem; who is not signed in is led to where that is done."""
    words = sentences(problem.detail, problem.remedy)
    if is_fragment(request):
        text = render_text("problem_note.html", words=words)
        return HTMLResponse(text, problem.status, headers={**problem.headers, **_NOTE})
    path = request.url.path
    if problem.status == HTTPStatus.UNAUTHORIZED and request.method == "GET" and path != "/login":
        here = f"{path}?{request.url.query}" if request.url.query else path
        return RedirectResponse(f"/login?next={quote(here, safe='')}", 303)
    request_id = str(problem.more.get("request_id", ""))
    response = page(request, "problem.html", None, problem.status, problem=problem, words=words, request_id=request_id)
    for name, value in problem.headers.items():
        response.headers.setdefault(name, value)
    return response
