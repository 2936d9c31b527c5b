"""What sources say about a product and a synthesis did not take, with the reason: nothing is missing in silence."""

from collections.abc import Iterator

from veracord.composer.assembly import Basis
from veracord.composer.reporting import candidate_row
from veracord.composer.seeds import row_steps
from veracord.composer.synthesis_results import LeftOut
from veracord.records.pointers import Tokens, get, join, step
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, holds_objects


def left_out(profile: Profile, basis: Basis, record: JsonObject) -> tuple[LeftOut, ...]:
    """Return the places for which sources said something that was not taken, by path.

    Args:
        profile: What the record must be.
        basis: What it could be built from.
        record: What it became.
    """
    return tuple(sorted(_rows(profile, basis, record), key=lambda row: row.path))


def _rows(profile: Profile, basis: Basis, record: JsonObject) -> Iterator[LeftOut]:
    for place, status in basis.plan.statuses.items():
        at = _place_in(profile, place, basis.record, record)
        # A list of rows that was there may have got none of those that sources add.
        lacks_rows = holds_objects(get(basis.record, place)) and place not in basis.plan.units
        if status.statements and (get(record, at) is MISSING or lacks_rows):
            said = tuple(candidate_row(statement) for statement in status.statements)
            yield LeftOut(join(at), status.outcome.value, status.detail, said)


def _place_in(profile: Profile, place: Tokens, ours: JsonValue | Missing, theirs: JsonValue | Missing) -> Tokens:
    """Return a place of a record in another one, whose rows may stand in another order."""
    found: Tokens = ()
    for depth, token in enumerate(place):
        other = token
        if isinstance(ours, list) and holds_objects(ours):
            other = row_steps(profile, place[:depth], ours, theirs).get(token, token)
        found = (*found, other)
        ours, theirs = (node if node is MISSING else step(node, t) for node, t in ((ours, token), (theirs, other)))
    return found
