"""Which rules a model is given: evidence only, but for our own form of suggestions.

The choice looks at the form's identity, never at what a form, a record or evidence says about itself: whoever copies
the annotation gets the evidence-only rules.

Source: ADR 0011.
"""

from typing import Final

from veracord.ports import Message
from veracord.promptkit.prompts import bundled_prompt
from veracord.promptkit.suggestion_forms import ANNOTATION, SUGGESTIONS_FORM
from veracord.records.values import JsonObject

#: The bundled prompts with the rules.
EVIDENCE_ONLY: Final = "structured"
FROM_TRAINING: Final = "structured_suggestions"


def system_message(form: JsonObject) -> Message:
    """Return the rules for answers of a form.

    Args:
        form: The very object that is sent as the form.
    """
    is_ours = form is SUGGESTIONS_FORM and form.get(ANNOTATION) is True
    return Message("system", bundled_prompt(FROM_TRAINING if is_ours else EVIDENCE_ONLY).text)
