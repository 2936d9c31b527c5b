"""Records: the list, one as a tree, a place of one, a source, paper, and the forms that add to one."""

import secrets
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from veracord.bootstrap.serving import ServedParts
from veracord.records.evidence import EvidenceItem
from veracord.records.values import MISSING, digest
from veracord.reports.accounts import account_report
from veracord.reports.meanings import WHY_OPEN
from veracord.reports.places import place_report
from veracord.review.permissions import Action
from veracord.review.records import StoredRecord
from veracord.web.callers import Asking, Parts
from veracord.web.page_addresses import evidence_address, place_address, read_record_id, record_address
from veracord.web.page_callers import SignedIn
from veracord.web.page_cards import NOTHING_SENT, Refused, change_view
from veracord.web.page_outcomes import done_words
from veracord.web.page_places import event_row, is_guessed, place_view, source_lines, was_accepted
from veracord.web.page_queue import queue_row
from veracord.web.page_rendering import page
from veracord.web.page_texts import ORIGINS, UNUSED, badge, place_text, plain, visible
from veracord.web.page_trees import leaf_rows, record_tree
from veracord.web.page_viewing import CardState, evidence_items, find_account, find_place, require_may, viewer_of
from veracord.web.problems import bad_request

router = APIRouter(include_in_schema=False)

_ROWS: Final = 100
_EVENTS: Final = 200


@router.get("/records")
async def list_records(request: Request, parts: Parts, asking: SignedIn) -> Response:
    """Show the records by id, or those whose id contains what was typed; with how much is open in each."""
    after, contains = request.query_params.get("after") or None, request.query_params.get("contains", "").strip()
    found = await parts.service.list_records(limit=_ROWS, after=after, contains=contains)
    wrong = await parts.service.open_counts(found.items)
    rows = [
        {
            "record_id": visible(one.record_id),
            "address": record_address(one.record_id),
            "profile": visible(one.profile),
            "revision": one.revision,
            "origins": len(one.origins),
            "open": wrong[one.record_id],
        }
        for one in found.items
    ]
    told = {"contains": contains} if contains else {}
    next_address = f"/records?{urlencode({**told, 'after': found.next})}" if found.next else ""
    return page(
        request, "records.html", viewer_of(asking), rows=rows, contains=visible(contains), next_address=next_address
    )


@router.get("/records/{segment}")
async def show_record(request: Request, parts: Parts, asking: SignedIn, segment: str) -> Response:
    """Show a record as a tree, with what is wrong, what waits, and what happened."""
    told = await find_record(parts, read_record_id(segment))
    return page(
        request, "record.html", viewer_of(asking), **told, done=await _done(request, parts, asking), refused=None
    )


async def _done(request: Request, parts: ServedParts, asking: Asking) -> str:
    return await done_words(parts, asking, request.query_params.get("done", ""))


async def find_record(parts: ServedParts, record_id: str) -> dict[str, Any]:
    """Return what the page of a record shows."""
    record = await parts.service.record(record_id)
    account = account_report(await parts.service.explain(record_id, ""))
    items = await evidence_items(parts, record_id)
    unused = await parts.service.unused_evidence(record_id)
    wrong = account["violations"] or []
    waiting = [row for row in account["suggestions"] if row["status"] in ("open", "deferred")]
    return {
        "record": {
            **_head(record),
            "is_known": account["violations"] is not None,
            "print_address": record_address(record_id, "print"),
            "attach_address": record_address(record_id, "attach"),
        },
        "tree": record_tree(record_id, record.value, record.origins, account),
        "problems_count": len(wrong),
        "rows": [_problem(record_id, row) for row in wrong],
        "waiting": [queue_row(row, MISSING) for row in waiting],
        "sources": [_source(record_id, item, unused) for item in items.values()],
        "events": [event_row(event) for event in reversed(account["history"][-_EVENTS:])],
    }


@router.get("/records/{segment}/place")
async def show_place(request: Request, parts: Parts, asking: SignedIn, segment: str) -> Response:
    """Show a place: what stands there, what is wrong, what sources and models say, and the forms."""
    told = request.query_params
    place = (read_record_id(segment), told.get("pointer", ""))
    about = (told.get("of", ""), CardState("place", told.get("act", "")))
    found = await find_place(parts, asking, place, about)
    return page(request, "place.html", viewer_of(asking), **found, done=await _done(request, parts, asking))


@router.get("/records/{segment}/evidence")
async def show_evidence(request: Request, parts: Parts, asking: SignedIn, segment: str) -> Response:
    """Show the whole of a source, a place or a quote of it marked."""
    told, record_id = request.query_params, read_record_id(segment)
    item = (await evidence_items(parts, record_id)).get(told.get("id", ""))
    if item is None:
        raise bad_request("no evidence of this record has this name", code="not_found")
    lines = source_lines(item, told.get("pointer"), told.get("quote"))
    source = _source(record_id, item, await parts.service.unused_evidence(record_id))
    source |= {
        "record_id": visible(record_id),
        "record_address": record_address(record_id),
        "place": place_text(told["pointer"]) if "pointer" in told and item.text is None else "",
        "lines": lines,
        "first": next((line.number for line in lines if line.is_marked), 0),
    }
    return page(request, "evidence.html", viewer_of(asking), evidence=source)


