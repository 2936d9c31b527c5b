"""Numbers as they are written: sign, groups of digits, decimal mark, exponent, fraction, magnitude word, words.

A value is an exact `Decimal`; what has no end as a decimal (a third) is a `Ratio`; what could be two numbers (`1.234`
where no locale is evident) is `Ambiguous`.
"""

import re
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Final, Literal

from veracord.language.digit_groups import readings_of
from veracord.language.locales import Locale
from veracord.language.number_words import BILLIONS, DOZEN, MAGNITUDES, WordNumber, read_word_number
from veracord.language.tokens import Span

Notation = Literal["digits", "scientific", "fraction", "magnitude", "words", "ordinal"]

#: More digits than any measured value has; longer runs are identifiers.
LONGEST: Final = 64
_LARGEST_EXPONENT: Final = 400
#: Digits that an exact sum needs at most.
_PRECISION: Final = 1024
_BODY: Final = re.compile(r"[0-9]+(?:[.,'’\u00a0\u2009\u202f\u2007][0-9]+| [0-9]{3}(?![0-9])){0,12}|\.[0-9]+")
_EXPONENT: Final = re.compile(
    r"[eE](?P<e>[+\-−]?[0-9]{1,4})(?![0-9])"
    r"|[ \u00a0\u2009\u202f]?[×x*·⋅][ \u00a0\u2009\u202f]?10(?:\^(?:\{?(?P<power>[+\-−]?[0-9]{1,4})\}?)"
    r"|(?P<raised>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))"
)
_POWER_OF_TEN: Final = re.compile(r"10(?:\^\{?(?P<power>[+\-−]?[0-9]{1,4})\}?|(?P<raised>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))")
_RAISED: Final = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "+-0123456789-")
_VULGAR: Final = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
    "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip
