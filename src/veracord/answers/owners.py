"""Whose field it is: a property of an object further down is not the product's own unless the question says so.

The mass of the packaging is no mass of the product, and neither is that of a spare part, a predecessor, or a value that
was rejected.  Objects that only group fields are passed over, by closed lists.
"""

from typing import Final

from veracord.answers.vocabulary import keys_of, vocabulary
from veracord.gates.statements import Field, Name
from veracord.grounding.packs import EvidenceView, PackView
from veracord.language.tokens import fold

#: Endings of the names of members that identify a product.
IDENTIFYING: Final = ("productid", "productidentifier", "gtin", "serialnumber", "passportidentifier", "passportid")
_WHOLES: Final = frozenset({"battery"})
#: What a record may be about, where a name ends in a word that groups: "partTypeInformation".
_THINGS: Final = frozenset({"vehicle", "part"})
_MAKERS: Final = frozenset({"manufacturer"})
_MAKING: Final = frozenset({"manufacture", "manufactured"})


def is_own(field: Field, names: tuple[Name, ...], said: frozenset[str], *, is_foreign: bool = False) -> bool:
    """Whether a question that says certain words may mean a field by these names, its own name the last.

    Args:
        field: The field.
        names: The names that it is known by, the outermost first.
        said: The words of the question, in canonical form.
        is_foreign: Whether it stands in an object with an identifier of its own.
    """
    lists = vocabulary()
    wide = lists.wide(said)
    above = [lists.wide(keys_of(name.words)) for name in named_above(field, names)]
    unsaid = [keys for keys in above if not keys - lists.neutral <= wide]
    if not unsaid:
        return bool(above) or not is_foreign
    if any(keys & lists.others for keys in unsaid):
        return False
    # What stands in the middle is told with the answer, where the question names the thing itself, or its row.
    return bool(field.row) or above[-1] not in unsaid or not (is_foreign or is_common(names[-1].words))


def named_above(field: Field, names: tuple[Name, ...]) -> list[Name]:
    """Return the names above a field that name a thing and do not only group fields."""
    lists = vocabulary()
    # When a thing was made is told of its maker, and is no property of that one.
    passed = field.wholes & _WHOLES | (_MAKERS if lists.wide(keys_of(names[-1].words)) & _MAKING else frozenset())
    return [name for name in names[:-1] if not is_neutral(name.words, passed)]


def is_neutral(words: str, passed: frozenset[str] = frozenset()) -> bool:
    """Whether a name says no more than the thing as a whole.

    Args:
        passed: Further words that do not.
    """
    lists = vocabulary()
    keys = lists.wide(keys_of(words))
    if fold(words.rpartition(" ")[2]) in lists.grouping:
        passed |= _THINGS
    return keys <= lists.neutral | lists.wide(passed)


def is_common(words: str) -> bool:
    """Whether a name is that of a property which any thing has."""
    lists = vocabulary()
    keys = lists.wide(keys_of(words))
    if keys <= lists.peculiar:
        return False
    return len(keys) == 1 or is_property(words)


def is_property(words: str) -> bool:
    """Whether a name is made of properties that any thing has, and of words that limit or grade them."""
    lists = vocabulary()
    return lists.wide(keys_of(words)) - lists.roles - lists.neutral <= lists.properties


def foreign_fields(view: PackView) -> set[int]:
    """Return the identities of fields that stand in an object with an identifier of its own, below another one's."""
    return {found for item in view.items.values() for found in _foreign_in(item)}


def _foreign_in(item: EvidenceView) -> set[int]:
    owners = {field.path[:-1]: field for field in item.fields if _identifies(field)}
    outermost = min(map(len, owners), default=0)
    other = {path for path, field in owners.items() if len(path) > outermost and not _is_grouped(field)}
    if not other:
        return set()
    return {
        id(field)
        for field in item.fields
        if any(field.path[:length] in other for length in range(outermost + 1, len(field.path)))
    }


def _identifies(field: Field) -> bool:
    return bool(field.names) and bool(field.path) and field.names[-1].squashed.endswith(IDENTIFYING)


def _is_grouped(field: Field) -> bool:
    """Whether an identifier stands in an object that only groups what is said of the product."""
    return all(is_neutral(name.words) for name in field.names[:-1]) and not any(
        isinstance(step, int) for step in field.path
    )
