"""The words and signs around a quantity that bound it, hedge it, or make it a change.

The rule: a bound keeps its direction and its strictness; `more than` is strict, `at least` is not.
"""

import re
from typing import Final, Literal, NamedTuple

Bound = Literal["min", "above", "max", "below"]


class Wording(NamedTuple):
    """What the words around a quantity say, and the characters that they take."""

    bounds: tuple[Bound, ...]
    approximate: bool
    role: Literal["between", "from", "by", ""]
    start: int


#: Words and signs before a quantity: what they make of it.
_BEFORE_TABLE: Final = """
min: >= => ≥ ≧ | at least | min | minimum | minimum of | at minimum | no less than | not less than | no fewer than
min: not fewer than | not below | not under | as little as | as few as | greater than or equal to
min: equal to or greater than
min: mindestens | mind | wenigstens | minimal | nicht unter | nicht weniger als | größer oder gleich | ab | zumindest
min: more than or equal to | equal to or more than | greater or equal than | higher or equal than
min: bigger or equal than | larger or equal than
max: less or equal than | lower or equal than | smaller or equal than | fewer than or equal to | weniger oder gleich
max: equal to or fewer than
above: surpass | surpasses | surpassing
min: a minimum of | ein minimum von | starting at | not lower than | not smaller than | upwards of | no lower than
above: > | more than | over | above | greater than | larger than | higher than | longer than | heavier than | exceeds
above: exceed
above: exceeding | exceeded | in excess of | beyond | older than | bigger than | mehr als | über | größer als
above: höher als | oberhalb von
above: länger als | schwerer als | after more than | übersteigt | überschreitet | thicker than | wider than
above: faster than
max: <= =< ≤ ≦ | at most | max | maximum | maximum of | a maximum of | up to | no more than | not more than | not exceed
max: not exceeding | not above | not over | as much as | as many as | less than or equal to | equal to or less than
max: within
max: höchstens | maximal | bis zu | bis | nicht über | nicht mehr als | kleiner oder gleich | ein maximum von
max: not greater than
max: not higher than | not larger than | no greater than | no higher than | never exceeds | not longer than
max: no longer than | up until
max: längstens | nicht länger als | does not exceed | not to exceed | innerhalb von | not exceeds | at maximum
below: < | less than | fewer than | under | below | lower than | smaller than | shorter than | lighter than
below: younger than
below: weniger als | unter | kleiner als | niedriger als | kürzer als | leichter als | beneath | unterhalb von
below: thinner than
about: ~ ≈ ≃ ∼ | about | around | approximately | approx | circa | ca | c | roughly | some | nominally
about: in the region of
about: etwa | ungefähr | rund | zirka | gegen | annähernd | an estimated | estimated at | of the order of | um die
about: schätzungsweise
about: in the order of | close to | more or less
about below: almost | nearly | just under | just below | knapp | fast | nahezu | beinahe | not quite
about above: just over | just above | slightly over | slightly more than | gut | a little over | etwas mehr als
about above: a little more than
between: between | zwischen
from: from | von | ranging from | ranges from | in the range | in the range of | range of | range
by: by | um | increase of | rise of | reduction of | decrease of | drop of | improvement of | growth of | gain of
by: loss of
by: fall of | anstieg von | steigerung von | rückgang von | senkung von | reduktion von | erhöhung von | saving of
by: zunahme von
"""
_SIGNS: Final = "<>=≥≧≤≦~≈≃∼"
_WORDS_MOST: Final = 5
_LOOK_BACK: Final = 56
_STACK: Final = 3
_AFTER: Final = re.compile(
    r"[ \u00a0]?\(?(?:"
    r"(?P<min>\+(?![\w+/\-]|[ \u00a0]?[0-9])|(?:,? ?or|and|oder|und|/) ?(?:more|greater|above|higher|longer|over"
    r"|up|mehr|höher|darüber|länger|larger|later)"
    r"|minimum|min\.|at least|at a minimum|mindestens)"
    r"|(?P<max>(?:,? ?or|oder|/) ?(?:less|fewer|lower|below|under|shorter|weniger|niedriger|darunter|kürzer"
    r"|smaller)|maximum|max\.?|at most|or under|höchstens|tops)"
    r"|(?P<about>or so|or thereabouts|approx\.?|approximately|ca\.|oder so|give or take)"
    r")(?![\w]|[ \u00a0](?:than|als)(?![\w]))",
    re.IGNORECASE,
)
_CHANGE_AFTER: Final = re.compile(
    r"[ \u00a0](?:(?:increase|decrease|reduction|rise|drop|improvement|gain|loss|growth|saving|Anstieg|Steigerung"
    r"|Rückgang|Reduktion)(?![\w])"
    r"|(?:higher|lower|more|less|fewer|heavier|lighter|longer|shorter|better|worse|larger|smaller|greater|above"
    r"|below|mehr|weniger|höher|"
    r"niedriger|leichter|schwerer|länger|kürzer)(?:[ \u00a0](?:[\w-]+[ \u00a0])?(?:than|als)(?![\w])))",
    re.IGNORECASE,
)
_CHANGES: Final = re.compile(
    r"(?<![^\W_])(?:rose|risen|rise|rises|rising|increas\w{1,4}|grew|grow\w{0,3}|fell|fall\w{0,3}|drop\w{0,4}"
    r"|decreas\w{1,4}|reduc\w{1,4}|declin\w{1,4}|"
    r"improv\w{1,4}|went|goes|chang\w{1,4}|lower\w{1,3}|rais\w{1,3}|cut|stieg\w{0,2}|steig\w{1,3}|gestiegen"
    r"|sank\w{0,2}|sink\w{1,2}|gesunken|fiel\w{0,2}|"
    r"erhöh\w{1,4}|gesenkt|senk\w{1,3}|reduzier\w{1,3}|verringer\w{1,3}|wuchs\w{0,2}|gewachsen"
    r"|verbesser\w{1,4})(?![^\W_])",
    re.IGNORECASE,
)
_NEXT_WORD: Final = re.compile(r"[ \u00a0,/(]{0,3}([A-Za-zäöüß]+|\+)")
_AFTER_FIRST: Final = frozenset(
    "+ or and oder und more greater less fewer minimum min at mindestens maximum max höchstens tops approx "
    "approximately "
    "ca give higher lower".split()
)
_CHANGE_FIRST: Final = frozenset(
    "increase decrease reduction rise drop improvement gain loss growth saving anstieg steigerung rückgang "
    "reduktion higher lower "
    "more less fewer heavier lighter longer shorter better worse larger smaller greater above below mehr weniger "
    "höher niedriger "
    "leichter schwerer länger kürzer".split()
)
_SENTENCE_END: Final = re.compile(r"[.;!?\n](?=\s)")


