"""Single amounts in a text: a number with the unit or currency that belongs to it.

The rule: each digit of a text belongs to one amount, date or identifier, and to no second one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from veracord.language.locales import Locale, locale_of
from veracord.language.number_words import number_word, read_word_number
from veracord.language.numbers import (
    VULGAR_SIGNS,
    Ambiguous,
    AnyNumber,
    Number,
    from_words,
    read_number,
    with_following,
)
from veracord.language.tokens import Span
from veracord.language.unit_table import unit_table
from veracord.language.units import Unit, read_per, read_unit

_DIGITS: Final = re.compile(f"[0-9{VULGAR_SIGNS}][0-9]*")
#: Words in the letters that number words have; where they begin and end is looked at later.
_WORD: Final = re.compile(r"[A-Za-zÄÖÜäöüß]{2,72}")
#: So many different number words are looked for one by one.
_FEW: Final = 32
_CURRENCY_BEFORE: Final = re.compile(
    r"(?<![^\W_])(?:[A-Z]{3}\$?|[A-Z]{0,2}\$|U\.S\.\$|SFr\.|[€£¥₹₩₺])[ \u00a0\u202f]?[-−+]?$"
)
_CURRENCY_ENDS: Final = frozenset("€$£¥₹₩₺.")
_ORDINAL_END: Final = re.compile(r"(?:st|nd|rd|th|te|ter|tes|ten)(?![\w])", re.IGNORECASE)
_GERMAN_ORDINAL: Final = re.compile(r"\. (?=[A-ZÄÖÜ][a-zäöüß])")
_ARTICLE_BEFORE: Final = re.compile(
    r"(?<![^\W_])(?:der|die|das|dem|den|des|im|am|zum|zur|vom)[ \u00a0]$", re.IGNORECASE
)
_SIGNS: Final = frozenset("-−–+")
_MINUS: Final = re.compile(r"(?<![^\W_])(?:minus|negative)[ \u00a0]$", re.IGNORECASE)
_ARTICLED: Final = re.compile(
    r"(?<![^\W_])(?:an?[ \u00a0](?=(?:half|quarter|hundred|thousand|million|billion|dozen)(?![\w]))"
    r"|(?=eine?[nmrs]?[ \u00a0](?:halbe[rnsm]?|viertel|drittel|dutzend|hundert|tausend|million(?:en)?"
    r"|milliarden?)(?![\w])))",
    re.IGNORECASE,
)
_NOT_BEFORE_ONE: Final = frozenset(
    "this that the each every no any which another last first next only-one some".split()
)
_NOT_AFTER_ONE: Final = frozenset(
    "of another or and who that which is was in to for at on by with from can could may should must would source "
    "document "
    "report record passport file entry page side hand way side sheet statement such more less else thing".split()
)
_MAGNITUDE: Final = re.compile(
    r"[ \u00a0](?:million|billion|thousand|Mio|Mrd|Tsd|Millionen|Milliarden)(?![\w])", re.IGNORECASE
)
_OUT_OF: Final = re.compile(r"[ \u00a0](?:in|out of)[ \u00a0](\w+)")
_AROUND: Final = re.compile(r"[ \u00a0]([^\W\d_]+)")
_HALF: Final = re.compile(r"half(?= of | the | an? | million| billion| thousand)", re.IGNORECASE)
_ARTICLE: Final = re.compile(r" an? ")
_WORD_BEFORE: Final = re.compile(r"([^\W\d_]+)[ \u00a0]$")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit; `span` also takes the currency before it."""

    number: AnyNumber
    unit: Unit | None
    span: Span
    ordinal: bool = False


class TextLocale:
    """The locale of a text, looked for when it is first needed."""

    def __init__(self, text: str, locale: Locale | None) -> None:
        self._text = text
        self._locale = locale

    def get(self) -> Locale:
        """Return the locale given, else the one that the text shows."""
        if self._locale is None:
            self._locale = locale_of(self._text)
        return self._locale


