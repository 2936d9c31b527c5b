"""The ledger of suggestions: which values a model once proposed, and which a reviewer refused.

A guess is known by its product, its place and its value, each in a form that survives being pasted elsewhere: the row
of a declared array by its key instead of its index and any other row as one of many, 5 and 5.0 as one number, texts
without what nobody sees.
Of what a record says, only digests are kept.

Source: records.md of the project's design, sections 5 and 7.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from veracord.records.identity import Broken, Identity, Normal
from veracord.records.pointers import STAR, Tokens, escape, get, join, split
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, canonical, digest, is_leaf, leaves

#: What is told of a leaf, without the product: (place, value digest).
Told = tuple[str, str]

#: Hexadecimal characters of the digest that stands for a row's key in a place.
_ROW_DIGITS = 32


class LedgerEntry(NamedTuple):
    """One leaf that was once suggested, or a suggestion of which was refused.

    Attributes:
        product: Digest of one identity key of the product, in full.
        place: Where, with rows of declared arrays by their key; see `place_of`.
        value_digest: What; the same for values that look alike.
    """

    product: str
    place: str
    value_digest: str


class Ledger(Protocol):
    """What was suggested, and what was refused, for as long as the ledger lives."""

    async def issue(self, entries: Collection[LedgerEntry]) -> None:
        """Remember suggestions that are about to be shown; one that is known already changes nothing.

        Raises:
            StorageError: They could not be kept.
        """

    async def issued(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was ever suggested for products.

        Raises:
            StorageError: The ledger cannot be read.
        """

    async def reject(self, entries: Collection[LedgerEntry]) -> None:
        """Remember that a reviewer refused suggestions; one that is known already changes nothing.

        Raises:
            StorageError: They could not be kept.
        """

    async def rejected(self, products: Collection[str]) -> frozenset[LedgerEntry]:
        """Return what was ever refused for products.

        Raises:
            StorageError: The ledger cannot be read.
        """


def products_of(identity: Identity, record: JsonValue) -> frozenset[str]:
    """Return the names under which the ledger knows a record's product: one for each key that it has in full."""
    return products_of_values(identity, [identity.values(record)])


def products_of_values(identity: Identity, known: Iterable[dict[Tokens, Normal | Broken]]) -> frozenset[str]:
    """Return the same of several records or sources, of each the normal forms of its identity members."""
    # Those that are looked at together are next to always about one product.
    keys = {
        tuple((member.tokens, values[member.tokens]) for member in key) for values in known for key in identity.keys
    }
    told: list[list[JsonValue]] = [[_told(at, value) for at, value in key] for key in keys]
    return frozenset(digest(canonical(members)) for members in told if None not in members)


def _told(at: Tokens, value: Normal | Broken) -> JsonValue:
    if value is MISSING or isinstance(value, Broken | Missing):
        return None
    # A text and the canonical form of something else, which is bytes, are never the same.
    return [join(at), "text", value] if isinstance(value, str) else [join(at), "value", value.decode()]


def place_of(profile: Profile, record: JsonValue, path: str) -> str:
    """Return a place in the form of the ledger: a pointer in which ``@DIGEST`` stands for a row by its key.

    ``*`` stands for a row of an array that is not declared, or for one without a key: a guess may be pasted elsewhere.
    """
    return _Places(profile, record).told(split(path))


def value_digest(value: JsonValue) -> str:
    """Return the digest of a value; of equal numbers and of equal texts it is the same, however they are written."""
    return digest(canonical(_plain(value, _composed)))


def entries_of(
    profile: Profile, record: JsonObject, path: str, value: JsonValue, *, without: Collection[Tokens] = ()
) -> list[LedgerEntry]:
    """Return the entries of a suggestion: those of each leaf of its value, for each name of the product.

    Args:
        profile: What the record must be.
        record: The record that the suggestion is for; it is not changed.
        path: Where the value would stand.
        value: The value.
        without: Leaves that get none, as places of the record.
    """
    top = split(path)
    places = _Places(profile, record, _Overlay(top, value))
    found: set[Told] = set()
    for at, leaf in leaves(value):
        if (*top, *at) not in without:
            found |= _told_of(places.told((*top, *at)), leaf)
    products = sorted(products_of(profile.identity, record))
    return [LedgerEntry(product, place, told) for product in products for place, told in sorted(found)]


def _told_of(place: str, leaf: JsonValue) -> frozenset[Told]:
    """Return what is told of a leaf; of a list each item, in whatever order and however often it stands there."""
    if isinstance(leaf, list) and leaf:
        return frozenset((f"{place}/{STAR}", _likeness(item)) for item in leaf)
    return frozenset({(place, _likeness(leaf))})


