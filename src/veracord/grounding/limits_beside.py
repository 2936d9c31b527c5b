"""Members beside a value that take it back, or limit it, and those that may be passed over.

``{"value": 5, "unit": "kg", "note": ...}`` states 5 kg under a condition that no rule reads.  What may stand beside a
value without changing it is a closed list, as nobody can list all that may change it.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from veracord.gates.statements import Name
from veracord.grounding.names import is_code_name, name_of, squash
from veracord.grounding.part_roles import Role, role_of
from veracord.language.units import unit_named
from veracord.records.values import JsonValue

#: Names that say no more than the name above them.
VALUE_NAMES: Final = frozenset({"value", "lifevalue", "quantityvalue", "amount"})
#: What may stand beside a value: its unit, its limit (read elsewhere), what it is called, and where it is from.
_HARMLESS: Final = frozenset(
    "unit units unitcode unittext unitlabel measurementunit unitofmeasurement unitofmeasure uom currency currencycode"
    " lifeunit quantityunit valueunit amountunit symbol unitsymbol datatype valuetype xsdtype format"
    " operator comparator qualifier comparison relation bound limittype sign tolerance plusminus uncertainty"
    " lower upper min max minimum maximum low high nominal typical mean average rated"
    " id code identifier semanticid source sources sourceref references evidence evidenceref document documents link"
    " url uri href citation lang language locale decimals precision digits order position index verified wert einheit"
    " quelle".split()
)
#: What names the value: it may say no more than the name above it.
_NAMING: Final = frozenset(
    "name label title key metric propertyname displayname preflabel idshort parameter attribute property"
    " bezeichnung".split()
)
#: What may stand beside it besides where it is one row of a list: what the row is of.
_OF_ROWS: Final = frozenset(
    "lifecycle lifecyclestage stage component batterycomponent material materialname substance substancename topic"
    " pollutant category manufacturingplant element metricname recycledmaterial type lifetype lifedescription rulebook"
    " declaration performanceclass".split()
)
#: Flags that take back all that stands beside them.
_TAKING_BACK: Final = frozenset(
    "negated negative deprecated placeholder isplaceholder example isexample dummy invalid isinvalid obsolete"
    " isobsolete isdeprecated withdrawn iswithdrawn revoked isrevoked rejected isrejected excluded absent notapplicable"
    " superseded cancelled canceled approximate isapproximate estimated isestimate isestimated estimate assumed"
    " hypothetical draft isdraft test istest outdated expired isexpired disputed ungültig veraltet".split()
)
#: Flags whose "false" does the same.
_UPHOLDING: Final = frozenset(
    "present ispresent valid isvalid active isactive applicable isapplicable contained iscontained confirmed approved"
    " isapproved current iscurrent available exists detected used fulfilled passed granted compliant certified"
    " vorhanden gültig enthalten".split()
)
_NO: Final = frozenset({"no", "false", "nein", "n", "none", "keine", "absent", "0"})
_STATES: Final = frozenset("status state validity validitystatus certificatestatus lifecyclestatus zustand".split())
_UPHELD: Final = frozenset(
    "valid active current ok approved issued verified confirmed released published final inforce passed granted"
    " certified official present effective complete completed original gültig aktiv bestätigt freigegeben".split()
)
#: What is written behind the name of a member to say something of it.
_REMARKS: Final = ("status", "state", "note", "notes", "remark", "remarks", "comment", "qualifier", "flag", "valid")
_ENDS: Final = frozenset(
    "lower upper min max minimum maximum low high nominal typical mean average rated tolerance".split()
)
#: What may stand beside the name of a thing without saying that the thing is not, or not wholly, what the member above
#: it says: what it is called, where it is, how it is reached, and how much of it there is.
_BESIDE_NAMES: Final = frozenset(
    "name legalname companyname tradename shortname fullname alternatename displayname id ids identifier identifiers"
    " code uuid uri url iri href link web website homepage email mail phone telephone tel fax mobile contact contacts"
    " contactdetails contactperson address addresses postaladdress street streetname streetaddress housenumber city"
    " town place location region state province country countrycode nation zip zipcode postcode postalcode plz latitude"
    " longitude geo coordinates gln duns lei vat vatid vatnumber taxid eori registrationnumber companynumber legalform"
    " lang language locale logo image source sources sourceref references evidence evidenceref document documents"
    " semanticid cas casnumber casno ecnumber einecs symbol formula gtin ean sku mpn partnumber serialnumber"
    " modelnumber articlenumber unit unitcode currency length width height depth diameter volume density colour"
    " color firma straße strasse hausnummer"
    " idscheme otheridentifiers alsoknownas issueralsoknownas facilityalsoknownas schemename alphacode alpha2code"
    " alpha3code version trustmark issuedate issuingparty issuingauthority jurisdictioncountry administeredby"
    " materialnumber"
    " ort land webseite telefon ansprechpartner adresse rechtsform farbe".split()
)
#: What kinds of things there are, whatever they are to others: the classes of linked data.
_KINDS: Final = frozenset(
    "entity organization organisation company corporation person place country facility party product item material"
    " identifierscheme classification standard regulation credentialissuer criterion conformityscheme"
    " conformityassessmentscheme postaladdress contactpoint".split()
)
#: How much of it there is: of nothing there is none.
_PORTIONS: Final = frozenset(
    "share percentage percent pct concentration fraction quantity amount count mass weight anteil menge masse"
    " gewicht".split()
)
_PERCENT: Final = frozenset({"pct", "percent", "percentage", "prozent", "value"})
_MORE_THAN_NOTHING: Final = re.compile(r"\s*[0.,]{0,12}[1-9]")
_SQUASHED: Final = re.compile(r"[\W_]+")


def limits_value(parent: Mapping[str, JsonValue], member: str, above: Name | None, *, is_row: bool) -> bool:
    """Whether a member of an object stands beside its value that may change what the value says.

    Args:
        above: What the object is called.
        is_row: Whether it is one item of a list, and so goes by a member of its own.
    """
    name = name_of(member).squashed
    if name not in VALUE_NAMES and not (name in _ENDS and len(parent) > 1 and _is_quantity(parent)):
        return False
    return not all(
        other == member or item is None or _may_pass(other, item, above, is_row=is_row)
        for other, item in parent.items()
    )


def _is_quantity(parent: Mapping[str, JsonValue]) -> bool:
    """Whether all numbers of an object are of one quantity: {"min": 4, "max": 6, "unit": "kg"}."""
    numbers = [name_of(member).squashed for member, item in parent.items() if isinstance(item, (int, Decimal))]
    return all(name in _ENDS | VALUE_NAMES for name in numbers)


def holds_remarks(parent: Mapping[str, JsonValue]) -> bool:
    """Whether an object may hold a remark on one of its members: a quick look, made once."""
    return any(member.casefold().endswith(_REMARKS) for member in parent)


def has_remark(parent: Mapping[str, JsonValue], member: str) -> bool:
    """Whether a remark on a member stands beside it that may take it back: "mass_status", "massNote"."""
    stems = [stem for stem in (member, member.rpartition("_")[0]) if stem]
    found = (
        parent.get(f"{stem}{form}") for stem in stems for word in _REMARKS for form in (f"_{word}", word.capitalize())
    )
    return any(
        item is not None and item is not True and not (isinstance(item, str) and is_upheld(item)) for item in found
    )


def is_upheld(state: str) -> bool:
    """Whether a state says that something holds."""
    return _SQUASHED.sub("", state.casefold()) in _UPHELD


def _may_pass(member: str, item: JsonValue, above: Name | None, *, is_row: bool) -> bool:
    name = name_of(member).squashed
    if name in _HARMLESS or name in VALUE_NAMES or name.endswith(("unit", "unitcode")) or member.startswith("@"):
        return True
    if name in _NAMING:
        return is_row or (isinstance(item, str) and above is not None and {*name_of(item).stems} <= {*above.stems})
    return (is_row and name in _OF_ROWS) or (item is False and name in _TAKING_BACK)


def taking_back(own: Mapping[str, JsonValue]) -> str | None:
    """Return the flag of an object that takes back all that stands beside it, or None."""
    return next((member for member, item in own.items() if item is True and _is_one(member, _TAKING_BACK)), None)


def leaves_open(parent: Mapping[str, JsonValue], above: Name | None) -> bool:
    """Whether an object that goes by its name may not hold: "former": true, "role": "candidate", a share of zero.

    Nobody can list all that may limit it, so what may stand beside the name of a thing is a closed list; the product,
    and what only groups its fields, may have whatever fields there are.

    Args:
        above: What the object is called.
    """
    is_thing = above is not None and role_of(above) is not Role.OWN
    return not all(item is None or _may_stand_beside_name(member, item, is_thing) for member, item in parent.items())


def _may_stand_beside_name(member: str, item: JsonValue, is_thing: bool) -> bool:  # noqa: FBT001 - of the object
    name = name_of(member)
    if name.squashed in _UPHOLDING:
        is_denied = item is False or (isinstance(item, str) and item.strip().casefold() in _NO)
        return not is_denied if not is_thing else item is True
    if name.squashed in _STATES and isinstance(item, str):
        return is_upheld(item)
    words = name.words.casefold().split()
    if words and words[0] in _PORTIONS and all(word in _PERCENT or unit_named(word) for word in words[1:]):
        return _is_some(item)
    if not is_thing or item is False:
        return not is_thing or name.squashed in _TAKING_BACK
    if name.squashed == "type":
        return all(
            isinstance(one, str) and squash(one) in _KINDS for one in (item if isinstance(item, list) else [item])
        )
    is_code = is_code_name(name) and not name.squashed.startswith("product")
    return member.startswith("@") or (item is not True and (is_code or name.squashed in _BESIDE_NAMES))


def _is_some(item: JsonValue) -> bool:
    """Whether a portion is more than nothing: 5, "5 %", {"value": 5, "unit": "%"}."""
    if isinstance(item, dict):
        return all(_is_some(one) for member, one in item.items() if name_of(member).squashed in VALUE_NAMES)
    if isinstance(item, str):
        return _MORE_THAN_NOTHING.match(item) is not None
    return isinstance(item, (int, Decimal)) and item > 0


def _is_one(member: str, names: frozenset[str]) -> bool:
    return name_of(member).squashed in names
