"""What parts a thing is made up of, where a record tells the share of each, and they are the whole of it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from veracord.gates.statements import Field, Standing
from veracord.grounding.packs import PackView
from veracord.grounding.part_values import is_limited

#: Names of fields that tell what the whole of a thing is made up of, with what one part of it is called.
BREAKDOWNS: Final = {
    "composition": ("composition", "material", "component", "ingredient"),
    "materialcomposition": ("material composition", "material"),
    "materials": ("materials", "material"), "material": ("material",),
    "ingredients": ("ingredients", "ingredient"), "ethnicgroups": ("ethnic groups", "ethnic group", "race"),
    "ethnicgroup": ("ethnic group", "race"), "ethnicity": ("ethnicity", "ethnic group", "race"),
    "race": ("race", "ethnic group"), "religion": ("religion",), "religions": ("religions", "religion"),
}  # fmt: skip
#: People are counted in some year, and told of ever since; what a thing is made of is not.
_OF_PEOPLE: Final = frozenset({"ethnicgroups", "ethnicgroup", "ethnicity", "race", "religion", "religions"})
_YEAR: Final = re.compile(r"(?:19|20)\d\d$")
_SHARE: Final = re.compile(r"(?P<share>\d{1,3}(?:\.\d{1,4})?) ?% (?:of )?(?P<part>[^\d%<>~≈≤≥;:,()]{2,60})")
_PART: Final = re.compile(r"(?P<part>[^\d%<>~≈≤≥;:,()]{2,60}?):? (?P<share>\d{1,3}(?:\.\d{1,4})?) ?%")
_BETWEEN: Final = re.compile(r"[,;]\s+")
_LEAST: Final = 99
_MOST: Final = 101


@dataclass(frozen=True, slots=True)
class Shares:
    """The parts of a thing.

    Attributes:
        field: The field that tells them, or the first of its values.
        called: What the field, and what a part, is called.
        parts: The share of each in percent, by its name in small letters; none where not all can be told.
        text: All that the field says, in small letters.
    """

    field: Field
    called: tuple[str, ...]
    parts: dict[str, Fraction]
    text: str

    def may_tell_of(self, part: str) -> bool:
        """Whether it has a part of a name, or has one that cannot be told."""
        return part in self.parts if self.parts else part in self.text


def breakdowns_of(cited: Sequence[str], pack: PackView) -> Iterator[Shares]:
    """Yield the breakdowns that evidence tells of what the cited items are about, or of nobody knows what."""
    products = {name for one in cited if one in pack.items for name in pack.items[one].products}
    for evidence_id, item in pack.items.items():
        if evidence_id not in cited and products and item.products and products.isdisjoint(item.products):
            continue
        lists: dict[tuple[object, ...], list[Field]] = {}
        for field in item.fields:
            if _name_of(field) in BREAKDOWNS:
                lists.setdefault(field.path[:-1] if field.is_list_item else field.path, []).append(field)
        for fields in lists.values():
            text = " ".join(" ".join(one.value for one in fields).casefold().split())
            yield Shares(fields[0], BREAKDOWNS[_name_of(fields[0])], _parts_of(fields) or {}, text)


def _name_of(field: Field) -> str:
    name = field.names[-1].squashed if field.names else ""
    bare = _YEAR.sub("", name)
    return bare if bare in _OF_PEOPLE else name


def _parts_of(fields: list[Field]) -> dict[str, Fraction] | None:
    """Return the share of each part; None where one is not told, or they are not the whole."""
    if any(one.kind != "text" or one.standing is not Standing.EVIDENCE or one.is_limited for one in fields):
        return None
    if any(role != "own" for one in fields for role in one.roles[:-1]):
        return None
    texts = [text for one in fields for text in _BETWEEN.split(one.value.strip())]
    shares: dict[str, Fraction] = {}
    for text in texts:
        match = _SHARE.fullmatch(text.strip()) or _PART.fullmatch(text.strip())
        if match is None or is_limited(match["part"]):
            return None
        part = " ".join(match["part"].casefold().split())
        if part in shares:
            return None
        shares[part] = Fraction(match["share"])
    return shares if len(shares) > 1 and _LEAST <= sum(shares.values()) <= _MOST else None
