"""Whether a profile fits its schema.

A name that the schema does not know and a key that can never decide are errors when the profile is loaded, not
surprises when it is used.
"""

from collections.abc import Iterator
from typing import Final

from veracord.records.places import Place
from veracord.records.pointers import STAR, Tokens, index_of, join
from veracord.records.profile_tables import ProfileTable, profile_error
from veracord.records.rules import CompareRule

#: Fields that name one value of a whole record.
_OF_THE_RECORD: Final = ("identity.keys", "identity.level", "administrative.record_id")


def check_against_schema(table: ProfileTable, place: Place, where: str) -> None:
    """Check that the schema knows every place that a profile names.

    Raises:
        ConfigurationError: A place that the schema does not know, or an identity member inside an array.
    """
    for name, tokens in _named_places(table):
        through_array = _check_known(place, tokens, name, where)
        if through_array and name in _OF_THE_RECORD:
            raise profile_error(f"{name}: {join(tokens)} goes through an array", where)
    for at, row_key in table.rows:
        if any(STAR in member for member in row_key):
            raise profile_error(f"rows: the key of {join(at)} can never match", where, "name members of the row")
    seen: list[set[Tokens]] = []
    for key in table.identity.keys:
        members = {member.tokens for member in key}
        if members in seen:
            raise profile_error("identity.keys: a key repeats an earlier one and can never decide", where)
        if len(members) < len(key):
            raise profile_error("identity.keys: a key names a member twice", where)
        seen.append(members)


def _named_places(table: ProfileTable) -> Iterator[tuple[str, Tokens]]:
    identity = table.identity
    yield from (("identity.keys", member.tokens) for member in identity.all_members)
    yield from (("identity.level", at) for at in (identity.level,) if at)
    yield from (("administrative.record_id", at) for at in (identity.record_id,) if at)
    yield from (("administrative.never_filled", at) for at in table.never_filled)
    yield from (("administrative.never_suggested", at) for at in table.never_suggested)
    yield from (("levels.values", at) for _, at in identity.levels)
    for at, key in table.rows:
        yield from (("rows", (*at, STAR, *member)) for member in key)
    for value, agrees in table.context:
        yield from (("context", at) for at in (value, *agrees))
    yield from (("labels", at) for at, _ in table.labels)
    for rule in table.rules:
        if isinstance(rule, CompareRule):
            yield from (("rules", at) for at in (rule.left, rule.right) if isinstance(at, tuple))
        else:
            yield "rules", rule.over


def _check_known(place: Place, tokens: Tokens, name: str, where: str) -> bool:
    """Check that the schema knows a place; return whether it lies in an array."""
    through_array = False
    for depth, token in enumerate(tokens):
        member = place.member(token)
        is_item = token == STAR or (index_of(token) is not None and not member.is_known)
        through_array = through_array or is_item
        place = place.item(index_of(token) or 0) if is_item else member
        if not place.is_known:
            raise profile_error(f"{name}: the schema does not know {join(tokens[: depth + 1])}", where)
    return through_array
