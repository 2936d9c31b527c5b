"""Cues: wordings of one meaning meet in one class, and words that only look like cues are none."""

import pytest

from veracord.language.cues import Cues, cue_mentions, cues_of


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("It does not contain lead", "negated", True),
        ("It is free of lead", "negated", True),
        ("lead-free", "negated", True),
        ("ohne Blei", "negated", True),
        ("Es enthält kein Blei", "negated", True),
        ("bleifrei ist es nicht", "negated", True),
        ("It contains lead", "negated", False),
        ("no more than 5 kg", "negated", False),
        ("No. 5", "negated", False),
        ("It may fail", "modality", {"possible"}),
        ("In May 2026", "modality", set()),
        ("is planned for 2027", "modality", {"planned"}),
        ("soll 2027 kommen", "modality", {"planned"}),
        ("must be kept", "modality", {"required"}),
        ("Some parts", "quantifier", "some"),
        ("Every part", "quantifier", "all"),
        ("Alle Teile", "quantifier", "all"),
        ("Most parts", "quantifier", "most"),
        ("at most 5", "quantifier", None),
        ("some 20 kg", "quantifier", None),
        ("at 25 °C", "conditional", {"under"}),
        ("at the lab", "conditional", set()),
        ("if it is dry", "conditional", {"if"}),
        ("wenn es trocken ist", "conditional", {"if"}),
        ("after disassembly", "conditional", {"after"}),
        ("The supplier claims that", "attributed", "claim"),
        ("laut Hersteller", "attributed", "according"),
        ("only recyclable", "exclusive", True),
        ("außer der Zelle", "exclusive", True),
        ("because it fell", "causal", True),
        ("weil sie fiel", "causal", True),
        ("heavier than B", "comparative", True),
        ("the heaviest pack", "superlative", True),
        ("the test request", "superlative", False),
    ],
)
def test_a_cue_is_read_as_its_class(text, field, value):
    found = getattr(cues_of(text), field)
    assert found == (frozenset(value) if isinstance(value, set) else value)


def test_a_plain_sentence_has_no_cues():
    assert cues_of("The casing is aluminium.") == Cues()


def test_a_cue_has_its_very_characters():
    text = "İt is not free of lead, if it's cobalt-free."
    assert [text[slice(*mention.span)] for mention in cue_mentions(text)] == ["not", "free of", "if", "-free"]
