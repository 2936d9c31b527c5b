"""What a claim puts into the past and the record does not: "P-1 expired in 2030", "P-1 weighed 5 kg".

"The product was tested in 2025" of a test date tells what a record reports.  "It expired in 2030" of an expiry date
tells that the day is over, and "it weighed 5 kg" of a mass that it does so no longer, which the record leaves open.
Records of people, works and the like are of the past themselves, and only what ends has to be told as they have it.
"""

import re
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.statements import Field
from veracord.grounding.claim_words import ClaimWords
from veracord.grounding.field_names import Label
from veracord.grounding.part_values import has_date, leading_quantity, years_of_value
from veracord.language.quantities import Quantity
from veracord.language.tokens import fold

#: What is yet to come as far as its record tells; as canonical words.
_ENDS: Final = frozenset(
    classify_word(fold(word))[1]
    for word in (
        "expiry expiration expires expired end ends ended ending until retired retirement retires terminated"
        " termination discontinued discontinuation decommissioned decommissioning withdrawn withdrawal due deadline"
        " next planned scheduled expected sunset closing lapse lapses ablauf ablaufdatum verfall"
        " verfallsdatum enddatum ende bis haltbarkeit mindesthaltbarkeitsdatum geplant geplantes"
        " nächste nächster gültigkeit"
    ).split()
)
_MEASURED: Final = frozenset({"weighed", "contained", "costed", "lasted", "measured", "wog", "kostete", "enthielt"})
_YEAR: Final = re.compile(r"[12]\d{3}")
_PAST: Final = frozenset({"had", "ran", "lief", "endete", "erlosch", "verfiel"})


def tells_as_past(words: ClaimWords, field: Field, label: Label) -> bool:
    """Whether a claim puts into the past what a field does not tell as past."""
    is_past = "past" in words.keys or not _PAST.isdisjoint(words.squashed)
    if _is_end(field):
        return is_past or any(_is_over(words, field, at) for at in label.used)
    if field.about is not None or label.relation is not None or not _is_measure(field):
        return False
    return is_past or any(words.squashed[at] in _MEASURED for at in label.used)


def _is_end(field: Field) -> bool:
    """Whether a field tells when something ends, or what is to come."""
    stems = {stem for name in field.names for stem in name.stems}
    if field.kind == "boolean" or _ENDS.isdisjoint(stems):
        return False
    return has_date(field.value) or bool(years_of_value(field.value))


def _is_over(words: ClaimWords, field: Field, at: int) -> bool:
    """Whether a word is a verb in the past: "expired", and not "is retired" of what the record calls "retired"."""
    form = words.squashed[at]
    names = [fold(name.words).split() for name in field.names]
    if not form.endswith("ed") or any(form in words_of_name[:-1] for words_of_name in names):
        # In front of a noun it tells what kind of that is: "estimated time of completion".
        return False
    is_now = at > 0 and words.keys[at - 1] == "present"
    return not is_now or not any(form in words_of_name for words_of_name in names)


def _is_measure(field: Field) -> bool:
    if field.kind in ("number", "range"):
        return field.unit is not None or _YEAR.fullmatch(field.value.strip()) is None
    values = [one.value for one in leading_quantity(field.value)] if field.kind == "text" else []
    return any(isinstance(one, Quantity) and one.unit is not None for one in values)
