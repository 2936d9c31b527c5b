"""Suggestions: what waits, what was decided, and each of them with its place."""

from fastapi import APIRouter
from starlette.responses import Response

from veracord.reports.places import place_report
from veracord.reports.suggestions import facets_report, list_report
from veracord.web.callers import Parts, Reading
from veracord.web.documenting import describe
from veracord.web.parameters import Cursor, Limit, Name, Wanted
from veracord.web.replies import json_reply

router = APIRouter(prefix="/v1/suggestions")


@router.get("", **describe("Suggestions"))
async def list_suggestions(
    parts: Parts, _asking: Reading, wanted: Wanted, limit: Limit = 100, after: Cursor = None
) -> Response:
    """List suggestions, the oldest first; without a status those that wait."""
    page = await parts.service.list_suggestions(wanted, limit=limit, after=after)
    return json_reply({**list_report(page), "next": page.next})


@router.get("/facets", **describe("Facets"))
async def count_suggestions(parts: Parts, _asking: Reading, wanted: Wanted) -> Response:
    """Count suggestions by each of what they can be filtered by; the most frequent first."""
    return json_reply(facets_report(await parts.service.facets(wanted)))


@router.get("/{suggestion_id}", **describe("Place", refusals=(404, 409)))
async def show_suggestion(parts: Parts, _asking: Reading, suggestion_id: Name) -> Response:
    """Show a suggestion with its place; `seen` is what a decision must name."""
    return json_reply(place_report(await parts.service.show(suggestion_id)))
