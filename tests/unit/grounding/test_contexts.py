"""Sentences that their own text asks, leaves open, takes back or limits are not good for a claim."""

import pytest

from tests.unit.gates.gate_cases import check, texts
from veracord.grounding.contexts import asks, is_open
from veracord.grounding.remarks import announces_doubt, is_remark, without_label
from veracord.grounding.unsaid import without_unsaid

CLAIM = "The tare is 3 kg [e1]."


@pytest.mark.parametrize(
    "text",
    [
        "Is the tare 3 kg? No.",
        "tare: 3 kg?",
        "The tare is 3 kg (?).",
        "- [ ] The tare is 3 kg.",
        "☐ The tare is 3 kg.",
        "The tare is 3 kg. This is not true.",
        "The tare is 3 kg. The crate is grey. These values are outdated.",
        "The tare is 3 kg.\n\nThis statement is wrong.",
        "The tare is 3 kg. It is now 4 kg.",
        "The tare is 3 kg. Only for model K.",
        "The tare is 3 kg. Not for model K.",
        "The tare is 3 kg. Das gilt nur für Modell K.",
        "The following is wrong.\nThe tare is 3 kg.",
        "The following is wrong:\n\n- The tare is 3 kg.\n- The crate is grey.",
        "Without lid it holds that:\n- The tare is 3 kg.",
        "## Planned\n\nThe tare is 3 kg.",
        "It is not so that\nthe tare is 3 kg.",
        "The tare is 3 kg\nonly if dry.",
        "The tare is 3 kg*.",
        "The tare is 3 kg.†",
        "~~The tare is 3 kg.~~",
        "<del>The tare is 3 kg.</del>",
        "<!-- The tare is 3 kg. -->",
        "```\nThe tare is 3 kg.\n```",
    ],
)
def test_what_is_not_simply_said_supports_nothing(text):
    assert check(texts(text), CLAIM).verdict in ("unsupported", "undecided")


@pytest.mark.parametrize(
    "text",
    [
        "What is the tare? The tare is 3 kg.",
        "The tare is 3 kg. Is the crate grey?",
        "- [x] The tare is 3 kg.\n- [ ] The crate is grey.",
        "The tare is 3 kg. This crate is not sold in Japan.",
        "The tare is 3 kg. It is not waterproof.",
        "The tare is 3 kg. No cobalt is used.",
        "The tare is 3 kg. However, the lid is red.",
        "The following crates are new. The tare is 3 kg.",
        "## Weights\n\nThe lid is grey.\n\n# Data sheet\n\nThe tare is 3 kg.",
        "**The tare is 3 kg.**",
        "*tare*: 3 kg",
        "```\na = 1\n```\nThe tare is 3 kg.",
        "~~The tare is 4 kg.~~ The tare is 3 kg.",
        "This is not sold in Japan. The tare is 3 kg.",
        "It is not so.\n\nThe tare is 3 kg.",
    ],
)
def test_what_is_simply_said_supports(text):
    assert check(texts(text), CLAIM).verdict == "supported"


def test_a_question_as_an_answer_asserts_nothing_that_a_claim_owns():
    verdict = check(texts("The tare is 3 kg."), "Is the tare 3 kg [e1]?")
    assert (verdict.verdict, verdict.coverage.state) == ("unsupported", "incomplete")
    assert check(texts("The tare is 3 kg."), f"{CLAIM} Is the tare 3 kg [e1]?").verdict == "unsupported"


@pytest.mark.parametrize(
    ("quoted", "expected"),
    [
        ("Alpha denies: the crate is unsafe.", "unsupported"),
        ("Alpha writes: the crate is unsafe.", "supported"),
        ("Is it so that the crate is unsafe?", "unsupported"),
        ("The crate is unsafe. That is wrong.", "unsupported"),
    ],
)
def test_a_quotation_is_not_cut_out_of_what_denies_it(quoted, expected):
    assert check(texts(quoted), '"crate is unsafe" [e1].').verdict == expected


def test_what_a_text_crosses_out_is_blanked_at_its_place():
    assert without_unsaid("a ~~b~~ c") == "a       c"
    assert without_unsaid("a\n```\nb\n```\nc") == "a\n   \n \n   \nc"
    assert without_unsaid("a ~~b c <s>d") == "a ~~b c <s>d"
    assert without_unsaid("a <!-- b") == "a       "


def test_marks_of_questions_boxes_and_notes_are_told_from_others():
    assert [asks(text) for text in ("What?", "5 kg (?)", "https://a.b/c?d=e")] == [True, True, False]
    assert all(map(is_open, ("[ ] a", "5 kg*", "5 kg[^1]", "☐")))
    assert not any(map(is_open, ("[x] a", "**5 kg**", "[ ](link)", "5 * 3")))


def test_remarks_are_sentences_about_sentences():
    assert all(map(is_remark, ("However, this is no longer valid.", "Dies gilt nur für K.", "No, it is 4 kg.")))
    assert not any(map(is_remark, ("This crate is not valid in Japan.", "It holds 5 litres.", "No zinc is used.")))
    assert announces_doubt("None of the following holds.")
    assert not announces_doubt("The following holds.")
    assert without_label("Correction: the tare is 4 kg.") == "the tare is 4 kg."
