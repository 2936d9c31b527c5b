"""What those who run a store may set about decisions; it is kept there, so that it holds for all servers."""

from dataclasses import dataclass, field
from typing import Final

from veracord.errors import InputError
from veracord.records.pointers import Tokens, is_covered, is_pointer, split
from veracord.records.values import JsonObject, JsonValue, leaves

#: Why a suggestion may be rejected, where nobody says otherwise.
REJECT_REASONS: Final = ("wrong_value", "wrong_place", "not_plausible", "outdated", "not_needed", "other")


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """Settings of a store.

    Attributes:
        second_person: Patterns of pointers (``*`` is any token) at and below which two persons must do the same.
        own_proposals: Whether one may accept what one brought in oneself.
        reject_reasons: Codes that a rejection may give.
    """

    second_person: tuple[str, ...] = ()
    own_proposals: bool = True
    reject_reasons: tuple[str, ...] = field(default=REJECT_REASONS)

    def needs_second_person(self, place: Tokens, value: JsonValue) -> bool:
        """Whether a second person must do the same before a value stands at a place."""
        patterns = [split(pattern) for pattern in self.second_person]
        places = [place, *((*place, *below) for below, _ in leaves(value))]
        return any(is_covered(at, pattern) for at in places for pattern in patterns)

    def to_object(self) -> JsonObject:
        """Return the settings as JSON."""
        return {
            "second_person": list(self.second_person),
            "own_proposals": self.own_proposals,
            "reject_reasons": list(self.reject_reasons),
        }

    @classmethod
    def from_object(cls, value: JsonValue) -> "ReviewSettings":
        """Read what `to_object` gave.

        Raises:
            InputError: ``review_settings``: it is another thing.
        """
        if type(value) is dict and value.keys() == {"second_person", "own_proposals", "reject_reasons"}:
            second, own, reasons = value["second_person"], value["own_proposals"], value["reject_reasons"]
            if type(own) is bool and _are_texts(second) and _are_texts(reasons):
                found = cls(tuple(map(str, second)), own, tuple(map(str, reasons)))  # type: ignore[arg-type]  # lists of text
                if all(is_pointer(pattern) for pattern in found.second_person) and found.reject_reasons:
                    return found
        raise InputError("these are no settings of a review", remedy="give every member", code="review_settings")


def _are_texts(value: JsonValue) -> bool:
    return type(value) is list and all(type(item) is str for item in value)
