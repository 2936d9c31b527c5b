"""Forms of words: tense and number, where the words of a claim and a statement are the same but not their forms.

Words meet by their stems; what the form alone says is compared here.  "The mass is 5 kg" says nothing of how it was,
"weighs" nothing of what weighed, and "A cell is new" nothing of the cells.
"""

from typing import Final

from veracord.gates.shapes import Shape

#: Tenses of a claim that each tense of a statement bears, where a participle tells what was done.
_BORNE: Final = {
    "past": {"past", "perfect", "present"},
    "perfect": {"perfect", "past", "present"},
    "present": {"present"},
}
_PLURAL_ENDS: Final = ("s", "es", "n", "en")
_SHORTEST: Final = 3
_ALIKE: Final = 3


def tense_differs(said: Shape, held: Shape) -> bool:
    """Whether a claim puts into the past what a statement says of now, or the other way round."""
    is_done = "p" in held.voices and "p" in said.voices
    if said.tense and held.tense and said.tense != held.tense and not (is_done and said.tense in _BORNE[held.tense]):
        return True
    return any(_are_tenses_apart(*pair) for pair in zip(said.forms, said.voices, held.forms, held.voices, strict=False))


def _are_tenses_apart(said: str, voice: str, held: str, other_voice: str) -> bool:
    """Whether one form is "weighed" and the other "weighs"; a participle behind a form of "to be" is neither."""
    if said == held or "p" in (voice, other_voice) or said[:_ALIKE] != held[:_ALIKE]:
        return False
    past = [form.endswith("ed") for form in (said, held)]
    return past[0] != past[1] and not (held if past[0] else said).endswith(("t", "ing", "em", "en", "er"))


def is_plural_added(said: Shape, held: Shape) -> bool:
    """Whether a claim speaks of many where a statement speaks of one: "the cells are" of "a cell is"."""
    if said.is_plural and held.is_singular:
        return True
    is_subject_dropped = False
    for form, other in zip(said.forms, held.forms, strict=False):
        if _is_plural_of(other, form):
            # "The cell contains" of "the cells contain": the verb takes the ending that the noun gives up.
            is_subject_dropped = True
        elif _is_plural_of(form, other):
            if not is_subject_dropped:
                return True
            is_subject_dropped = False
    return False


def _is_plural_of(form: str, other: str) -> bool:
    if form == other or len(other) < _SHORTEST or "ss" in (form[-2:], other[-2:]):
        return False
    if other.endswith("y") and form == other[:-1] + "ies":
        return True
    return form.startswith(other) and form[len(other) :] in _PLURAL_ENDS
