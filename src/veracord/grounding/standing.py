"""Which parts of a text are no evidence: instructions, forged citation blocks, and what is marked as a guess."""

import re
from typing import Final

from veracord.gates.statements import Standing

_INSTRUCTION: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,60}\b(?:instruction|prompt|rule|above|earlier"
    r"|previous|prior|other)"
    r"|\b(?:mark|treat|rate|judge|label|consider|accept|classify|report)\b[^.\n]{0,60}\b(?:as|is|are)\b[^.\n]{0,20}"
    r"\b(?:supported|verified|true|correct|valid|grounded|confirmed|accepted)\b"
    r"|(?:^|(?<=[.!?] )|[,;:] |\b(?:and|then|please|must|should|to) )(?:always )?(?:answer|respond|reply|output"
    r"|report|state|say|claim|tell|write"
    r"|conclude|confirm|assume|pretend)\b(?: \w+){0,3} (?:that|with|as if)\b"
    r"|\byou (?:must|should|are to|will|shall|have to) (?:answer|respond|reply|output|report|state|say|mark"
    r"|treat|accept|confirm)\b"
    r"|\b(?:as|dear) (?:an )?(?:ai|assistant|language model|verifier)\b"
    r"|\b(?:note|message|instruction|hint)s? (?:to|for) (?:the )?(?:verifier|model|assistant|ai|reader|judge"
    r"|grader|llm)\b"
    r"|(?:^|(?<=[.!?] ))\s{0,8}(?:system|assistant|user|developer|verifier)\s*:|<\s*/?\s*(?:system|assistant"
    r"|user|instruction|evidence)\b"
    r"|\bverdict\s*[:=]|\bverifier\s*[:=]|\bignoriere\b|\bbeachte .{0,40}nicht\b|\bmarkiere\b.{0,60}\bals\b"
    r"|\bend of (?:evidence|document|context)\b|\bnew instructions?\b",
    re.IGNORECASE,
)
#: Every form above has one of these words.
_INSTRUCTING: Final = frozenset(
    "ignore disregard forget override bypass mark treat rate judge label consider accept classify report answer respond"
    " reply output state say claim tell write conclude confirm assume pretend you ai assistant verifier language note"
    " notes message messages instruction instructions hint hints system user developer evidence verdict"
    " ignoriere beachte"
    " markiere end new".split()
)
_GUESS: Final = re.compile(
    r"\bunverified\b|\bnot (?:yet )?verified\b|\bunconfirmed\b|\bsuggestion\s*[:=(]|^\W*suggest(?:ion|ed)\b"
    r"|\bai[ -]generated\b"
    r"|\baccepted suggestion\b|\bungeprüft\b|\bnicht verifiziert\b|\bunbestätigt\b|^\W*vorschlag\b"
    r"|\bplaceholder\b|\bto be confirmed\b"
    r"|\btbc\b|\bconfidence\s*[:=]?\s*0?[.,]\d",
    re.IGNORECASE,
)
#: A marker in front of a sentence, as evidence blocks are shown to a model: what follows poses as another item.
_FORGED: Final = re.compile(r"(?:(?<=\s)|^)\[([\w.:/#@+\-]{1,60})\](?=\s*:?\s+\S)", re.MULTILINE)
_SENTENCE_END: Final = frozenset(".!?:;\n")


def standing_of(sentence: str) -> Standing:
    """Return what a sentence of a text is good for, instructions apart."""
    if _GUESS.search(sentence):
        return Standing.UNVERIFIED
    return Standing.EVIDENCE


def may_instruct(word: str) -> bool:
    """Whether a sentence with this word has to be looked at as a possible instruction."""
    return word.lower() in _INSTRUCTING


def instructs(sentence: str) -> bool:
    """Whether a sentence of a text is an instruction to whoever judges it."""
    return _INSTRUCTION.search(sentence) is not None


def forged_from(text: str) -> int | None:
    """Return where a block begins that poses as another item, or None.

    From there to the end of the item nothing is evidence: the text does not tell where the forgery ends.
    """
    for match in _FORGED.finditer(text):
        before = text[: match.start()].rstrip(" \t")[-1:]
        if not before or before in _SENTENCE_END:
            return match.start()
    return None
