"""What is known above a leaf of a record: its row, its products, and what each object around it is to the product."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from veracord.gates.statements import Name, Standing
from veracord.grounding.guesses import is_unverified
from veracord.grounding.limits_beside import taking_back
from veracord.grounding.names import name_of
from veracord.grounding.part_roles import Role, role_of
from veracord.grounding.rows import is_named_row
from veracord.grounding.wholes import titles_of, wholes_of
from veracord.records.values import JsonValue

_PRODUCT_MEMBERS: Final = frozenset({"productid", "gtin", "serialnumber", "passportidentifier", "product"})


@dataclass(slots=True)
class Place:
    """What is known above a leaf.

    Attributes:
        row: What its rows are called, where rows stand side by side.
        products: What identifies the products that it stands in.
        owners: For each of them how many names stand above the object that it identifies.
        roles: For each name above the leaf what that object is to what stands around it.
        row_places: Which of these names are lists whose row is told.
        ids: The identifiers of products above, by the member that has them.
        is_row: Whether the object is one item of a list.
        standing: Whether it is evidence.
        is_list_item: Whether the leaf is one of several values.
        row_words: Words of the name of the member that a row goes by.
        wholes: Words that mean the record as a whole.
        taken_back: The flag above that takes back what it stands beside.
    """

    row: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    owners: tuple[int, ...] = ()
    roles: tuple[str, ...] = ()
    row_places: frozenset[int] = frozenset()
    ids: tuple[tuple[str, str], ...] = ()
    is_row: bool = False
    standing: Standing = Standing.EVIDENCE
    is_list_item: bool = False
    row_words: frozenset[str] = frozenset()
    wholes: frozenset[str] = frozenset()
    taken_back: str | None = None


def outermost(content: JsonValue) -> Place:
    """Return the place of a record as a whole: its title, and identifiers in a group of its own, are the product's."""
    titles = titles_of(content)
    place = Place(products=titles, owners=(0,) * len(titles), wholes=wholes_of(content))
    if not isinstance(content, dict):
        return place
    own = _ids_of(content)
    for member, item in content.items():
        if isinstance(item, dict) and role_of(name_of(member)) is Role.OWN:
            known = {name for name, _ in own}
            own += [one for one in _ids_of(item) if one[0] not in known]
    return _with_ids(place, own, 0)


def inside(value: Mapping[str, JsonValue], names: tuple[Name, ...], place: Place) -> Place:
    """Return what is known of the members of an object.

    Args:
        names: What it is called, the outermost first.
        place: What is known of the object.
    """
    own = _ids_of(value)
    members = [(name_of(member).squashed, item) for member, item in value.items()]
    standing = Standing.UNVERIFIED if is_unverified(members, names) else place.standing
    taken_back = taking_back(value) or place.taken_back
    inner = replace(place, standing=standing, roles=_roles(value, names, place, own), taken_back=taken_back)
    return _with_ids(inner, own, len(names))


def _roles(
    value: Mapping[str, JsonValue], names: tuple[Name, ...], place: Place, own: list[tuple[str, str]]
) -> tuple[str, ...]:
    if len(names) <= len(place.roles):
        return place.roles
    role = role_of(names[-1])
    if role is Role.OWN and place.is_row and is_named_row(value):
        role = Role.PART
    if _is_stranger(own, place, role):
        role = Role.STRANGER
    return (*place.roles, role)


def _is_stranger(own: list[tuple[str, str]], place: Place, role: Role) -> bool:
    """Whether an object has the identifier of another product than that around it."""
    if not own or not place.ids or {value for _, value in own} <= {value for _, value in place.ids}:
        return False
    outer = dict(place.ids)
    return role is not Role.OWN or any(outer.get(name, value) != value for name, value in own)


def _ids_of(value: Mapping[str, JsonValue]) -> list[tuple[str, str]]:
    """Return the identifiers of an object by their member; a "product" with digits is a "productId"."""
    return [
        ("productid" if name == "product" and any(c.isdigit() for c in str(item)) else name, str(item))
        for member, item in value.items()
        if isinstance(item, (str, int)) and not isinstance(item, bool)
        if (name := name_of(member).squashed) in _PRODUCT_MEMBERS
    ]


def _with_ids(place: Place, own: list[tuple[str, str]], depth: int) -> Place:
    new = [one for one in own if one not in place.ids]
    if not new:
        return place
    return replace(
        place,
        products=(*place.products, *(value for _, value in new)),
        owners=(*place.owners, *(depth for _ in new)),
        ids=(*place.ids, *new),
    )