def _likeness(leaf: JsonValue) -> str:
    """Return a digest that is the same for all values that look alike to people."""
    return digest(canonical(_plain(leaf, _alike)))


def is_rejected(
    profile: Profile, record: JsonObject, path: str, value: JsonValue, rejected: Collection[LedgerEntry]
) -> bool:
    """Whether every leaf of a suggestion was refused before, under any name of its product."""
    known = {(entry.place, entry.value_digest) for entry in rejected}
    entries = entries_of(profile, record, path, value)
    return bool(entries) and all((entry.place, entry.value_digest) in known for entry in entries)


def told_leaves(profile: Profile, record: JsonObject) -> Iterator[tuple[Tokens, frozenset[Told]]]:
    """Yield every leaf of a record or a source with what is told of it; it is a guess if all of that was."""
    places = _Places(profile, record)
    for at, value in leaves(record):
        yield at, _told_of(places.told(at), value)


def guessed_leaves(profile: Profile, record: JsonObject, guesses: AbstractSet[Told]) -> Iterator[Tokens]:
    """Yield the leaves of a record or a source of which all that is told is among guesses, in their order.

    Only what may hold one is looked into: next to all places have no guess.
    """
    ways = {place[:end] for place, _ in guesses for end in _ends(place)}
    for at, place, value in _leaves_on(_Places(profile, record), ways, record):
        if _told_of(place, value) <= guesses:
            yield at


def _members(value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """Yield what stands in a container, by token."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from ((str(index), item) for index, item in enumerate(value))


def _ends(place: str) -> Iterator[int]:
    """Yield where a place and each place above it ends."""
    yield from (index for index, character in enumerate(place) if character == "/")
    yield len(place)


def _leaves_on(
    places: "_Places", ways: AbstractSet[str], value: JsonValue, at: Tokens = (), place: str = ""
) -> Iterator[tuple[Tokens, str, JsonValue]]:
    """Yield the leaves to which ways lead, each with its place in the form of the ledger."""
    if place not in ways:
        return
    if is_leaf(value):
        yield at, place, value
        return
    for token, item in _members(value):
        child = (*at, token)
        yield from _leaves_on(places, ways, item, child, places.below(place, child))


@dataclass(frozen=True, slots=True)
class _Overlay:
    """A value that stands in the place of what a record has there."""

    top: Tokens
    value: JsonValue


class _Places:
    """Places of one record in the form of the ledger; each row is looked at once."""

    def __init__(self, profile: Profile, record: JsonValue, overlay: _Overlay | None = None) -> None:
        self._profile = profile
        self._record = record
        self._overlay = overlay
        self._rows: dict[Tokens, str] = {}

    def told(self, tokens: Tokens) -> str:
        place = ""
        for depth in range(len(tokens)):
            place = self.below(place, tokens[: depth + 1])
        return place

    def below(self, place: str, at: Tokens) -> str:
        """Return a place right below one whose form is known."""
        # No database takes every character; in a pointer, no other tilde is followed by one.
        return f"{place}/{self._part(at)}".replace("\0", "~~0")

    def _part(self, at: Tokens) -> str:
        found = self._rows.get(at)
        if found is None:
            found = self._rows[at] = self._row(at)
        return found

    def _row(self, at: Tokens) -> str:
        """Return a row by its key; anything else as it is."""
        if type(self._look(at[:-1])) is not list:
            return escape(at[-1])
        key = self._profile.row_key(at[:-1])
        if key is None:
            return STAR
        members = [self._look((*at, *member)) for member in key]
        if any(value is MISSING or value is None for value in members):
            return STAR
        told = value_digest([value for value in members if value is not MISSING])
        return f"@{told.removeprefix('sha256:')[:_ROW_DIGITS]}"

    def _look(self, at: Tokens) -> JsonValue | Missing:
        overlay = self._overlay
        if overlay is not None and at[: len(overlay.top)] == overlay.top:
            return get(overlay.value, at[len(overlay.top) :])
        return get(self._record, at)


def _plain(value: JsonValue, form: Callable[[str], str]) -> JsonValue:
    """Return a value with its texts in a form."""
    if isinstance(value, str):
        return form(value)
    if isinstance(value, list):
        return [_plain(item, form) for item in value]
    if isinstance(value, dict):
        return {unicodedata.normalize("NFC", name): _plain(item, form) for name, item in value.items()}
    return value


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()


def _alike(text: str) -> str:
    """Return a text without what nobody sees: kinds of blanks, unseen characters, case, forms of one letter."""
    seen = "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return " ".join(seen.casefold().split())
