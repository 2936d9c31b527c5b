"""Dates at the precision written; a year alone is one only in the wording of a date."""

import pytest

from veracord.language.dates import AmbiguousDate, dates_of


@pytest.mark.parametrize(
    ("text", "parts", "written"),
    [
        ("made 2026-03-01.", (2026, 3, 1), "2026-03-01"),
        ("on 1 March 2026,", (2026, 3, 1), "1 March 2026"),
        ("March 1st, 2026", (2026, 3, 1), "March 1st, 2026"),
        ("the 1st of March, 2026", (2026, 3, 1), "1st of March, 2026"),
        ("am 1. März 2026", (2026, 3, 1), "1. März 2026"),
        ("am 01.03.2026", (2026, 3, 1), "01.03.2026"),
        ("13/03/2026", (2026, 3, 13), "13/03/2026"),
        ("03/13/2026", (2026, 3, 13), "03/13/2026"),
        ("05/05/2026", (2026, 5, 5), "05/05/2026"),
        ("March 2026", (2026, 3, None), "March 2026"),
        ("2026-03", (2026, 3, None), "2026-03"),
        ("03/2026", (2026, 3, None), "03/2026"),
        ("im Jahr 2024", (2024, None, None), "2024"),
        ("shipped in 2024.", (2024, None, None), "2024"),
        ("planned for 2027", (2027, None, None), "2027"),
        ("on 5 May", (None, 5, 5), "5 May"),
    ],
)
def test_a_date_is_read_as_written(text, parts, written):
    (mention,) = dates_of(text)
    assert (mention.year, mention.month, mention.day) == parts
    assert text[slice(*mention.span)] == written


def test_a_time_is_kept_as_written_and_no_zone_is_converted():
    (mention,) = dates_of("2026-03-01T23:30:00-05:00")
    assert (mention.day, mention.time) == (1, "23:30:00-05:00")


@pytest.mark.parametrize(("text", "count"), [("01/03/2026", 2), ("1-3-2026", 2), ("03/13/26", 2), ("3.7.07", 2)])
def test_what_could_be_two_days_is_ambiguous(text, count):
    (mention,) = dates_of(text)
    assert isinstance(mention, AmbiguousDate)
    assert len(mention.readings) == count
    assert mention.written == text


@pytest.mark.parametrize(
    "text",
    ["2024 units were shipped", "a total of 2024 units", "2026-02-30", "it may 5 cells", "weighs 2024 kg", "$2024",
    "1.2026", "5 maybe",
     "A2024", "may be", "May"],
)  # fmt: skip
def test_these_are_no_dates(text):
    assert dates_of(text) == []


def test_the_second_year_of_a_pair_is_one_too():
    assert [mention.year for mention in dates_of("from 2024 to 2026 cells were sold")] == [2024, 2026]