@router.get("/records/{segment}/print")
async def show_paper(request: Request, parts: Parts, asking: SignedIn, segment: str) -> Response:
    """Show a record with the provenance of every leaf, for paper."""
    record_id = read_record_id(segment)
    record = await parts.service.record(record_id)
    account = account_report(await parts.service.explain(record_id, ""))
    items = await evidence_items(parts, record_id)
    unused = await parts.service.unused_evidence(record_id)
    origins = dict.fromkeys(["input", *(row["origin"] for row in account["leaves"])])
    return page(
        request,
        "print.html",
        viewer_of(asking),
        record={**_head(record), "digest": digest(record.text.encode())},
        leaves=leaf_rows(record_id, record.value, account),
        meanings=[badge(ORIGINS, one) for one in origins],
        problems=[_problem(record_id, row) for row in account["violations"] or ()],
        sources=[_source(record_id, item, unused) for item in items.values()],
    )


@router.get("/records/{segment}/declare")
async def show_declare(request: Request, parts: Parts, asking: SignedIn, segment: str) -> Response:
    """Show the form of a declaration; nothing stands in it beforehand."""
    require_may(asking, Action.DECLARE)
    place = (read_record_id(segment), request.query_params.get("pointer", ""))
    return page(request, "declare.html", viewer_of(asking), **await find_declare(parts, place, NOTHING_SENT))


async def find_declare(parts: ServedParts, place: tuple[str, str], refused: Refused) -> dict[str, Any]:
    """Return what the form of a declaration shows: the place without what anybody suggests."""
    shown = place_report(await parts.service.show_place(*place))
    account = await find_account(parts, *place)
    origin = account["origin"] if account else "absent"
    guessed = account is not None and is_guessed(account)
    bare = {**shown, "value": shown["present"], "origin": origin, "leaves": [], "evidence": [], "history": []}
    violations = [
        {**row, "outcome": None, "detail": None, "uncovered_by": None, "candidates": []} for row in shown["violations"]
    ]
    more = {
        "raw_record_id": place[0],
        "raw_pointer": place[1],
        "seen": shown["seen"],
        "once": secrets.token_urlsafe(18),
        "is_guessed": guessed,
        "guess": badge(ORIGINS, "accepted_suggestion"),
    }
    if guessed:
        more["lines"] = []
    changed = None
    if refused.change is not None:
        # Of neither side is a guess shown: nobody is to copy one.
        changed = change_view(refused.change, is_hidden=guessed or (account is not None and was_accepted(account)))
    view = place_view({**bare, "violations": violations}, {})
    return {"place": {**view, **more}, "refused": refused, "changed": changed}


@router.get("/records/{segment}/attach")
async def show_attach(request: Request, parts: Parts, asking: SignedIn, segment: str) -> Response:
    """Show the form that attaches evidence."""
    require_may(asking, Action.ATTACH)
    record_id = read_record_id(segment)
    await parts.service.record(record_id)
    told = find_attach(record_id, request.query_params.get("pointer", ""), NOTHING_SENT)
    return page(request, "attach.html", viewer_of(asking), **told)


def find_attach(record_id: str, pointer: str, refused: Refused) -> dict[str, Any]:
    """Return what the form that attaches evidence shows."""
    attach = {
        "record_id": visible(record_id),
        "raw_record_id": record_id,
        "raw_pointer": pointer,
        "record_address": record_address(record_id),
        "once": secrets.token_urlsafe(18),
    }
    return {"attach": attach, "refused": refused}


def _head(record: StoredRecord) -> dict[str, Any]:
    return {
        "record_id": visible(record.record_id),
        "address": record_address(record.record_id),
        "profile": visible(record.profile),
        "revision": record.revision,
    }


def _problem(record_id: str, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "pointer": place_text(row["path"]),
        "address": place_address(record_id, row["path"]),
        "rule": visible(row["rule"]),
        "message": visible(row["message"]),
        "why": plain(row["outcome"], WHY_OPEN) if row["outcome"] else "",
        "is_conflict": row["outcome"] == "conflict",
    }


def _source(record_id: str, item: EvidenceItem, unused: Mapping[str, str]) -> dict[str, Any]:
    return {
        "note": UNUSED.get(unused.get(item.id, ""), ""),
        "id": visible(item.id),
        "kind": "text" if item.text is not None else "data",
        "rank": item.rank,
        "evidence_ref": item.evidence_ref,
        "address": evidence_address(record_id, item.id, ""),
    }
