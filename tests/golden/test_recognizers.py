"""An outside check of what we read: the specifications of Recognizers-Text, in English and German.

The tables declare what we do not claim to read: by kind and with its reason, never by single rows.  Of the rest nothing
may be read wrongly; `ambiguous` is an honest outcome and counted apart.

Source: microsoft/Recognizers-Text, folder Specs (MIT), read from ../shared.
"""

import json
import re
from collections import Counter
from decimal import Decimal, InvalidOperation

import pytest

from veracord.language.dates import AmbiguousDate
from veracord.language.mentions import mentions_of
from veracord.language.quantities import AmbiguousQuantity

SPECS = "data/grounding/Recognizers-Text-Specs/Specs"

#: What we do not claim to read: the kind, and an expression on what the specification takes as written.
NUMBERS = {
    "powers": r"\^|e\+\d\d$",
    "magnitudes as single letters": r"\d *(?:k|m|g|b|t|mm|mil)$",
    "nought": r"n[oa]ught",
    "more than one space": r"  | - |^- ",
    "a fraction of several words, and one with 'over'": r" over |(?:th|nd|rd|fif|illion)ths?$|and a \w+th$"
    r"|firsts?$|twenty-fif|^an? \w+th$|hundredths",
    "a fraction behind another number": r" (?:and|und) .*(?:half|quarters?|thirds?|fourth|fifths?|ninths|halb\w*"
    r"|viertel|drittel)",
    "a fraction before a magnitude or a dozen": r"(?:half|quarters?|thirds|halb\w*|anderthalb|einhalb|drittel"
    r"|viertel) .*(?:million|milliarde|dozen|dutzend|illion)",
    "an article, a pronoun or a bare fraction word": r"^(?:one|ein|eine|einen|einem|einer|null|a half|half"
    r"|half a {1,2}dozen|dreiviertel)$",
    "digits and words mixed": r"\d+ (?:thousand|hundred)\b.* \w|hundred and \d|lakh crore|crore and|^hundred thousand",
    "counts of dozens beyond a hundred, and short for dozen": r"hundred and two dozens|do?zs$",
    "one half of a word": r"einundhalb",
}
ORDINALS = {
    "relative order": r"last|next|previous|current|penultimate|letzt|nächst|vorherig",
    "beyond thousands": r"(?:illion|illiard|illionst)",
    "adverbs": r"^(?:zuerst|dritt|viert|fünft|elft|zwoelft|zwölft)$",
    "a spelling that is wrong": r"^nineth$",
    "a fraction as well": r"^two hundredth$",
}
UNITS = {
    "money in two units": r"(?:\d|een|one|zwei|dreizehn) ?(?:dollars?|euro|usd|\$|kuai)(?: and"
    r"| und)? [^\W_][\w-]*(?: \w+)*$|and fifty$",
    "lengths in two units": r"f(?:ee)?t (?:and )?\d+ in",
    "other units and currencies": r"yen$|元|-acre|-cent|kmph|m(?:usd|eur|gbp|aud)\b|-pfund|teelöffel|half turn"
    r"|halbe turn",
    "a sign apart from its number": r"^- ",
    "an article as a number": r"^(?:an?|eine?n?|one) |^one-",
    "a fraction before a magnitude": r"(?:half|quarters?) (?:million|billion)",
}
#: The same on the whole input: no number there measures anything.
AROUND = {
    "names, dates, addresses and telephone numbers": r"\d+\.\d+\.\d+\.\d+|\d/\d+/\d{4}|phone number|SCP-"
    r"|Nummer \d|\d{12,}|https?:|\bnrs?\. ",
    "tokens that a tool has torn apart": r"\d \. \d|\d , \d",
    "a magnitude for two numbers, of which the first is read alone": r"100 bis 300 Milliarden",
    "no ratio": r"12 (?:out of 10|in six)",
}


