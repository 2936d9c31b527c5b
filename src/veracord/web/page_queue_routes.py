"""The queue, a suggestion opened in it, and the page that says what a rejection in bulk means."""

import secrets
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from veracord.bootstrap.serving import ServedParts
from veracord.errors import InputError
from veracord.records.values import MISSING
from veracord.reports.suggestions import suggestion_row
from veracord.review.facets import Queue
from veracord.review.permissions import Action
from veracord.review.presents import Present
from veracord.review.suggestions import UNDECIDED, StoredSuggestion
from veracord.web.callers import Parts
from veracord.web.page_addresses import place_address, read_suggestion_id
from veracord.web.page_callers import SignedIn
from veracord.web.page_cards import Refused
from veracord.web.page_outcomes import done_words
from veracord.web.page_queue import PATH, TABS, QueueAddress, facet_groups, queue_row, reason_choices, tabs
from veracord.web.page_rendering import fragment, is_fragment, page
from veracord.web.page_viewing import CardState, find_card, require_may, viewer_of

router = APIRouter(include_in_schema=False)

_ROWS: Final = 25
_MEANT: Final = 200
BULK: Final = "/queue/reject"


@router.get("/")
async def show_start() -> Response:
    """Lead to the queue."""
    return RedirectResponse(PATH, 303)


@router.get(PATH)
async def show_queue(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Show what waits, and what of it the address means."""
    address = QueueAddress.of(request.query_params)
    wanted = address.to_filter(datetime.now(UTC))
    queue = await parts.service.queue(wanted, limit=_ROWS, after=address.after or None)
    told = queue.page
    rows = [_row(one, queue.presents[one.id]) for one in told.items]
    return page(
        request,
        "queue.html",
        viewer_of(asking),
        rows=rows,
        counted=_counted(address, queue),
        said=address.said(),
        first_address=address.path() if address.after else "",
        next_address=address.path(after=told.next) if told.next else "",
        done=await done_words(parts, asking, request.query_params.get("done", "")),
    )


def _counted(address: QueueAddress, queue: Queue) -> dict[str, Any]:
    total, is_waiting = queue.page.total, address.status in ("", "open", "deferred")
    can_be_rejected = is_waiting and total and address.says_which
    return {
        "total": total,
        "tabs": tabs(address, queue.page.counts),
        "facets": facet_groups(address, queue.facets),
        "bulk_address": address.path(BULK) if can_be_rejected else "",
    }


async def count_again(request: Request, parts: ServedParts) -> dict[str, Any] | None:
    """Return what is counted now on the queue in which somebody decided; None where the script does not say which."""
    try:
        told = urlsplit(request.headers.get("hx-current-url", ""))
        if told.path != PATH:
            return None
        address = QueueAddress.of(dict(parse_qsl(told.query)))
        return _counted(address, await parts.service.queue(address.to_filter(datetime.now(UTC)), limit=1))
    except (ValueError, InputError):
        return None


def _row(one: StoredSuggestion, present: Present) -> dict[str, Any]:
    return queue_row(suggestion_row(one), present.value, is_guess=present.is_guess)


@router.get("/suggestions/{suggestion_id}")
async def show_suggestion(request: Request, parts: Parts, asking: SignedIn, suggestion_id: str) -> Response:
    """Show a suggestion with its forms: in the queue, or on the page of its place."""
    whole, act = read_suggestion_id(suggestion_id), request.query_params.get("act", "")
    if is_fragment(request):
        card = await find_card(parts, asking, whole, CardState(act=act))
        return fragment("card.html", viewer_of(asking), card=card)
    shown = await parts.service.show(whole)
    return RedirectResponse(place_address(shown.record.record_id, shown.pointer, act=act, of=whole if act else ""), 303)


@router.get(BULK)
async def show_bulk(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Show what a rejection in bulk means, and ask for its number."""
    require_may(asking, Action.BULK_REJECT)
    address = QueueAddress.of(request.query_params)
    if not address.says_which:
        raise InputError("no filter says which are meant", remedy="choose one in the queue", code="no_filter")
    return page(request, "bulk.html", viewer_of(asking), **await find_bulk(parts, address, Refused("")))


async def find_bulk(parts: ServedParts, address: QueueAddress, refused: Refused) -> dict[str, Any]:
    """Return what the page of a rejection in bulk shows."""
    wanted = address.to_filter(datetime.now(UTC))
    status = tuple(one for one in UNDECIDED if not wanted.status or one in wanted.status)
    told = await parts.service.list_suggestions(wanted, limit=_MEANT)
    reasons = (await parts.service.settings()).reject_reasons
    said = address.said()
    if address.status:
        said.insert(0, {"label": "status", "value": TABS[address.status][0], "without": address.path(status="")})
    return {
        "bulk": {
            "total": told.total if status else 0,
            "rows": [queue_row(suggestion_row(one), MISSING) for one in told.items],
            "fields": address.fields(),
            "said": said,
            "queue_address": address.path(),
            "reasons": reason_choices(reasons),
            "once": secrets.token_urlsafe(18),
        },
        "refused": refused,
    }
