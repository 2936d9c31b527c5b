"""Numbers written as words, in English and German, and the fractions and ordinals among them.

The rule: a word is a number only where it cannot be anything else; `one` and `ein` alone are left to the caller.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from veracord.language.tokens import Span

WordKind = Literal["cardinal", "ordinal", "fraction"]

_ENGLISH_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_ENGLISH_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ENGLISH_FIRST: Final = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_GERMAN_ONES: Final = (
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn"
).split()
_GERMAN_TENS: Final = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
_GERMAN_FIRST: Final = (
    "- erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt sechzehnt "
    "siebzehnt achtzehnt neunzehnt"
).split()
_GERMAN_CASES: Final = ("e", "en", "er", "es", "em")
#: Words that multiply what stands before them, as a power of ten.
MAGNITUDES: Final = {
    "hundred": 2, "hundert": 2, "thousand": 3, "tausend": 3, "tsd": 3, "million": 6, "millions": 6, "millionen": 6,
    "mio": 6, "mn": 6, "mln": 6, "milliarde": 9, "milliarden": 9, "mrd": 9, "bn": 9, "trillion": 12, "trillions": 12,
    "thousands": 3, "hundreds": 2, "billionen": 12, "lakh": 5, "crore": 7, "bln": 9, "tln": 12,
}  # fmt: skip
#: `billion` is 10^9 in English and 10^12 in German.
BILLIONS: Final = {"billion": (9, 12), "billions": (9, 12)}
#: Divisors as words: "three quarters", "zwei Drittel".
DIVISORS: Final = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10,
    "hundredth": 100, "hundredths": 100, "drittel": 3, "viertel": 4, "fünftel": 5, "sechstel": 6, "achtel": 8,
    "zehntel": 10, "hundertstel": 100, "halb": 2, "halbe": 2, "halber": 2, "halbes": 2, "halben": 2,
}  # fmt: skip
#: Articles: a number only before a magnitude, a divisor or a unit.
ARTICLES: Final = frozenset({"a", "an", "ein", "eine", "einen", "einem", "einer", "eines"})
_COMPOUND: Final = re.compile(
    r"(?:(?P<t>[a-zäöüß]*)tausend)?(?:und)?(?:(?P<h>[a-zäöüß]*?)hundert)?(?:und)?(?P<r>[a-zäöüß]*)"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_JOIN: Final = re.compile(r"(?:,? and |,? und |[ \u00a0-])(?=[^\W\d_])")
_DIVISOR: Final = re.compile(r"[ \u00a0-]([^\W\d_]+)")
_POINT: Final = re.compile(r"[ \u00a0](?:point|komma)[ \u00a0]", re.IGNORECASE)
_ALSO_ORDINAL: Final = frozenset("third fourth fifth sixth eighth tenth hundredth".split())
#: One and a half and so on in one word, counted in halves.
_HALVES: Final = {
    "anderthalb": 3,
    "eineinhalb": 3,
    "zweieinhalb": 5,
    "dreieinhalb": 7,
    "viereinhalb": 9,
    "fünfeinhalb": 11,
}
DOZEN: Final = 12
_DOZENS: Final = frozenset({"dozen", "dozens", "dutzend"})
_LARGEST_TENS: Final = 99
_LARGEST_DIGIT: Final = 9
_TWENTY: Final = 20
_HUNDRED: Final = 100
_THOUSAND: Final = 1000
#: No number word is longer, in German either.
_LONGEST: Final = 72


class WordNumber(NamedTuple):
    """A number in words: its value is `value / divisor`, and not certain if that is 0; `words` counts them."""

    value: Decimal
    divisor: int
    span: Span
    kind: WordKind
    words: int


class _Word(NamedTuple):
    value: int
    kind: WordKind


def number_word(word: str) -> tuple[int, WordKind] | None:
    """Return what a single word counts, folded or not: `forty`, `dritte`, `zweihundertfünfzig`."""
    folded = word.casefold()
    known = _words().get(folded)
    if known is not None:
        return known
    if folded in _HALVES:
        return _HALVES[folded] // 2, "cardinal"
    return _compound(folded) if len(folded) <= _LONGEST else None


def read_word_number(text: str, start: int) -> WordNumber | None:
    """Read the number in words that begins at `start`; a lone `one` is a number of one word."""
    first = _WORD.match(text, start)
    if first is not None and (mixed := _HALVES.get(first.group().casefold())) is not None:
        return WordNumber(Decimal(mixed), 2, first.span(), "fraction", 1)
    total, group, used, last, kind = 0, 0, 0, start, "cardinal"
    for word, end, joined in _number_run(text, start):
        # "two hundred and five", never "twenty and five".
        step = None if joined and (group % 100 or not (group or total)) else _step(word, group, first=used == 0)
        if step is None:
            break
        kind, group, total = step[0], step[1], total + step[2]
        used, last = used + 1, end
        if kind == "ordinal":
            break
    if not used:
        return None
    return _finished(text, (start, last), total + group, kind, used)


def _finished(text: str, span: Span, value: int, kind: str, used: int) -> WordNumber | None:
    """Add what may follow whole numbers: a divisor or decimals."""
    start, last = span
    article = kind == "article"
    divisor = _DIVISOR.match(text, last)
    under = DIVISORS.get(divisor[1].casefold()) if divisor else None
    if divisor is not None and under is not None and kind != "ordinal":
        # "thirty two fifths" is 32/5 or 30 + 2/5: no divisor, no value.
        certain = used == 1 and (not article or divisor[1].casefold() not in _ALSO_ORDINAL)
        above = Decimal(1 if article else value)
        return WordNumber(above, under if certain else 0, (start, divisor.end()), "fraction", used + 1)
    if article or (kind == "ordinal" and text[start:last].casefold().split()[0] in ARTICLES):
        return None
    if kind != "ordinal" and (decimals := _decimals(text, last)) is not None:
        return WordNumber(Decimal(f"{value}.{decimals[0]}"), 1, (start, decimals[1]), "cardinal", used + 1)
    return WordNumber(Decimal(value), 1, span, "ordinal" if kind == "ordinal" else "cardinal", used)


def _decimals(text: str, end: int) -> tuple[str, int] | None:
    """Read the digits after "five point", "zwei Komma"."""
    point = _POINT.match(text, end)
    if point is None:
        return None
    digits, position, tens = "", point.end(), 0
    while (match := _WORD.match(text, position)) is not None and len(digits) < _LONGEST:
        found = number_word(match.group())
        # "seventy-one" is 71; behind anything else only single digits go on.
        if found is None or found[1] != "cardinal" or found[0] > (_LARGEST_TENS if not digits else _LARGEST_DIGIT):
            break
        digits = str(tens + found[0]) if tens else digits + str(found[0])
        tens = found[0] if found[0] > _LARGEST_DIGIT and found[0] % 10 == 0 else 0
        end, position = match.end(), match.end() + 1
    return (digits, end) if digits else None


def _number_run(text: str, start: int) -> Iterator[tuple[str, int, bool]]:
    """Yield the words from `start` that could belong to one number, with their ends, and whether "and" joins them."""
    position, joined = start, False
    for count in range(_LONGEST):
        match = _WORD.match(text, position)
        if match is None:
            return
        word = match.group().casefold()
        if number_word(word) is None and word not in MAGNITUDES and word not in BILLIONS and word not in ARTICLES:
            return
        if count and word in ARTICLES:
            return
        yield word, match.end(), joined
        join = _JOIN.match(text, match.end())
        if join is None:
            return
        position, joined = join.end(), len(join.group()) > 1


def _step(word: str, group: int, *, first: bool) -> tuple[str, int, int] | None:
    """Add a word to a number: the new kind, the new group below a thousand, and what goes to the total."""
    if word in ARTICLES:
        return ("article", 0, 0) if first else None
    power = MAGNITUDES.get(word) or BILLIONS.get(word, (0, 0))[0]
    if power:
        if first and word not in {"hundert", "tausend"}:
            return None
        # "hundred" stays in the group; what is above closes it.
        scaled = (group or 1) * 10**power
        return ("cardinal", scaled, 0) if scaled < _THOUSAND else ("cardinal", 0, scaled)
    found = number_word(word)
    if found is None:
        return None
    value, kind = found
    # "two dozen", but not "302 dozen"
    if word in _DOZENS and 0 < group < _HUNDRED:
        return "cardinal", group * DOZEN, 0
    return (kind, group + value, 0) if first or _fits(group, value) else None


def _fits(group: int, value: int) -> bool:
    """Tell whether a word goes on with a number: "hundred" + "forty", "forty" + "two"."""
    if group % _HUNDRED == 0:
        return group == 0 or value < _HUNDRED
    return group % 10 == 0 and group % _HUNDRED >= _TWENTY and 0 < value <= _LARGEST_DIGIT


@lru_cache(maxsize=1)
def _words() -> dict[str, tuple[int, WordKind]]:
    words: dict[str, tuple[int, WordKind]] = {}
    for value, word in enumerate(_ENGLISH_ONES):
        words[word] = (value, "cardinal")
    for value, word in enumerate(_ENGLISH_FIRST):
        words[word] = (value, "ordinal")
    for tens, word in enumerate(_ENGLISH_TENS, start=2):
        words[word] = (tens * 10, "cardinal")
        words[word[:-1] + "ieth"] = (tens * 10, "ordinal")
    words |= dict.fromkeys(_DOZENS, (DOZEN, "cardinal")) | {"hundredth": (100, "ordinal")}
    words |= {"eins": (1, "cardinal"), "zwo": (2, "cardinal"), "thousandth": (1000, "ordinal")}
    below = _german_below_hundred()
    for word, value in below.items():
        words[word] = (value, "cardinal")
        # From twenty on, the ordinal ends in -ste.
        if value >= _TWENTY:
            words |= {f"{word}st{case}": (value, "ordinal") for case in _GERMAN_CASES}
    for value, word in enumerate(_GERMAN_FIRST):
        if value:
            words |= {word + case: (value, "ordinal") for case in _GERMAN_CASES}
    words.pop("ein")
    return words


def _german_below_hundred() -> dict[str, int]:
    words = dict(zip(_GERMAN_ONES, range(20), strict=True))
    for tens, word in enumerate(_GERMAN_TENS, start=2):
        words[word] = tens * 10
        words |= {f"{_GERMAN_ONES[one]}und{word}": tens * 10 + one for one in range(1, 10)}
    for word in list(words):
        words[word.replace("ß", "ss")] = words[word]
        words[word.replace("ö", "oe").replace("ü", "ue")] = words[word]
    return words


@lru_cache(maxsize=4096)
def _compound(word: str) -> tuple[int, WordKind] | None:
    """Read a German compound such as `zweitausenddreihundertfünf`, or one with an ordinal ending."""
    if "hundert" not in word and "tausend" not in word:
        return None
    for ending in ("", *(f"st{case}" for case in _GERMAN_CASES)):
        if not word.endswith(ending):
            continue
        value = _compound_value(word[: len(word) - len(ending)])
        if value is not None:
            return value, "ordinal" if ending else "cardinal"
    return None


def _compound_value(word: str) -> int | None:
    match = _COMPOUND.fullmatch(word)
    if match is None:
        return None
    below = _german_below_hundred()
    thousands, hundreds, rest = match["t"], match["h"], match["r"]
    value = 0
    if thousands is not None:
        above = below.get(thousands, 1 if not thousands else None)
        above = _compound_value(thousands) if above is None and "hundert" in thousands else above
        if above is None:
            return None
        value += above * 1000
    if hundreds is not None:
        above = below.get(hundreds, 1 if not hundreds else None)
        if above is None:
            return None
        value += above * 100
    if rest:
        if rest not in below:
            return None
        value += below[rest]
    return value
