"""What people write into decisions and settings: of which kind it is, and how much of it is kept, for ever, in the log.

The page, the API and the command line ask for decisions in the same way, so all of them have these limits.  The forms
of the API name them, too; a test holds both to each other.
"""

import unicodedata
from dataclasses import dataclass
from typing import Final

from veracord.errors import DecisionError
from veracord.records.evidence import EvidenceItem
from veracord.review.settings import ReviewSettings

#: Letters and signs that nobody sees, though they are none of the kinds that are invisible as such.
_FILLERS: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
#: Kinds of characters that say nothing alone: marks, blanks, controls.
_SILENT: Final = frozenset("MZC")
_LAST_CONTROL: Final = "\x1f"


@dataclass(frozen=True, slots=True)
class Written:
    """Something that a person writes.

    Attributes:
        name: What the member of a request is called.
        words: What it is called in a sentence.
        most: How many characters it may have.
        is_line: Whether it is one line, without characters that steer a terminal.
    """

    name: str
    words: str
    most: int
    is_line: bool = False


REASON: Final = Written("reason", "a reason", 10_000)
NOTE: Final = Written("note", "a note", 10_000)
CODE: Final = Written("code", "a reason code", 200, is_line=True)
PAGE: Final = Written("page", "the page", 1_000, is_line=True)
QUOTE: Final = Written("quote", "the quote", 100_000)
POINTER: Final = Written("pointer", "a pointer", 10_000)
EVIDENCE_ID: Final = Written("evidence/id", "the name of a source", 500, is_line=True)
MOST_RANK: Final = 999_999_999
MOST_CODES: Final = 100
MOST_PATTERNS: Final = 1_000


def is_said(text: str) -> bool:
    """Whether a text says anything: blanks, and characters that nobody sees, do not."""
    return any(unicodedata.category(one)[0] not in _SILENT and one not in _FILLERS for one in text)


def check_text(text: str, kind: Written) -> None:
    """Make sure that a text can be kept as it is.

    Raises:
        DecisionError: ``value_invalid``: it is no text in UTF-8, or holds a control character where none may stand;
            ``text_too_long``.
    """
    check_encoding(text, kind)
    if len(text) > kind.most:
        message = f"{kind.words} has more than {kind.most:,} characters"
        raise DecisionError(message, where=kind.name, remedy="say it in fewer", code="text_too_long")
    if kind.is_line and any(one <= _LAST_CONTROL for one in text):
        raise _invalid(kind, "holds a control character", "write it in one line")


def check_encoding(text: str, kind: Written) -> None:
    """Make sure that a text is one: bytes of a terminal may be none, and half a surrogate pair is none.

    Raises:
        DecisionError: ``value_invalid``.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _invalid(kind, "is no text in UTF-8", "write whole characters") from None


def check_words(text: str, kind: Written) -> None:
    """Make sure that somebody said something that can be kept.

    Raises:
        DecisionError: ``reason_missing``: nothing was said; else as `check_text`.
    """
    check_encoding(text, kind)
    if not is_said(text):
        raise DecisionError(f"{kind.words} is missing", remedy="say why", code="reason_missing")
    check_text(text, kind)


def check_source(item: EvidenceItem) -> None:
    """Make sure that evidence which a person attaches can be kept and named.

    Raises:
        DecisionError: ``evidence_name``, ``evidence_rank``, ``evidence_content``.
    """
    try:
        check_words(item.id, EVIDENCE_ID)
    except DecisionError as error:
        remedy = f"give it one line of at most {EVIDENCE_ID.most} characters"
        raise DecisionError(error.what, where=EVIDENCE_ID.name, remedy=remedy, code="evidence_name") from None
    if item.rank is not None and not 1 <= item.rank <= MOST_RANK:
        message = f"a rank is a whole number from 1 to {MOST_RANK:,}"
        raise DecisionError(message, where="evidence/rank", remedy="1 is the best", code="evidence_rank")
    if item.text is None and item.structured is None:
        message = "evidence is one JSON object, or a text"
        raise DecisionError(message, where="evidence/content", remedy="give one object", code="evidence_content")


def check_settings(settings: ReviewSettings) -> None:
    """Make sure that settings are such that decisions can go by them.

    Raises:
        DecisionError: ``review_settings``: there are too many, or one says nothing; else as `check_text`.
    """
    for told, most in ((settings.second_person, MOST_PATTERNS), (settings.reject_reasons, MOST_CODES)):
        if len(told) > most:
            message = f"there are more than {most:,} of them"
            raise DecisionError(message, remedy="name fewer", code="review_settings")
    for pattern in settings.second_person:
        check_text(pattern, POINTER)
    for code in settings.reject_reasons:
        check_words(code, CODE)


def _invalid(kind: Written, what: str, remedy: str) -> DecisionError:
    return DecisionError(f"{kind.words} {what}", where=kind.name, remedy=remedy, code="value_invalid")
