"""Of how many values a list of a record is, where that can be told."""

import re
from typing import Final

from veracord.gates.statements import Field
from veracord.grounding.packs import PackView
from veracord.grounding.part_values import is_limited
from veracord.grounding.record_values import number_mention
from veracord.grounding.substitution import values_beside
from veracord.language.quantities import Quantity

#: Marks of several values in one text, or of more that are not listed.
_SEVERAL: Final = re.compile(
    r"[;/\n]|,|\s{2,}(?=\S)|\b(?:and|und|others?|etc|including|more|various|et al)\b", re.IGNORECASE
)
_BRACKETED: Final = re.compile(r"\([^()]*\)")
#: A name of a person, and several of them in one text.
_NAME: Final = r"[A-Z][^\W\d_]+(?: [A-Z](?:[^\W\d_]+|\.)){1,3}"
_ONE_NAME: Final = re.compile(_NAME)
#: A word that the name of a company ends with, and that of a person does not.
_COMPANY: Final = re.compile(
    r"\b(?:AG|GmbH|KG|Ltd|Limited|Inc|Incorporated|Corp|Corporation|LLC|PLC|Co|Company|Group|Holdings?|SE|SA|SpA|BV|NV"
    r"|Works|Studios?|Pictures|Films|Entertainment|Records|Productions?|Industries|Institute|University)\b",
    re.IGNORECASE,
)
_PERSONS: Final = frozenset({"person", "persons", "people", "individual", "individuals"})
_EACH_NAME: Final = re.compile(rf"\b{_NAME}")
_NAMES: Final = re.compile(rf"\s*{_NAME}(?:(?:\s*[,;]\s*(?:and )?|\s+(?:and|&)\s+){_NAME})+\s*")


def is_person(value: str) -> bool:
    """Whether a text is one name, as those of persons are written, and nothing else."""
    return _ONE_NAME.fullmatch(value.strip()) is not None and not is_limited(value) and not is_company(value)


def is_company(value: str) -> bool:
    """Whether a text has a word that names of companies have."""
    return _COMPANY.search(value) is not None


def may_be_called(value: str, noun: str) -> bool:
    """Whether a name may be that of a "person", or of a "company": a name of the other sort is none."""
    return not (is_company(value) if noun.lower() in _PERSONS else is_person(value))


def names_in(value: str) -> int:
    """Return how many names of persons a text is that holds nothing else, or 0: "Bo Ek, Cy Orr and Di Fenn"."""
    if _NAMES.fullmatch(value) is None or is_limited(value):
        return 0
    names = [name.casefold() for name in _EACH_NAME.findall(value)]
    return len(names) if len(set(names)) == len(names) else 0


def count_of(field: Field, pack: PackView, *, needs_all: bool) -> tuple[str, Quantity] | None:
    """Return the number of values of a list, written and read; None where it is no list of texts told apart.

    Args:
        needs_all: Whether the list has to be the whole of it, with one value in each of its texts.
    """
    if field.list_size < 2 or not field.is_list_item:  # noqa: PLR2004 - one text may hold several values
        return None
    values = [one.value for one in values_beside(field, pack)]
    if len(values) != field.counted or any(_SEVERAL.search(value) for value in values if needs_all):
        return None
    mention = number_mention(str(len(values)), None)
    return (mention.text, mention.value) if isinstance(mention.value, Quantity) else None
