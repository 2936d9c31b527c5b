"""The fields of a structured item: a leaf each, with its names, its row, its unit and the product it is about.

A member of an object that is marked unverified or a suggestion is no evidence, and null says nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from veracord.gates.mentions import Mention, mentions_of
from veracord.gates.statements import Field, Name, Standing
from veracord.grounding.names import name_of
from veracord.language.locales import Locale
from veracord.language.quantities import Quantity, single_quantity
from veracord.language.units import Unit, literal_unit, read_unit, unit_named
from veracord.records.values import JsonValue

_UNIT_MEMBERS: Final = ("unit", "unitCode", "measurementUnit", "unitOfMeasurement", "uom", "currency")
#: Names that say no more than the name above them.
VALUE_NAMES: Final = frozenset({"value", "lifevalue", "quantityvalue", "amount"})
_ROW_MEMBERS: Final = (
    "name materialName lifecycleStage lifecycle stage component batteryComponent substanceName material"
    " hazardousSubstanceName batteryMaterialName metricName topic pollutant recycledMaterial id label title substance"
    " element part type category code identifier key"
).split()
_PRODUCT_MEMBERS: Final = frozenset({"productid", "gtin", "serialnumber", "passportidentifier", "product"})
_TITLES: Final = frozenset({"title", "productname", "modelname"})
_UNVERIFIED: Final = re.compile(
    r"unverified|suggest(?:ed|ion)|not[ _-]?verified|ai[ _-]generated|accepted_suggestion", re.IGNORECASE
)
_DOUBTS: Final = frozenset(
    {"status", "state", "origin", "verification", "provenance", "confidencestatus", "reviewstatus"}
)
_GUESSES: Final = ("suggest", "unverified")
_LONGEST_ROW: Final = 120
_CURRENCY: Final = re.compile(r"(?:EUR|USD|GBP|CHF|JPY|CNY)|[€$£]")
_NAMED_UNIT: Final = re.compile(r"(.{2,80}?)(?:(?:_in)?_([A-Za-z]{1,8})|(?<=[a-z])(?:In)?([A-Z][A-Za-z]{0,6}))")
_NAME_UNITS: Final = {
    unit.casefold(): unit
    for unit in "kg g mg mm cm km ml kWh Wh MWh MJ kJ Ah mAh kW kPa bar Hz rpm ppm EUR USD Nm".split()
} | {"pct": "%", "percent": "%"}
_PLAIN_NUMBER: Final = re.compile(
    r"[-−+]?(?:0|[1-9][0-9]{0,2}(?:[,' \u00a0\u2009\u202f][0-9]{3})*|[1-9][0-9]*)(?:[.,][0-9]+)?"
)


@dataclass(slots=True)
class _Place:
    """What is known above a leaf."""

    row: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    standing: Standing = Standing.EVIDENCE
    is_list_item: bool = False


Path = tuple[str | int, ...]


def fields_of(
    evidence_id: str, content: JsonValue, unsupporting: frozenset[tuple[str, ...]] = frozenset()
) -> list[Field]:
    """Return the fields of a structured item, in order.

    Args:
        unsupporting: Places that support nothing because of their origin.
    """
    found: list[Field] = []
    _collect(found, evidence_id, content, (), (), _Place(products=_titles(content)))
    if unsupporting:
        for field in found:
            path = tuple(map(str, field.path))
            if any(path[: len(at)] == at for at in unsupporting):
                field.standing = Standing.UNVERIFIED
    return found


def _titles(content: JsonValue) -> tuple[str, ...]:
    """Return what a record as a whole is called: a claim about it may say its name."""
    if not isinstance(content, dict):
        return ()
    title = next((item for member, item in content.items() if name_of(member).squashed in _TITLES), None)
    if isinstance(title, list) and len(title) == 1:
        title = title[0]
    return (title.strip(),) if isinstance(title, str) and 1 < len(title.strip()) < _LONGEST_ROW else ()


def _collect(
    found: list[Field], evidence_id: str, value: JsonValue, path: Path, names: tuple[Name, ...], place: _Place
) -> None:
    if isinstance(value, dict):
        inner = _inside(value, names, place)
        for member, item in value.items():
            below, called = (*path, member), (*names, name_of(member))
            if isinstance(item, (dict, list)):
                _collect(found, evidence_id, item, below, called, inner)
            elif item is not None:
                found.append(_field_of(evidence_id, item, below, called, inner, _unit_of(value, member)))
    elif isinstance(value, list):
        rows = _row_names(value)
        texts = len(value) if all(isinstance(item, str) for item in value) else 0
        is_list = place.is_list_item or (len(value) > 1 and not rows)
        for number, item in enumerate(value):
            row = (*place.row, rows[number]) if rows else place.row
            one = _Place(row, place.products, place.standing, is_list)
            if isinstance(item, (dict, list)):
                _collect(found, evidence_id, item, (*path, number), names, one)
            elif item is not None:
                field = _field_of(evidence_id, item, (*path, number), names, one, None)
                field.list_size = texts
                found.append(field)
    elif value is not None:
        found.append(_field_of(evidence_id, value, path, names, place, None))


def _inside(value: Mapping[str, JsonValue], names: tuple[Name, ...], place: _Place) -> _Place:
    own = [(name_of(member).squashed, item) for member, item in value.items()]
    products = tuple(
        str(item)
        for name, item in own
        if name in _PRODUCT_MEMBERS and isinstance(item, (str, int)) and not isinstance(item, bool)
    )
    standing = Standing.UNVERIFIED if _is_unverified(own, names) else place.standing
    if not products and standing is place.standing:
        return place
    return _Place(place.row, (*place.products, *products), standing, place.is_list_item)


def _is_unverified(own: list[tuple[str, JsonValue]], names: tuple[Name, ...]) -> bool:
    if names and names[-1].squashed.startswith((*_GUESSES, "proposed")):
        return True
    for name, item in own:
        if name in _DOUBTS and isinstance(item, str) and _UNVERIFIED.search(item):
            return True
        if item is True and name in ("unverified", "issuggestion", "suggestion", "suggested"):
            return True
        if item is False and name == "verified":
            return True
    return False


def _unit_of(parent: Mapping[str, JsonValue], member: str) -> str | None:
    if not isinstance(parent[member], (int, Decimal, str)):
        return None
    for other in _unit_members(member):
        unit = parent.get(other)
        if isinstance(unit, str):
            return unit
    for other in _UNIT_MEMBERS:
        unit = parent.get(other)
        if other != member and isinstance(unit, str):
            numbers = sum(map(_is_number, parent.values()))
            is_value = numbers == 0 and name_of(member).squashed in VALUE_NAMES
            return unit if (numbers == 1 and _is_number(parent[member])) or is_value else None
    return None


@lru_cache(maxsize=4096)
def _unit_members(member: str) -> tuple[str, ...]:
    stem = member.removesuffix("Value")
    names = (f"{member}Unit", f"{member}_unit", f"{stem}Unit", f"{stem}UnitCode")
    return tuple(dict.fromkeys(name for name in names if name != member))


def _row_names(rows: list[JsonValue]) -> list[str]:
    """Return what each row is called, or nothing where there is one row, or rows are no objects or not told apart."""
    if len(rows) < 2:  # noqa: PLR2004 - rows stand side by side from two on
        return []
    objects = [row for row in rows if isinstance(row, dict)]
    if len(objects) < len(rows):
        return []
    for member in (*_ROW_MEMBERS, *objects[0]):
        names = [name for row in objects if isinstance(name := row.get(member), str) and 0 < len(name) < _LONGEST_ROW]
        if len(names) == len(rows) and len({name.casefold() for name in names}) == len(rows):
            return names
    return [f"\x00{number}" for number in range(len(rows))]


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def _field_of(
    evidence_id: str, value: JsonValue, path: Path, names: tuple[Name, ...], place: _Place, unit: str | None
) -> Field:
    last = names[-1].squashed if names else ""
    text, kind = _value_of(value)
    standing = Standing.UNVERIFIED if last.startswith(_GUESSES) else place.standing
    short, named_unit = unit_in_name(str(path[-1])) if kind == "number" and unit is None and names else (None, None)
    return Field(
        evidence_id=evidence_id,
        path=path,
        names=names,
        row=place.row,
        products=place.products,
        value=text,
        unit=unit or named_unit,
        short=short,
        has_loose_unit=unit is not None and _CURRENCY.fullmatch(unit) is not None,
        kind=kind,
        is_list_item=place.is_list_item,
        standing=standing,
    )


@lru_cache(maxsize=4096)
def unit_in_name(member: str) -> tuple[Name | None, str | None]:
    """Return a member's name without the unit that ends it, and that unit: ``mass_kg``, ``lengthMm``."""
    found = _NAMED_UNIT.fullmatch(member)
    unit = _NAME_UNITS.get((found[2] or found[3]).casefold()) if found else None
    return (name_of(found[1]), unit) if found and unit else (None, None)


