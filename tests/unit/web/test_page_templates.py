"""Whatever text stands in a record, in evidence, in a suggestion or in what somebody typed, it is text on the page."""

import json
from html.parser import HTMLParser

import pytest

from veracord.records.evidence import EvidenceItem
from veracord.records.values import MISSING
from veracord.web.forms import Form
from veracord.web.page_cards import NOTHING_SENT, CardParts, Refused, card_view
from veracord.web.page_forms import read_typed
from veracord.web.page_places import place_view
from veracord.web.page_queue import queue_row
from veracord.web.page_rendering import Viewer, render_row, render_text
from veracord.web.page_trees import leaf_rows, record_tree

HOSTILE = "<script>x</script><img src=x onerror=x>'\"&amp;{{ 7 * 7 }}</textarea><b>\u202e"
VIEWER = Viewer("ann", "reviewer", "token")
ACTOR = {"id": HOSTILE, "kind": "person", "how": "password", "role": "reviewer"}
AT = "2026-11-30T09:15:00.000000Z"
LOOK = {"theme": "auto", "single_keys": "on"}
POINTER = "/" + HOSTILE.replace("~", "~0").replace("/", "~1")
GUESS = {
    "id": "sha256:" + "a" * 64,
    "record_id": HOSTILE,
    "pointer": POINTER,
    "value": HOSTILE,
    "status": "open",
    "created_at": AT,
    "proposed_by": ACTOR,
    "rule": HOSTILE,
    "rationale": HOSTILE,
    "confidence": "0.3",
    "rank": 1,
    "model": HOSTILE,
    "first": {"person_id": HOSTILE, "value_digest": ""},
    "is_declaration": False,
}
VIOLATION = {
    "path": POINTER,
    "rule": HOSTILE,
    "message": HOSTILE,
    "outcome": "conflict",
    "detail": HOSTILE,
    "uncovered_by": HOSTILE,
    "candidates": [
        {"value": HOSTILE, "evidence_id": HOSTILE, "source_pointer": POINTER},
        {"value": 1, "evidence_id": "text", "source_pointer": ""},
    ],
}
EVENT = {
    "seq": 1,
    "event_id": "e" * 32,
    "at": AT,
    "type": "suggestion.accepted",
    "actor": ACTOR,
    "pointer": POINTER,
    "revision_before": 1,
    "revision_after": 2,
    "reason": HOSTILE,
    "code": HOSTILE,
    "suggestion_id": GUESS["id"],
    "takes_back": None,
    "cause": None,
    "undone": False,
}
SHOWN = {
    "record_id": HOSTILE,
    "profile": HOSTILE,
    "revision": 1,
    "pointer": POINTER,
    "seen": "1:" + HOSTILE,
    "stands": True,
    "present": {HOSTILE: HOSTILE},
    "violations": [{"path": POINTER, "rule": HOSTILE, "message": HOSTILE}],
    "evidence": [],
    "suggestion": GUESS,
    "cap": 0.3,
    "warnings": [{"code": "x", "message": HOSTILE}],
}
LEAF = {
    "pointer": POINTER,
    "value": HOSTILE,
    "origin": "declared",
    "event": EVENT,
    "declaration": {"document_digest": HOSTILE, "page": HOSTILE, "quote": HOSTILE, "quote_found": None},
}
ACCOUNT = {
    "record_id": HOSTILE,
    "profile": HOSTILE,
    "revision": 1,
    "pointer": POINTER,
    "origin": "open",
    "stands": True,
    "value": HOSTILE,
    "leaves": [LEAF],
    "violations": [VIOLATION],
    "evidence": [{"id": "text", "evidence_ref": HOSTILE, "origin": HOSTILE, "text": HOSTILE}],
    "suggestions": [GUESS],
    "history": [EVENT],
}
ITEMS = {
    HOSTILE: EvidenceItem(id=HOSTILE, content={HOSTILE: HOSTILE}),
    "text": EvidenceItem(id="text", text=f"{HOSTILE}\nmore"),
}


