"""Decisions: one route for all acts, since all are refused to everybody but people, and all are told in the log.

Who may is not looked at here: a key that tries must be refused by the service, which writes it down.
"""

import base64
import binascii
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from veracord.errors import InputError
from veracord.records.evidence import EvidencePack
from veracord.reports.decisions import done_report, settings_report
from veracord.reports.places import read_seen
from veracord.review.decisions import Accept, Attach, BulkReject, Declare, Defer, Done, Edit, Reject, Undo
from veracord.review.requests import Once
from veracord.review.service import DecisionService
from veracord.review.settings import ReviewSettings
from veracord.review.suggestions import UNDECIDED, Status, SuggestionFilter
from veracord.web.bodies import Body, check_form, read_json
from veracord.web.callers import Anyone, Asking, Parts, Reading
from veracord.web.documenting import describe
from veracord.web.parameters import OnceOf, moment_of
from veracord.web.replies import json_reply

router = APIRouter(prefix="/v1")

_REFUSALS: Final = (404, 409)


@dataclass(frozen=True, slots=True)
class _Told:
    """What is to be decided, and by whom."""

    service: DecisionService
    asking: Asking
    body: Mapping[str, Any]
    once: Once | None

    def text(self, name: str) -> str:
        return str(self.body.get(name, ""))

    @property
    def how(self) -> dict[str, Any]:
        return {"request_id": self.asking.request_id, "once": self.once}


@router.post("/decisions", **describe("Done", form="Decision", refusals=_REFUSALS))
async def decide(request: Request, parts: Parts, asking: Anyone, once: OnceOf) -> Response:
    """Decide: accept, edit, reject, defer, declare, attach, undo or reject_all; only people may."""
    body = await _decision_of(request)
    act = body.members["act"]
    told = _Told(parts.service, asking, body.members, once)
    if act == "reject_all":
        return json_reply({"act": act, "rejected": await _reject_all(told)})
    done = await _ACTS[act](told)
    return json_reply(done_report(act, done))


async def _decision_of(request: Request) -> Body:
    """Return a decision; what is wrong with it is told of its own act, and not of all of them."""
    body = await read_json(request, "DecisionHead")
    name = "".join(part.capitalize() for part in str(body.members["act"]).split("_"))
    check_form(body.members, name)
    return body


async def _accept(told: _Told) -> Done:
    seen = read_seen(told.body["seen"])
    asked = Accept(told.body["suggestion_id"], told.text("reason"), seen)
    return await told.service.accept(told.asking.caller, asked, **told.how)


async def _edit(told: _Told) -> Done:
    seen = read_seen(told.body["seen"])
    asked = Edit(told.body["suggestion_id"], told.body["value"], told.text("reason"), seen)
    return await told.service.edit(told.asking.caller, asked, **told.how)


async def _reject(told: _Told) -> Done:
    asked = Reject(told.body["suggestion_id"], told.text("code"), told.text("note"))
    return await told.service.reject(told.asking.caller, asked, **told.how)


async def _defer(told: _Told) -> Done:
    return await told.service.defer(
        told.asking.caller, Defer(told.body["suggestion_id"], told.text("note")), **told.how
    )


async def _declare(told: _Told) -> Done:
    body = told.body
    asked = Declare(
        body["record_id"],
        body["pointer"],
        body["value"],
        body["document_digest"],
        body["page"],
        body["quote"],
        told.text("reason"),
        read_seen(body["seen"]),
        document=_document(body.get("document_base64")),
    )
    return await told.service.declare(told.asking.caller, asked, **told.how)


def _document(text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        pass
    raise InputError("the document is no base64", where="/document_base64", remedy="encode it", code="invalid_body")


async def _attach(told: _Told) -> Done:
    item = EvidencePack.from_items([told.body["evidence"]]).items[0]
    return await told.service.attach(
        told.asking.caller, Attach(told.body["record_id"], item, told.text("reason")), **told.how
    )


async def _undo(told: _Told) -> Done:
    return await told.service.undo(told.asking.caller, Undo(told.body["event_id"], told.text("reason")), **told.how)


async def _reject_all(told: _Told) -> int:
    wanted = told.body["filter"]
    meant = SuggestionFilter(
        wanted.get("record_id"),
        wanted.get("pointer"),
        wanted.get("rule"),
        tuple(map(Status, wanted["status"])) if "status" in wanted else UNDECIDED,
        wanted.get("model"),
        moment_of(wanted.get("older_than"), "/filter/older_than"),
        moment_of(wanted.get("newer_than"), "/filter/newer_than"),
    )
    asked = BulkReject(meant, told.text("code"), told.text("note"), told.body.get("expected"))
    return await told.service.bulk_reject(told.asking.caller, asked, **told.how)


_ACTS: Final[Mapping[str, Callable[[_Told], Awaitable[Done]]]] = {
    "accept": _accept,
    "edit": _edit,
    "reject": _reject,
    "defer": _defer,
    "declare": _declare,
    "attach": _attach,
    "undo": _undo,
}


@router.get("/settings", **describe("Settings"))
async def show_settings(parts: Parts, _asking: Reading) -> Response:
    """Show what holds for all decisions."""
    return json_reply(settings_report(await parts.service.settings(), is_changed=False))


@router.patch("/settings", **describe("Settings", form="SettingsChange", refusals=(409,)))
async def change_settings(request: Request, parts: Parts, asking: Anyone, once: OnceOf) -> Response:
    """Change some of what holds for all decisions; a maintainer may."""
    body = await read_json(request, "SettingsChange")
    given: dict[str, Any] = {
        name: tuple(dict.fromkeys(told)) if isinstance(told, list) else told for name, told in body.members.items()
    }

    def changed(before: ReviewSettings) -> ReviewSettings:
        return replace(before, **given)

    found = await parts.service.update_settings(asking.caller, changed, request_id=asking.request_id, once=once)
    return json_reply(settings_report(found, is_changed=True))
