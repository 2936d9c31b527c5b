"""The closed sets of results in plain words, as the command line and the page say them."""

from collections.abc import Mapping
from typing import Final

#: Why a violation stays.
WHY_OPEN: Final[Mapping[str, str]] = {
    "not_settable": "no value that could be set here would cure it",
    "caller_controlled": "yours to fill in: the profile keeps it from being filled",
    "no_identity": "the record does not say in full which product it is about",
    "conflict": "sources disagree",
    "source_invalid": "what the sources say is not valid here",
    "source_placeholder": "the source holds a placeholder, no value",
    "context_mismatch": "the source's value is for another context",
    "row_mismatch": "no row of a source is surely the same row",
    "level_mismatch": "the source is about another level (model, batch, item)",
    "no_source": "no source states it",
}

#: What each outcome of a unit means.
UNIT_OUTCOMES: Final[Mapping[str, str]] = {
    "accepted": "checked by every validator",
    "accepted_incomplete": "no validator rejected it, and not all could check",
    "rejected": "rejected by a validator; the value does not advance",
    "structural_failure": "no answer had the form that was asked for",
    "validation_unavailable": "a validator could not check",
    "truncated": "the answer was cut off at the token limit",
    "refused": "the model refused",
    "transport_failure": "no answer came from the model",
    "cancelled": "under way when the run ended",
    "lost": "set aside: the process that worked on it died each time",
}
