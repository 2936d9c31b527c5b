"""What a claim says for the value of a field, beside what the field holds."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from veracord.gates.mentions import Mention, mentions_of
from veracord.gates.statements import Field
from veracord.grounding.claim_words import ClaimWords, blanked, literal_spans, words_inside
from veracord.grounding.field_parts import parts_of_field
from veracord.grounding.part_values import (
    agreed_date,
    date_in,
    is_in_season,
    leading_quantity,
    period_in,
    season_in,
    years_of_value,
)
from veracord.grounding.record_values import mention_of, number_mention
from veracord.language.comparing import compare_quantities
from veracord.language.dates import DateMention
from veracord.language.locales import Locale
from veracord.language.quantities import Quantity

Span = tuple[int, int]

_CARRIERS: Final = frozenset({"of", "for", "as", "have", "with", "valu", "row"})
_PLACING: Final = frozenset({"in", "on", "at", "from", "by", "to", "as", "for"})
_REACHING: Final = frozenset({"lies", "lie", "ranges", "range", "reicht", "reichen", "liegt"})
_MOST_PLACES: Final = 4
#: An identifier that looks like a number.
_PLAIN_CODE: Final = re.compile(r"[\d\s.,]+")
#: Verbs that begin the name of a truth: "containsLead".
_VERBS: Final = frozenset({"contain", "have", "includ", "support", "use", "requir", "need"})


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a claim beside that of a field.

    Attributes:
        said: What the claim says.
        held: What the field holds.
        used: All words that are taken then.
        places: Those of them that are the value.
    """

    said: list[Mention]
    held: Mention
    used: frozenset[int]
    places: frozenset[int] = frozenset()


@lru_cache(maxsize=512)
def _mentions_in(text: str, locale: Locale | None) -> tuple[Mention, ...]:
    """Return the values in what is left of a claim; many fields leave the same."""
    return tuple(mentions_of(text, locale))


def value_in(
    words: ClaimWords, field: Field, used: frozenset[int], literal: Span | None, locale: Locale | None
) -> Value:
    """Return what the claim says for a value, what the field holds, and the words that are taken then.

    Args:
        used: Words that are something else; those of the literal among them.
        literal: Where the value stands as the record writes it.
    """
    whole = Mention("text", field.value, (0, len(field.value)))
    if literal is not None:
        places = words_inside(words, literal)
        if not _is_part(field, literal):
            joint = used if field.kind != "text" else _with_joint(words, used, places)
            return Value([whole], whole, _with_inclusion(words, field, joint), places)
        return _parts_told(words, field, used, places, locale)
    if field.kind == "boolean":
        return _truth_told(words, field, used, whole)
    if field.is_code and _PLAIN_CODE.fullmatch(field.value.strip()):
        return _other_told(words, used, whole)
    held = mention_of(field)
    is_period = field.kind == "text" and held is not None and _names_time(blanked(words, used), locale)
    if held is not None and not is_period:
        return _quantity_told(words, field, used, held, locale)
    return _part_told(words, field, used, locale) or _other_told(words, used, whole)


def _names_time(rest: str, locale: Locale | None) -> bool:
    """Whether a claim names a decade, a century, or a season and no date beside it."""
    if period_in(rest) is not None:
        return True
    season = season_in(rest)
    if season is None:
        return False
    beside = rest[: season.start()] + rest[season.end() :]
    return not any(one.kind == "date" for one in _mentions_in(beside, locale))


def _other_told(words: ClaimWords, used: frozenset[int], whole: Mention) -> Value:
    """Return what the claim says instead; it stays unexplained."""
    rest = [at for at in rest_of(words, used) if asserts(words, at)]
    if not rest:
        return Value([], whole, used)
    span = (words.spans[rest[0]][0], words.spans[rest[-1]][1])
    return Value([Mention("text", words.text[span[0] : span[1]], span)], whole, used, frozenset(rest))