def _value_of(value: JsonValue) -> tuple[str, str]:
    if isinstance(value, bool):
        return ("true" if value else "false"), "boolean"
    if _is_number(value):
        return (f"{value:f}" if isinstance(value, Decimal) else str(value)), "number"
    return str(value), "text"


def mention_of(field: Field) -> Mention | None:
    """Return the reading of a field's value where it is wholly one quantity, date or identifier."""
    if field.kind == "number":
        return number_mention(field.value, field.unit)
    if field.kind == "boolean":
        return None
    mention = typed_mention(field.value)
    if mention is not None and field.unit and mention.kind == "quantity":
        return typed_mention(f"{field.value} {field.unit}") or mention
    return mention


@lru_cache(maxsize=4096)
def number_mention(text: str, unit: str | None) -> Mention:
    """Return a number of a record, with its unit, as a mention."""
    value = Decimal(text)
    held = f"{text} {unit}" if unit else text
    known = _known_unit(unit) if unit else None
    quantity = single_quantity(value, known)
    return Mention("quantity", held, (0, len(held)), quantity)


def _known_unit(unit: str) -> Unit | None:
    known = unit_named(unit)
    if known is None and (read := read_unit(unit, 0)) is not None and read[1][1] == len(unit):
        return read[0]
    return known or literal_unit(unit)


@lru_cache(maxsize=8192)
def typed_mention(text: str, locale: Locale | None = None) -> Mention | None:
    """Return the reading of a text that is wholly one quantity, date or identifier."""
    if len(text) > _LONGEST_ROW:
        return None
    found = mentions_of(text, locale)
    if len(found) == 1 and found[0].kind == "quantity" and not _is_plain(text, found[0]):
        return None
    if len(found) == 1 and not text[: found[0].span[0]].strip() and not text[found[0].span[1] :].strip(" ."):
        return found[0]
    return None


def _is_plain(text: str, mention: Mention) -> bool:
    """Whether a text without a unit is a number, and not a code that looks like one: "011-99000"."""
    value = mention.value
    has_unit = isinstance(value, Quantity) and value.unit is not None
    return has_unit or _PLAIN_NUMBER.fullmatch(text.strip()) is not None
