"""Amounts in words of everyday speech, written as a number and a unit: "half a million", "two decades", "a dozen".

Each is an exact equal of what it stands for, so that a claim may be read with it in its place.
"""

import re
from typing import Final

_WORDS: Final = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}
_NUMBER: Final = r"(?P<number>\d{1,3}|" + "|".join(_WORDS) + ")"
_HALVES: Final = {"thousand": "500", "million": "500 thousand", "billion": "500 million", "dozen": "6"}
_YEARS: Final = {"decade": 10, "century": 100}
_HALF_OF: Final = re.compile(
    r"(?<!and )\b(?:half an?|a half)[ -](?P<of>thousand|million|billion|dozen)\b", re.IGNORECASE
)
_SIZES: Final = {"thousand": 1000, "million": 1000000, "billion": 1000000000, "dozen": 12}
_SIZE: Final = r"(?P<of>thousand|million|billion|dozen)\b"
#: Parts that are whole numbers of all these, in quarters.
_QUARTERS: Final = {"half": 2, "one half": 2, "a half": 2, "a quarter": 1, "one quarter": 1, "three quarters": 3}
_PART_OF: Final = re.compile(
    rf"(?<!and )(?<![\w-])(?P<part>{'|'.join(_QUARTERS)})(?: of)? (?:an?|one) {_SIZE}(?! and\b)", re.IGNORECASE
)
#: "Two and a half million", "a million and a half"; no end of a longer number.
_WITH_HALF: Final = re.compile(
    rf"(?<!and )(?<!hundred )(?<![\w.,-])(?:{_NUMBER}|an?) and a half {_SIZE}", re.IGNORECASE
)
_HALF_BEHIND: Final = re.compile(
    rf"(?<!and )(?<!hundred )(?<!half )(?<!of )(?<![\w.,-])(?:{_NUMBER}|an?) {_SIZE} and a half\b", re.IGNORECASE
)
_HALF_HOUR: Final = re.compile(r"\b(?:half an|a half) hour\b", re.IGNORECASE)
_HALF_TIME: Final = re.compile(r"\bhalf a (?P<of>decade|century)\b", re.IGNORECASE)
_AND_HALF: Final = re.compile(r"\ban? (?P<of>decade|century) and a half\b", re.IGNORECASE)
_SPANS: Final = re.compile(rf"\b{_NUMBER} (?P<of>decade|centur(?:y|ie))s?\b", re.IGNORECASE)
_SPAN: Final = re.compile(
    r"(?<=\bthan )an? (?P<of>decade|century)\b|(?<=\bover )an? (?P<over>decade|century)\b", re.IGNORECASE
)
_MULTIPLE: Final = re.compile(r"\b(?:multiple|at least two|two or more)(?= [a-z])")
_SEVERAL: Final = re.compile(r"\b(?:several|a number of|three or more)(?= [a-z])")
_OR_MORE: Final = re.compile(rf"\b{_NUMBER} or more(?= [a-z])", re.IGNORECASE)
_ONE: Final = re.compile(
    r"(?P<more>\b(?:more|less|longer|shorter|over|under)(?: than)?) an? (?P<of>year|month|week|day|hour|minute|kilogram"
    r"|gram|ton|metre|meter|mile|kilometre|kilometer|litre|liter)\b",
    re.IGNORECASE,
)


def with_plain_amounts(text: str) -> str:
    """Return a text with amounts in words written as a number and a unit; "half a century" is "50 years"."""
    text = _MULTIPLE.sub("more than one", text)
    text = _SEVERAL.sub("more than two", text)
    text = _OR_MORE.sub(r"at least \g<number>", text)
    text = _AND_HALF.sub(lambda match: f"{_YEARS[match['of'].lower()] * 3 // 2} years", text)
    text = _WITH_HALF.sub(_with_half, text)
    text = _HALF_BEHIND.sub(_with_half, text)
    text = _PART_OF.sub(lambda match: str(_QUARTERS[match["part"].lower()] * _SIZES[match["of"].lower()] // 4), text)
    text = _HALF_OF.sub(lambda match: _HALVES[match["of"].lower()], text)
    text = _HALF_HOUR.sub("30 minutes", text)
    text = _HALF_TIME.sub(lambda match: f"{_YEARS[match['of'].lower()] // 2} years", text)
    text = _SPANS.sub(_years_of, text)
    text = _SPAN.sub(lambda match: f"{_YEARS[(match['of'] or match['over']).lower()]} years", text)
    return _ONE.sub(lambda match: f"{match['more']} 1 {match['of']}", text)


def _with_half(match: re.Match[str]) -> str:
    said = (match["number"] or "one").lower()
    number = _WORDS.get(said) or int(said)
    return str((2 * number + 1) * _SIZES[match["of"].lower()] // 2)


def _years_of(match: re.Match[str]) -> str:
    said = match["number"].lower()
    number = _WORDS.get(said) or int(said)
    return f"{number * _YEARS['decade' if match['of'].lower().startswith('d') else 'century']} years"
