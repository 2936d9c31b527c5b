"""The words that may stand in front of the kind of a thing: "an American film", "a 1990s folk rock album".

Each is told by a field of the record: its genre, its country, what it is made with, or its date.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from veracord.gates.statements import Field, Standing
from veracord.grounding.countries import adjectives_of
from veracord.grounding.names import squash
from veracord.grounding.part_values import is_limited, parts_of_value
from veracord.grounding.time_spans import TimeSpan, period_named, span_of_value
from veracord.grounding.told_countries import are_apart, countries_in, told_country

_GENRES: Final = frozenset({"genre", "genres"})
_COUNTRIES: Final = frozenset({"country", "countries", "countryoforigin", "origin", "placeoforigin"})
_LANGUAGES: Final = frozenset({"language", "languages", "originallanguage"})
_OF_SEX: Final = {
    "male": "male", "stallion": "male", "gelding": "male", "colt": "male", "bull": "male",
    "female": "female", "mare": "female", "filly": "female", "cow": "female",
}  # fmt: skip
_ONE_LANGUAGE: Final = re.compile(r"[^\W\d_]{3,30}")
_SEXES: Final = frozenset({"sex", "gender"})
_OF_CONTINENTS: Final = {
    "europe": "european", "asia": "asian", "africa": "african", "northamerica": "northamerican",
    "southamerica": "southamerican", "oceania": "oceanian",
}  # fmt: skip
_DATES: Final = frozenset({"released", "releasedate", "year", "completed", "completiondate"})
#: The last word of a style that is a style itself: "power metal" is metal.
_STYLES: Final = frozenset({"metal", "rock", "pop", "rap", "jazz", "punk", "folk", "blues", "soul", "hip hop"})
_MATERIALS: Final = re.compile(r"(?P<with>oil|tempera|acrylic|watercolou?r) on [a-z]+", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\s,/]+")
_YEAR: Final = re.compile(r"[12]\d{3}")
_LONGEST: Final = 4


@dataclass(frozen=True, slots=True)
class Sort:
    """A word, or some, for the sort of a thing, and the field that tells it."""

    squashed: str
    field: Field


def fields_telling(words: str, fields: Sequence[Field]) -> list[Field] | None:
    """Return the fields that tell all words in front of a kind; None where one is told by none.

    Args:
        words: As a claim says them: "late 1990s American folk rock", "punk/new wave", "American-British".
        fields: The fields of the record.
    """
    sorts = {sort.squashed: sort.field for sort in _sorts_of(fields)}
    found: list[Field] = []
    period = period_named(words)
    if period is not None:
        dated = _dated_in(period[1], fields)
        if dated is None:
            return None
        found.append(dated)
        words = words[: period[0][0]] + words[period[0][1] :]
    said = [match[0] for match in _WORD.finditer(words) if match[0] not in ("and", "&")]
    at = 0
    while at < len(said):
        length = next((n for n in range(_LONGEST, 0, -1) if squash("".join(said[at : at + n])) in sorts), 0)
        if length:
            found.append(sorts[squash("".join(said[at : at + length]))])
        elif said[at].count("-") == 1 and all(squash(one) in sorts for one in said[at].split("-")):
            found += [sorts[squash(one)] for one in said[at].split("-")]
        elif _YEAR.fullmatch(said[at]) and (dated := _dated_in(_year(said[at]), fields)) is not None:
            found.append(dated)
        else:
            return None
        at += length or 1
    return found


def _year(text: str) -> TimeSpan:
    return TimeSpan((int(text), 1, 1), (int(text), 12, 31))


def _dated_in(span: TimeSpan, fields: Sequence[Field]) -> Field | None:
    """Return a field that dates the thing, where all that do lie in a span."""
    dated = [field for field in fields if field.names and field.names[-1].squashed in _DATES]
    spans = [span_of_value(field.value) for field in dated]
    return dated[0] if dated and all(one is not None and span.holds(one) for one in spans) else None


def _sorts_of(fields: Sequence[Field]) -> Iterator[Sort]:
    for field in fields:
        is_open = field.is_limited or field.standing is not Standing.EVIDENCE
        if field.kind != "text" or is_open or len(field.names) != 1:
            continue
        name = field.names[-1].squashed
        parts = (field.value.strip(), *parts_of_value(field.value))
        if name in _GENRES:
            for part in parts:
                if not is_limited(part):
                    yield Sort(squash(part), field)
                    yield from (
                        Sort(squash(style), field) for style in _STYLES if part.casefold().endswith(f" {style}")
                    )
        elif name in _COUNTRIES:
            yield from (Sort(adjective, field) for adjective in sorted(_adjectives(field)))
        elif name in _LANGUAGES | _SEXES:
            yield from _of_language_or_sex(name, field)
        elif name in ("medium", "type") and (made := _MATERIALS.fullmatch(field.value.strip())) is not None:
            yield Sort(squash(made["with"]), field)


def _of_language_or_sex(name: str, field: Field) -> Iterator[Sort]:
    value = field.value.strip()
    # Of several languages none is that of the thing.
    if name in _LANGUAGES and field.list_size <= 1 and _ONE_LANGUAGE.fullmatch(value):
        yield Sort(f"{squash(value)}language", field)
    elif name in _SEXES and value.casefold() in _OF_SEX:
        yield Sort(_OF_SEX[value.casefold()], field)


def _adjectives(field: Field) -> frozenset[str]:
    """Return the adjectives for what comes from the country of a field, and for its continent if it is the only one."""
    told = told_country(field)
    if told is None:
        # With a comma it may be two countries, or a list.
        return adjectives_of(field.value.strip()) if "," not in field.value else frozenset()
    if any(are_apart(one, told[1]) for one in countries_in(field.value)):
        # What is from two countries is not from one of them.
        return frozenset()
    is_only = field.list_size <= 1 and told[0] == field.value.strip()
    return told[1].adjectives | ({_OF_CONTINENTS[told[1].continent]} if is_only and told[1].continent else set())
