"""Whether a claim about a product may be bound to a field that stands inside an object of its record.

A claim that names the product, or "the product", is about a member of an inner object only if it names that object, or
the object only groups what is the product's own.  A claim that names no product may leave out a part, but never that
the value is another thing's, or that it is not said to hold.
"""

from veracord.gates.statements import Field
from veracord.grounding.claim_words import ClaimWords
from veracord.grounding.field_names import Label
from veracord.grounding.part_roles import Role, is_inner, telling_words


def parts_left(words: ClaimWords, field: Field, label: Label, level: int = 0) -> list[int]:
    """Return which names above a field are of parts of the product that the claim does not name.

    Args:
        level: How many names stand above the object that is the product.
    """
    unsaid = _unsaid(words, field, label)
    return [
        at
        for at in unsaid
        if at >= level
        and field.roles[at] != Role.OWN
        and at not in field.row_places
        and not (at and is_inner(field.names[at]) and at - 1 not in unsaid)
    ]


def is_of_another(words: ClaimWords, field: Field, label: Label, level: int = 0) -> bool:
    """Whether a field belongs to another thing than a claim can mean that does not name that thing.

    Args:
        level: How many names stand above the object that is the product which the claim names.
    """
    for at in _unsaid(words, field, label):
        role = field.roles[at]
        if role == Role.UNASSERTED:
            return True
        if role not in (Role.OTHER, Role.STRANGER) or at < level or at in field.row_places:
            continue
        telling = telling_words(field.names[at])
        if role == Role.STRANGER or not telling or not {words.keys[one] for one in label.used} & telling:
            return True
    return False


def _unsaid(words: ClaimWords, field: Field, label: Label) -> list[int]:
    """Return which names above a field a claim does not say, not even in the field's own name: "charger model"."""
    keys = {words.keys[at] for at in label.used}
    stems = [name.stems for name in field.names[: len(field.roles)]]
    return [at for at, own in enumerate(stems) if at not in label.said and not (own and keys.issuperset(own))]
