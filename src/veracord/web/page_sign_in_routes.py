"""Signing in and out, and how the page looks to somebody."""

from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from veracord.access.service import SignedIn as NewSession
from veracord.bootstrap.serving import ServedParts
from veracord.errors import AccessError
from veracord.web.callers import Parts, find_asking, request_id_of
from veracord.web.cookies import clear_session, former_token, set_session
from veracord.web.forms import read_form
from veracord.web.page_forms import problem_words
from veracord.web.page_rendering import KEYS, LOOK_COOKIE, THEMES, page
from veracord.web.page_texts import visible
from veracord.web.problems import problem_of
from veracord.web.redirects import local_path

router = APIRouter(include_in_schema=False)

_ELSEWHERE: Final = ("cross-site", "same-site")
_YEAR_S: Final = 365 * 24 * 60 * 60


@router.get("/login")
async def show_login(request: Request, parts: Parts) -> Response:
    """Show the form, or where the link is found; who is signed in already goes on."""
    following = local_path(request.query_params.get("next", "/"))
    if await find_asking(request) is not None:
        return RedirectResponse(following, 303)
    if _comes_from_elsewhere(request):
        address = f"/login?{urlencode({'next': following, 'on': '1'})}"
        return page(request, "continue.html", None, address=address, refresh=f"0; url={address}")
    return page(request, "login.html", None, mode=parts.mode, next=following, wrong="", user="")


def _comes_from_elsewhere(request: Request) -> bool:
    """Whether a link led here from another site, with which no browser sends the cookie of a session.

    A page of our own then goes on: from there it is sent.  It is gone through once at most.
    """
    site = request.headers.get("sec-fetch-site", "")
    told = request.query_params
    # Where there is no TLS, browsers do not say it, and so it is tried.
    is_elsewhere = site in _ELSEWHERE or (not site and "next" in told)
    return is_elsewhere and "on" not in told and former_token(request) is None


@router.post("/login")
async def sign_in(request: Request, parts: Parts) -> Response:
    """Sign somebody in by name and password; for every reason it is refused with the same words."""
    form = await read_form(request)
    following, address = local_path(form.text("next")), request.client.host if request.client else ""
    try:
        signed_in = await parts.access.sign_in(
            form.text("user"),
            form.text("password"),
            address,
            former=former_token(request),
            request_id=request_id_of(request),
        )
    except AccessError as error:
        problem = problem_of(error)
        told = {"mode": parts.mode, "next": following, "user": visible(form.text("user"))[:100]}
        response = page(request, "login.html", None, problem.status, wrong=problem_words(problem), **told)
        if "Retry-After" in problem.headers:
            response.headers["Retry-After"] = problem.headers["Retry-After"]
        return response
    return _begin(parts, signed_in, following)


@router.get("/login/{token}")
async def show_link(request: Request, token: str) -> Response:
    """Show a button: a link that is only looked at, as by a preview, is not used up."""
    del token
    return page(request, "link.html", None)


@router.post("/login/{token}")
async def use_link(request: Request, parts: Parts, token: str) -> Response:
    """Sign in whoever has the link; it works once."""
    try:
        signed_in = await parts.access.redeem_link(
            token, former=former_token(request), request_id=request_id_of(request)
        )
    except AccessError as error:
        problem = problem_of(error)
        words = problem_words(problem)
        return page(request, "login.html", None, problem.status, mode=parts.mode, next="/", wrong=words, user="")
    return _begin(parts, signed_in, "/queue")


def _begin(parts: ServedParts, signed_in: NewSession, following: str) -> Response:
    response = RedirectResponse(following, 303)
    set_session(response, parts, signed_in)
    return response


@router.post("/logout")
async def sign_out(request: Request, parts: Parts) -> Response:
    """End the session."""
    token = former_token(request)
    if token is not None:
        await parts.access.sign_out(token)
    response = RedirectResponse("/login", 303)
    clear_session(response, parts)
    return response


@router.post("/look")
async def set_look(request: Request, parts: Parts) -> Response:
    """Remember how somebody wants the page to look, and whether keys are on."""
    form = await read_form(request)
    theme, keys = form.text("theme"), form.text("keys")
    response = RedirectResponse(local_path(form.text("next")), 303)
    if theme in THEMES and keys in KEYS:
        response.set_cookie(
            LOOK_COOKIE,
            f"{theme}.{keys}",
            max_age=_YEAR_S,
            path="/",
            secure=parts.is_secure,
            httponly=True,
            samesite="strict",
        )
    return response
