"""What an object inside a record is to the product that the record is about.

A member of "dimensions" is the product's own; the mass in "charger" is the charger's, that in "spareParts" another
product's, and that in "rejected" nobody's.  The list of what is the product's own is closed, so that a name nobody
foresaw is a part, and a claim about the product has to name it.
"""

from enum import StrEnum
from functools import lru_cache
from typing import Final

from veracord.gates.statements import Name
from veracord.grounding.names import name_of


class Role(StrEnum):
    """What an object is to what stands around it.

    OWN groups fields of the same thing; PART is a thing of it; OTHER is another thing beside it; UNASSERTED holds what
    is not said to hold; STRANGER has the identifier of another product.
    """

    OWN = "own"
    PART = "part"
    OTHER = "other"
    UNASSERTED = "unasserted"
    STRANGER = "stranger"


#: Words of the names of objects that only group fields of one thing.
_GROUPING: Final = (
    "technical data detail info information property attribute feature parameter general generic specific"
    " characteristic value field physical dimension specification spec master basic common core main overview summary"
    " metadata meta header body identification identity credential subject passport dpp product article content"
    " geometry mechanical mechanics electrical electrochemical electric thermal chemical size measurement weight"
    " performance durability sustainability circularity environment environmental ecological safety conformity"
    " compliance quality condition scorecard emission pcf footprint lifecycle life cycle stage lifetime lifespan"
    " commercial handling operation usage design engineering energy power capacity recycled share technische daten"
    " angabe angaben eigenschaft eigenschaften merkmal merkmale abmessung abmessungen"
    " allgemein allgemeine kenndaten stammdaten"
    " leistungsdaten produktdaten produkt kennwert kennwerte"
)
#: Words that group only beside one of those: "batteryCondition", "totalEmissions".
_NEUTRAL: Final = "battery total of and the for techical item version entry"
#: Words for another thing that belongs to the product, or is told beside it.
_OTHER: Final = (
    "related similar alternative competitor competing spare predecessor successor packaging package packages accessory"
    " charger replacement substitute comparison compared bundle recommended carton pallet ladegerät verpackung"
    " umverpackung zubehör ersatzteil ersatzteile vorgänger vorgängermodell nachfolger nachfolgemodell konkurrent"
    " konkurrenten wettbewerber karton palette"
)
#: Words for what is not said to hold.
_UNASSERTED: Final = (
    "rejected maximum minimum limit target goal history historic historical previous former old error invalid example"
    " sample template default placeholder not deprecated obsolete withdrawn revoked draft planned expected forecast"
    " predicted estimate estimated simulated simulation assumed assumption archive"
    " archived superseded wrong incorrect proposed abgelehnt verworfen grenzwert grenzwerte grenze ziel zielwert"
    " zielwerte beispiel beispiele historie verlauf fehler ungültig früher veraltet entwurf geplant archiv"
)
#: Words for it that say nothing of the kind inside a longer name: "requirementInformation".
_UNASSERTED_ALONE: Final = frozenset({"requirement", "requirements", "threshold", "thresholds", "required"})
#: Groups that any thing may have: what is in the address of the maker is said of the maker.
_INNER: Final = frozenset({"contact", "contacts", "address", "location", "kontakt", "adresse", "contactdetails"})


@lru_cache(maxsize=4)
def _stems(words: str) -> frozenset[str]:
    """Return words as the names of members have them."""
    return frozenset(key for word in words.split() for key in (word, *name_of(word).stems))


@lru_cache(maxsize=8192)
def role_of(name: Name) -> Role:
    """Return what an object of a name is to what stands around it."""
    if _is_unasserted(name):
        return Role.UNASSERTED
    if not _stems(_OTHER).isdisjoint((*name.stems, name.squashed)):
        return Role.OTHER
    known = [word in _stems(_GROUPING) for word in name.stems]
    is_grouping = any(known) and all(
        one or word in _stems(_NEUTRAL) for one, word in zip(known, name.stems, strict=True)
    )  # fmt: skip
    return Role.OWN if is_grouping or name.squashed in _stems(_GROUPING) else Role.PART


def _is_unasserted(name: Name) -> bool:
    """Whether a name begins with what is not said to hold, or is made of it: "rejectedOffers", "valuesOfHistory"."""
    unasserted = _stems(_UNASSERTED)
    if name.squashed in _UNASSERTED_ALONE or not unasserted.isdisjoint((name.squashed, *name.stems[:1])):
        return True
    every = unasserted | _stems(_GROUPING) | _stems(_NEUTRAL)
    return not unasserted.isdisjoint(name.stems) and every.issuperset(name.stems)


@lru_cache(maxsize=8192)
def telling_words(name: Name) -> frozenset[str]:
    """Return which words of a name tell that it is another thing, so that a claim which says them names it."""
    return _stems(_OTHER).intersection(name.stems)


@lru_cache(maxsize=8192)
def is_inner(name: Name) -> bool:
    """Whether a group belongs to whatever it stands in: "address", "contact"."""
    return name.squashed in _INNER
