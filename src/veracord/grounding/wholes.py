"""What a record as a whole is called: its title, and the kind of thing that it is about."""

from collections.abc import Iterator
from typing import Final

from veracord.grounding.names import name_of
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


def _names(content: JsonValue, depth: int) -> Iterator[str]:
    if not isinstance(content, dict):
        return
    for member, item in content.items():
        yield name_of(member).squashed
        if depth:
            yield from _names(item, depth - 1)
