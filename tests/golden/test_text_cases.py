"""A record written back is the text that was read, with only the fills changed.

A case holds the ``text`` of a record and ``expect_text``.  With ``same_value`` the layout inside a new value is
left open: the texts are compared without blanks.
"""

import pytest

from tests.golden.runner import GOLDEN, own_profile, read_cases, repair, same
from veracord import read_record


def without_blanks(text):
    return "".join(text.split())


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"]) for case in read_cases(GOLDEN / "cases_text.jsonl")]
)
def test_only_the_fills_change(case):
    record = read_record(case["text"].encode())
    result = repair(case, own_profile(case["profile"]), record=record)
    text = result.record_text().decode()
    if case.get("same_value"):
        assert without_blanks(text) == without_blanks(case["expect_text"])
    else:
        assert text == case["expect_text"]
    assert same(read_record(text.encode()).value, result.record)
    assert text.strip() in result.to_json()
