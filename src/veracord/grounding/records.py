"""The fields of a structured item: a leaf each, with its names, its row, its unit and the product it is about.

A member of an object that is marked unverified or a suggestion is no evidence, and null says nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from veracord.gates.statements import Field, Name, Standing
from veracord.grounding.bounds import bound_of, range_of, share_unit
from veracord.grounding.bracketed import tells_when
from veracord.grounding.guesses import GUESSES
from veracord.grounding.limits_beside import VALUE_NAMES, has_remark, holds_remarks, leaves_open, limits_value
from veracord.grounding.name_units import unit_in_name
from veracord.grounding.names import is_code_name, name_of
from veracord.grounding.places import Place, inside, outermost
from veracord.grounding.plain_entries import count_of_names
from veracord.grounding.rows import property_of, row_names
from veracord.grounding.wholes import about_of
from veracord.records.values import JsonValue

_UNIT_MEMBERS: Final = ("unit", "unitCode", "measurementUnit", "unitOfMeasurement", "uom", "currency")
_CURRENCY: Final = re.compile(r"(?:EUR|USD|GBP|CHF|JPY|CNY)|[€$£]")

Path = tuple[str | int, ...]


def fields_of(
    evidence_id: str, content: JsonValue, unsupporting: frozenset[tuple[str, ...]] = frozenset()
) -> list[Field]:
    """Return the fields of a structured item, in order.

    Args:
        unsupporting: Places that support nothing because of their origin.
    """
    found: list[Field] = []
    _collect(found, evidence_id, content, (), (), outermost(content))
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
    found: list[Field], evidence_id: str, value: JsonValue, path: Path, names: tuple[Name, ...], place: Place
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
    place: Place,
) -> None:
    first = len(found)
    inner = inside(value, names, place)
    told = property_of(value, names) if place.is_row else None
    is_open, is_remarked = leaves_open(value, names[-1] if names else None), holds_remarks(value)
    # What is inside is a row of its own only where it stands in a list of its own.
    within = replace(inner, is_row=False) if inner.is_row else inner
    for member, item in value.items():
        below, called = (*path, member), (*names, name_of(member))
        if isinstance(item, (dict, list)):
            inside_from = len(found)
            _collect(found, evidence_id, item, below, called, within)
            if is_remarked and _is_one_value(item) and has_remark(value, member):
                for field in found[inside_from:]:
                    field.is_limited = True
        elif item is not None:
            at = within
            if told is not None and called[-1].squashed in VALUE_NAMES:
                called, at = (*names, name_of(told), called[-1]), _without_row(within, told, names)
            field = _field_of(evidence_id, item, below, called, at, _unit_of(value, member))
            field.bound = bound_of(value, member) if field.kind == "number" else ""
            field.is_limited = (
                (inner.taken_back is not None and member != inner.taken_back)
                or (is_open and called[-1].squashed == "name")
                or limits_value(value, member, names[-1] if names else None, is_row=place.is_row)
                or (is_remarked and has_remark(value, member))
            )
            found.append(field)
    if names and (ends := range_of(value)) is not None:
        whole = _range_field(evidence_id, ends, path, names, inner, _shared_unit(value))
        whole.is_limited |= any(field.is_limited for field in found[first:])
        found.append(whole)


def _is_one_value(item: JsonValue) -> bool:
    """Whether a list or an object is the value of its member, and no thing with fields of its own."""
    if isinstance(item, dict):
        return any(name_of(member).squashed in VALUE_NAMES for member in item)
    return isinstance(item, list) and not any(isinstance(one, (dict, list)) for one in item)


def _without_row(place: Place, told: str, names: tuple[Name, ...]) -> Place:
    """Return the place of the value of a property: it goes by the property, and by no row."""
    row = place.row[:-1] if place.row[-1:] == (told,) else place.row
    # The list of the properties is the thing's own, and so is each of them.
    roles = (*place.roles[: len(names) - 1], *(("own",) if names else ()), "own")
    return replace(place, row=row, roles=roles)


def _collect_items(
    found: list[Field],
    evidence_id: str,
    value: list[JsonValue],
    path: Path,
    names: tuple[Name, ...],
    place: Place,
) -> None:
    rows, row_words = row_names(value)
    own = [item for item in value if isinstance(item, str)]
    texts = len(value) if len(own) == len(value) else 0
    named = count_of_names(own, is_dated=bool(names) and tells_when(names[-1])) if texts else 0
    is_list = place.is_list_item or (len(value) > 1 and not rows)
    at = replace(place, is_list_item=is_list, row_words=place.row_words | row_words, is_row=True)
    if rows:
        at = replace(at, row_places=place.row_places | {len(names) - 1})
    for number, item in enumerate(value):
        row = (*place.row, rows[number]) if rows else place.row
        one = replace(at, row=row) if rows else at
        if isinstance(item, (dict, list)):
            _collect(found, evidence_id, item, (*path, number), names, one)
        elif item is not None:
            field = _field_of(evidence_id, item, (*path, number), names, one, None)
            field.list_size, field.counted = texts, named
            found.append(field)


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


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def _range_field(
    evidence_id: str,
    ends: tuple[Decimal, Decimal],
    path: Path,
    names: tuple[Name, ...],
    place: Place,
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
        owners=place.owners,
        roles=place.roles[:-1],
        row_places=place.row_places,
        is_limited=place.taken_back is not None,
    )


def _field_of(
    evidence_id: str, value: JsonValue, path: Path, names: tuple[Name, ...], place: Place, unit: str | None
) -> Field:
    last = names[-1].squashed if names else ""
    text, kind = _value_of(value)
    is_code = bool(names) and is_code_name(names[-1])
    if is_code and kind == "number" and unit is None:
        kind = "text"
    standing = Standing.UNVERIFIED if last.startswith(GUESSES) else place.standing
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
        owners=place.owners,
        roles=place.roles,
        row_places=place.row_places,
        is_code=is_code,
    )


def _value_of(value: JsonValue) -> tuple[str, str]:
    if isinstance(value, bool):
        return ("true" if value else "false"), "boolean"
    if _is_number(value):
        return (f"{value:f}" if isinstance(value, Decimal) else str(value)), "number"
    return str(value), "text"
