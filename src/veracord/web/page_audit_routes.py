"""The log for people: its events, and whether it is sound."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from veracord.audit.events import Event
from veracord.audit.findings import AuditReport
from veracord.audit.signatures import Checkpoint
from veracord.audit.stored_lines import StoredPage
from veracord.audit.verification import verify_store
from veracord.bootstrap.serving import ServedParts
from veracord.errors import InputError
from veracord.reports.audit import event_row as event_report
from veracord.web.callers import Asking, Parts
from veracord.web.forms import read_form
from veracord.web.page_addresses import place_address, record_address
from veracord.web.page_callers import SignedIn
from veracord.web.page_forms import problem_words
from veracord.web.page_places import event_row
from veracord.web.page_rendering import page
from veracord.web.page_texts import visible
from veracord.web.page_viewing import viewer_of
from veracord.web.problems import problem_of

router = APIRouter(include_in_schema=False)

_ROWS: Final = 50


@router.get("/audit")
async def show_log(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Show the events of the log, the latest first; of one record where the address says so."""
    told = request.query_params
    record_id = told.get("record") or None
    found = await parts.service.list_events(
        limit=_ROWS, after=told.get("after") or None, record_id=record_id, newest_first=True
    )
    more = {"record": record_id} if record_id else {}
    return page(
        request,
        "audit.html",
        viewer_of(asking),
        rows=[_row(event) for event in found.items],
        record_id=visible(record_id or ""),
        next_address=f"/audit?{urlencode({**more, 'after': found.next})}" if found.next else "",
    )


def _row(event: Event) -> dict[str, Any]:
    row = {**event_row(event_report(event)), "record_id": None}
    if event.record_id is None:
        return row
    place = "" if event.pointer is None else place_address(event.record_id, event.pointer)
    return row | {
        "record_id": visible(event.record_id),
        "record_address": record_address(event.record_id),
        "address": place,
    }


@router.get("/audit/verify")
async def show_verification(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Verify the log, and show what that shows and what it does not."""
    return await _verified(request, parts, asking, None, "")


@router.post("/audit/verify")
async def verify_against(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Verify the log against a checkpoint that somebody kept."""
    form = await read_form(request)
    try:
        checkpoint = Checkpoint.from_json(form.files.get("checkpoint", b"").strip(), where="the checkpoint")
    except InputError as error:
        return await _verified(request, parts, asking, None, problem_words(problem_of(error)))
    return await _verified(request, parts, asking, checkpoint, "")


async def _verified(
    request: Request, parts: ServedParts, asking: Asking, checkpoint: Checkpoint | None, wrong: str
) -> Response:
    report = await _verify(parts, checkpoint)
    told = {**report.to_dict(), "head": report.head.hash}
    statements = [f"{text[0].upper()}{text[1:]}." for text in report.statements()]
    status = 422 if wrong else 200
    return page(request, "verify.html", viewer_of(asking), status, report=told, statements=statements, wrong=wrong)


async def _verify(parts: ServedParts, checkpoint: Checkpoint | None) -> AuditReport:
    """Verify in another thread, to which the pages of the log are handed one by one."""
    loop, pages = asyncio.get_running_loop(), parts.service.pages()

    async def following(stream: AsyncIterator[StoredPage]) -> StoredPage | None:
        return await anext(stream, None)

    def each() -> Iterator[StoredPage]:
        while (found := asyncio.run_coroutine_threadsafe(following(pages), loop).result()) is not None:
            yield found

    return await asyncio.to_thread(verify_store, each(), checkpoint=checkpoint)