def _truth_told(words: ClaimWords, field: Field, used: frozenset[int], whole: Mention) -> Value:
    """Read "true" and "no", and "The lid is not repairable", where nothing but "not" is said beside the names."""
    rest = rest_of(words, used)
    at = next((at for at in rest if words.keys[at] in ("true", "false")), None)
    if at is not None:
        return Value([Mention("text", words.keys[at], words.spans[at])], whole, used | {at}, frozenset({at}))
    verbs = [at for at in rest if words.kinds[at] == "copula" or words.keys[at] == "do"]
    cues = [at for at in rest if words.kinds[at] == "cue"]
    is_plain = len(verbs) == 1 and words.keys[verbs[0]] in ("present", "do") and len(cues) <= 1
    if not verbs and not cues and (verb := _verb_told(words, field, used)) is not None:
        return Value([Mention("text", "true", words.spans[verb])], whole, used, frozenset({verb}))
    is_subject_told = bool(field.row) or len(field.names) == 1 or any(
        words.keys[one] in name.stems for one in used for name in field.names[:-1]
    )  # fmt: skip
    if not is_plain or not is_subject_told or any(words.keys[at] != "not" for at in cues):
        return Value([], whole, used)
    said = Mention("text", "false" if cues else "true", words.spans[verbs[0]])
    return Value([said], whole, used | frozenset((*verbs, *cues)), frozenset(verbs))


def _verb_told(words: ClaimWords, field: Field, used: frozenset[int]) -> int | None:
    """Return where the verb of "containsLead" stands in "The product contains lead", or None."""
    own = field.names[-1].stems
    if len(own) < 2 or own[0] not in _VERBS:  # noqa: PLR2004 - a verb and its object
        return None
    return next((at for at in sorted(used) if at and words.keys[at : at + len(own)] == own), None)


def _quantity_told(
    words: ClaimWords, field: Field, used: frozenset[int], held: Mention, locale: Locale | None
) -> Value:
    found = list(_mentions_in(blanked(words, used), locale))
    if field.unit and _may_lack_unit(words, field, used) and _have_no_unit(found):
        held = number_mention(field.value, None, field.bound)
    places: frozenset[int] = frozenset()
    for mention in found:
        places |= words_inside(words, mention.span)
    used |= places
    if field.kind == "range" and places and words.keys:
        used |= {at for at in rest_of(words, used) if words.squashed[at] in _REACHING and at + 1 in used}
    if held.kind == "date" or (field.kind == "text" and held.kind == "quantity" and _is_year(held)):
        used = _with_joint(words, used, places)
    return Value(found, held, used, places)


def _is_year(held: Mention) -> bool:
    return len(held.text) == 4 and held.text.isdigit()  # noqa: PLR2004 - digits of a year


def _parts_told(
    words: ClaimWords, field: Field, used: frozenset[int], places: frozenset[int], locale: Locale | None
) -> Value:
    """Take along further parts of the same value: a place behind a date, the country behind the town."""
    whole = Mention("text", field.value, (0, len(field.value)))
    for part in sorted(parts_of_field(field), key=len, reverse=True):
        for span in literal_spans(words.text, part, exact=_is_code(part)):
            inside = words_inside(words, span)
            if not inside & used:
                used, places = used | inside, places | inside
    used = _with_joint(words, used, places)
    told = _part_told(words, field, used, locale) if _mentions_in(blanked(words, used), locale) else None
    if told is not None:
        return Value(told.said, told.held, told.used, told.places | places)
    return Value([whole], whole, _with_inclusion(words, field, used), places)


def _part_told(words: ClaimWords, field: Field, used: frozenset[int], locale: Locale | None) -> Value | None:
    """Return what the claim says of the one day that a text tells, of its first number, or of how long a list is."""
    rest = blanked(words, used)
    held = date_in(field.value)
    time = _time_told(rest, field.value, held)
    if time is not None:
        inside = words_inside(words, time[1])
        whole = held or Mention("text", field.value, (0, len(field.value)))
        return Value([whole], whole, _with_joint(words, used | inside, inside), inside) if time[0] else None
    said = _mentions_in(rest, locale)
    if len(said) != 1:
        return None
    inside = words_inside(words, said[0].span)
    value = said[0].value
    if isinstance(value, DateMention):
        held = held or agreed_date(field.value, value)
        return Value(list(said), held, _with_joint(words, used | inside, inside), inside) if held is not None else None
    if isinstance(value, Quantity):
        number = _number_told(field, value)
        return Value(list(said), number, used | inside, inside) if number is not None else None
    return None