def amounts_of(text: str, locale: Locale | None, taken: Sequence[Span]) -> list[Amount]:
    """Return the amounts in a text, in order, outside the spans that are taken (sorted, without overlap)."""
    known = TextLocale(text, locale)
    out: list[Amount] = []
    end, following = 0, 0
    for start, is_word in _starts(text):
        while following < len(taken) and taken[following][1] <= start:
            following += 1
        if start < end or (following < len(taken) and taken[following][0] <= start):
            continue
        amount = _word_amount(text, start, end) if is_word else _digit_amount(text, start, end, known)
        if amount is not None:
            out.append(amount)
            end = amount.span[1]
    return out


def _starts(text: str) -> Iterator[tuple[int, bool]]:
    """Return where numbers may begin, in order, and whether they begin with a word."""
    digits = [(match.start(), False) for match in _DIGITS.finditer(text)]
    words = set(_WORD.findall(text))
    numbers = [word for word in words if number_word(word) is not None or word.casefold() in _ALSO]
    if any(word.casefold() in _AFTER_ARTICLE for word in words):
        digits += [(match.start(), True) for match in _ARTICLED.finditer(text)]
    if not numbers:
        return iter(sorted(digits))
    if len(numbers) > _FEW:
        known = frozenset(numbers)
        starts = [(m.start(), True) for m in _WORD.finditer(text) if m.group() in known and _is_whole(text, *m.span())]
    else:
        starts = [(start, True) for word in numbers for start in _places(text, word)]
    return iter(sorted(digits + starts))


#: Words that begin a number with what follows them.
_ALSO: Final = frozenset({"half", "hundert", "tausend"})
_AFTER_ARTICLE: Final = frozenset(
    "half quarter hundred thousand million billion dozen halbe halber halben halbes viertel drittel dutzend "
    "hundert tausend "
    "millionen milliarde milliarden".split()
)


def _is_whole(text: str, start: int, end: int) -> bool:
    before = text[start - 1] if start else " "
    return not (before.isalnum() or before == "_" or text[end : end + 1].isalnum())


def _places(text: str, word: str) -> Iterator[int]:
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if _is_whole(text, start, end):
            yield start
        start = text.find(word, end)


def _digit_amount(text: str, start: int, last: int, locale: TextLocale) -> Amount | None:
    begin = _with_sign(text, start, last)
    currency = _currency_before(text, begin, last)
    before = text[begin - 1] if begin else " "
    if currency is None and begin == start and (before.isalnum() or before == "_"):
        return None
    number = read_number(text, begin, "unknown")
    if isinstance(number, Ambiguous) and len(number.readings) > 1 and locale.get() != "unknown":
        number = read_number(text, begin, locale.get())
    if number is None:
        return None
    if text[number.span[1] : number.span[1] + 2] in {" a", " u"}:
        number = with_following(text, number)
    if _is_ordinal(text, number, locale):
        stop = _ORDINAL_END.match(text, number.span[1])
        return Amount(number, None, (begin, stop.end() if stop else number.span[1]), ordinal=True)
    return _with_unit(text, number, currency)


def _with_unit(text: str, number: AnyNumber, currency: tuple[Unit, int] | None) -> Amount:
    start, end = number.span
    if currency is not None:
        unit, start = currency
        if (per := read_per(text, end)) is not None:
            unit, end = Unit(unit.symbol, unit.dimension, per[0]), per[1]
        return Amount(number, unit, (start, end))
    found = read_unit(text, end)
    if found is None:
        return Amount(number, None, (start, end))
    if _is_money(found[0]) and (word := _MAGNITUDE.match(text, found[1][1])) is not None:
        # "75 USD million": the magnitude stands where it does not belong.
        return Amount(Ambiguous((), (start, word.end())), found[0], (start, word.end()))
    return Amount(number, found[0], (start, found[1][1]))


def _is_money(unit: Unit) -> bool:
    return unit.dimension is not None and unit.dimension.startswith("money")


