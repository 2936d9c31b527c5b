"""Objects of a record that are no evidence: marked as unverified, or as a suggestion, accepted or not."""

import re
from typing import Final

from veracord.gates.statements import Name
from veracord.records.values import JsonValue

_UNVERIFIED: Final = re.compile(
    r"unverified|suggest(?:ed|ion)|not[ _-]?verified|ai[ _-]generated|accepted_suggestion", re.IGNORECASE
)
_DOUBTS: Final = frozenset(
    {"status", "state", "origin", "verification", "provenance", "confidencestatus", "reviewstatus"}
)
#: How the name of a member begins that holds a guess.
GUESSES: Final = ("suggest", "unverified")


def is_unverified(own: list[tuple[str, JsonValue]], names: tuple[Name, ...]) -> bool:
    """Whether an object is marked as a guess, by its name or by a member.

    Args:
        own: Its members with their squashed names.
        names: What it is called, the outermost first.
    """
    if names and names[-1].squashed.startswith((*GUESSES, "proposed")):
        return True
    for name, item in own:
        if name in _DOUBTS and isinstance(item, str) and _UNVERIFIED.search(item):
            return True
        if item is True and name in ("unverified", "issuggestion", "suggestion", "suggested"):
            return True
        if item is False and name == "verified":
            return True
    return False
