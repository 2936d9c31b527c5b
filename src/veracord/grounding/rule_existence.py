"""Rule `existence`: what holds of a thing holds of something of its kind.

Supported: "Ada Berg painted a picture in 1862", "Acme manufactures a soft drink" where the record is of a picture, of a
soft drink.  Not: the same of another kind, "Ada Berg painted two pictures", and "A soft drink comes from Belgium",
which may mean each of them.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.packs import PackView
from veracord.grounding.rule_kinds import Support
from veracord.grounding.substitution import supported_by
from veracord.grounding.support import Judgement

_DID: Final = "painted|directed|wrote|produced|created|designed|built|manufactured|makes|manufactures|recorded|composed"
_SOMETHING: Final = re.compile(
    rf"(?P<before>[^,;:]{{2,120}}? (?:has |have )?(?:{_DID}) )(?:an?|at least one|one or more)"
    r" (?P<kind>[^,;:]{3,80})",
    re.IGNORECASE,
)
#: What is said of the something: "in 1862".
_BEHIND: Final = re.compile(r" (?=(?:in|on|by|at) )")
_PICTURE: Final = re.compile(r"\bpicture$")
_MOST: Final = 4


def supported_by_existence(claim: Reading, pack: PackView, support: Support) -> Judgement | None:
    """Return that a claim about something holds of the thing that the one record cited is about, or None.

    Args:
        support: Judges a claim with the same citations; gives a judgement only where it is supported.
    """
    text = claim.text.strip(" .")
    match = _SOMETHING.fullmatch(text)
    cited = [pack.items[one] for one in claim.claim.evidence_ids if one in pack.items]
    if match is None or len(cited) != 1 or not cited[0].fields or not cited[0].fields[0].products:
        return None
    if any(key == "not" for key, _ in claim.shape.cues):
        return None
    title = cited[0].fields[0].products[0]
    for kind, rest in _cuts(match["kind"]):
        told = support(f"{match['before']}{title}{rest}")
        article = "an" if kind[:1].casefold() in "aeiou" else "a"
        is_one = support(f"{title} is {article} {_PICTURE.sub('painting', kind)}") if told is not None else None
        if told is not None and is_one is not None:
            return supported_by(is_one, told)
    return None


def _cuts(said: str) -> Iterator[tuple[str, str]]:
    """Yield a kind, and what is said of it: "picture", " in 1862"."""
    yield said, ""
    for cut in list(_BEHIND.finditer(said))[:_MOST]:
        yield said[: cut.start()], said[cut.start() :]
