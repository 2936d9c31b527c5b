"""Problems as people see them: a page of their own, or a note in the place of what was asked for."""

from http import HTTPStatus
from typing import Final
from urllib.parse import quote, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veracord.web.forms import known_form
from veracord.web.page_rendering import address_of, is_fragment, page, render_text
from veracord.web.page_texts import sentences
from veracord.web.problems import Problem
from veracord.web.redirects import local_path

#: Where a part of a page was asked for, a problem stands beside it: what was typed there is kept.
_NOTE: Final = {"hx-retarget": "#problem", "hx-reswap": "innerHTML"}
#: What people type into forms; all else in them is the page's own.
_TYPED: Final = {
    "value": "Value",
    "reason": "Reason",
    "note": "Note",
    "page": "Page",
    "quote": "Quote",
    "document_digest": "Digest of the document",
    "evidence_id": "Name of the source",
    "rank": "Rank",
    "count": "Number",
    "second_person": "Places that need a second person",
    "reject_reasons": "Reasons for a rejection",
}
#: What is said otherwise to people than to programs.
_WORDS: Final = {
    "not_signed_in": "You are not signed in, or not any more. Nothing was done.",
    "idempotency_key_reused": "This form was sent before with other content. Load the page again, and fill it in anew.",
    "csrf": "You have signed in anew since this form was made, so it was not taken. Nothing was done.",
}


def render(request: Request, problem: Problem) -> Response:
    """Return a page that tells a problem; who is not signed in is led to where that is done."""
    words = sentences(problem.detail, problem.remedy)
    if is_fragment(request):
        text = render_text("problem_note.html", words=words)
        return HTMLResponse(text, problem.status, headers={**problem.headers, **_NOTE})
    is_unknown = problem.status == HTTPStatus.UNAUTHORIZED
    if is_unknown and request.method == "GET" and request.url.path != "/login":
        return RedirectResponse(f"/login?next={quote(address_of(request), safe='')}", 303)
    back = _page_before(request)
    response = page(
        request,
        "problem.html",
        None,
        problem.status,
        problem=problem,
        words=_WORDS.get(problem.code, words),
        request_id=str(problem.more.get("request_id", "")),
        kept=_typed_texts(request),
        sign_in=f"/login?next={quote(back, safe='')}" if is_unknown else "",
        back=back,
    )
    for name, value in problem.headers.items():
        response.headers.setdefault(name, value)
    return response


def _typed_texts(request: Request) -> list[dict[str, str]]:
    """Return what somebody typed into the form that was refused, to be copied from the page."""
    form = known_form(request)
    if form is None:
        return []
    texts = [(name, label, form.text(name)) for name, label in _TYPED.items()]
    return [{"name": name, "label": label, "text": text} for name, label, text in texts if text.strip()]


def _page_before(request: Request) -> str:
    """Return the page of ours that a form stood on, as far as the browser says it."""
    try:
        told = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return "/queue"
    if not told.netloc or told.netloc != request.headers.get("host"):
        return "/queue"
    path = local_path(f"{told.path}?{told.query}" if told.query else told.path)
    return path if path != "/" and not path.startswith(("/login", "/decide")) else "/queue"
