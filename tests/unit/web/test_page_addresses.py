"""An address of the page leads to what it was made of, whatever the id of the record is made of."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracord.errors import InputError
from veracord.web.page_addresses import card_address, place_address, read_record_id, record_address, row_key


@pytest.mark.parametrize(
    "record_id", ["a", "a/b", "..", ".", "a~1b", "~", "/", "a?b#c", "ä ö", "%2F", "place", "a/place"]
)
def test_an_id_comes_back_out_of_its_address(record_id):
    from urllib.parse import unquote

    path = record_address(record_id, "place", pointer="/x")
    segments = path.partition("?")[0].split("/")
    assert segments[:2] == ["", "records"]
    assert segments[3:] == ["place"]
    assert segments[2] not in (".", "..")
    assert read_record_id(unquote(segments[2])) == record_id


@given(st.text(min_size=1))
def test_every_id_is_one_segment_of_the_path(record_id):
    from urllib.parse import unquote

    record_id = record_id.encode("utf-8", "ignore").decode() or "a"
    path = record_address(record_id)
    assert re.fullmatch(r"/records/[!-.0-~]+", path)
    assert read_record_id(unquote(path.removeprefix("/records/"))) == record_id


@pytest.mark.parametrize("segment", ["a~", "a~3", "~~"])
def test_what_no_address_holds_is_no_record(segment):
    with pytest.raises(InputError) as caught:
        read_record_id(segment)
    assert caught.value.code == "not_found"


def test_what_is_empty_is_not_said():
    assert place_address("r", "") == "/records/r/place"
    assert place_address("r", "/a b", act="") == "/records/r/place?pointer=%2Fa+b"


def test_a_suggestion_is_named_without_a_colon():
    assert card_address("sha256:" + "a" * 64) == "/suggestions/" + "a" * 64
    assert row_key("sha256:" + "ab" * 32) == "s-" + "ab" * 8
