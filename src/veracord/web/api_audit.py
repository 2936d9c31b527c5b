"""The log: its events page by page, all of it as lines, and what a verification finds."""

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter
from starlette.responses import Response

from veracord.audit.verification import verify_store
from veracord.records.writing import raw
from veracord.reports.audit import verification_report
from veracord.web.callers import Exporting, Parts, Reading
from veracord.web.documenting import describe
from veracord.web.parameters import Cursor, Limit, Text
from veracord.web.replies import json_reply, lines_reply

router = APIRouter(prefix="/v1/audit")


@router.get("", **describe("Events"))
async def list_events(
    parts: Parts, _asking: Reading, limit: Limit = 100, after: Cursor = None, record: Text = None
) -> Response:
    """List the events of the log in their order, or those about a record."""
    page = await parts.service.list_events(limit=limit, after=after, record_id=record)
    return json_reply({"events": [raw(one.to_json()) for one in page.items], "next": page.next})


@router.post("/export", **describe(None, answers_lines=True))
async def export_log(parts: Parts, asking: Exporting) -> Response:
    """Hand the whole log out, as lines that verify without the store; it is no GET, as the log tells of it."""
    await parts.service.log_export(asking.caller, "log as jsonl", request_id=asking.request_id)
    return lines_reply(_lines(parts.service.lines()))


async def _lines(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for line in lines:
        yield line


@router.get("/verification", **describe("Verification"))
async def verify_log(parts: Parts, _asking: Reading) -> Response:
    """Check that the log is whole, with all that the store keeps beside it."""
    pages = [page async for page in parts.service.pages()]
    report = await asyncio.to_thread(verify_store, iter(pages))
    return json_reply(verification_report(report))
