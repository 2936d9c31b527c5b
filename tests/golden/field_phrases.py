"""How a field may be asked for: three phrasings that name its label, two that do not, and how units are written.

`CONCEPTS` is a small hand-written list: only fields whose everyday wording is beyond doubt, and only where they
stand under a member that makes the wording true (`parents`; "" is the record itself).  `clash` lists words that no
other leaf of the record may have, or else the wording would fit two fields.
"""

import re
from dataclasses import dataclass
from typing import Final

from tests.golden.field_records import Leaf, names_only, split_words

LABELLED: Final = {
    "label_what": "What is the {label} of {subject}?",
    "label_state": "State the {label} given for {subject}.",
    "label_field": "According to the record of {subject}, which value does the field “{label}” have?",
}
PHRASINGS: Final = (*LABELLED, "paraphrase", "plain_form")

SIZES: Final = ("physicalDimension", "physicalDimensions", "physicalDimensionsProperty", "dimensions")
ITEM: Final = ("", "product", "credentialSubject", "manufacturingInformation", "productInstanceInformation")
MAKING: Final = ("manufacturer", "manufacturing", "manufacturingInformation", "")
PASSPORT: Final = ("metadata",)
MADE: Final = ("production date", "manufacturing date", "manufactured", "made")
ENDS: Final = ("expiration", "expiry", "valid until", "valid to")


@dataclass(frozen=True)
class Concept:
    """A field's everyday wording: another name for it, and a plain question."""

    tail: str
    parents: tuple[str, ...]
    clash: tuple[str, ...]
    paraphrase: str | None
    plain_form: str | None


CONCEPTS: Final = tuple(
    Concept(*row)
    for row in (
        ("weight", SIZES, ("weight", "mass"), "What is the mass of {subject}?", "How heavy is {subject}?"),
        ("battery mass", ("",), ("weight", "mass"), "What does {subject} weigh?", "How heavy is {subject}?"),
        (
            "gross weight",
            SIZES,
            ("gross weight", "gross mass"),
            "What is the total mass of {subject}, packaging included?",
            "How heavy is {subject} together with its packaging?",
        ),
        ("length", SIZES, ("length",), None, "How long is {subject}?"),
        ("width", SIZES, ("width", "breadth"), "What is the breadth of {subject}?", "How wide is {subject}?"),
        ("height", SIZES, ("height",), None, "How tall is {subject}?"),
        ("diameter", SIZES, ("diameter",), None, "How far across does {subject} measure?"),
        ("volume", SIZES, ("volume",), None, "How much space does {subject} take up?"),
        (
            "issue date",
            PASSPORT,
            ("issue", "issued"),
            "What is the day of issue of the passport of {subject}?",
            "When was the passport of {subject} issued?",
        ),
        (
            "expiration date",
            PASSPORT,
            ENDS,
            "What is the last day on which the passport of {subject} is valid?",
            "When does the passport of {subject} expire?",
        ),
        (
            "last modification",
            PASSPORT,
            ("modification", "modified", "changed", "last update"),
            "What is the date of the latest change to the passport of {subject}?",
            "When was the passport of {subject} last changed?",
        ),
        (
            "valid from",
            ("",),
            ("valid from", "validity"),
            "What is the first day on which the credential for {subject} is valid?",
            "When does the validity of the credential for {subject} begin?",
        ),
        (
            "valid until",
            ("",),
            ENDS,
            "What is the last day on which the credential for {subject} is valid?",
            "When does the credential for {subject} lapse?",
        ),
        ("production date", ITEM, MADE, "What is the date of manufacture of {subject}?", "When was {subject} made?"),
        ("manufacturing date", MAKING, MADE, "What is the production date of {subject}?", "When was {subject} made?"),
        (
            "placed on market",
            ("commercial",),
            ("market",),
            "What is the date of the market launch of {subject}?",
            "When did {subject} go on sale?",
        ),
        ("putting into service", ("",), ("service",), None, "When did {subject} go into operation?"),
        (
            "revocation date",
            ("certificate", ""),
            ("revocation", "revoked"),
            "What is the date of the withdrawal of the certificate of {subject}?",
            "When was the certificate of {subject} withdrawn?",
        ),
        (
            "country",
            ("manufacturingInformation",),
            ("country",),
            "Which nation was {subject} manufactured in?",
            "Where was {subject} made?",
        ),
        (
            "country of production",
            ITEM,
            ("country",),
            "What is the country of manufacture of {subject}?",
            "Where was {subject} made?",
        ),
        (
            "name at manufacturer",
            ("partTypeInformation", "productTypeInformation", "partInformation"),
            ("manufacturer name",),
            "What does its maker call {subject}?",
            None,
        ),
        (
            "name at customer",
            ("partTypeInformation", ""),
            ("customer name",),
            "What does the buyer call {subject}?",
            None,
        ),
        (
            "state of charge",
            ("dynamic", "stateOfBattery", ""),
            ("state charge", "charge level"),
            "What is the charge level of {subject}?",
            "How full is {subject}?",
        ),
        (
            "full cycles",
            ("dynamic",),
            ("full cycles",),
            None,
            "How many complete charging cycles has {subject} gone through?",
        ),
        ("expected years", ("lifetime",), ("years",), None, "How long, in years, should {subject} last?"),
        (
            "min",
            ("voltage",),
            ("voltage min", "voltage minimum"),
            "What is the lowest voltage of {subject}?",
            "How many volts does {subject} have at the least?",
        ),
        (
            "max",
            ("voltage",),
            ("voltage max", "voltage maximum"),
            "What is the highest voltage of {subject}?",
            "How many volts does {subject} have at the most?",
        ),
        (
            "batch number",
            ITEM,
            ("batch", "lot"),
            "What is the lot number of {subject}?",
            "Which lot is {subject} from?",
        ),
        (
            "phone number",
            ("contactInformation", "contactProperty"),
            ("phone", "telephone"),
            "At which telephone can the contact for {subject} be reached?",
            None,
        ),
        (
            "mileage",
            ("", "vehicle", "vehicleStatus", "productConditions", "determinationStatus"),
            ("mileage", "odometer"),
            "What is the distance travelled by {subject}?",
            "How far has {subject} been driven?",
        ),
        (
            "carrier type",
            ("dataCarrier",),
            ("carrier type",),
            "Which kind of data carrier does {subject} bear?",
            None,
        ),
        (
            "carrier layout",
            ("dataCarrier",),
            ("carrier layout", "carrier location", "carrier position"),
            "At which place on {subject} is the data carrier?",
            "Where on {subject} is the data carrier?",
        ),
        ("durability score", ("sustainability",), ("durability",), "How is the durability of {subject} rated?", None),
        (
            "reparability score",
            ("sustainability",),
            ("reparability", "repairability"),
            "How is the reparability of {subject} rated?",
            None,
        ),
        (
            "recyclable content",
            ("circularityScorecard",),
            ("recyclable",),
            "What share of {subject} is recyclable?",
            "How much of {subject} can be recycled?",
        ),
        (
            "physical state",
            ("characteristics", "", "productProperties"),
            ("physical state",),
            None,
            "Is {subject} solid, liquid or gaseous?",
        ),
        ("density", ("productProperties", "materialProperties"), ("density",), None, "How dense is {subject}?"),
        ("battery category", ("",), ("category",), "Which kind of battery is {subject}?", None),
    )
)