class Reader(HTMLParser):
    """Notes what a browser would make of a page: its tags, and the attributes that could do something."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags = set()
        self.acting = []
        self.texts = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.acting += [name for name, _ in attrs if name.startswith(("on", "hx-on")) or name == "style"]
        # The random name of a form may hold whatever is looked for.
        if ("name", "once") not in attrs:
            self.texts += [value for name, value in attrs if name in ("value", "aria-label", "data-say") and value]
        if tag == "script":
            assert dict(attrs).get("src"), "a script in the page"

    def handle_data(self, data):
        self.texts.append(data)


def check(text, times):
    """Make sure that a page holds the hostile text so many times, and nothing that it would have made."""
    reader = Reader()
    reader.feed(text)
    assert not reader.tags & {"img", "b", "iframe", "object"}
    assert reader.acting == []
    shown = sum("<img src=x onerror=x>" in one for one in reader.texts)
    assert shown >= times, shown
    assert "49" not in "".join(reader.texts)


def card(**more):
    return card_view(CardParts(SHOWN, ACCOUNT, place_view(ACCOUNT, ITEMS)["sources"], [HOSTILE], True, "queue", **more))


def whole(template, **values):
    common = {
        "viewer": VIEWER,
        "look": LOOK,
        "path": "/x",
        "here": f"/x?{HOSTILE}",
        "done": "",
        "refused": NOTHING_SENT,
    }
    return render_text(template, **{**common, **values})


def test_a_row_of_the_queue():
    check(render_row(queue_row(GUESS, {HOSTILE: 1})), 6)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("id", "sha256:" + "b" * 64),
        ("record_id", "another"),
        ("pointer", "/another"),
        ("value", "another"),
        ("status", "deferred"),
        ("created_at", "2026-12-01T09:15:00.000000Z"),
        ("rule", "another"),
        ("confidence", "0.1"),
        ("model", "another"),
        ("first", None),
        ("is_declaration", True),
    ],
)
def test_a_row_that_is_kept_is_shown_for_what_is_the_same_alone(name, other):
    for row, present in ((GUESS, 1), ({**GUESS, name: other}, 1), (GUESS, 2), (GUESS, MISSING)):
        told = queue_row(row, present)
        assert render_row(told) == render_text("row.html", row=told)
    assert render_row(queue_row(GUESS, 1)) != render_row(queue_row({**GUESS, name: other}, 1))


@pytest.mark.parametrize("act", ["accept", "reject", "edit", "defer", "undo"])
def test_a_card_with_a_refused_form(act):
    texts = {"reason": HOSTILE, "note": HOSTILE, "value": HOSTILE, "reason_code": HOSTILE, "kind": HOSTILE}
    change = {"then": {"stands": True, "value": HOSTILE}, "now": {"stands": False}, "revision": 2}
    for refused in (
        Refused(act, texts, {"reason": HOSTILE, "note": HOSTILE, "value": HOSTILE, "reason_code": HOSTILE}),
        Refused(act, texts, alert=HOSTILE),
        Refused(act, texts, change=change),
    ):
        check(render_text("card.html", card=card(refused=refused), viewer=VIEWER), 10)


def test_a_card_that_was_decided_meanwhile():
    guess = {**GUESS, "status": "rejected"}
    refused = Refused("accept", {"reason": HOSTILE}, alert=HOSTILE)
    parts = CardParts({**SHOWN, "suggestion": guess}, ACCOUNT, (), [], True, "queue", refused=refused)
    text = render_text("card.html", card=card_view(parts), viewer=VIEWER)
    check(text, 8)
    assert "You wrote" in text


def test_the_page_of_a_place():
    check(whole("place.html", place=place_view(ACCOUNT, ITEMS), cards=[card()]), 25)


def test_a_place_of_which_nobody_can_say_what_is_wrong():
    text = whole("place.html", place=place_view({**ACCOUNT, "violations": None}, ITEMS), cards=[])
    check(text, 10)
    assert "Nothing can be decided until it is" in text


def test_a_declaration_that_waits_leads_to_its_form():
    parts = CardParts({**SHOWN, "suggestion": {**GUESS, "is_declaration": True}}, ACCOUNT, (), [], True, "place")
    text = render_text("card.html", card=card_view(parts), viewer=VIEWER)
    check(text, 5)
    assert "/declare?" in text
    assert 'details data-act="accept"' not in text


def test_a_record_and_paper():
    value = {HOSTILE: HOSTILE, "rows": [{"name": HOSTILE}]}
    tree = record_tree(HOSTILE, value, {POINTER: HOSTILE}, ACCOUNT)
    head = {"record_id": HOSTILE, "profile": HOSTILE, "revision": 1, "address": "/x", "is_known": True}
    record = {**head, "print_address": "/x", "attach_address": "/x", "digest": HOSTILE}
    source = {"id": HOSTILE, "kind": "text", "rank": 1, "evidence_ref": HOSTILE, "address": "/x", "note": HOSTILE}
    row = {
        "pointer": HOSTILE,
        "address": "/x",
        "rule": HOSTILE,
        "message": HOSTILE,
        "why": HOSTILE,
        "is_conflict": True,
    }
    lists = {"rows": [row], "waiting": [queue_row(GUESS, 1)], "sources": [source], "events": []}
    check(whole("record.html", record=record, tree=tree, problems_count=1, **lists), 12)
    leaves = leaf_rows(HOSTILE, value, ACCOUNT)
    check(whole("print.html", record=record, leaves=leaves, meanings=[], problems=[row], sources=[source]), 9)


def test_a_problem_repeats_a_text_as_text():
    from veracord.web.problems import Problem

    problem = Problem(404, "not_found", HOSTILE)
    kept = [{"name": "reason", "label": "Reason", "text": HOSTILE}]
    told = {"problem": problem, "words": HOSTILE, "request_id": HOSTILE, "back": "/x", "sign_in": "/login"}
    check(whole("problem.html", kept=kept, **told), 3)
    check(render_text("problem_note.html", words=HOSTILE), 1)


def test_a_form_is_prefilled_for_an_edit_and_never_beforehand_for_a_reason():
    text = render_text("card.html", card=card(), viewer=VIEWER)
    assert " selected" in text
    assert text.count(" checked") == 0
    reader = Reader()
    reader.feed(text)
    assert "details" in reader.tags
    assert text.count(" open>") == 1, "only what the evidence says is open"


@pytest.mark.parametrize("value", ["a\r\nb", "a\rb", "a\0b", "a\u202eb", "\u200b", "x\U000e0041y", '\tq"\\'])
def test_a_text_that_a_field_would_change_is_edited_as_json(value):
    shown = {**SHOWN, "suggestion": {**GUESS, "value": value}}
    told = card_view(CardParts(shown, ACCOUNT, (), [], True, "queue"))
    assert told["kind"] == "json"
    assert told["typed"] == json.dumps(value)
    assert read_typed(Form({"kind": "json", "value": told["typed"]})) == value


def test_a_text_of_several_lines_is_edited_as_it_is():
    shown = {**SHOWN, "suggestion": {**GUESS, "value": "M\u00fcller\nund 3 m\u00b2"}}
    told = card_view(CardParts(shown, ACCOUNT, (), [], True, "queue"))
    assert (told["kind"], told["typed"]) == ("text", "M\u00fcller\nund 3 m\u00b2")
