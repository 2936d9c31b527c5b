"""Which leaves of the real records can be asked for, under which names, and what identifies a record."""

import re
import uuid
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Final

from tests.golden.field_phrases import PHRASINGS, Concept, concept, has_rival, phrase
from tests.golden.field_records import Leaf, Record, is_identity, label, leaves, names_only, records, split_words

#: Members that are asked for by nobody, or that mean nothing by their name.
UNASKED: Final = frozenset("key content header unit link url uri context scheme hash digest file payload proof".split())  # noqa: SIM905
EXTENTS: Final = frozenset({"length", "width", "height", "volume", "diameter"})
MASSES: Final = frozenset({"KGM", "unit:gram", "unit:kilogram"})
#: Texts that say that there is no value.
NOTHING: Final = frozenset({"null", "none", "n/a", "na", "undefined", "unknown", "string", "tbd"})
#: Words that name nothing alone: the member above is named with them.
WEAK: Final = frozenset(
    "min max lower upper nominal initial remaining fade rated id name type status version date code label number "  # noqa: SIM905
    "description location time cell pack module other value category class media unit amount".split(),
)
MAX_WORDS: Final = 6
MAX_TEXT: Final = 40
MAX_DIGITS: Final = 9
IDENTITY: Final = "passportIdentifier"


@dataclass(frozen=True)
class Field:
    """A leaf that can be asked for, with its record (which has an identity) and its names."""

    origin: str
    record: Record
    leaf: Leaf
    label: str
    wording: Concept | None


@cache
def fields_by_phrasing(folder: Path) -> dict[str, dict[str, list[Field]]]:
    """Return all fields by phrasing, then by label."""
    found: dict[str, dict[str, list[Field]]] = {phrasing: defaultdict(list) for phrasing in PHRASINGS}
    for origin, read in records(folder):
        record = read if identity(read) else {IDENTITY: f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, origin)}", **read}
        all_leaves = leaves(record)
        for leaf in all_leaves:
            name = _asked_label(leaf, all_leaves)
            if name is None or has_rival(leaf, all_leaves):
                continue
            field = Field(origin, record, leaf, name, concept(leaf, all_leaves))
            for phrasing in PHRASINGS:
                if phrase(phrasing, name, field.wording, "it"):
                    found[phrasing][name].append(field)
    return found


def _asked_label(leaf: Leaf, all_leaves: list[Leaf]) -> str | None:
    if not leaf.names or isinstance(leaf.keys[-1], int) or is_identity(leaf) or not _is_plain(leaf.value):
        return None
    if leaf.unit in MASSES and leaf.names[-1] in EXTENTS:
        # Some samples measure lengths in kilograms.
        return None
    tail = split_words(leaf.names[-1])
    if not tail or leaf.names[-1].startswith("@") or UNASKED & set(tail) or re.search(r"\d", leaf.names[-1]):
        return None
    name = label(leaf, all_leaves)
    if name in WEAK and len(leaf.names) > 1:
        wider = " ".join(dict.fromkeys((*split_words(leaf.names[-2]), *split_words(leaf.names[-1]))))
        name = wider if names_only(frozenset(wider.split()), leaf, all_leaves) else None
    return None if name is None or name in WEAK or len(name.split()) > MAX_WORDS else name


def _is_plain(value: object) -> bool:
    """Tell whether a value can be stated in a sentence: no flag, no link, no placeholder, no monster number."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | Decimal):
        return len(Decimal(value).as_tuple().digits) <= MAX_DIGITS and -6 <= Decimal(value).adjusted() <= MAX_DIGITS
    text = str(value)
    if (
        not 0 < len(text.strip()) <= MAX_TEXT
        or not text.isprintable()
        or re.search(r"://|^urn:|^www\.|[\"“”\[\]<>|]", text)
    ):
        return False
    return any(char.isalnum() for char in text) and text.strip().lower() not in NOTHING


def exact(value: object) -> Decimal | str:
    return Decimal(value) if isinstance(value, int | Decimal) else str(value)


def identity(record: Record) -> Leaf | None:
    """Return the leaf that identifies the record: one near its top, not in a row."""
    found = [leaf for leaf in leaves(record) if is_identity(leaf) and isinstance(leaf.value, str)]
    near = [leaf for leaf in found if len(leaf.keys) <= 2 and all(isinstance(key, str) for key in leaf.keys)]
    usable = [leaf for leaf in near if leaf.value.strip() and "00000000-0000" not in leaf.value]
    return min(usable, key=lambda leaf: (leaf.names[-1] != IDENTITY, len(leaf.keys), leaf.keys), default=None)
