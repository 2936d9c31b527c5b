"""Markers are found, tied to their text, and taken out."""

import pytest

from veracord.grounding.markers import strip_markers
from veracord.grounding.splitting import split_answer


@pytest.mark.parametrize(
    ("text", "stripped", "ids"),
    [
        ("A crate [e1].", "A crate.", [("e1",)]),
        ("A crate. [e1]", "A crate.", [("e1",)]),
        ("A crate [e1][e2].", "A crate.", [("e1",), ("e2",)]),
        ("A crate [e1, e2].", "A crate.", [("e1", "e2")]),
        ("A crate [e9].", "A crate.", [("e9",)]),
        ("A crate [of oak and pine].", "A crate [of oak and pine].", []),
        ("A crate [a b].", "A crate.", [("a b",)]),
    ],
)
def test_markers_are_taken_out(text, stripped, ids):
    marked = strip_markers(text, {"e1", "e2", "a b"})
    assert marked.text == stripped
    assert [marker.evidence_ids for marker in marked.markers] == ids


def test_a_place_in_the_stripped_text_leads_back_to_the_answer():
    text = "One [e1] two [e2] three."
    marked = strip_markers(text, {"e1", "e2"})
    at = marked.text.index("three")
    assert text[marked.original(at) :].startswith("three")


@pytest.mark.parametrize(
    ("answer", "ids"),
    [
        ("One is grey [e1]. Two is red [e2].", [("e1",), ("e2",)]),
        ("One is grey. [e1] Two is red. [e2]", [("e1",), ("e2",)]),
        ("- [e1] One is grey.\n- [e2] Two is red.", [("e1",), ("e2",)]),
        ("It draws 5 V. The rest is red [e2].", [(), ("e2",)]),
        ("It weighs approx. 5 kg [e1]. Cf. the rest.", [("e1",), ()]),
        ('It says "One. Two." in red [e1].', [("e1",)]),
    ],
)
def test_a_marker_belongs_to_the_sentence_it_stands_at(answer, ids):
    split = split_answer(answer, {"e1", "e2"})
    assert [sentence.evidence_ids for sentence in split.sentences] == ids
