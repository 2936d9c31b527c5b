"""What people bring in themselves: a declaration, evidence, and a rejection of many."""

from datetime import UTC, datetime
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from veracord.audit.events import EventType
from veracord.bootstrap.serving import ServedParts
from veracord.errors import InputError, VeracordError
from veracord.records.values import JsonObject, digest
from veracord.reports.places import read_seen
from veracord.review.decisions import Attach, BulkReject, Declare
from veracord.web.callers import Asking, Parts
from veracord.web.forms import Form, read_form
from veracord.web.page_addresses import place_address, record_address
from veracord.web.page_callers import SignedIn
from veracord.web.page_cards import Refused
from veracord.web.page_deciding_routes import with_done
from veracord.web.page_forms import check_said, once_of, read_source, read_typed, refused_of
from veracord.web.page_outcomes import bulk_address
from veracord.web.page_queue import QueueAddress
from veracord.web.page_queue_routes import find_bulk
from veracord.web.page_record_routes import find_attach, find_declare
from veracord.web.page_rendering import page
from veracord.web.page_viewing import viewer_of

router = APIRouter(include_in_schema=False)

_SENT_BEFORE: Final = "This form was sent before, and {:,} were rejected then. Nothing was done now."


@router.post("/decide/declare")
async def declare(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Enter a value from a document; its digest is computed where the file was given."""
    form = await read_form(request)
    place = (form.text("record_id"), form.text("pointer"))
    try:
        once = once_of(request.url.path, form)
        asked = _declaration(form)
        done = await parts.service.declare(asking.caller, asked, request_id=asking.request_id, once=once)
    except VeracordError as error:
        problem, refused = refused_of("declare", form, error)
        told = await find_declare(parts, place, refused)
        return page(request, "declare.html", viewer_of(asking), problem.status, **told)
    return RedirectResponse(with_done(place_address(*place), done.event_id), 303)


def _declaration(form: Form) -> Declare:
    document = form.files.get("document") or None
    told = form.text("document_digest").strip()
    if document is None and not told:
        raise InputError("choose the file, or give its digest", code="document_digest")
    value = read_typed(form)
    given = {name: form.text(name) for name in ("record_id", "pointer", "page", "reason", "seen")}
    quote = form.text("quote").replace("\r\n", "\n")
    told = told or digest(document or b"")
    check_said("declare", {**given, "value": value, "quote": quote, "document_digest": told})
    return Declare(
        record_id=form.text("record_id"),
        pointer=form.text("pointer"),
        value=value,
        document_digest=told,
        page=form.text("page"),
        quote=quote,
        reason=form.text("reason"),
        seen=read_seen(form.text("seen")),
        document=document,
    )


@router.post("/decide/attach")
async def attach(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Add evidence to a record, which is repaired from it."""
    form = await read_form(request)
    record_id, pointer = form.text("record_id"), form.text("pointer")
    try:
        once = once_of(request.url.path, form)
        item = read_source(form)
        source: JsonObject = {"id": item.id, "rank": item.rank}
        source |= {"content": item.content} if item.text is None else {"text": item.text}
        check_said("attach", {"record_id": record_id, "evidence": source, "reason": form.text("reason")})
        asked = Attach(record_id, item, form.text("reason"))
        done = await parts.service.attach(asking.caller, asked, request_id=asking.request_id, once=once)
    except VeracordError as error:
        problem, refused = refused_of("attach", form, error)
        told = find_attach(record_id, pointer, refused)
        return page(request, "attach.html", viewer_of(asking), problem.status, **told)
    back = place_address(record_id, pointer) if pointer else record_address(record_id)
    return RedirectResponse(with_done(back, done.event_id), 303)


@router.post("/decide/bulk-reject")
async def bulk_reject(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Refuse all that a filter means, if they are as many as was typed."""
    form = await read_form(request)
    address = QueueAddress.of(form.texts)
    try:
        number = await _reject_all(parts, asking, form, address)
    except VeracordError as error:
        problem, refused = _refused_bulk(form, error)
        told = await find_bulk(parts, address, refused)
        return page(request, "bulk.html", viewer_of(asking), problem.status, **told)
    if number and not await parts.service.events_of_request(asking.request_id, EventType.SUGGESTION_REJECTED):
        # The answer was kept: the same form had come before.
        told = await find_bulk(parts, address, Refused("bulk", dict(form.texts), alert=_SENT_BEFORE.format(number)))
        return page(request, "bulk.html", viewer_of(asking), **told)
    return RedirectResponse(with_done(address.path(), bulk_address(asking.request_id)), 303)


async def _reject_all(parts: ServedParts, asking: Asking, form: Form, address: QueueAddress) -> int:
    typed = form.text("count").strip().replace(",", "")
    asked = BulkReject(
        address.to_filter(datetime.now(UTC)),
        form.text("reason_code"),
        form.text("note"),
        # What is no number is that of nothing.
        expected=int(typed[:9]) if typed.isascii() and typed.isdigit() else -1,
    )
    said: JsonObject = {
        "filter": {},
        "code": asked.reason_code,
        "note": asked.note,
        "expected": max(0, asked.expected or 0),
    }
    check_said("reject_all", said)
    once = once_of("/decide/bulk-reject", form)
    return await parts.service.bulk_reject(asking.caller, asked, request_id=asking.request_id, once=once)


def _refused_bulk(form: Form, error: VeracordError) -> tuple[Any, Refused]:
    problem, refused = refused_of("bulk", form, error)
    if problem.code == "changed_underneath":
        meant = error.details.get("now")
        words = (
            f"That is not their number: {meant:,} are meant now." if isinstance(meant, int) else "Type their number."
        )
        return problem, Refused("bulk", dict(form.texts), {"count": words})
    return problem, refused
