"""The fields of a structured item: a leaf each, with its names, its row, its unit and the product it is about.

A member of an object that is marked unverified or a suggestion is no evidence, and null says nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from veracord.gates.statements import Field, Name, Standing
from veracord.grounding.bounds import bound_of, range_of, share_unit
from veracord.grounding.names import name_of
from veracord.grounding.wholes import about_of, titles_of, wholes_of
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
#: Words of a member's name that say only that it names.
_NAMING: Final = frozenset("name id titl label code identifier key type".split())
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


@dataclass(slots=True)
class _Place:
    """What is known above a leaf."""

    row: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    standing: Standing = Standing.EVIDENCE
    is_list_item: bool = False
    row_words: frozenset[str] = frozenset()
    wholes: frozenset[str] = frozenset()


Path = tuple[str | int, ...]


def fields_of(
    evidence_id: str, content: JsonValue, unsupporting: frozenset[tuple[str, ...]] = frozenset()
) -> list[Field]:
    """Return the fields of a structured item, in order.

    Args:
        unsupporting: Places that support nothing because of their origin.
    """
    found: list[Field] = []
    _collect(found, evidence_id, content, (), (), _Place(products=titles_of(content), wholes=wholes_of(content)))
    about = about_of(content)
    if about is not None:
        for field in found:
            field.about = about
    if unsupporting:
        for field in found:
            path = tuple(map(str, field.path))
            if any(path[: len(at)] == at[: len(path)] for at in unsupporting):
                field.standing = Standing.UNVERIFIED
    return found


def _collect(
    found: list[Field], evidence_id: str, value: JsonValue, path: Path, names: tuple[Name, ...], place: _Place
) -> None:
    if isinstance(value, dict):
        _collect_members(found, evidence_id, value, path, names, place)
    elif isinstance(value, list):
        _collect_items(found, evidence_id, value, path, names, place)
    elif value is not None:
        found.append(_field_of(evidence_id, value, path, names, place, None))


def _collect_members(
    found: list[Field],
    evidence_id: str,
    value: Mapping[str, JsonValue],
    path: Path,
    names: tuple[Name, ...],
    place: _Place,
) -> None:
    inner = _inside(value, names, place)
    for member, item in value.items():
        below, called = (*path, member), (*names, name_of(member))
        if isinstance(item, (dict, list)):
            _collect(found, evidence_id, item, below, called, inner)
        elif item is not None:
            field = _field_of(evidence_id, item, below, called, inner, _unit_of(value, member))
            field.bound = bound_of(value, member) if field.kind == "number" else ""
            found.append(field)
    if names and (ends := range_of(value)) is not None:
        found.append(_range_field(evidence_id, ends, path, names, inner, _shared_unit(value)))


def _collect_items(
    found: list[Field],
    evidence_id: str,
    value: list[JsonValue],
    path: Path,
    names: tuple[Name, ...],
    place: _Place,
) -> None:
    rows, row_words = _row_names(value)
    texts = len(value) if all(isinstance(item, str) for item in value) else 0
    is_list = place.is_list_item or (len(value) > 1 and not rows)
    inside = replace(place, is_list_item=is_list, row_words=place.row_words | row_words)
    for number, item in enumerate(value):
        row = (*place.row, rows[number]) if rows else place.row
        one = replace(inside, row=row) if rows else inside
        if isinstance(item, (dict, list)):
            _collect(found, evidence_id, item, (*path, number), names, one)
        elif item is not None:
            field = _field_of(evidence_id, item, (*path, number), names, one, None)
            field.list_size = texts
            found.append(field)


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
    return replace(place, products=(*place.products, *products), standing=standing)


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
            is_its = _is_number(parent[member]) and (numbers == 1 or share_unit(parent))
            return unit if is_its or is_value else None
    return None


def _shared_unit(parent: Mapping[str, JsonValue]) -> str | None:
    return next((unit for other in _UNIT_MEMBERS if isinstance(unit := parent.get(other), str)), None)


@lru_cache(maxsize=4096)
def _unit_members(member: str) -> tuple[str, ...]:
    stem = member.removesuffix("Value")
    names = (f"{member}Unit", f"{member}_unit", f"{stem}Unit", f"{stem}UnitCode")
    return tuple(dict.fromkeys(name for name in names if name != member))


def _row_names(rows: list[JsonValue]) -> tuple[list[str], frozenset[str]]:
    """Return what each row is called, and the words of the member that says so.

    Nothing where there is one row, or rows are no objects or not told apart.
    """
    if len(rows) < 2:  # noqa: PLR2004 - rows stand side by side from two on
        return [], frozenset()
    objects = [row for row in rows if isinstance(row, dict)]
    if len(objects) < len(rows):
        return [], frozenset()
    for member in (*_ROW_MEMBERS, *objects[0]):
        names = [name for row in objects if isinstance(name := row.get(member), str) and 0 < len(name) < _LONGEST_ROW]
        if len(names) == len(rows) and len({name.casefold() for name in names}) == len(rows):
            return names, frozenset(name_of(member).stems) - _NAMING
    return [f"\x00{number}" for number in range(len(rows))], frozenset()


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def _range_field(
    evidence_id: str,
    ends: tuple[Decimal, Decimal],
    path: Path,
    names: tuple[Name, ...],
    place: _Place,
    unit: str | None,
) -> Field:
    return Field(
        evidence_id=evidence_id,
        path=path,
        names=names,
        row=place.row,
        products=place.products,
        value=f"{ends[0]:f} {ends[1]:f}",
        unit=unit,
        kind="range",
        is_list_item=place.is_list_item,
        row_words=place.row_words,
        wholes=place.wholes,
        standing=place.standing,
    )


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
        row_words=place.row_words,
        wholes=place.wholes,
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
