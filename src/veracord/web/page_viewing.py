"""What several pages look up: who looks, a place with its cards, and a card that stands alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from veracord.bootstrap.serving import ServedParts
from veracord.errors import AccessError, InputError, VeracordError
from veracord.records.evidence import EvidenceItem
from veracord.reports.accounts import account_report
from veracord.reports.places import place_report
from veracord.review.permissions import Action, refusal
from veracord.review.settings import ReviewSettings
from veracord.web.callers import Asking
from veracord.web.page_cards import NOTHING_SENT, CardParts, Refused, card_view
from veracord.web.page_places import place_view, sources_of
from veracord.web.page_rendering import Viewer

Row = dict[str, Any]

#: Suggestions that are shown with their forms at one place; a whole record may have more.
_MOST_CARDS: Final = 20


@dataclass(frozen=True, slots=True)
class CardState:
    """How a card is shown.

    Attributes:
        view: ``queue`` or ``place``: where it stands.
        act: The act whose form is open.
        refused: A form that was not taken.
        done: What was done just now, in words.
    """

    view: str = "queue"
    act: str = ""
    refused: Refused = NOTHING_SENT
    done: str = ""


def viewer_of(asking: Asking) -> Viewer:
    """Return who looks."""
    caller = asking.caller
    return Viewer(caller.id, getattr(caller, "role", ""), asking.csrf_token)


def require_may(asking: Asking, action: Action) -> None:
    """Make sure that somebody may send the form that a page is for: nobody fills in what cannot be sent.

    Raises:
        AccessError: They may not; as they only looked, the log does not tell of it.
    """
    found = refusal(asking.caller, action, ReviewSettings())
    if found is not None:
        raise AccessError(found.what, remedy=found.remedy, code=found.code)


async def evidence_items(parts: ServedParts, record_id: str) -> dict[str, EvidenceItem]:
    """Return the evidence that counts for a record, by id."""
    return {one.item.id: one.item for one in await parts.service.evidence(record_id)}


async def find_account(parts: ServedParts, record_id: str, pointer: str) -> Row | None:
    """Return what is known of a place; None where nothing is."""
    try:
        return account_report(await parts.service.explain(record_id, pointer))
    except InputError as error:
        if error.code != "no_such_place":
            raise
        return None


async def find_card(parts: ServedParts, asking: Asking, suggestion_id: str, said: "CardState") -> Row:
    """Return a card that stands alone; in the queue, with what evidence says beside it.

    Raises:
        DecisionError: ``unknown_suggestion``, ``profile_changed``.
    """
    shown = place_report(await parts.service.show(suggestion_id))
    account = await find_account(parts, shown["record_id"], shown["pointer"])
    items = await evidence_items(parts, shown["record_id"])
    unused = await parts.service.unused_evidence(shown["record_id"])
    sources = sources_of(account, items, unused) if account else []
    reasons = (await parts.service.settings()).reject_reasons
    may = viewer_of(asking).may_decide
    return card_view(CardParts(shown, account, sources, reasons, may, said.view, said.act, said.refused, said.done))


async def find_place(
    parts: ServedParts, asking: Asking, place: tuple[str, str], about: tuple[str, CardState] = ("", CardState())
) -> Row:
    """Return all that the page of a place shows.

    Args:
        parts: The services.
        asking: Who looks.
        place: Record and pointer.
        about: A suggestion whose card is shown in a state of its own, and that state; "" for a form of the history.

    Raises:
        DecisionError: ``unknown_record``.
        InputError: ``no_such_place``, ``invalid_pointer``.
    """
    account = account_report(await parts.service.explain(*place))
    items = await evidence_items(parts, account["record_id"])
    cards = [] if account["violations"] is None else await _cards(parts, asking, account, about)
    unused = await parts.service.unused_evidence(account["record_id"])
    return {"place": place_view(account, items, unused), "cards": cards, "refused": about[1].refused}


async def _cards(
    parts: ServedParts, asking: Asking, account: Row, about: tuple[str, CardState]
) -> list[Mapping[str, Any]]:
    """Return the suggestions of a place with their forms, those that wait first."""
    reasons = (await parts.service.settings()).reject_reasons
    rows = sorted(account["suggestions"], key=lambda row: row["status"] not in ("open", "deferred"))
    may = viewer_of(asking).may_decide
    found: list[Mapping[str, Any]] = []
    for row in rows[:_MOST_CARDS]:
        try:
            shown = place_report(await parts.service.show(row["id"]))
        except VeracordError:
            # Decided and gone since the place was looked up; the page shows what there is.
            continue
        state = about[1] if row["id"] == about[0] else CardState()
        found.append(
            card_view(CardParts(shown, account, (), reasons, may, "place", state.act, state.refused, state.done))
        )
    return found
