"""Tokens keep their characters, and words of two scripts stay two words."""

import pytest

from veracord.language.stems import stem
from veracord.language.tokens import fold, mixed_scripts, tokens_of


def test_tokens_stand_for_their_very_characters_and_leave_only_space_between():
    text = "Die Zelle's ½ mm,\u00a0LFP-48 ≥ 5 %… e\u0301té"
    tokens = tokens_of(text)
    assert all(text[slice(*token.span)] == token.text for token in tokens)
    covered = {place for token in tokens for place in range(*token.span)}
    assert all(text[place].isspace() for place in set(range(len(text))) - covered)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("mass 5.5 kg.", ["word", "number", "word", "punctuation"]),
        ("A100", ["word"]),
        ("don't", ["word"]),
        ("≥70 %", ["symbol", "number", "symbol"]),
        ("½", ["symbol"]),
    ],
)
def test_a_token_has_its_kind(text, kinds):
    assert [token.kind for token in tokens_of(text)] == kinds


def test_folding_joins_widths_and_cases_but_no_scripts():
    assert fold("\uff2dASS") == fold("mass")
    assert fold("STRASSE") == fold("straße")
    assert fold("\u0410100") != fold("A100")


@pytest.mark.parametrize(
    ("word", "mixed"), [("m\u0430ss", True), ("mass", False), ("\u0410100", False), ("k\u03a9", False)]
)
def test_a_word_of_two_scripts_is_seen(word, mixed):
    assert mixed_scripts(word) is mixed


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("weighs", "weigh", "en"),
        ("weighed", "weighing", "en"),
        ("batteries", "battery", "en"),
        ("cells", "cell", "en"),
        ("made", "making", "en"),
        ("used", "uses", "en"),
        ("boxes", "box", "en"),
        ("running", "runs", "en"),
        ("Zellen", "Zelle", "de"),
        ("wiegt", "wiegen", "de"),
        ("enthält", "enthalten", "de"),
        ("Gehäuses", "Gehäuse", "de"),
    ],
)
def test_forms_of_a_word_meet(one, other, language):
    assert stem(one, language) == stem(other, language)


@pytest.mark.parametrize(
    ("one", "other"),
    [("relation", "relative"), ("mass", "mas"), ("A100s", "A100"), ("organ", "organise"), ("gas", "ga")],
)
def test_different_words_stay_apart(one, other):
    assert stem(one) != stem(other)
