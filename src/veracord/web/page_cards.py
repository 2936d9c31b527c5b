"""A suggestion with all that a decision needs, and its forms as they were filled in and refused."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from veracord.records.values import MISSING
from veracord.review.suggestions import UNDECIDED
from veracord.web.page_addresses import record_address
from veracord.web.page_layouts import diff_rows, value_lines
from veracord.web.page_places import Source, is_guessed, undoable_event
from veracord.web.page_queue import queue_row, reason_choices
from veracord.web.page_texts import place_text, shortened, typed_json, value_kind, visible

Row = Mapping[str, Any]

_MOST_TEXT: Final = 2_000


@dataclass(frozen=True, slots=True)
class Refused:
    """A form that was sent and not taken: it is shown again as it was.

    Attributes:
        act: Which form.
        texts: What was typed.
        errors: What is wrong, by field.
        alert: What is wrong that no field can mend.
        change: What changed underneath, as reports tell it.
    """

    act: str
    texts: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    alert: str = ""
    change: Row | None = None

    def text(self, act: str, name: str, otherwise: str = "") -> str:
        """Return what was typed into a field of a form."""
        return self.texts.get(name, otherwise) if act == self.act else otherwise

    def error(self, act: str, name: str) -> str:
        """Return what is wrong with a field of a form."""
        return self.errors.get(name, "") if act == self.act else ""


NOTHING_SENT: Final = Refused("")


@dataclass(frozen=True, slots=True)
class CardParts:
    """What a card is made of.

    Attributes:
        shown: The report of the suggestion's place; its value is what a decision would name as seen.
        account: The report that explains the place; None where nothing is known of it.
        sources: What evidence says there, for a card that stands alone.
        reasons: Codes that a rejection may give.
        may_decide: Whether the person may decide at all; the server refuses in any case.
        view: ``queue`` or ``place``: where the card stands.
        act: The act whose form is open.
        refused: The form that was not taken.
        done: What was done just now, in words.
    """

    shown: Row
    account: Row | None
    sources: Sequence[Source]
    reasons: Sequence[str]
    may_decide: bool
    view: str
    act: str = ""
    refused: Refused = NOTHING_SENT
    done: str = ""


def card_view(parts: CardParts) -> dict[str, Any]:
    """Return what a card shows."""
    shown = parts.shown
    guess = shown["suggestion"]
    present = shown["present"] if shown["stands"] else MISSING
    before = value_lines(shown["present"]) if shown["stands"] else []
    decision = undoable_event(parts.account, guess["id"]) if parts.account else None
    return {
        **queue_row(guess, present, is_guess=parts.account is not None and is_guessed(parts.account)),
        "diff": diff_rows(before, value_lines(guess["value"])),
        "clears": _clears(shown, guess),
        "rationale": visible(shortened(guess["rationale"], _MOST_TEXT)),
        "cap": str(shown["cap"]),
        "proposed_by": visible(guess["proposed_by"]["id"]),
        "made_exactly": guess["created_at"],
        "warnings": [visible(one["message"]) for one in shown["warnings"]],
        "seen": shown["seen"],
        "kind": value_kind(guess["value"]),
        "typed": guess["value"] if value_kind(guess["value"]) == "text" else typed_json(guess["value"]),
        "reasons": reason_choices(parts.reasons),
        "may_decide": parts.may_decide,
        "can_defer": guess["status"] == "open",
        "undo_event": decision,
        "sources": parts.sources,
        "declare_address": record_address(shown["record_id"], "declare", pointer=shown["pointer"]),
        "view": parts.view,
        "act": parts.refused.act or parts.act,
        "refused": parts.refused,
        "change": None if parts.refused.change is None else change_view(parts.refused.change),
        "done": parts.done,
        "kept": _kept(guess, parts.refused),
        "once": secrets.token_urlsafe(18),
    }


def _kept(guess: Row, refused: Refused) -> dict[str, str] | None:
    """Return what was refused and typed where the suggestion has no form for it any more."""
    if not refused.act or refused.act == "undo" or guess["status"] in UNDECIDED:
        return None
    return {"alert": refused.alert, "text": refused.texts.get("reason", "") or refused.texts.get("note", "")}


def _clears(shown: Row, guess: Row) -> list[dict[str, str]]:
    """Return the violations that the suggestion is made for: those of its rule at its place."""
    return [
        {"pointer": place_text(row["path"]), "rule": visible(row["rule"]), "message": visible(row["message"])}
        for row in shown["violations"]
        if row["rule"] == guess["rule"] or row["path"] == guess["pointer"]
    ]


def change_view(change: Row, *, is_hidden: bool = False) -> dict[str, Any]:
    """Return what stood at a place, and what stands there now; hidden where one of both is a guess."""
    if is_hidden:
        return {"is_known": False, "rows": [], "revision": change["revision"], "is_same": False, "is_hidden": True}
    then, now = change["then"], change["now"]
    is_known = ("value" in then and then["value"] is not None) or not then["stands"]
    return {
        "is_known": is_known,
        "rows": diff_rows(_lines(then) if is_known else [], _lines(now)),
        "revision": change["revision"],
        "is_hidden": False,
        "is_same": is_known and _lines(then) == _lines(now),
    }


def _lines(standing: Row) -> list[str]:
    return value_lines(standing["value"]) if standing["stands"] else ["(nothing)"]
