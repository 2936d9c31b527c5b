"""Rules of access that need no store: slowing down, tokens, passwords, keys."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracord.access.api_keys import is_key_text, new_key_text, prefix_of, prefix_of_id
from veracord.access.passwords import Hashing
from veracord.access.sessions import csrf_token, is_csrf_token
from veracord.access.slowing import (
    FORGOTTEN_AFTER,
    LONGEST_WAIT_S,
    Failures,
    left_s,
    one_more,
    subject_of_name,
    subject_of_pair,
    wait_s,
)
from veracord.access.tokens import new_token, token_digest
from veracord.errors import InputError
from veracord.review.cursors import read_cursor, write_cursor

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def test_three_failures_are_free_and_then_each_doubles_the_wait():
    assert [wait_s(count) for count in range(14)] == [0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert wait_s(10**9) == LONGEST_WAIT_S


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_more_failures_never_wait_for_less(one, other):
    few, many = sorted((one, other))
    assert wait_s(few) <= wait_s(many) <= LONGEST_WAIT_S


@given(st.integers(1, 40), st.floats(0, 5_000), st.floats(0, 5_000))
def test_waiting_longer_never_leaves_more_and_it_ends(count, one_s, other_s):
    known = Failures("name:x", count, NOW)
    soon, late = sorted((one_s, other_s))
    left = [left_s(known, NOW + timedelta(seconds=passed)) for passed in (soon, late)]
    assert left[1] <= left[0] <= wait_s(count)
    assert left_s(known, NOW + timedelta(seconds=wait_s(count))) == 0
    # Who waits as long as was said may try.
    assert left_s(known, NOW + timedelta(seconds=soon + left[0])) == 0


@given(st.integers(1, 40), st.timedeltas(timedelta(0), timedelta(days=2)))
def test_one_more_failure_is_one_more_or_the_first_again(count, passed):
    after = one_more(Failures("name:x", count, NOW), "name:x", NOW + passed)
    assert after.count == (1 if passed >= FORGOTTEN_AFTER else count + 1)


def test_a_clock_that_was_set_back_locks_nobody_out_for_longer():
    assert left_s(Failures("name:x", 4, NOW), NOW - timedelta(days=365)) == 2


def test_a_name_and_an_address_of_the_same_text_are_two():
    assert subject_of_pair("a", "b", "") != subject_of_pair("", "ab", "") != subject_of_name("a")
    assert "hunter2" not in subject_of_name("hunter2") + subject_of_pair("hunter2", "a", "")


def test_tokens_are_long_and_each_is_another():
    made = {new_token() for _ in range(1_000)}
    assert len(made) == 1_000
    assert {len(one) for one in made} == {43}
    assert token_digest("a") != token_digest("b")
    # What is too long to be one is none, and so is what no text of ours is.
    assert token_digest("x" * 201) == token_digest("")


def test_forms_of_a_session_bring_back_what_it_gave_them():
    token = new_token()
    assert is_csrf_token(token, csrf_token(token))
    for wrong in ("", csrf_token(new_token()), csrf_token(token)[:-1], token, "\ud800"):
        assert not is_csrf_token(token, wrong)
    assert token not in csrf_token(token)


def test_a_key_looks_like_one_of_ours():
    prefix, text = new_key_text()
    assert (prefix_of(text), prefix_of_id(f"vrc_{prefix}"), prefix_of_id(prefix)) == (prefix, prefix, prefix)
    assert is_key_text(text)
    for wrong in (text + "\n", text.upper(), text[:-1], f"x{text}", text.replace("_", "-", 1)):
        assert not is_key_text(wrong)
        assert prefix_of_id(wrong) is None


def test_passwords_are_kept_by_argon2id_with_a_salt_of_their_own():
    hashing = Hashing()
    began = time.process_time()
    one, other = hashing.hash("correct horse battery"), hashing.hash("correct horse battery")
    assert one != other
    assert one.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert hashing.fits("correct horse battery", one)
    assert not hashing.fits("wrong horse battery", one)
    assert (time.process_time() - began) / 4 > 0.01


def test_nothing_fits_where_nothing_is_kept():
    hashing = Hashing(passes=1, memory_kib=8, lanes=1)
    kept = hashing.hash("correct horse battery")
    for password in ("", "\ud800", "x" * 5_000, "correct horse battery"):
        assert not hashing.fits(password, None)
    for password in ("", "\ud800", "x" * 5_000):
        assert not hashing.fits(password, kept)
    assert not hashing.fits("correct horse battery", "no hash")
    assert not hashing.is_outdated(kept)
    assert Hashing(passes=2, memory_kib=8, lanes=1).is_outdated(kept)


@given(
    st.lists(
        st.one_of(st.integers(0, 2**53 - 1), st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
    )
)
def test_a_place_in_a_list_is_read_as_it_was_written(parts):
    assert read_cursor("list", write_cursor("list", parts), [type(one) for one in parts]) == parts


@given(st.text(max_size=60))
def test_any_other_text_is_no_place(text):
    with pytest.raises(InputError):
        read_cursor("list", text, (str, str))