VULGAR_SIGNS: Final = "".join(_VULGAR)
_VULGAR_AFTER: Final = re.compile(rf"[ \u00a0\u2009\u202f]?([{VULGAR_SIGNS}])")
#: 3/4, or 1 3/4 with a space; the divisor is one that people write.
_WRITTEN: Final = re.compile(
    r"(?P<top>[0-9]{1,3})[/⁄](?P<under>2|3|4|5|6|8|10|12|16|32|64|100|1000)(?![\w/⁄.,:-]?[0-9])(?![\w/⁄])"
)
_MIXED: Final = re.compile(r"[ \u00a0-]" + _WRITTEN.pattern)
_AND_HALF: Final = re.compile(
    r"[ \u00a0](?:and|und)[ \u00a0](?:an?|one|eine?n?)[ \u00a0](half|quarter|halbe[rns]?|viertel)(?![\w])",
    re.IGNORECASE,
)
_DOZEN: Final = re.compile(r"[ \u00a0](?:dozens?|dutzend)(?![\w])", re.IGNORECASE)
_OTHER_POWER: Final = re.compile(r"\^[+\-−]*[0-9.,]*[0-9]|[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
#: "hundred thousand", "thousand million"
_MAGNITUDES_MOST: Final = 2
_MILLION: Final = 10**6
#: "3 hundred and 21": digits and words are mixed.
_MORE_DIGITS: Final = re.compile(r"[ \u00a0](?:and[ \u00a0])?[0-9]{1,3}(?![0-9.,]*[ \u00a0]?[^\W_])")
_FRACTION_SIGNS: Final = frozenset("/⁄")
_POWER_SIGNS: Final = frozenset("^⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: What most often follows: nothing of the number stands behind these.
_PLAIN_AFTER: Final = frozenset(("", " ", ". ", ".", " %", " °", "\n", " (", "°C", " µ"))
_MAGNITUDE: Final = re.compile(r"[ \u00a0\u2009\u202f-]?([^\W\d_]{2,10})(?![\w])\.?")
_SIGN: Final = re.compile(r"(?P<minus>[-−–]|(?:minus|negative)[ \u00a0])|\+|plus[ \u00a0]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Number:
    """A number: `10 ** -digits_after` is the worth of its last digit shown, which magnitude words make large."""

    value: Decimal
    span: Span
    digits_after: int
    notation: Notation


@dataclass(frozen=True, slots=True)
class Ratio:
    """A fraction whose decimal has no end."""

    numerator: Decimal
    denominator: Decimal
    span: Span


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Characters that could be different numbers; `readings` may be empty where none is likely."""

    readings: tuple[Decimal, ...]
    span: Span


AnyNumber = Number | Ratio | Ambiguous


def read_number(text: str, start: int, locale: Locale = "unknown") -> AnyNumber | None:
    """Read the number that begins at `start`, with its sign, or return None.

    Whether a hyphen there is a sign or joins two words is the caller's to know.
    """
    sign = None if text[start : start + 1].isdigit() else _SIGN.match(text, start)
    begin = sign.end() if sign else start
    found = _read_unsigned(text, begin, locale)
    if found is None or sign is None:
        return found
    return _signed(found, negative=sign["minus"] is not None, start=start)


def _signed(number: AnyNumber, *, negative: bool, start: int) -> AnyNumber:
    span = (start, number.span[1])
    if isinstance(number, Number):
        return Number(
            number.value.copy_negate() if negative else number.value, span, number.digits_after, number.notation
        )
    if isinstance(number, Ratio):
        top = number.numerator.copy_negate() if negative else number.numerator
        return Ratio(top, number.denominator, span)
    readings = tuple(value.copy_negate() if negative else value for value in number.readings)
    return Ambiguous(readings, span)


def _read_unsigned(text: str, start: int, locale: Locale) -> AnyNumber | None:
    first = text[start : start + 1]
    if first in _VULGAR:
        return fraction(*_VULGAR[first], (start, start + 1))
    if first.isalpha():
        found = read_word_number(text, start)
        return None if found is None else with_following(text, from_words(found))
    body = _BODY.match(text, start)
    if body is None:
        return None
    return _read_with_signs(text, body) or _read_digits(text, body, locale)


def _read_with_signs(text: str, body: re.Match[str]) -> AnyNumber | None:
    """Read 3/4 and 10^6; any other power is a number that we do not read."""
    start, end = body.span()
    following = text[end : end + 1]
    if following in _FRACTION_SIGNS and (written := _WRITTEN.match(text, start)) is not None:
        return fraction(int(written["top"]), int(written["under"]), written.span())
    if following not in _POWER_SIGNS:
        return None
    if (power := _POWER_OF_TEN.match(text, start)) is not None:
        return _scientific("1", 0, power, power.span())
    other = _OTHER_POWER.match(text, end)
    return Ambiguous((), (start, other.end())) if other else None


def _read_digits(text: str, body: re.Match[str], locale: Locale) -> AnyNumber:
    digits, (start, end) = body.group(), body.span()
    if end - start > LONGEST:
        return Ambiguous((), (start, end))
    after = 0
    if not digits.isdigit():
        readings, end = readings_of(digits, start, locale)
        if len(readings) != 1:
            return Ambiguous(tuple(Decimal(reading) for reading in readings), (start, end))
        digits = readings[0]
        after = len(digits.partition(".")[2])
    following = text[end : end + 2]
    if following in _PLAIN_AFTER or following[0] in ",;:)%":
        return Number(Decimal(digits), (start, end), after, "digits")
    return _mixed(text, digits, (start, end)) or _scaled(text, digits, after, (start, end), locale)


def _mixed(text: str, digits: str, span: Span) -> AnyNumber | None:
    """Read a fraction after a whole number: 1½, 2 3/4."""
    if not digits.isdigit():
        return None
    if (vulgar := _VULGAR_AFTER.match(text, span[1])) is not None:
        top, under = _VULGAR[vulgar[1]]
        return fraction(int(digits) * under + top, under, (span[0], vulgar.end()))
    if (written := _MIXED.match(text, span[1])) is not None and int(written["top"]) < int(written["under"]):
        top, under = int(written["top"]), int(written["under"])
        return fraction(int(digits) * under + top, under, (span[0], written.end()))
    return None


def _scaled(text: str, digits: str, after: int, span: Span, locale: Locale) -> AnyNumber:
    """Apply an exponent or a magnitude word after the digits."""
    if (exponent := _EXPONENT.match(text, span[1])) is not None:
        return _scientific(digits, after, exponent, (span[0], exponent.end()))
    if (dozen := _DOZEN.match(text, span[1])) is not None and not after:
        return Number(Decimal(int(digits) * DOZEN), (span[0], dozen.end()), 0, "words")
    value, end, notation = Decimal(digits), span[1], "digits"
    for _ in range(_MAGNITUDES_MOST):
        word = _MAGNITUDE.match(text, end)
        powers = _powers(word[1], locale) if word else ()
        if word is None or not powers:
            break
        # The dot belongs to the abbreviation (Mio.), else to the sentence.
        stop = word.end() if word[1].casefold() in {"mio", "mrd", "tsd"} else word.end(1)
        if len(powers) > 1:
            return Ambiguous(tuple(_shifted(value, power) for power in powers), (span[0], stop))
        value, after, end, notation = _shifted(value, powers[0]), after - powers[0], stop, "magnitude"
    if notation == "digits":
        return Number(value, span, after, "digits")
    if (more := _MORE_DIGITS.match(text, end)) is not None:
        return Ambiguous((), (span[0], more.end()))
    return Number(value, (span[0], end), after, "magnitude")


def _powers(word: str, locale: Locale) -> tuple[int, ...]:
    folded = word.casefold()
    if folded in MAGNITUDES:
        return (MAGNITUDES[folded],)
    if folded in BILLIONS:
        short, long = BILLIONS[folded]
        if locale == "en" or folded == "billions" or word.islower():
            return (short,)
        return (long,) if locale == "de" else (short, long)
    return ()


def _scientific(digits: str, after: int, match: re.Match[str], span: Span) -> AnyNumber:
    groups = match.groupdict()
    written = groups.get("e") or groups["power"] or groups["raised"]
    power = int(written.translate(_RAISED))
    if abs(power) > _LARGEST_EXPONENT:
        return Ambiguous((), span)
    return Number(Decimal(f"{digits}E{power}"), span, after - power, "scientific")


def fraction(top: int, under: int, span: Span) -> Number | Ratio:
    """Return a fraction as a number if its decimal ends, else as a ratio."""
    rest = under
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1 and top % rest != 0:
        return Ratio(Decimal(top), Decimal(under), span)
    value = Context(prec=_PRECISION).divide(Decimal(top), Decimal(under))
    exponent = value.as_tuple().exponent
    return Number(value, span, max(0, -exponent) if isinstance(exponent, int) else 0, "fraction")


def from_words(found: WordNumber) -> AnyNumber:
    """Return a number in words as a number or a ratio."""
    if found.kind == "fraction":
        return fraction(int(found.value), found.divisor, found.span) if found.divisor else Ambiguous((), found.span)
    exponent = found.value.as_tuple().exponent
    after = max(0, -exponent) if isinstance(exponent, int) else 0
    return Number(found.value, found.span, after, "ordinal" if found.kind == "ordinal" else "words")


def with_following(text: str, number: AnyNumber) -> AnyNumber:
    """Add what may follow a number as words: "and a half", and a magnitude after a fraction."""
    if isinstance(number, Ambiguous) or (isinstance(number, Number) and number.notation == "ordinal"):
        return number
    start, end = number.span
    if (half := _AND_HALF.match(text, end)) is not None and isinstance(number, Number):
        # "3 million and a half" is not certain, and neither is "five and a half million".
        part = Decimal("0.25") if half[1].casefold() in {"quarter", "viertel"} else Decimal("0.5")
        if (
            number.notation in {"magnitude", "scientific"}
            or number.digits_after
            or number.value >= _MILLION
            or _is_magnitude(text, half.end())
        ):
            return Ambiguous((), (start, half.end()))
        value = Context(prec=_PRECISION).add(number.value, part)
        return Number(value, (start, half.end()), 2 if part.as_tuple().exponent == -2 else 1, "words")  # noqa: PLR2004 - quarters
    worded = isinstance(number, Ratio) or number.notation in {"fraction", "words"}
    if worded and (word := _MAGNITUDE.match(text, end)) is not None and word[1].casefold() in MAGNITUDES:
        if isinstance(number, Ratio):
            return Ambiguous((), (start, word.end(1)))
        power = MAGNITUDES[word[1].casefold()]
        return Number(_shifted(number.value, power), (start, word.end(1)), number.digits_after - power, "magnitude")
    return number


def shared_magnitude(text: str, first: Number, second: Number) -> Number:
    """Return the first number of "3 to 5 million", which counts millions, too."""
    if second.notation != "magnitude" or first.notation != "digits":
        return first
    shown = _BODY.search(text, *second.span)
    if shown is None:
        return first
    plain = _read_digits(shown.group() + " ", _BODY.match(shown.group()), "en")  # type: ignore[arg-type]
    if not isinstance(plain, Number):
        return first
    power = plain.digits_after - second.digits_after
    return Number(_shifted(first.value, power), first.span, first.digits_after - power, "magnitude")


def _shifted(value: Decimal, power: int) -> Decimal:
    return Context(prec=_PRECISION).scaleb(value, Decimal(power))


def _is_magnitude(text: str, end: int) -> bool:
    word = _MAGNITUDE.match(text, end)
    return word is not None and word[1].casefold() in MAGNITUDES