#: A unit as records spell it, or the part behind `unit:`, and how it may be written in a sentence.
UNITS: Final = {
    "millimetre": ("mm", "millimetres", "millimeters"),
    "gram": ("g", "grams"),
    "gramm": ("g", "grams"),
    "kilogram": ("kg", "kilograms"),
    "KGM": ("kg", "kilograms"),
    "cubicMetre": ("m³", "m3", "m^3", "cubic metres"),
    "MTQ": ("m³", "m3", "m^3", "cubic metres"),
    "MTR": ("m", "metres", "meters"),
    "piece": ("pieces", "pcs"),
    "day": ("d", "days"),
    "partPerMillion": ("ppm", "parts per million"),
    "percent": ("%", "per cent"),
    "Celsius": ("°C", "degC", "degrees Celsius"),
    "kilowattHour": ("kWh", "kilowatt hours"),
    "secondUnitOfTime": ("s", "seconds"),
    "squareCentimetre": ("cm²", "cm2", "cm^2"),
    "kilogramPerCubicMetre": ("kg/m³", "kg/m3", "kg m-3"),
    "kg CO2 / kWh": ("kg CO2/kWh", "kg CO2 per kWh"),
    "km": ("kilometres", "kilometers"),
    "s": ("seconds",),
}


def unit_spellings(unit: str) -> tuple[str, ...]:
    """Return how a unit of a record may be written: as it stands, without its prefix, in words, as a symbol."""
    local = unit.removeprefix("unit:")
    return tuple(dict.fromkeys((unit, local, " ".join(split_words(local)), *UNITS.get(local, ()))))


def concept(leaf: Leaf, all_leaves: list[Leaf]) -> Concept | None:
    """Return the everyday wording of a leaf, if it has one that fits no other leaf of its record."""
    found = _listed(leaf)
    if found is None:
        return None
    return found if all(_fits_only(words, leaf, all_leaves) for words in found.clash) else None


def has_rival(leaf: Leaf, all_leaves: list[Leaf]) -> bool:
    """Tell whether another leaf of the record means much the same in other words."""
    return _listed(leaf) is not None and concept(leaf, all_leaves) is None


def _listed(leaf: Leaf) -> Concept | None:
    tail = " ".join(split_words(leaf.names[-1]))
    parent = leaf.names[-2] if len(leaf.names) > 1 else ""
    return next((one for one in CONCEPTS if one.tail == tail and parent in one.parents), None)


def _fits_only(words: str, leaf: Leaf, all_leaves: list[Leaf]) -> bool:
    return names_only(frozenset(re.split(r" ", words)), leaf, all_leaves)


def phrase(phrasing: str, label: str, wording: Concept | None, subject: str) -> str | None:
    """Return a question in one of `PHRASINGS`, or nothing where the field has no such wording."""
    if phrasing in LABELLED:
        return LABELLED[phrasing].format(label=label, subject=subject)
    template = getattr(wording, phrasing) if wording else None
    return template.format(subject=subject) if template else None
