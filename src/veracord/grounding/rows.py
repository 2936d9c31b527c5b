"""Objects that stand side by side in a list: what each goes by, and which of them are a property with its value."""

from collections.abc import Mapping
from typing import Final

from veracord.gates.statements import Name
from veracord.grounding.limits_beside import VALUE_NAMES
from veracord.grounding.names import name_of
from veracord.grounding.part_roles import Role, role_of
from veracord.records.values import JsonValue

_ROW_MEMBERS: Final = (
    "name materialName lifecycleStage lifecycle stage component batteryComponent substanceName material"
    " hazardousSubstanceName batteryMaterialName metricName topic pollutant recycledMaterial id label title substance"
    " element part type category code identifier key"
).split()
#: Words of a member's name that say only that it names.
_NAMING: Final = frozenset("name id titl label code identifier key type".split())
_PROPERTY_MEMBERS: Final = ("name", "property", "propertyName", "label", "key", "parameter", "attribute", "title")
_PROPERTIES: Final = frozenset(
    "properti property attribute characteristic characteristics parameter specification spec feature field data detail"
    " details measurement measurements valu daten eigenschaft eigenschaften merkmal merkmale kennwert kennwerte".split()
)
_LONGEST_ROW: Final = 120


def row_names(rows: list[JsonValue]) -> tuple[list[str], frozenset[str]]:
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


def is_named_row(row: Mapping[str, JsonValue]) -> bool:
    """Whether an object of a list has a name of its own, and so is a thing."""
    return any(isinstance(row.get(member), str) for member in _ROW_MEMBERS)


def property_of(row: Mapping[str, JsonValue], above: tuple[Name, ...]) -> str | None:
    """Return the property that an object of a list tells the value of: ``{"name": "mass", "value": 5}``."""
    if above and not (role_of(above[-1]) is Role.OWN and _PROPERTIES.intersection(above[-1].stems)):
        return None
    if not any(name_of(member).squashed in VALUE_NAMES for member in row):
        return None
    found = next((name for member in _PROPERTY_MEMBERS if isinstance(name := row.get(member), str)), "")
    return found if 0 < len(found) < _LONGEST_ROW else None
