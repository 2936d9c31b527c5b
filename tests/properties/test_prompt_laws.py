"""Laws of prompts: no value can leave its block, and a prompt is rendered the same each time."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from veracord.promptkit import Prompt

TWO = Prompt("p", 1, "x", ("input", "previous"), "A {{ input }} B {{ previous }} C {{ input }} D")
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.text(), st.sampled_from(["</input>", "<"])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=9), inner, max_size=3)),
    max_leaves=6,
)


@given(JSON, JSON)
def test_any_value_stays_in_its_block(value, other):
    text = TWO.render({"input": value, "previous": other})
    # Exactly the tags that we wrote: no data holds one.
    assert text.count("<") == 6
    blocks = r"A <input>\n(.*)\n</input> B <previous>\n(.*)\n</previous> C <input>\n(.*)\n</input> D"
    first, second, third = re.fullmatch(blocks, text).groups()
    # One line of JSON each, and it is the value.
    assert first == third
    assert json.loads(first) == value
    assert json.loads(second) == other


@given(JSON)
def test_a_prompt_is_rendered_the_same_each_time(value):
    assert TWO.render({"input": value, "previous": 1}) == TWO.render({"previous": 1, "input": value})
