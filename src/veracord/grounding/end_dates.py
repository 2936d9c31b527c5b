"""Dates of an end, told as past: a record that has an expiry date does not tell that anything has expired.

"The product was tested in 2025" of a test date tells what a record reports.  "The product expired in 2030" of an expiry
date tells that the day is over, which the record leaves open.
"""

from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.statements import Field
from veracord.grounding.claim_words import ClaimWords
from veracord.grounding.part_values import has_date, years_of_value
from veracord.language.tokens import fold

#: What is yet to come as far as its record tells; as canonical words.
_ENDS: Final = frozenset(
    classify_word(fold(word))[1]
    for word in (
        "expiry expiration expires expired end ends ended ending until retired retirement retires terminated"
        " termination discontinued discontinuation decommissioned decommissioning withdrawn withdrawal due deadline"
        " next planned scheduled expected sunset closing lapse lapses ablauf ablaufdatum verfall verfallsdatum enddatum ende bis"
        " haltbarkeit mindesthaltbarkeitsdatum geplant geplantes nächste nächster gültigkeit"
    ).split()
)
_PAST: Final = frozenset({"had", "ran", "lief", "endete", "erlosch", "verfiel"})


def tells_end_as_past(words: ClaimWords, field: Field, label: frozenset[int]) -> bool:
    """Whether a claim puts into the past what a field gives as the date of an end.

    Args:
        label: The words of the claim that name the field.
    """
    stems = {stem for name in field.names for stem in name.stems}
    if field.kind == "boolean" or _ENDS.isdisjoint(stems) or not (has_date(field.value) or years_of_value(field.value)):
        return False
    if "past" in words.keys or not _PAST.isdisjoint(words.squashed):
        return True
    return any(_is_over(words, field, at) for at in label)


def _is_over(words: ClaimWords, field: Field, at: int) -> bool:
    """Whether a word is a verb in the past: "expired", and not "is retired" of what the record calls "retired"."""
    form = words.squashed[at]
    if not form.endswith("ed"):
        return False
    is_now = at > 0 and words.keys[at - 1] == "present"
    return not is_now or not any(form in fold(name.words).split() for name in field.names)