def unclaimed(row, result, kinds):
    """Return why a row is not claimed, or None."""
    value = str(result.get("Resolution", {}).get("value"))
    if not re.search(r"\d", value) or "Start" not in result:
        return "no value or no place"
    for reason, expression in kinds.items():
        if re.search(expression, result["Text"], re.IGNORECASE):
            return reason
    for reason, expression in AROUND.items():
        if re.search(expression, row["Input"], re.IGNORECASE):
            return reason
    return None


def values_of(text, result, locale):
    """Return what we read where the specification reads something."""
    start = result["Start"]
    end = result["End"] + 1 if "End" in result else start + result["Length"]
    found = mentions_of(text, locale)
    near = [one for one in found.quantities if one.span[0] < end and one.span[1] > start]
    if any(isinstance(one, AmbiguousQuantity) for one in near):
        return None
    out = set()
    for one in near:
        out |= {number.value for number in one.numbers} | {one.low, one.high}
        if one.kind == "ratio":
            out.add(one.numbers[0].value / one.numbers[1].value)
    return out


def number(text):
    try:
        return Decimal(str(text).rstrip("%").replace(",", "."))
    except InvalidOperation:
        return None


def agrees(ours, theirs):
    """Compare a value of ours with one of theirs, which is a rounded float."""
    return ours is not None and theirs is not None and abs(ours - theirs) <= abs(theirs) * Decimal("1e-9")


FILES = [
    (f"{folder}/{language}/{model}Model.json", locale, kinds)
    for language, locale in (("English", "en"), ("German", "de"))
    for folder, model, kinds in (
        ("Number", "Number", NUMBERS),
        ("Number", "Percent", NUMBERS),
        ("Number", "Ordinal", ORDINALS),
        ("NumberWithUnit", "Dimension", UNITS),
        ("NumberWithUnit", "Currency", UNITS),
        ("NumberWithUnit", "Temperature", UNITS),
        ("NumberWithUnit", "Age", UNITS),
    )
]


@pytest.mark.shared(SPECS)
@pytest.mark.parametrize(("file", "locale", "kinds"), FILES, ids=[file for file, _, _ in FILES])
def test_no_number_that_we_claim_to_read_is_read_wrongly(shared, file, locale, kinds, capsys):
    rows = json.loads((shared / SPECS / file).read_text(encoding="utf-8-sig"))
    outcomes, wrong = Counter(), []
    for row in rows:
        for result in row["Results"]:
            if unclaimed(row, result, kinds) is not None:
                outcomes["unclaimed"] += 1
                continue
            read, wanted = values_of(row["Input"], result, locale), number(result["Resolution"]["value"])
            if read is None:
                outcomes["ambiguous"] += 1
            elif any(agrees(value, wanted) for value in read):
                outcomes["right"] += 1
            else:
                outcomes["wrong"] += 1
                wrong.append((row["Input"], result["Text"], result["Resolution"]["value"], sorted(map(str, read))))
    with capsys.disabled():
        print(f"\n{file}: {dict(sorted(outcomes.items()))}")  # noqa: T201 - the figures are what this file is for
    assert wrong == [], "\n".join(map(str, wrong))
    assert outcomes["right"] >= 5 * outcomes["ambiguous"]


#: Bounds: `(5,10]` and the like.  Two bounds on one thing are two quantities of ours, so each is looked for alone.
BOUNDS_UNCLAIMED = {
    "an article, a half or a fraction": r"half|quarter|thousand giant|-fourth",
    "equality added to a bound": r"or equal|equal to|equaling|equals|or (?:greater|more|less) than|< =",
    "letters as magnitudes": r"\dk",
    "an order, not a number": r"(?:tenth|fifteenth)",
    "a share": r"2 in 5",
    "a tilde between": r"~",
}


