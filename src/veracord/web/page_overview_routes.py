"""Overviews: runs with their outcomes and their rate, and help."""

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from veracord.reports.meanings import UNIT_OUTCOMES
from veracord.web.callers import Parts
from veracord.web.page_callers import SignedIn
from veracord.web.page_charts import outcome_bars, rate_chart
from veracord.web.page_rendering import page
from veracord.web.page_runs import run_facts, run_head, run_row, start_rows
from veracord.web.page_texts import ORIGINS, badge
from veracord.web.page_viewing import viewer_of

router = APIRouter(include_in_schema=False)

_ROWS: Final = 50
_EXPLAINED: Final = ("input", "evidence", "declared", "accepted_suggestion", "suggestion_origin", "open")


@router.get("/runs")
async def list_runs(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Show the runs of the store, the latest first."""
    found, following = await parts.runs.page(_ROWS, request.query_params.get("after") or None)
    next_address = f"/runs?after={following}" if following else ""
    rows = [run_row(row) for row in found]
    return page(request, "runs.html", viewer_of(asking), rows=rows, next_address=next_address)


@router.get("/runs/{run_id}")
async def show_run(request: Request, parts: Parts, asking: SignedIn, run_id: str) -> Response:
    """Show how far a run is, what came of its units, and how quickly."""
    manifest = await parts.runs.manifest(run_id)
    times = await parts.runs.end_times(manifest["run_id"])
    return page(
        request,
        "run.html",
        viewer_of(asking),
        run=run_head(manifest),
        bars=outcome_bars(manifest["outcomes"], UNIT_OUTCOMES),
        chart=rate_chart(times),
        facts=run_facts(manifest),
        starts=start_rows(manifest),
    )


@router.get("/help")
async def show_help(request: Request, asking: SignedIn) -> Response:
    """Show what each act does, and the keys."""
    origins = [badge(ORIGINS, one) for one in _EXPLAINED]
    return page(request, "help.html", viewer_of(asking), origins=origins)
