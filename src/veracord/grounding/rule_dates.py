"""Rule `dates`: the date of a record lies before or after a date that a claim names, or in a period that it names.

Supported: "tested before 2026", "tested after May 2025" and "tested in the late 2020s" of a test on 20 January 2028.
Not: "tested before 2028" of a test in 2028, nor of one "until 2027".
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.gates.statements import Field
from veracord.grounding.dated_items import dated_items, weddings
from veracord.grounding.packs import PackView
from veracord.grounding.part_values import date_in
from veracord.grounding.substitution import fields_asked, stating, supported_by, values_beside
from veracord.grounding.support import Judgement
from veracord.grounding.time_spans import TimeSpan, period_named, span_of_date, span_of_value
from veracord.language.dates import DateMention

_BEFORE: Final = re.compile(
    r"\b(?P<way>before|prior to|earlier than|after|later than|vor|nach)(?: the)?(?: (?:year|end of))? $", re.IGNORECASE
)
_IN: Final = re.compile(r"\b(?:in|during|at|towards?|over|im)(?: the)? $", re.IGNORECASE)
_EARLIER: Final = frozenset({"before", "prior to", "earlier than", "vor"})
_MARRIED: Final = re.compile(r"\bmarried\b", re.IGNORECASE)
_LOOK_BACK: Final = 32


def supported_by_dates(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that the dates that a record states lie where a claim says, or None."""
    for span, said, way in _times_of(claim):
        before, after = claim.text[: span[0]], claim.text[span[1] :]
        if not after.strip(" ."):
            event = before.rstrip(" ,")
            for stated, held in (*dated_items(event, claim, pack), *weddings(event, claim, pack)):
                if _fits(held, said, way):
                    return supported_by(stated.judgement)
        for field in fields_asked(claim, before + after, pack):
            if not _all_fit(field, said, way, pack):
                continue
            found = stating(claim, [before + value + after for value in _written(field)], field, pack)
            if found is not None:
                return supported_by(found.judgement)
    return None


def _times_of(claim: Reading) -> Iterator[tuple[tuple[int, int], TimeSpan, str]]:
    """Yield where a claim names a time in the place of a date, with the word in front, which, and in what way."""
    text = claim.text
    for mention, _ in claim.shape.of_kind("date"):
        start, end = mention.span
        way = _BEFORE.search(text, max(0, start - _LOOK_BACK), start)
        said = span_of_date(mention.value) if isinstance(mention.value, DateMention) else None
        if way is not None and said is not None:
            yield (way.start(), end), said, "before" if way["way"].lower() in _EARLIER else "after"
        joint = _IN.search(text, max(0, start - _LOOK_BACK), start)
        if joint is not None and said is not None and _MARRIED.search(text, 0, start):
            yield (joint.start(), end), said, "in"
    period = period_named(text)
    if period is not None:
        (start, end), said = period
        joint = _IN.search(text, max(0, start - _LOOK_BACK), start)
        if joint is not None:
            yield (joint.start(), end), said, "in"


def _all_fit(field: Field, said: TimeSpan, way: str, pack: PackView) -> bool:
    """Whether all dates of a field, and of the list that it is in, lie before, after or in a time."""
    spans = [span_of_value(one.value) if one.kind == "text" else None for one in values_beside(field, pack)]
    return bool(spans) and all(span is not None and _fits(span, said, way) for span in spans)


def _fits(held: TimeSpan, said: TimeSpan, way: str) -> bool:
    return {"before": held.is_before(said), "after": said.is_before(held), "in": said.holds(held)}[way]


def _written(field: Field) -> Iterator[str]:
    """Yield how a claim would state the date of a field."""
    date = date_in(field.value)
    if date is not None and isinstance(date.value, DateMention):
        yield f"{'on' if date.value.day else 'in'} {date.text}"
    yield f"in {field.value.strip()}"
