"""Values and codes as the page shows them: harmless text and plain words.  Templates escape; nothing here is markup."""

from collections.abc import Mapping
from typing import Any, Final

from veracord.records.writing import laid_out, write_json

_MOST_LINE: Final = 160
_BMP: Final = 0xFFFF

#: What a badge says of an origin, its colour, and what it means.
ORIGINS: Final[Mapping[str, tuple[str, str, str]]] = {
    "input": ("came with the record", "quiet", "it came with the record, as it was imported"),
    "seed": ("came with the record", "quiet", "it came with the record, from a seed"),
    "evidence": ("from evidence", "good", "filled from evidence, with its reference"),
    "declared": ("declared", "said", "declared by a person from a document; it supports no other record"),
    "accepted_suggestion": (
        "accepted, unverified",
        "guess",
        "a guess that a person accepted; unverified, and it supports nothing",
    ),
    "suggestion_origin": (
        "guess, unverified",
        "guess",
        "a guess that came back in an import; unverified, and it supports nothing",
    ),
    "several": ("several origins", "", "its leaves have different origins"),
    "open": ("open", "bad", "something is wrong there"),
    "absent": ("nothing there", "", "nothing stands there, and no rule asks for it"),
}

STATUSES: Final[Mapping[str, tuple[str, str]]] = {
    "open": ("open", ""),
    "deferred": ("deferred", "said"),
    "accepted": ("accepted, unverified", "guess"),
    "rejected": ("rejected", "bad"),
    "withdrawn": ("withdrawn", ""),
}

#: What an event tells, in a few words.
EVENTS: Final[Mapping[str, str]] = {
    "record.imported": "record imported",
    "fill.applied": "filled from evidence",
    "suggestion.created": "suggested by a model",
    "suggestion.accepted": "suggestion accepted, unverified",
    "suggestion.rejected": "suggestion rejected",
    "suggestion.deferred": "suggestion deferred",
    "suggestion.reopened": "suggestion open again",
    "value.declared": "value declared",
    "evidence.attached": "evidence attached",
    "decision.undone": "decision undone",
    "export.made": "exported",
    "checkpoint.signed": "checkpoint signed",
    "key.rotated": "signing key changed",
    "access.denied": "refused",
    "settings.changed": "settings changed",
    "user.changed": "user changed",
    "api_key.changed": "key changed",
}

#: Events that a person may take back.
UNDOABLE: Final = frozenset(
    {"suggestion.accepted", "suggestion.rejected", "suggestion.deferred", "value.declared", "evidence.attached"}
)

#: What was done, as it is said aloud and shown.
DONE: Final[Mapping[str, str]] = {
    "accept": "Accepted. It stays unverified, and supports nothing.",
    "edit": "Accepted with your value. It stays unverified, and supports nothing.",
    "reject": "Rejected. It is not suggested again.",
    "defer": "Deferred. It can still be decided.",
    "declare": "Declared.",
    "attach": "Evidence attached.",
    "undo": "Undone. What was there before stands again.",
}
#: What the page says of an act, by the type of its event.
SAID: Final[Mapping[str, str]] = {
    "suggestion.accepted": "accept",
    "suggestion.rejected": "reject",
    "suggestion.deferred": "defer",
    "value.declared": "declare",
    "evidence.attached": "attach",
    "decision.undone": "undo",
}
UNDONE_SINCE: Final = "That had been done, and was taken back since. Nothing was done now: look at what stands there."

#: Why a source cannot count for a record.
UNUSED: Final[Mapping[str, str]] = {
    "other_product": "it is about another product, so it fills nothing here",
    "weaker_key_only": "it has the product in common by a weaker key only, so it fills nothing here",
    "identity_conflict": "sources with this key disagree about which product it is, so it fills nothing here",
    "no_identity": "the record does not say in full which product it is about, so it fills nothing here",
    "self": "it is the record itself, so it fills nothing here",
    "level": "it is about another level (model, batch, item), so it fills nothing here",
}
AWAITS: Final = "Noted. Nothing is changed yet: a second person must do the same."


def visible(text: str) -> str:
    """Return text in which control, format and bidirectional characters are written as escapes; lines stay lines."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _escape(char) for char in text)


def shortened(text: str, limit: int) -> str:
    """Return text of at most `limit` characters; what was cut is told by its length."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text):,} characters)"


def value_line(value: object) -> str:
    """Return a value as JSON on one line, shortened and safe to show."""
    return shortened(visible(write_json(value).decode()), _MOST_LINE)


def plain(code: str, words: Mapping[str, str]) -> str:
    """Return a code in plain words."""
    return words.get(code, visible(code.replace("_", " ")))


def badge(kind: Mapping[str, tuple[Any, ...]], code: str) -> dict[str, str]:
    """Return what a badge shows for a code of `ORIGINS` or `STATUSES`."""
    words, tone, *meaning = kind.get(code, (code, ""))
    return {"words": visible(words), "tone": tone, "meaning": meaning[0] if meaning else visible(words)}


def place_text(pointer: str) -> str:
    """Return a pointer as it is shown; the whole record has none."""
    return visible(pointer) or "(the whole record)"


def time_text(at: str) -> str:
    """Return the time of an event as people read it: to the minute, in UTC."""
    return f"{at[:10]} {at[11:16]} UTC"


def number_text(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def sentences(*texts: str) -> str:
    """Return what errors say in parts as sentences."""
    return visible(" ".join(f"{text[0].upper()}{text[1:]}." for text in texts if text))


def value_kind(value: object) -> str:
    """Return how a value is typed in: as plain text, or as JSON.

    A field for text would change what holds CR or NUL, and show nothing of characters that steer a reader.
    """
    return "text" if isinstance(value, str) and visible(value) == value else "json"


def typed_json(value: object) -> str:
    """Return a value as it is typed in as JSON: what nobody would see stands there as an escape."""
    return "".join(one if one.isprintable() or one == "\n" else _json_escape(one) for one in laid_out(value))


def _json_escape(char: str) -> str:
    data = char.encode("utf-16-be")
    return "".join(f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2))


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= _BMP else f"\\U{code:08x}"
