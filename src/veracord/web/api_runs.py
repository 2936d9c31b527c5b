"""Runs: long work that a caller asks for and looks at later, and whatever else the store knows of runs."""

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from veracord.errors import ConfigurationError, InputError
from veracord.records.reading import MAX_DEPTH, read_value
from veracord.web.bodies import body_of, media_type, read_body, read_json
from veracord.web.callers import Asking, Parts, Proposing, Reading, ReadingOrProposing, check_own
from veracord.web.documenting import describe
from veracord.web.parameters import Cursor, Limit, Name, OnceOf
from veracord.web.replies import LINES, json_reply, lines_reply

router = APIRouter(prefix="/v1/runs")


@router.post("", **describe("RunState", form="Run", status=202, lines="RunSettings"))
async def ask_for_run(request: Request, parts: Parts, asking: Proposing, once: OnceOf) -> Response:
    """Ask for a run over many records; it is kept, and goes on after a restart."""
    job = await parts.jobs.ask(asking.caller, await _wanted(request), once)
    return json_reply(await _state(parts, job.run_id), 202, {"Location": f"/v1/runs/{job.run_id}"})


async def _wanted(request: Request) -> dict[str, Any]:
    """Return what is asked for: one object, or its settings in a line and a record in each line behind it."""
    if media_type(request) != LINES:
        return (await read_json(request, "Run")).members
    lines = [line for line in (await read_body(request)).split(b"\n") if line.strip()]
    if not lines:
        raise InputError("the body is empty", remedy="begin with the settings", code="invalid_body")
    settings = body_of(lines[0], "RunSettings", "line 1").members
    records = [
        read_value(line, where=f"line {number}", max_levels=MAX_DEPTH) for number, line in enumerate(lines[1:], 2)
    ]
    wrong = next((number for number, record in enumerate(records, 2) if type(record) is not dict), None)
    if wrong is not None:
        raise InputError("the line is no JSON object", where=f"line {wrong}", remedy="correct it", code="invalid_body")
    return {**settings, "records": records}


@router.get("", **describe("Runs"))
async def list_runs(parts: Parts, _asking: Reading, limit: Limit = 100, after: Cursor = None) -> Response:
    """List runs, the latest first."""
    rows, following = await parts.runs.page(limit, after)
    return json_reply({"runs": rows, "next": following})


@router.get("/{run_id}", **describe("RunState", refusals=(404,)))
async def show_run(parts: Parts, asking: ReadingOrProposing, run_id: Name) -> Response:
    """Show how far a run is: its outcomes so far, and whether it goes on."""
    return json_reply(await _own_state(parts, asking, run_id))


@router.get("/{run_id}/results", **describe(None, refusals=(404,), answers_lines=True))
async def show_results(parts: Parts, asking: ReadingOrProposing, run_id: Name) -> Response:
    """Hand out the results so far, a line each, in the order of the records."""
    state = await _own_state(parts, asking, run_id)
    return lines_reply(parts.runs.results(state["run_id"]))


@router.get("/{run_id}/units/{key}", **describe("UnitHistory", refusals=(404,)))
async def explain_unit(parts: Parts, asking: ReadingOrProposing, run_id: Name, key: Name) -> Response:
    """Tell why a unit stands where it stands."""
    await _own_state(parts, asking, run_id)
    return json_reply(await parts.runs.unit(run_id, key))


@router.post("/{run_id}/cancel", **describe("RunState", refusals=(404, 409)))
async def cancel_run(parts: Parts, _asking: Proposing, run_id: Name) -> Response:
    """End a run that was asked for here; what it settled is kept."""
    await parts.jobs.cancel(run_id)
    return json_reply(await _state(parts, run_id))


async def _own_state(parts: Parts, asking: Asking, run_id: str) -> dict[str, Any]:
    """Return how a run stands, to whoever may know.

    Raises:
        AccessError: ``scope_missing``: the key reads nothing, and the run is another's; or there is none, which such
            a key is not told.
        ConfigurationError: ``unknown_run``.
    """
    try:
        state = await _state(parts, run_id)
    except ConfigurationError:
        check_own(asking, None)
        raise
    check_own(asking, state["job"]["asked_by"] if state["job"] else None)
    return state


async def _state(parts: Parts, run_id: str) -> dict[str, Any]:
    """Return how a run stands; one that has not begun has no manifest yet.

    Raises:
        ConfigurationError: ``unknown_run``.
    """
    job = await parts.jobs.find(run_id)
    manifest: dict[str, Any] | None = None
    try:
        manifest = await parts.runs.manifest(run_id)
    except ConfigurationError as error:
        if error.code != "unknown_run" or job is None:
            raise
    name = run_id if manifest is None else manifest["run_id"]
    return {"run_id": name, "job": job or await parts.jobs.find(name), "manifest": manifest}