@pytest.mark.shared(SPECS)
def test_no_bound_that_we_claim_to_read_is_read_wrongly(shared, capsys):
    rows = json.loads((shared / SPECS / "Number/English/NumberRangeModel.json").read_text(encoding="utf-8-sig"))
    outcomes, wrong = Counter(), []
    for row in rows:
        for result in row["Results"]:
            if any(re.search(kind, row["Input"], re.IGNORECASE) for kind in BOUNDS_UNCLAIMED.values()):
                outcomes["unclaimed"] += 1
                continue
            open_, low, high, close = re.fullmatch(
                r"([\[(])([^,]*),([^,]*)([\])])", result["Resolution"]["value"]
            ).groups()
            ends = {(low, open_ == "(", "low") if low else None, (high, close == ")", "high") if high else None} - {
                None
            }
            near = [
                one for one in mentions_of(row["Input"], "en").quantities
                if one.span[0] <= result["End"] and one.span[1] > result["Start"] and not isinstance(one,
                AmbiguousQuantity)
            ]  # fmt: skip
            ours = {(f"{one.low:f}", one.low_strict, "low") for one in near if one.low is not None}
            ours |= {(f"{one.high:f}", one.high_strict, "high") for one in near if one.high is not None}
            # Of a range "20 to 30" they leave the upper end out, always; people do not.
            if any(one.low is not None and one.high is not None and one.low < one.high for one in near):
                ends = {(value, False, side) for value, _, side in ends}
            right = ends <= ours
            outcomes["right" if right else "wrong"] += 1
            if not right:
                wrong.append((row["Input"], result["Resolution"]["value"], sorted(ours)))
    with capsys.disabled():
        print(f"\nNumber/English/NumberRangeModel.json: {dict(sorted(outcomes.items()))}")  # noqa: T201 - the figures are what this file is for
    assert wrong == [], "\n".join(map(str, wrong))
    assert outcomes["right"] > 40


DATES = ("DateTime/English/DateParser.json", "DateTime/German/DateParser.json")
#: Dates that depend on the day of reading, are written in words, or lack their year and their month's name.
DATES_UNCLAIMED = {
    "relative to today": r"ago|later|month|next|last|this|week|\bin \d|thursday the|friday the|saturday the"
    r"|monatlich|tage|wochen",
    "days in words": r"\b(?:first|second|third|twenty|thirty|one|two|ersten|zweiten|dritten)\b",
    "day and month as numbers without a year": r"^(?:\D*)?\d{1,2}[./-]\d{1,2}\.?$",
    "a month stuck to its day": r"(?:oct|october)\d",
    "marks mixed": r"\d/\d+,\d|\d{4}\.\d",
    "no such day": r"feb 30|2/29",
    "a weekday with a number": r"^\w+ \d+\.?$(?<!\d\d\d\d)",
}


@pytest.mark.shared(SPECS)
@pytest.mark.parametrize("file", DATES)
def test_no_date_that_we_claim_to_read_is_read_wrongly(shared, file, capsys):
    outcomes, wrong = Counter(), []
    for row in json.loads((shared / SPECS / file).read_text(encoding="utf-8-sig")):
        for result in row["Results"]:
            timex = result.get("Value", {}).get("Timex", "")
            kinds = DATES_UNCLAIMED.values()
            if (
                not re.fullmatch(r"(?:\d{4}|XXXX)-\d\d-\d\d", timex)
                or not re.search(r"\d", result["Text"])
                or any(re.search(kind, result["Text"], re.IGNORECASE) for kind in kinds)
            ):
                outcomes["unclaimed"] += 1
                continue
            start = result["Start"]
            near = [
                one for one in mentions_of(row["Input"]).dates if start - 1 <= one.span[0] < start + result["Length"]
            ]
            if near and isinstance(near[0], AmbiguousDate):
                outcomes["ambiguous"] += 1
            elif near and f"{near[0].year or 'XXXX'}-{near[0].month or 0:02d}-{near[0].day or 0:02d}" == timex:
                outcomes["right"] += 1
            else:
                outcomes["wrong"] += 1
                wrong.append((row["Input"], timex, near))
    with capsys.disabled():
        print(f"\n{file}: {dict(sorted(outcomes.items()))}")  # noqa: T201 - the figures are what this file is for
    assert wrong == [], "\n".join(map(str, wrong))
    assert outcomes["right"] >= 5
