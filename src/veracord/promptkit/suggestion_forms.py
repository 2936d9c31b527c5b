"""The form in which a model is asked for suggestions: our own, and the only one that bears the annotation.

It is read loosely on purpose: one candidate that is not what it should be must not lose the others.  What may be
shown is decided by `veracord.composer.suppression`.

Source: ADR 0011 (the trusted repair schema's ``x-ici-unverified-suggestions``).
"""

from typing import Final

from veracord.records.values import JsonObject

#: Marks the form; in anybody else's schema, profile, record or evidence it is a word like any other.
ANNOTATION: Final = "x-ici-unverified-suggestions"

#: The form; it counts by identity, a copy of it is a schema like any other.
SUGGESTIONS_FORM: Final[JsonObject] = {
    "type": "object",
    "description": "Unverified candidates from training, for a person to review.",
    ANNOTATION: True,
    "properties": {
        "suggestions": {
            "type": "array",
            "description": (
                "One object for each candidate, with the members path (a text: the path of a listed violation), "
                "value (any JSON value), rationale (a text: one plain sentence) and confidence (a number from 0 to 1). "
                "At most one for a path; empty where nothing is known."
            ),
        }
    },
    "required": ["suggestions"],
}
