"""Gate `quote`: a quotation is verbatim in the cited evidence, whole words, nothing spliced, nothing turned.

Passes: "Do not exceed 1.5 bar" of the same.  Fails: a word dropped or changed, an ellipsis over dropped words, "5 mg"
of "25 mg", "suitable for outdoor use" of "not suitable for outdoor use", a single word.
"""

import re
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.claims import Reading
from veracord.gates.outcomes import GateResult, failed, not_applicable, passed
from veracord.gates.statements import BoundEvidence
from veracord.language.tokens import fold

GATE = "quote"

_WORDS: Final = re.compile(r"[^\W_]+")
_BLANKS: Final = re.compile(r"\s+")
_ENDS: Final = re.compile(r"[.!?;](?=\s|$)|\n")
_TRAILING: Final = ".,;:!? "
_SENTENCE: Final = 2000
#: Verbs and nouns that make what they lead to the opposite of a statement: "Acme denies: the cell is unsafe".
_DENYING: Final = re.compile(
    r"(?:den(?:y|ies|ied|ial)|refut\w+|reject\w*|disput\w+|doubt\w*|dementier\w+|bestreit\w+|bestritt\w*|leugn\w+"
    r"|verneint?|untrue|wrong|false(?:ly)?|incorrect|falsch|lies?|myths?|rumou?rs?|mistakes?|fehler|irrtum|mythos"
    r"|gerücht|examples?|beispiele?|suppose|assumed?|angenommen|unlikely|unclear|unklar)"
)


def check(claim: Reading, bound: BoundEvidence) -> GateResult:
    """Check the quotations of a claim."""
    if not claim.quotations:
        return not_applicable(GATE)
    for quotation in claim.quotations:
        wanted = _BLANKS.sub(" ", quotation.text).strip().rstrip(_TRAILING)
        if len(_WORDS.findall(wanted)) < 2:  # noqa: PLR2004 - two words, or a number and its unit
            return failed(GATE, "quotation_too_short")
        reasons = [reason for text in bound.texts for reason in _occurrences(wanted, text)]
        if "" not in reasons:
            return failed(GATE, reasons[0] if reasons else "not_verbatim")
    return passed(GATE)


def _occurrences(wanted: str, text: str) -> list[str]:
    """Return for each place where a quotation stands "" or what is wrong there."""
    found: list[str] = []
    start = text.find(wanted)
    while start >= 0 and "" not in found:
        end = start + len(wanted)
        if _is_whole(text, start, end):
            found.append("qualifier_left_out" if _is_turned(text, start, end) else "")
        start = text.find(wanted, start + 1)
    return found


def _is_whole(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if before[-1:].isalnum() or after[:1].isalnum():
        return False
    # A sign or a decimal mark belongs to the number.
    if text[start].isdigit() and before[-1:] and before[-1] in "-−+.,<>≤≥±~":
        return False
    return not (text[end - 1].isdigit() and after[:1] in tuple(".,") and after[1:2].isdigit())


def _is_turned(text: str, start: int, end: int) -> bool:
    """Whether the rest of the sentence holds a word that turns or limits what is quoted."""
    head = text[max(0, start - _SENTENCE) : start]
    stops = list(_ENDS.finditer(head))
    head = head[stops[-1].end() :] if stops else head
    tail = text[end : end + _SENTENCE]
    stop = _ENDS.search(tail)
    tail = tail[: stop.start()] if stop else tail
    return turns(head + " " + tail)


def turns(text: str) -> bool:
    """Whether a text has a word that turns, limits or denies what stands with it."""
    words = [fold(word) for word in _WORDS.findall(text)]
    return any(classify_word(word)[0] == "cue" or _DENYING.fullmatch(word) is not None for word in words)
