"""Laws of what a model is told: bounded, clean, encodable, and the same for the same defects in every order."""

import json
import random
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from veracord.pipeline import Defect, Verdict
from veracord.pipeline.candidates import Correction
from veracord.pipeline.corrections import correction_of
from veracord.promptkit.wording import correction_text, repair_text

HEADING = "Fix these and return the whole answer:"
#: Also controls, halves of characters, marks of direction, quotes: hypothesis leaves surrogates out of its own texts.
HOSTILE = st.sampled_from('\x00\n\r\t\x1b\x7f\x85\u061c\u200e\u202e\u2028\u2066\ufeff\ud800\udfff"\\<{é長🦜')
TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(HOSTILE, max_size=40).map("".join),
    st.builds(lambda text, times: text * times, st.lists(HOSTILE, min_size=1, max_size=3).map("".join), st.just(150)),
    st.sampled_from(["", "a", "b"]),
)
DEFECTS = st.builds(Defect, st.sampled_from(["a", "b", "ü\n"]), TEXTS, TEXTS, st.one_of(st.none(), TEXTS))
FOUND = st.lists(DEFECTS, min_size=1, max_size=8).flatmap(
    lambda few: st.sampled_from([few, few * 3, [Defect("c", f"/{n}", "x" * 300) for n in range(200)] + few])
)
SAID = st.lists(st.one_of(FOUND, st.just("failed"), st.just("passed")), min_size=1, max_size=4)


def verdict(said):
    if isinstance(said, str):
        return Verdict.passed() if said == "passed" else Verdict.execution_failed("raised:KeyError")
    return Verdict.rejected(said)


def text_of(said):
    return correction_text(correction_of("response", [verdict(one) for one in said]))


def expected_defects(said):
    """Return what is kept, in order and each once, and how many are not: the rules of section 4, once more."""
    kept, left = [], 0
    for one in said:
        if isinstance(one, str):
            continue
        own = sorted(set(one), key=lambda defect: (defect.path, defect.code, defect.fact, defect.guidance or ""))
        left += max(0, len(own) - 50)
        kept += [defect for defect in own[:50] if defect not in kept]
    return kept, left


@given(SAID)
def test_the_text_keeps_its_bounds_whatever_is_found(said):
    text = text_of(said)
    assert len(text) <= 4_000
    text.encode()
    lines = text.split("\n")
    assert lines[0] == HEADING
    assert sum(line.startswith("- ") for line in lines) <= 20
    # Cc: controls, Cs: surrogates, Zl and Zp: separators.  The ends of our own lines are the only ones.
    assert not {unicodedata.category(character) for line in lines for character in line} & {"Cc", "Cs", "Zl", "Zp"}
    assert not set(text) & set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


@given(SAID)
def test_what_is_not_listed_is_counted(said):
    kept, left = expected_defects(said)
    lines = text_of(said).split("\n")[1:]
    listed = [line for line in lines if line.startswith("- ")]
    unchecked = said.count("failed")
    counts = [f"and {len(kept) - len(listed) + left} more"] if len(kept) + left > len(listed) else []
    checks = {0: [], 1: ["1 check could not be run"]}.get(unchecked, [f"{unchecked} checks could not be run"])
    assert lines == [*listed, *counts, *checks]
    for line, defect in zip(listed, kept, strict=False):
        # Everything from outside is a JSON string: what is read back is the text of the defect.
        texts = [text for text in (defect.path, defect.fact, defect.guidance) if text]
        assert [text for text in strings_in(line) if text] == texts


def strings_in(line):
    """Return the JSON strings of a line, and fail on anything between them that is not ours."""
    decoder, found, rest = json.JSONDecoder(), [], line.removeprefix("- ")
    while rest:
        value, end = decoder.raw_decode(rest)
        found.append(value)
        rest = rest[end:]
        assert rest[:2] in {"", ": ", "; "}
        rest = rest[2:]
    return found


@given(FOUND, st.integers(0, 99))
def test_the_order_in_which_a_validator_tells_its_defects_does_not_matter(found, seed):
    shuffled = list(found)
    random.Random(seed).shuffle(shuffled)
    assert text_of([found]) == text_of([shuffled]) == text_of([shuffled, found[:1]])


@given(DEFECTS)
def test_making_a_defect_of_a_defect_changes_nothing(defect):
    again = Defect(defect.code, defect.path, defect.fact, defect.guidance)
    assert again == defect
    assert max(len(text) for text in (defect.code, defect.path, defect.fact, defect.guidance or "")) <= 300


def test_no_guidance_and_empty_guidance_are_one_defect():
    twice = [Defect("c", "/a", "wrong"), Defect("c", "/a", "wrong", "")]
    assert text_of([twice]) == text_of([twice[:1]]) == f'{HEADING}\n- "/a": "wrong"'


@given(FOUND)
def test_a_repair_of_the_form_keeps_the_same_bounds(found):
    made = Verdict.rejected(found)
    assert repair_text(made.defects, made.more) == correction_text(Correction("", made.defects, made.more))
