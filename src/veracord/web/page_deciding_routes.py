"""Decisions by forms: with scripts a part of the page comes back, without them the person is led back to the place.

What is refused is shown in place, with the text kept.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from veracord.bootstrap.serving import ServedParts
from veracord.errors import VeracordError
from veracord.records.values import JsonObject
from veracord.reports.places import read_seen
from veracord.review.decisions import Accept, Defer, Done, Edit, Reject, Undo
from veracord.web.callers import Asking, Parts
from veracord.web.forms import Form, read_form
from veracord.web.page_addresses import place_address, read_record_id, read_suggestion_id
from veracord.web.page_callers import SignedIn
from veracord.web.page_cards import Refused
from veracord.web.page_forms import check_said, once_of, read_typed, refused_of
from veracord.web.page_outcomes import done_words
from veracord.web.page_queue_routes import count_again
from veracord.web.page_record_routes import find_record
from veracord.web.page_rendering import fragment, is_fragment, page
from veracord.web.page_viewing import CardState, find_card, find_place, viewer_of
from veracord.web.problems import bad_request
from veracord.web.redirects import local_path

router = APIRouter(include_in_schema=False)

#: Tells the script that a whole page comes back, of which it takes what lies between head and foot.
_WHOLE: Final = {"hx-retarget": "#main", "hx-reselect": "#main", "hx-reswap": "outerHTML"}

_Decide = Callable[[ServedParts, Asking, Form, str], Awaitable[Done]]


async def _accept(parts: ServedParts, asking: Asking, form: Form, path: str) -> Done:
    check_said("accept", _given(form, "reason", "seen"))
    asked = Accept(_suggestion(form), form.text("reason"), read_seen(form.text("seen")))
    return await parts.service.accept(asking.caller, asked, request_id=asking.request_id, once=once_of(path, form))


async def _edit(parts: ServedParts, asking: Asking, form: Form, path: str) -> Done:
    value = read_typed(form)
    check_said("edit", {**_given(form, "reason", "seen"), "value": value})
    asked = Edit(_suggestion(form), value, form.text("reason"), read_seen(form.text("seen")))
    return await parts.service.edit(asking.caller, asked, request_id=asking.request_id, once=once_of(path, form))


async def _reject(parts: ServedParts, asking: Asking, form: Form, path: str) -> Done:
    check_said("reject", {**_given(form, "note"), "code": form.text("reason_code")})
    asked = Reject(_suggestion(form), form.text("reason_code"), form.text("note"))
    return await parts.service.reject(asking.caller, asked, request_id=asking.request_id, once=once_of(path, form))


async def _defer(parts: ServedParts, asking: Asking, form: Form, path: str) -> Done:
    check_said("defer", _given(form, "note"))
    asked = Defer(_suggestion(form), form.text("note"))
    return await parts.service.defer(asking.caller, asked, request_id=asking.request_id, once=once_of(path, form))


async def _undo(parts: ServedParts, asking: Asking, form: Form, path: str) -> Done:
    check_said("undo", {"event_id": form.text("event_id"), "reason": form.text("reason")})
    asked = Undo(form.text("event_id"), form.text("reason"))
    return await parts.service.undo(asking.caller, asked, request_id=asking.request_id, once=once_of(path, form))


_ACTS: Final[Mapping[str, _Decide]] = {
    "accept": _accept,
    "edit": _edit,
    "reject": _reject,
    "defer": _defer,
    "undo": _undo,
}


@router.post("/decide/{act}")
async def decide(request: Request, parts: Parts, asking: SignedIn, act: str) -> Response:
    """Do what the form of a suggestion, or of an event, asks for."""
    if act not in _ACTS:
        raise bad_request("there is no such act", code="not_found")
    form = await read_form(request)
    try:
        done = await _ACTS[act](parts, asking, form, request.url.path)
    except VeracordError as error:
        return await _show_refusal(request, parts, asking, (act, form, error))
    return await _show_done(request, parts, asking, (form, done))


async def _show_done(request: Request, parts: ServedParts, asking: Asking, what: tuple[Form, Done]) -> Response:
    form, done = what
    if is_fragment(request):
        # An answer that was kept may be an old one: what is said is what the log tells now.
        words = await done_words(parts, asking, done.event_id)
        return await _show_card(request, parts, asking, (_suggestion(form), CardState(form.text("view"), done=words)))
    back = local_path(form.text("next")) if form.text("next") else await _place_of(parts, form)
    return RedirectResponse(with_done(back, done.event_id), 303)


async def _show_card(
    request: Request, parts: ServedParts, asking: Asking, about: tuple[str, CardState], status: int = 200
) -> Response:
    """Show a suggestion anew: alone in the queue; elsewhere with its place, much of which a decision changes."""
    viewer = viewer_of(asking)
    if is_fragment(request) and about[1].view == "queue":
        card = await find_card(parts, asking, *about)
        counted = await count_again(request, parts) if about[1].done else None
        if counted is not None:
            return fragment("decided.html", viewer, status, card=card, counted=counted)
        return fragment("card.html", viewer, status, card=card)
    shown = await parts.service.show(about[0])
    found = await find_place(parts, asking, (shown.record.record_id, shown.pointer), about)
    response = page(request, "place.html", viewer, status, **found, done="")
    if is_fragment(request):
        response.headers.update(_WHOLE)
    return response


async def _show_refusal(
    request: Request, parts: ServedParts, asking: Asking, what: tuple[str, Form, VeracordError]
) -> Response:
    """Show the form again where it was; an error that leaves nothing to be shown goes on."""
    act, form, error = what
    problem, refused = refused_of(act, form, error)
    if not form.text("suggestion_id"):
        return await _show_history(request, parts, asking, (form, refused, problem.status))
    state = CardState(form.text("view"), act, refused)
    return await _show_card(request, parts, asking, (_suggestion(form), state), problem.status)


async def _show_history(
    request: Request, parts: ServedParts, asking: Asking, what: tuple[Form, Refused, int]
) -> Response:
    """Show the page whose history the form of an undo stood in."""
    form, refused, status = what
    back = urlsplit(local_path(form.text("next")))
    parts_of_path = back.path.strip("/").split("/")
    if parts_of_path[0] != "records" or not parts_of_path[1:]:
        raise bad_request("the form does not say where it stood", remedy="load the page again")
    record_id = read_record_id(unquote(parts_of_path[1]))
    if parts_of_path[2:] == ["place"]:
        pointer = dict(parse_qsl(back.query)).get("pointer", "")
        found = await find_place(parts, asking, (record_id, pointer), ("", CardState(refused=refused)))
        return page(request, "place.html", viewer_of(asking), status, **found, done="")
    told = await find_record(parts, record_id)
    return page(request, "record.html", viewer_of(asking), status, **told, done="", refused=refused)


def with_done(path: str, word: str) -> str:
    """Return a path of this server that names the event of what was done."""
    parts = urlsplit(path)
    told = [(name, text) for name, text in parse_qsl(parts.query) if name not in ("done", "act", "of")]
    return f"{parts.path}?{urlencode([*told, ('done', word)])}"


async def _place_of(parts: ServedParts, form: Form) -> str:
    shown = await parts.service.show(_suggestion(form))
    return place_address(shown.record.record_id, shown.pointer)


def _given(form: Form, *names: str) -> JsonObject:
    return {"suggestion_id": _suggestion(form), **{name: form.text(name) for name in names}}


def _suggestion(form: Form) -> str:
    return read_suggestion_id(form.text("suggestion_id"))
