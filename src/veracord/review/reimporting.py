"""A record that is imported again: what people decided about it here, and what they attached to it."""

from veracord.composer.ledgers import products_of
from veracord.errors import DecisionError
from veracord.records.evidence import EvidenceItem, EvidencePack
from veracord.records.pointers import get, split
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, equal
from veracord.review.accepting import ACCEPTED
from veracord.review.acting import Act
from veracord.review.declaring import DECLARED
from veracord.review.permissions import Action
from veracord.review.records import StoredEvidence, StoredRecord


def standing_decisions(known: StoredRecord | None, value: JsonObject) -> dict[str, str]:
    """Return the leaves that were accepted or declared here before and stand there still, with their origins."""
    found = {}
    for at, origin in known.origins.items() if known else ():
        if origin in (ACCEPTED, DECLARED):
            old, new = get(known.value, split(at)), get(value, split(at))  # type: ignore[union-attr]  # it is there
            if old is not MISSING and new is not MISSING and equal(old, new):
                found[at] = origin
    return found


def dropped_places(profile: Profile, known: StoredRecord | None, value: JsonObject) -> tuple[str, ...]:
    """Return the places where what was accepted or declared here would stand no more.

    Raises:
        DecisionError: ``other_product``: the record of that id is about another one.
    """
    if known is None:
        return ()
    ours, theirs = (products_of(profile.identity, one) for one in (known.value, value))
    if ours and theirs and not ours & theirs:
        raise DecisionError(
            "the record of this id is about another product",
            where=known.record_id,
            remedy="give the new one another id, with --id or --key",
            code="other_product",
        )
    standing = standing_decisions(known, value)
    return tuple(at for at, origin in known.origins.items() if origin in (ACCEPTED, DECLARED) and at not in standing)


def attached_items(act: Act, record_id: str, given: EvidencePack) -> dict[str, EvidenceItem]:
    """Return what people attached to a record here, by id; it counts as before.

    A person may bring something else in under the same id; then that counts, and nobody attached it.

    Raises:
        AccessError: ``not_a_person``: who is none does so.
    """
    again = {item.id: item for item in given.items}
    kept = [one for one in act.reader.evidence_of(record_id) if one.is_active and one.is_attached]
    if any(one.item.id in again and not _is_same(one, again[one.item.id]) for one in kept):
        act.permit(also=Action.DROP_DECISIONS)
    return {one.item.id: one.item for one in kept if one.item.id not in again or _is_same(one, again[one.item.id])}


def _is_same(kept: StoredEvidence, item: EvidenceItem) -> bool:
    return StoredEvidence.of(item, is_attached=True).digest == kept.digest
