"""Who a record is about: identity keys, global trade item numbers, levels, and the same-product decision.

A record and a source are the same product when, for the first key whose members the record has in full, the
source has equal values, and no other identity member present in both differs.

Source: records.md section 3; GS1 General Specifications for the check digit.
"""

import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Final

from veracord.records.pointers import Tokens, get, is_covered, is_under
from veracord.records.values import MISSING, JsonValue, Missing, canonical

#: Most general first.
LEVELS: Final = ("model", "batch", "item")

_GTIN_LENGTHS: Final = (8, 12, 13, 14)
_GTIN_DIGITS: Final = 14


class Reason(StrEnum):
    """Why a source was not used."""

    OTHER_PRODUCT = "other_product"
    WEAKER_KEY_ONLY = "weaker_key_only"
    IDENTITY_CONFLICT = "identity_conflict"
    NO_IDENTITY = "no_identity"
    SELF = "self"
    LEVEL = "level"
    NOT_STRUCTURED = "not_structured"

    __hash__ = str.__hash__  # the one of Enum is a Python function, and reasons are looked up often


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an identity key.

    Attributes:
        tokens: Its place.
        is_gtin: Whether it is a global trade item number: padded to 14 digits, check digit verified.
    """

    tokens: Tokens
    is_gtin: bool = False


Key = tuple[Member, ...]

#: What stands for a member in comparisons: a normal form, MISSING, or BROKEN.
Normal = str | bytes | Missing


class Broken:
    """A trade item number with a wrong check digit: it equals nothing, and nothing weaker may stand in."""


BROKEN: Final = Broken()


@dataclass(frozen=True)
class Identity:
    """The identity part of a profile.

    Attributes:
        keys: Strongest first.
        record_id: The member that tells one record from another record of the same product.
        level: The member that says model, batch or item.
        default_level: The level of what lacks that member.
        levels: Declared (level, place) of attributes.
    """

    keys: tuple[Key, ...] = ()
    record_id: Tokens | None = None
    level: Tokens | None = None
    default_level: str | None = None
    levels: tuple[tuple[str, Tokens], ...] = ()

    @cached_property
    def all_members(self) -> tuple[Member, ...]:
        """Every member of every key once, strongest key first."""
        return tuple({member.tokens: member for key in self.keys for member in key}.values())

    def values(self, record: JsonValue, violating: Collection[Tokens] = ()) -> dict[Tokens, "Normal | Broken"]:
        """Return the normal form of every identity member.

        Args:
            record: A record or a source.
            violating: Places of a record that violate; a member there counts as absent.
        """
        return {
            member.tokens: MISSING
            if violating and any(is_under(place, member.tokens) for place in violating)
            else normal_form(get(record, member.tokens), is_gtin=member.is_gtin)
            for member in self.all_members
        }

    def deciding_key(self, values: Mapping[Tokens, "Normal | Broken"]) -> Key | None:
        """Return the first key that a record has in full; a broken number blocks it and all weaker ones."""
        for key in self.keys:
            found = [values[member.tokens] for member in key]
            if any(isinstance(value, Broken) for value in found):
                return None
            if all(value is not MISSING for value in found):
                return key
        return None

    def broken_member(self, values: Mapping[Tokens, "Normal | Broken"]) -> Tokens | None:
        """Return the member whose check digit is wrong, if one is."""
        return next((tokens for tokens, value in values.items() if isinstance(value, Broken)), None)

    def level_of(self, record: JsonValue) -> str | None:
        """Return model, batch or item; None where it is not said, or said in other words."""
        if self.level is None:
            return None
        value = get(record, self.level)
        if value is MISSING or value is None or value == "":
            return self.default_level
        return value if isinstance(value, str) and value in LEVELS else None

    def level_admits(self, record_level: str | None, source_level: str | None, place: Tokens) -> bool:
        """Whether a source of one level may fill a place in a record of another."""
        if self.level is None:
            return True
        if record_level is None or source_level is None:
            return False
        if record_level == source_level:
            return True
        if LEVELS.index(source_level) > LEVELS.index(record_level):
            return False
        declared = self.declared_level(place)
        return declared is not None and LEVELS.index(declared) <= LEVELS.index(source_level)

    def level_can_fill(self, record_level: str | None, source_level: str | None) -> bool:
        """Whether a source of one level may fill anything at all in a record of another."""
        if self.level_admits(record_level, source_level, ()):
            return True
        return any(self.level_admits(record_level, source_level, at) for _, at in self.levels)

    def declared_level(self, place: Tokens) -> str | None:
        """Return the level that a place belongs to: the declaration nearest above it."""
        covering = [(len(at), level) for level, at in self.levels if is_covered(place, at)]
        return max(covering)[1] if covering else None


def normal_form(value: JsonValue | Missing, *, is_gtin: bool = False) -> Normal | Broken:
    """Return what an identity member is compared by.

    null, "" and blanks are MISSING.  Texts are compared after NFC and trimming, everything else as it is.
    """
    if isinstance(value, str):
        value = unicodedata.normalize("NFC", value).strip()
    if value is MISSING or value is None or value in ("", [], {}):
        return MISSING
    if is_gtin:
        return _gtin(value)
    return value if isinstance(value, str) else canonical(value)


def _gtin(value: JsonValue) -> bytes | Broken:
    if isinstance(value, Decimal) and value == value.to_integral_value() and value.adjusted() < _GTIN_DIGITS:
        value = int(value)
    digits = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not (digits.isascii() and digits.isdigit()):
        return BROKEN
    if isinstance(value, str) and len(digits) not in _GTIN_LENGTHS:
        return BROKEN
    if len(digits) > _GTIN_DIGITS or int(digits) == 0:
        return BROKEN
    padded = digits.zfill(_GTIN_DIGITS)
    total = 3 * sum(map(int, padded[::2])) + sum(map(int, padded[1::2]))
    if total % 10:
        return BROKEN
    kind = b"t" if isinstance(value, str) else b"n"
    return kind + padded.encode()
