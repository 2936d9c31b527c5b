"""Addresses of the page: each says all that its page shows, so that it can be kept, sent and loaded again.

An id of a record may hold any character; in a path it stands escaped, so that no browser takes part of it for a path.
"""

from typing import Final
from urllib.parse import quote, urlencode

from veracord.errors import InputError

_ESCAPES: Final = {"0": "~", "1": "/", "2": "."}
_DIGEST: Final = "sha256:"


def record_address(record_id: str, page: str = "", **told: str) -> str:
    """Return the address of a record, or of one of its pages; what is "" is not said."""
    escaped = record_id.replace("~", "~0").replace("/", "~1")
    if set(escaped) <= {"."}:
        escaped = escaped.replace(".", "~2")
    return _with(f"/records/{quote(escaped, safe='~')}{f'/{page}' if page else ''}", told)


def read_record_id(segment: str) -> str:
    """Return the id that stands in a path.

    Raises:
        InputError: ``not_found``: there is none.
    """
    first, *rest = segment.split("~")
    if any(part[:1] not in _ESCAPES or not part for part in rest):
        raise InputError("there is no such record", remedy="look at the list of records", code="not_found")
    return first + "".join(_ESCAPES[part[0]] + part[1:] for part in rest)


def place_address(record_id: str, pointer: str, **told: str) -> str:
    """Return the address of a place of a record."""
    return record_address(record_id, "place", pointer=pointer, **told)


def evidence_address(record_id: str, evidence_id: str, pointer: str, quoted: str = "") -> str:
    """Return the address of a whole source, opened at a place or a quote."""
    return record_address(record_id, "evidence", id=evidence_id, pointer=pointer, quote=quoted)


def card_address(suggestion_id: str, **told: str) -> str:
    """Return the address of a suggestion with its forms."""
    return _with(f"/suggestions/{quote(suggestion_id.removeprefix(_DIGEST), safe='')}", told)


def read_suggestion_id(text: str) -> str:
    """Return the id that stands in a path or a form."""
    return text if text.startswith(_DIGEST) else f"{_DIGEST}{text}"


def row_key(suggestion_id: str) -> str:
    """Return what names a suggestion inside a page; a name there holds no colon."""
    return f"s-{suggestion_id.removeprefix(_DIGEST)[:16]}"


def _with(path: str, told: dict[str, str]) -> str:
    said = {name: text for name, text in told.items() if text}
    return f"{path}?{urlencode(said)}" if said else path