def _is_ordinal(text: str, number: AnyNumber, locale: TextLocale) -> bool:
    if not isinstance(number, Number) or number.notation != "digits" or number.digits_after:
        return False
    start, end = number.span
    if text[end : end + 1].isalpha():
        return _ORDINAL_END.match(text, end) is not None
    if text[end : end + 1] != "." or not _GERMAN_ORDINAL.match(text, end):
        return False
    return _ARTICLE_BEFORE.search(text, max(0, start - 6), start) is not None and locale.get() == "de"


def _with_sign(text: str, start: int, last: int) -> int:
    """Return where a number begins with its sign, or with the point before its decimals."""
    before = text[start - 1] if start > last else " "
    if before == "." and not (start - 1 > last and (text[start - 2].isalnum() or text[start - 2] in ".,")):
        return start - 1
    if before in _SIGNS:
        # 10-20, A-5, +/-5, 10 +-5: no sign.
        joined = start - 1 > 0 and (text[start - 2].isalnum() or text[start - 2] in ")]%°€$/+±.…")
        return start if joined else start - 1
    if before in " \u00a0" and (minus := _MINUS.search(text, max(last, start - 10), start)) is not None:
        return minus.start()
    return start


def _currency_before(text: str, start: int, last: int) -> tuple[Unit, int] | None:
    if start <= last:
        return None
    near = text[max(last, start - 2) : start].rstrip(" \u00a0\u202f-−+")
    if not near or not (near[-1] in _CURRENCY_ENDS or near[-1].isupper()):
        return None
    match = _CURRENCY_BEFORE.search(text, max(last, start - 8), start)
    if match is None:
        return None
    code = unit_table().currencies.get(match.group().rstrip(" \u00a0\u202f-−+"))
    if code is None:
        return (Unit("¥"), match.start()) if match.group()[0] == "¥" else None
    return Unit(code, f"money {code}"), match.start()


def _word_amount(text: str, start: int, last: int) -> Amount | None:
    found = read_word_number(text, start)
    if found is None:
        return _half(text, start)
    word = text[slice(*found.span)].casefold()
    if found.kind == "ordinal":
        seconds = word == "second" and _counts_seconds(text, start)
        return None if seconds else Amount(from_words(found), None, found.span, ordinal=True)
    begin = _with_sign(text, start, last) if start > last and text[start - 1] in " \u00a0" else start
    number = read_number(text, begin)
    if number is None:
        return None
    amount = _with_unit(text, number, None)
    alone = amount.unit is None and found.words == 1 and number.span == found.span
    if alone and word in {"one", "null"} and not _counts_one(text, word, *found.span):
        return None
    return amount


def _half(text: str, start: int) -> Amount | None:
    """Read "half a kilogram", "half of": nothing else with half is a number."""
    match = _HALF.match(text, start)
    if match is None:
        return None
    number = read_number(VULGAR_SIGNS[0], 0)
    if not isinstance(number, Number):
        return None
    half = Number(number.value, match.span(), 1, "words")
    if (magnitude := with_following(text, half)) is not half:
        return Amount(magnitude, None, magnitude.span)
    article = _ARTICLE.match(text, match.end())
    unit = read_unit(text, article.end()) if article else None
    return Amount(half, unit[0] if unit else None, (start, unit[1][1] if unit else match.end()))


def _counts_seconds(text: str, start: int) -> bool:
    before = _WORD_BEFORE.search(text, max(0, start - 12), start)
    return before is not None and before[1].casefold() in {"per", "a", "each", "every", "one"}


def _counts_one(text: str, word: str, start: int, end: int) -> bool:
    """Tell "one cell" from "one of", "this one", "one source says"."""
    if word == "null":
        return False
    before = _WORD_BEFORE.search(text, max(0, start - 16), start)
    after = _AROUND.match(text, end)
    if before is not None and before[1].casefold() in _NOT_BEFORE_ONE:
        return False
    if (counted := _OUT_OF.match(text, end)) is not None:
        return counted[1][0].isdigit() or number_word(counted[1]) is not None
    return after is not None and after[1].casefold() not in _NOT_AFTER_ONE