def _time_told(text: str, value: str, held: Mention | None) -> tuple[bool, Span] | None:
    """Return whether a season, decade or century that a claim names holds the date of a value, and where it stands."""
    season = season_in(text) if held is not None else None
    if held is not None and season is not None and isinstance(held.value, DateMention):
        return is_in_season(held.value, season[1], season[2]), season.span()
    period = period_in(text)
    years = years_of_value(value) if period is not None else frozenset()
    return (all(year in period[1] for year in years), period[0].span()) if period is not None and years else None


def _number_told(field: Field, said: Quantity) -> Mention | None:
    if field.list_size and said.unit is None and said.kind == "cardinal":
        return number_mention(str(field.counted), None) if field.counted else None
    held = leading_quantity(field.value)
    fitting = [one for one in held if isinstance(one.value, Quantity) and compare_quantities(said, one.value).holds]
    return next(iter((*fitting, *held)), None)


def _with_joint(words: ClaimWords, used: frozenset[int], places: frozenset[int]) -> frozenset[int]:
    """Take the preposition in front of a value along: "born in Ulm", "released on 3 May"."""
    found = set()
    for at in places:
        before = at - 1
        while before > 0 and before not in used and words.kinds[before] == "article":
            before -= 1
        if before >= 0 and before not in used and words.keys[before] in _PLACING:
            found.add(before)
    return used | found


def _with_inclusion(words: ClaimWords, field: Field, used: frozenset[int]) -> frozenset[int]:
    """Take "include" along, which says of a list that there may be more."""
    if not field.is_list_item:
        return used
    return used | {at for at in rest_of(words, used) if words.keys[at] == "includ"}


def _may_lack_unit(words: ClaimWords, field: Field, used: frozenset[int]) -> bool:
    """Whether a number of the field may be told without its unit: the claim names it, or it is a currency beside it."""
    if field.kind != "number":
        return False
    if field.short is not None:
        return any(words.keys[at] in field.names[-1].stems[-1:] for at in used)
    return field.has_loose_unit


def _have_no_unit(mentions: list[Mention]) -> bool:
    return all(isinstance(mention.value, Quantity) and mention.value.unit is None for mention in mentions)


def _is_part(field: Field, literal: Span) -> bool:
    return field.kind == "text" and literal[1] - literal[0] < len(field.value.strip().rstrip("."))


def literals_of(words: ClaimWords, field: Field) -> list[Span]:
    """Return where the field's value stands in the claim as the record writes it, the last place first."""
    if field.kind in ("boolean", "range") or field.bound:
        return []
    if field.kind == "number":
        if not field.unit:
            return []
        wanted = f"{field.value} {field.unit}"
    else:
        # Dots may stand for what is left out: "100 kg ...".
        wanted = field.value.strip().removesuffix(".") or field.value
    is_exact = _is_code(wanted)
    spans = literal_spans(words.text, wanted, exact=is_exact)
    if not spans:
        spans = literal_spans(words.text, " ".join(wanted.split()), exact=is_exact)
    if not spans and field.kind == "text":
        parts = parts_of_field(field)
        spans = [span for part in parts for span in literal_spans(words.text, part, exact=_is_code(part))]
    return spans[::-1][:_MOST_PLACES]


def _is_code(text: str) -> bool:
    return any(c.isdigit() for c in text)


def asserts(words: ClaimWords, at: int) -> bool:
    """Whether a word says something, and does not only carry what others say."""
    return words.kinds[at] not in ("article", "copula", "cue", "pronoun") and words.keys[at] not in _CARRIERS


def rest_of(words: ClaimWords, used: frozenset[int]) -> list[int]:
    """Return the words that are not taken."""
    return [at for at in range(len(words.keys)) if at not in used]
