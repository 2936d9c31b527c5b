"""Rule `addresses`: an address of the web is the same with blanks at its stops, which extraction leaves there.

Supported: "The website of Orvo is www.orvo.com" of "www .orvo .com".  Not: "orvo.com" of the same, another path, and
one without the stroke or the scheme that the record has: an address may be an identifier, and is that one only.
"""

import re
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.packs import PackView
from veracord.grounding.substitution import fields_asked, stating, supported_by
from veracord.grounding.support import Judgement

_ADDRESS: Final = re.compile(r"(?<![\w./@-])(?:https?://)?[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}(?:/[\w.-]{0,80}){0,6}")
_BLANKS: Final = re.compile(r" ?([./]) ?")
_LONGEST: Final = 200
_MOST: Final = 3


def supported_by_addresses(claim: Reading, pack: PackView) -> Judgement | None:
    """Return that a record has the address of a claim, written otherwise, or None."""
    for said in list(_ADDRESS.finditer(claim.text))[:_MOST]:
        address = said[0].rstrip(".")
        before, after = claim.text[: said.start()], claim.text[said.start() + len(address) :]
        if not any(c.isalpha() for c in address):
            continue
        for field in fields_asked(claim, before + after, pack):
            value = field.value.strip()
            is_same = field.kind == "text" and value != address and _plain(value) == address
            stated = stating(claim, [before + value + after], field, pack) if is_same else None
            if stated is not None:
                return supported_by(stated.judgement)
    return None


def _plain(address: str) -> str:
    """Return an address without stray blanks."""
    return _BLANKS.sub(r"\1", address) if len(address) <= _LONGEST else address
