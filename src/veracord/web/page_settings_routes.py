"""What holds for decisions, and who may: settings are changed here by maintainers, users and keys at the terminal."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from veracord.access.api_keys import ApiKey
from veracord.access.users import User
from veracord.audit.events import utc_text
from veracord.errors import VeracordError
from veracord.review.settings import ReviewSettings
from veracord.web.callers import Parts, SignedIn
from veracord.web.forms import Form, read_form
from veracord.web.page_cards import NOTHING_SENT
from veracord.web.page_forms import refused_of
from veracord.web.page_rendering import page
from veracord.web.page_texts import time_text, visible
from veracord.web.page_viewing import viewer_of

router = APIRouter(include_in_schema=False)


@router.get("/settings")
async def show_settings(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Show what holds for decisions."""
    told = _settings_view(await parts.service.settings())
    done = "Set." if request.query_params.get("done") == "set" else ""
    return page(request, "settings.html", viewer_of(asking), settings=told, refused=NOTHING_SENT, done=done)


@router.post("/settings")
async def change_settings(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Set what holds for decisions; a maintainer may."""
    form = await read_form(request)

    def update(before: ReviewSettings) -> ReviewSettings:
        return replace(
            before,
            second_person=_lines(form, "second_person"),
            own_proposals=form.text("own_proposals") == "on",
            reject_reasons=_lines(form, "reject_reasons"),
        )

    try:
        await parts.service.update_settings(asking.caller, update, request_id=asking.request_id)
    except VeracordError as error:
        problem, refused = refused_of("settings", form, error)
        told = _settings_view(await parts.service.settings())
        viewer = viewer_of(asking)
        return page(request, "settings.html", viewer, problem.status, settings=told, refused=refused, done="")
    return RedirectResponse("/settings?done=set", 303)


def _settings_view(found: ReviewSettings) -> dict[str, Any]:
    return {
        "second_person": visible("\n".join(found.second_person)),
        "own_proposals": found.own_proposals,
        "reject_reasons": visible("\n".join(found.reject_reasons)),
    }


def _lines(form: Form, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.strip() for line in form.text(name).splitlines() if line.strip()))


@router.get("/access")
async def show_access(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Show users and keys to maintainers, and to others what they may."""
    viewer = viewer_of(asking)
    users = await parts.access.users(asking.caller) if viewer.is_maintainer else []
    keys = await parts.access.keys(asking.caller) if viewer.is_maintainer else []
    now = utc_text(datetime.now(UTC))
    return page(
        request,
        "access.html",
        viewer,
        mode=parts.mode,
        is_listed=viewer.is_maintainer,
        users=[_user_row(one) for one in users],
        keys=[_key_row(one, now) for one in keys],
    )


def _user_row(one: User) -> dict[str, Any]:
    return {
        "id": visible(one.id),
        "role": one.role,
        "since": time_text(one.created_at),
        "is_disabled": one.is_disabled,
    }


def _key_row(one: ApiKey, now: str) -> dict[str, Any]:
    state, tone = ("good", "good") if now < one.expires_at else ("ended", "bad")
    if one.revoked_at is not None:
        state, tone = "revoked", "bad"
    return {
        "id": visible(one.id),
        "scopes": ", ".join(one.scopes),
        "made": f"{time_text(one.created_at)} by {visible(one.created_by)}",
        "ends": time_text(one.expires_at),
        "used": time_text(one.last_used_at) if one.last_used_at else "never",
        "state": state,
        "tone": tone,
    }