def _table() -> dict[str, tuple[tuple[Bound, ...], bool, str]]:
    bounds: dict[str, tuple[tuple[Bound, ...], bool, str]] = {
        "min": (("min",), False, ""), "above": (("above",), False, ""), "max": (("max",), False, ""),
        "below": (("below",), False, ""), "about": ((), True, ""), "about below": (("below",), True, ""),
        "about above": (("above",), True, ""), "between": ((), False, "between"), "from": ((), False, "from"),
        "by": ((), False, "by"),
    }  # fmt: skip
    table: dict[str, tuple[tuple[Bound, ...], bool, str]] = {}
    for line in _BEFORE_TABLE.strip().split("\n"):
        meaning, _, spellings = line.partition(": ")
        for spelling in spellings.split(" | "):
            for one in spelling.split() if spelling[0] in _SIGNS else (spelling.strip(),):
                table[one] = bounds[meaning]
    return table


_BEFORE: Final = _table()
#: A look at the last word spares most others.
_LAST_WORDS: Final = frozenset(wording.rpartition(" ")[2] for wording in _BEFORE) | {f"({word}" for word in _BEFORE}


def wording_before(text: str, start: int, last: int) -> Wording:
    """Read the words before a quantity that begins at `start`; what came before it ends at `last`."""
    bounds: tuple[Bound, ...] = ()
    approximate, role = False, ""
    for _ in range(_STACK):
        found = _one_before(text, start, max(last, start - _LOOK_BACK))
        if found is None:
            break
        (more, hedged, said), start = found
        bounds, approximate, role = more + bounds, approximate or hedged, said or role
    return Wording(bounds, approximate, role, start)  # type: ignore[arg-type]


def _one_before(text: str, start: int, last: int) -> tuple[tuple[tuple[Bound, ...], bool, str], int] | None:
    segment = text[last:start].rstrip(" \u00a0\u2009\u202f(")
    if not segment or segment[-1] in ",:;)":
        return None
    if segment[-1] in _SIGNS:
        sign = segment[-2:] if segment[-2:] in _BEFORE else segment[-1]
        known = _BEFORE.get(sign)
        return None if known is None else (known, last + len(segment) - len(sign))
    if segment.rpartition(" ")[2].rstrip(".").lower() not in _LAST_WORDS:
        return None
    words = segment.casefold().split()[-_WORDS_MOST:]
    words = [word.rstrip(".").lstrip("(") for word in words]
    for first in range(len(words)):
        known = _BEFORE.get(" ".join(words[first:]))
        if known is not None:
            return known, _start_of(segment, len(words) - first) + last
    return None


def _start_of(segment: str, count: int) -> int:
    """Return where the last `count` words of a segment begin."""
    end = len(segment)
    for _ in range(count):
        while end and segment[end - 1].isspace():
            end -= 1
        while end and not segment[end - 1].isspace():
            end -= 1
    while segment[end] == "(":
        end += 1
    return end


def wording_after(text: str, end: int) -> tuple[str, int] | None:
    """Read the words after a quantity: "min", "max" or "about", and where they end."""
    match = _AFTER.match(text, end) if _begins(text, end, _AFTER_FIRST) else None
    return None if match is None or match.lastgroup is None else (match.lastgroup, match.end())


def is_change(text: str, start: int, end: int, last: int, role: str) -> bool:
    """Tell whether a quantity says how much something changed or differs: "by 5 %", "a 5 % increase"."""
    if role == "by":
        return True
    if role == "from":
        segment = text[max(last, start - _LOOK_BACK) : start]
        stops = list(_SENTENCE_END.finditer(segment))
        return _CHANGES.search(segment, stops[-1].end() if stops else 0) is not None
    return _begins(text, end, _CHANGE_FIRST) and _CHANGE_AFTER.match(text, end) is not None


def _begins(text: str, end: int, words: frozenset[str]) -> bool:
    """Tell whether the next word is one of those that may matter, which most are not."""
    match = _NEXT_WORD.match(text, end)
    return match is not None and match[1].lower() in words
