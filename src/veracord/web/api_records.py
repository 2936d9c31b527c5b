"""Records under review: bringing them in, looking at them, and handing them out."""

from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from veracord.bootstrap.importing import ServedImport
from veracord.composer.suggestions import MOST_CONFIDENCE, Suggestion
from veracord.reports.accounts import account_report
from veracord.reports.places import place_report
from veracord.reports.records import evidence_row, exported_row, imported_row, kept_evidence_row, record_row
from veracord.web.bodies import Body, read_json
from veracord.web.callers import Exporting, Parts, Proposing, Reading
from veracord.web.documenting import describe
from veracord.web.parameters import Cursor, Limit, Name, OnceOf, Pointer, Text
from veracord.web.replies import json_reply

router = APIRouter(prefix="/v1")


@router.get("/records", **describe("Records"))
async def list_records(
    parts: Parts, _asking: Reading, limit: Limit = 100, after: Cursor = None, contains: Text = None
) -> Response:
    """List records by id, or those whose id contains a text, in whatever case."""
    page = await parts.service.list_records(limit=limit, after=after, contains=contains)
    return json_reply({"records": [record_row(one, with_record=False) for one in page.items], "next": page.next})


@router.post("/records", **describe("Imported", form="Import", status=201, refusals=(404, 409)))
async def import_record(request: Request, parts: Parts, asking: Proposing, once: OnceOf) -> Response:
    """Bring a record in with its evidence, to be decided about; it is repaired from the evidence at once."""
    body = await read_json(request, "Import")
    asked = _import_of(body)
    imported, waiting, status = await parts.importing.bring_in(
        asking.caller, asked, request_id=asking.request_id, once=once
    )
    location = f"/v1/records/{quote(asked.record_id, safe='')}"
    return json_reply(imported_row(imported, waiting, status), 201, {"Location": location})


def _import_of(body: Body) -> ServedImport:
    suggested = body.get("suggestions")
    return ServedImport(
        record_id=body.members["record_id"],
        document=body.document("record"),
        profile=body.members["profile"],
        evidence=body.get("evidence", []),
        origins=body.get("origins", {}),
        suggests=body.get("suggest", True),
        suggestions=None
        if suggested is None
        else tuple(
            Suggestion(
                path=one["path"],
                value=one["value"],
                rationale=one.get("rationale", ""),
                confidence=min(float(one.get("confidence", 0)), MOST_CONFIDENCE),
                rank=rank,
            )
            for rank, one in enumerate(suggested, 1)
        ),
        model=body.get("model", ""),
        drops_decisions=body.get("drop_decisions", False),
    )


@router.get("/records/{record_id}", **describe("Record", refusals=(404,)))
async def show_record(parts: Parts, _asking: Reading, record_id: Name) -> Response:
    """Show a record as it is now, with the origins of its leaves."""
    return json_reply(record_row(await parts.service.record(record_id), with_record=True))


@router.get("/records/{record_id}/place", **describe("Place", refusals=(404, 409)))
async def show_place(parts: Parts, _asking: Reading, record_id: Name, pointer: Pointer = "") -> Response:
    """Show a place of a record: what stands there, what is wrong, and what the evidence says."""
    return json_reply(place_report(await parts.service.show_place(record_id, pointer)))


@router.get("/records/{record_id}/explain", **describe("Account", refusals=(404,)))
async def explain(parts: Parts, _asking: Reading, record_id: Name, pointer: Pointer = "") -> Response:
    """Tell where what stands at a place comes from, or why it is open, and what happened there."""
    return json_reply(account_report(await parts.service.explain(record_id, pointer)))


@router.get("/records/{record_id}/evidence", **describe("KeptEvidence", refusals=(404,)))
async def list_evidence(parts: Parts, _asking: Reading, record_id: Name) -> Response:
    """List the evidence that counts for a record."""
    await parts.service.record(record_id)
    found = await parts.service.evidence(record_id)
    return json_reply({"evidence": [kept_evidence_row(one) for one in found]})


@router.get("/evidence/{evidence_ref}", **describe("Evidence", refusals=(404,)))
async def show_evidence(parts: Parts, _asking: Reading, evidence_ref: Name) -> Response:
    """Show the evidence that a reference names, of whatever record."""
    return json_reply(evidence_row(await parts.service.resolve_evidence(evidence_ref)))


@router.post("/exports", **describe("Exported", form="Export", refusals=(404,)))
async def export_records(request: Request, parts: Parts, asking: Exporting) -> Response:
    """Hand records out, without what nothing verifies unless it is asked for; the log tells of it."""
    body = await read_json(request, "Export")
    found = await parts.service.export(
        asking.caller,
        body.get("record_ids"),
        include_unverified=body.get("include_unverified", False),
        request_id=asking.request_id,
    )
    return json_reply({"records": [exported_row(one, with_record=True) for one in found]})
