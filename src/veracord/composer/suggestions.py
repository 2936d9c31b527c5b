"""Suggestions: what a model remembers about a product, kept apart from everything that is known.

A suggestion is never a fill: the two share no base, no collection and no way from one to the other.  It changes no
record, clears no violation and supports nothing; what becomes of it a person decides.

Source: ADR 0011.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from veracord.errors import ConfigurationError
from veracord.records.values import JsonObject, JsonValue

#: The highest confidence that a suggestion can have, however sure the model says that it is.
MOST_CONFIDENCE: Final = 0.3
#: The longest rationale, in characters.
MOST_RATIONALE: Final = 280


class Suppression(StrEnum):
    """Why a candidate of a model was not shown; where several apply, the first in this order."""

    NOT_ASKED_FOR = "not_asked_for"
    MALFORMED = "malformed"
    CONFIDENCE = "confidence"
    NO_VIOLATION = "no_violation"
    SECOND_CANDIDATE = "second_candidate"
    NEVER_SUGGESTED = "never_suggested"
    ADMINISTRATIVE = "administrative"
    UNCHANGED = "unchanged"
    CLAMPED = "clamped"
    REJECTED = "rejected"
    REPLACES_VALID = "replaces_valid"
    NOT_RESOLVING = "not_resolving"
    NEW_VIOLATION = "new_violation"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One unverified candidate from a model's training, for a person to look at.

    Attributes:
        path: Pointer of the violation that it would resolve.
        value: The exact value.
        rationale: What the model says for it: plain text of one line, at most 280 characters.
        confidence: The model's own, at most 0.3; a feature of the model, not a probability.
        rank: Its place, from 1, by the model's own confidence.
    """

    path: str
    value: JsonValue
    rationale: str
    confidence: float
    rank: int

    def __post_init__(self) -> None:
        """Refuse a confidence that no suggestion has.

        Raises:
            ConfigurationError: It is not from 0 to 0.3.
        """
        if not 0 <= self.confidence <= MOST_CONFIDENCE:
            raise ConfigurationError(
                "a suggestion is never that sure", remedy=f"use 0 to {MOST_CONFIDENCE}", code="invalid_suggestion"
            )

    def to_dict(self) -> JsonObject:
        """Return the suggestion as JSON, with what it is: unverified, and to be reviewed."""
        return {
            "path": self.path,
            "value": self.value,
            "rationale": self.rationale,
            "confidence": Decimal(repr(self.confidence)),
            "rank": self.rank,
            "source": "model_training",
            "status": "unverified",
            "requires_review": True,
        }
