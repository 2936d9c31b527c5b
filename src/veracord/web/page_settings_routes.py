"""What holds for decisions, and who may: settings are changed here by maintainers, users and keys at the terminal."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from veracord.access.api_keys import ApiKey
from veracord.access.users import User
from veracord.audit.events import EventType, utc_text
from veracord.bootstrap.serving import ServedParts
from veracord.errors import DecisionError, InputError, VeracordError
from veracord.records.reading import read_value
from veracord.records.writing import write_json
from veracord.review.settings import ReviewSettings
from veracord.web.bodies import check_form
from veracord.web.callers import Asking, Parts
from veracord.web.forms import Form, read_form
from veracord.web.page_callers import SignedIn
from veracord.web.page_cards import NOTHING_SENT, Refused
from veracord.web.page_forms import refused_of
from veracord.web.page_rendering import page
from veracord.web.page_texts import time_text, visible
from veracord.web.page_viewing import viewer_of

router = APIRouter(include_in_schema=False)

_LISTS: Final = ("second_person", "reject_reasons")
_FORM: Final = "SettingsChange"
_SAME: Final = "nothing_changed"
_LOOK: Final = "look at what is set now, and send it again if yours still holds"
_AGAIN: Final = "Send it again if yours still holds."


@router.get("/settings")
async def show_settings(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Show what holds for decisions."""
    told = settings_view(await parts.service.settings())
    done = await _done_words(parts, asking, request.query_params.get("done", ""))
    return page(request, "settings.html", viewer_of(asking), settings=told, refused=NOTHING_SENT, done=done)


async def _done_words(parts: ServedParts, asking: Asking, request_id: str) -> str:
    """Return what a request set, if the log tells of it."""
    events = await parts.service.events_of_request(request_id, EventType.SETTINGS_CHANGED) if request_id else []
    if not events:
        return ""
    who = events[0].actor.id
    return "Set." if who == asking.caller.id else f"Set by {visible(who)}, {time_text(events[0].at)}."


@router.post("/settings")
async def change_settings(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Set what a maintainer changed in the form, and nothing else of what holds for decisions."""
    form = await read_form(request)

    def update(before: ReviewSettings) -> ReviewSettings:
        seen = read_seen_settings(form)
        given = changed_settings(form, seen)
        if moved_settings(given, seen, before):
            raise DecisionError("another one has set this meanwhile", remedy=_LOOK, code="changed_underneath")
        if not given:
            raise InputError("nothing was changed in the form", code=_SAME)
        check_form({name: list(one) if isinstance(one, tuple) else one for name, one in given.items()}, _FORM)
        return replace(before, **given)

    viewer = viewer_of(asking)
    try:
        await parts.service.update_settings(asking.caller, update, request_id=asking.request_id)
    except VeracordError as error:
        problem, refused = refused_of("settings", form, error)
        found = await parts.service.settings()
        told = settings_view(found)
        if error.code == _SAME:
            done = "Nothing was changed in the form, so nothing was set."
            return page(request, "settings.html", viewer, settings=told, refused=NOTHING_SENT, done=done)
        if error.code == "changed_underneath":
            seen = read_seen_settings(form)
            given = changed_settings(form, seen)
            errors = {name: _moved_words(found, name) for name in moved_settings(given, seen, found)}
            # What was not touched shows what holds by now.
            refused = Refused("settings", _typed(form, given), errors, refused.alert)
            told["own_proposals"] = given.get("own_proposals", found.own_proposals)
        elif "seen" in form.texts:
            # A form that is refused for what stands in it is still about what was seen.
            told |= {"seen": form.text("seen"), "own_proposals": form.text("own_proposals") == "on"}
        return page(request, "settings.html", viewer, problem.status, settings=told, refused=refused, done="")
    return RedirectResponse(f"/settings?done={asking.request_id}", 303)


def settings_view(found: ReviewSettings) -> dict[str, Any]:
    """Return settings as the form shows them, with what names them as seen."""
    return {
        "second_person": visible("\n".join(found.second_person)),
        "own_proposals": found.own_proposals,
        "reject_reasons": visible("\n".join(found.reject_reasons)),
        "seen": write_json(found.to_object()).decode(),
    }


def read_seen_settings(form: Form) -> ReviewSettings:
    """Return the settings that somebody saw who filled in a form.

    Raises:
        InputError: ``review_settings``: it does not say.
    """
    try:
        return ReviewSettings.from_object(read_value(form.text("seen").encode()))
    except InputError:
        message = "the form does not say which settings were seen"
        raise InputError(message, remedy="load the page again", code="review_settings") from None


def changed_settings(form: Form, seen: ReviewSettings) -> dict[str, Any]:
    """Return what is another thing in a form than what was seen."""
    shown = settings_view(seen)
    given: dict[str, Any] = {
        name: _lines(form.text(name)) for name in _LISTS if _lines(form.text(name)) != _lines(shown[name])
    }
    own = form.text("own_proposals") == "on"
    return given if own == seen.own_proposals else {**given, "own_proposals": own}


def moved_settings(given: Mapping[str, Any], seen: ReviewSettings, now: ReviewSettings) -> list[str]:
    """Return what somebody changes that was changed by another one since it was seen, and not to the same."""
    return [
        name
        for name, wanted in given.items()
        if getattr(now, name) != getattr(seen, name) and getattr(now, name) != wanted
    ]


def _moved_words(now: ReviewSettings, name: str) -> str:
    told = settings_view(now)[name]
    if isinstance(told, bool):
        told = "they may" if told else "they may not"
    return f"Another one has set this meanwhile, to: {told.replace(chr(10), ', ') or 'nothing'}. {_AGAIN}"


def _typed(form: Form, given: Mapping[str, Any]) -> dict[str, str]:
    return {name: form.text(name) for name in given if name in _LISTS}


def _lines(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


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
