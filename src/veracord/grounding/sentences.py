"""Sentences of a text, as spans.

A stop ends a sentence where a blank and a new beginning follow, but not behind an abbreviation, a number
of a date ("1. März") or an initial.  Lines and bullets end one, too.
"""

import re
from typing import Final

Span = tuple[int, int]

_END: Final = re.compile(r"[.!?](?=[\"'”’“»)\]]{0,3}(?:\s|$))|\n")
#: An abbreviation is no longer; a day has so many digits.
_LONGEST_WORD: Final = 24
_DAY_DIGITS: Final = 2
_LIST_DIGITS: Final = 3
_CLOSERS: Final = "\"'”’“»)]"
_ABBREVIATIONS: Final = frozenset(
    "approx ca cf fig no nr vs e.g i.e etc incl excl max min mr mrs ms dr prof st inc ltd co corp art sec vol"
    " ed pp p al"
    " z.b d.h u.a ggf bzw bspw zzgl inkl tel abb str std jan feb mar apr jun jul aug sep sept oct nov dec mio mrd tsd"
    " jr sr bros gen sen rep gov lt sgt typ resp temp temp ref".split()
)
#: Abbreviations of several letters, each with its stop.
_SPACED: Final = re.compile(
    r"(?<!\w)(?:[zZ]\.\s?B|[dD]\.\s?[hH]|[uU]\.\s?[aAUE]|[oO]\.\s?[äÄ]|[iI]\.\s?[dD]\.\s?R|[sS]\.\s?[oOu]"
    r"|[eE]\.\s?g|[iI]\.\s?e)\.(?=[\s,])"
)
_DOTTED: Final = re.compile(r"[A-Z](?:\.[A-Z]){1,7}")
_BULLET: Final = re.compile(
    r"[ \t]*(?:(?:[-*•–][ \t]+|\d{1,3}[.)][ \t]+(?=[A-ZÄÖÜ]))(?:\[[xX]\][ \t]+)?|(?:\[[xX]\]|[☑✓✔✅])[ \t]+)"
)


def sentences_of(text: str, protected: tuple[Span, ...] = ()) -> list[Span]:
    """Return the spans of the sentences, without the blanks around them.

    Args:
        protected: Spans that no sentence ends in: quotations and values.
    """
    spans: list[Span] = []
    start = 0
    spelled = [(match.start(), match.end() + 1) for match in _SPACED.finditer(text)]
    guards = iter(sorted((*protected, *spelled)))
    guard = next(guards, None)
    for match in _END.finditer(text):
        while guard is not None and guard[1] <= match.start():
            guard = next(guards, None)
        if guard is not None and guard[0] <= match.start() < guard[1] - 1:
            continue
        if match[0] == "." and _is_abbreviation(text, start, match.start()):
            continue
        end = match.end()
        closed = text[end : end + 4].lstrip(_CLOSERS)
        if end < len(text) and text[end] in _CLOSERS and closed[:1].isspace() and closed[1:2].islower():
            # A stop inside quotation marks; the sentence around them goes on.
            continue
        while end < len(text) and text[end] in _CLOSERS and match[0] != "\n":
            end += 1
        _add(spans, text, start, end)
        start = end
    _add(spans, text, start, len(text))
    return spans


def _is_abbreviation(text: str, start: int, stop: int) -> bool:
    word_start = stop
    while word_start > start and stop - word_start < _LONGEST_WORD and not text[word_start - 1].isspace():
        word_start -= 1
    word = text[word_start:stop].lstrip("(\"'“„[")
    if word.isdigit() and len(word) <= _LIST_DIGITS and text[start:word_start].strip(" \t\n") == "":
        # The number of an item: "1. The mass is 5 kg."
        return _BULLET.match(text, max(text.rfind("\n", start, word_start) + 1, start)) is not None
    after = text[stop + 1 : stop + 40].lstrip(" \t\u00a0")
    if word.casefold() in _ABBREVIATIONS:
        # "min." or "max." may end a sentence too: what follows then begins like one.
        return not (word.casefold() in {"min", "no", "al", "etc"} and after[:1].isupper())
    if _DOTTED.fullmatch(word) and after[:1].islower():
        # "in the U.S. since": no sentence begins with a small letter.
        return True
    if len(word) == 1 and word.isupper() and after[:1].isupper() and word_start > start:
        if any(c.isdigit() for c in text[max(start, word_start - 3) : word_start]):
            # A unit: "48 V. The".
            return False
        # An initial ("J. Smith"); "pack A. Pack B" is none, as a word in lower case stands before it.
        return not text[max(start, word_start - 2) : word_start - 1].islower()
    return word.isdigit() and len(word) <= _DAY_DIGITS and _begins_like_month(after)


def _begins_like_month(after: str) -> bool:
    word = after.split(maxsplit=1)[0].rstrip(".,").casefold() if after.strip() else ""
    return word in _MONTHS


_MONTHS: Final = frozenset(
    "januar februar märz april mai juni juli august september oktober november dezember january february march may june"
    " july october december jänner".split()
)


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    bullet = _BULLET.match(text, start, end)
    if bullet:
        start = bullet.end()
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if any(c.isalnum() for c in text[start:end]):
        spans.append((start, end))
