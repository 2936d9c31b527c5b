"""What a record as a whole is called: its title, and the kind of thing that it is about."""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.statements import About
from veracord.grounding.names import name_of, squash
from veracord.grounding.part_values import is_limited, parts_of_value
from veracord.records.values import JsonValue

_TITLES: Final = frozenset({"title", "productname", "modelname"})
_LONGEST: Final = 120
#: Names of members that only the record of a battery has.
_BATTERY_SIGNS: Final = (
    "battery", "batterie", "passportidentifier", "cathode", "anode", "stateofcharge", "ratedcapacity", "cyclelife",
    "depthofdischarge", "ratedenergy", "voltage",
)  # fmt: skip
_ANY: Final = frozenset({"product", "passport", "item", "article", "devic"})
_DEEPEST: Final = 3
#: Kinds of things that a record is about, with what fields it has then, what one of several, and none of others.
_KINDS: Final = (
    ("film movie", "directedby runningtime", "starring cinematography boxoffice", "episodes seasons"),
    ("band group", "origin yearsactive", "genres genre", "born occupation occupations"),
    ("album", "released label length genre", "producer studio", "writers songwriters songwriter bside writer"),
    ("artwork", "artist medium dimensions", "year location", ""),
    ("racehorse horse", "sire dam foaled", "earnings jockey", ""),
    ("person", "born", "born", "sire dam breed species"),
)
_PAINTED: Final = ("oil", "tempera", "canvas", "fresco", "watercol", "acrylic")
_ON_CANVAS: Final = re.compile(r"(?:oil|tempera|acrylic|watercolou?r) on [a-z]{3,20}", re.IGNORECASE)
#: Fields whose values say of what sort a thing is: "a folk band", "a Swedish painter".
_SORTS: Final = frozenset({"genre", "genres", "nationality"})
_OF_PERSONS: Final = frozenset({"nationality", "sex", "gender"})


def titles_of(content: JsonValue) -> tuple[str, ...]:
    """Return the names of a record as a whole: a claim about it may say one of them."""
    if not isinstance(content, dict):
        return ()
    title = next((item for member, item in content.items() if name_of(member).squashed in _TITLES), None)
    if isinstance(title, list) and len(title) == 1:
        title = title[0]
    return (title.strip(),) if isinstance(title, str) and 1 < len(title.strip()) < _LONGEST else ()


def wholes_of(content: JsonValue) -> frozenset[str]:
    """Return the words that mean the record as a whole, in their canonical form.

    A battery that is one of its parts is not the whole: the mass of a vehicle is not the mass of its battery.
    """
    if not isinstance(content, dict):
        return frozenset()
    is_part = any(
        isinstance(item, (dict, list)) and name_of(member).stems[-1:] == ("battery",)
        for member, item in content.items()
    )
    if is_part or not any(sign in name for name in _names(content, _DEEPEST) for sign in _BATTERY_SIGNS):
        return _ANY
    return _ANY | {"battery"}


def about_of(content: JsonValue) -> About | None:
    """Return what kind of thing a record with a title is about; None where its fields do not tell."""
    kinds = _kinds_of(content) if titles_of(content) else frozenset()
    return About(kinds, *_sorts_of(content)) if kinds else None


def _kinds_of(content: JsonValue) -> frozenset[str]:
    """Return the words for the kind of thing that the fields of a record are typical of, in their canonical form."""
    if not isinstance(content, dict):
        return frozenset()
    own = {
        name_of(member).squashed.removesuffix("s") + end: item
        for member, item in content.items()
        if item is not None
        for end in ("", "s")
    }
    if "medium" not in own and _ON_CANVAS.fullmatch(_text_of(own.get("type"))):
        # Some say "Type" for what a picture is painted with and on.
        own["medium"] = own["type"]
    found: set[str] = set()
    for kinds, needed, some, none in _KINDS:
        if set(needed.split()) <= own.keys() and own.keys() & set(some.split()) and not own.keys() & set(none.split()):
            found |= {key for kind in kinds.split() for key in name_of(kind).stems}
    if "artwork" in found and any(sign in str(own["medium"]).casefold() for sign in _PAINTED):
        found |= set(name_of("painting").stems)
    return frozenset(found)


def _text_of(item: JsonValue) -> str:
    """Return a text, or the only one of a list."""
    only = item[0] if isinstance(item, list) and len(item) == 1 else item
    return only.strip() if isinstance(only, str) else ""


def _sorts_of(content: JsonValue) -> tuple[frozenset[str], frozenset[str]]:
    """Return the single words that may stand in front of the kind of a thing, and in front of what a person is."""
    if not isinstance(content, dict):
        return frozenset(), frozenset()
    of_things: set[str] = set()
    of_persons: set[str] = set()
    for member, item in content.items():
        name = name_of(member).squashed
        if name not in _SORTS | _OF_PERSONS:
            continue
        texts = item if isinstance(item, list) else [item]
        words = {
            squash(part)
            for text in texts
            if isinstance(text, str)
            for part in (text.strip(), *parts_of_value(text))
            if not is_limited(part)
        }
        of_things |= words
        of_persons |= words if name in _OF_PERSONS else set()
    return frozenset(of_things), frozenset(of_persons)


def _names(content: JsonValue, depth: int) -> Iterator[str]:
    if not isinstance(content, dict):
        return
    for member, item in content.items():
        yield name_of(member).squashed
        if depth:
            yield from _names(item, depth - 1)
