"""Ways to take a claim apart whose parts together say what it says; it is supported if all parts of one way are.

Only claims are taken apart like this, never evidence: a cut at the wrong place makes parts that no statement supports,
and so can refuse a claim, but never let one pass.  A claim with anything that limits it is left whole.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.atoms import Atom
from veracord.grounding.clauses import begins_with_verb, is_bound

_JOINT: Final = re.compile(r"(?:, )?\b(?:and|und|as well as|sowie)\b ")
_THAT_OF: Final = re.compile(r"(?:that|die|das|der) (of|von|for) ", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"(?:the |die |das |der )?(?P<what>[^,;:]{2,80}?) (?:of|von|for) ", re.IGNORECASE)
_AGENT: Final = re.compile(r" (?:by|in|at|on|von|durch) ")
#: "X is a company that was founded in Ulm", "X is a company founded in Ulm": two things said of X.
_RELATIVE: Final = re.compile(
    r"(?P<subject>[^,;:]{1,120}?) (?P<is>is|was) (?P<what>(?:an?|the) [^,;:]{2,80}?)"
    r"(?: (?:that|who|which) (?P<verb>is|was)| (?:that|who|which)(?= )"
    r"|(?= (?:[a-z]+ed|written|made|built) (?:in|on|by|at)\b))"
)
_LONGEST: Final = 600
_MOST: Final = 6


def claim_parts_of(text: str, atoms: list[Atom]) -> Iterator[tuple[str, str]]:
    """Yield pairs of claims that together say what one says.

    Args:
        atoms: The atoms of the text.
    """
    if len(text) > _LONGEST or any(atom.kind == "cue" for atom in atoms):
        return
    relative = _RELATIVE.match(text)
    if relative is not None:
        subject, what, rest = relative["subject"], relative["what"], text[relative.end() :].strip(" .")
        yield f"{subject} {relative['is']} {what}", f"{subject} {relative['verb'] or 'was'} {rest}"
    if is_bound(atoms, text):
        return
    for cut in list(_JOINT.finditer(text))[:_MOST]:
        left, right = text[: cut.start()].rstrip(" ,"), text[cut.end() :].strip(" .")
        if left and right:
            yield from _pairs(left, right, [atom for atom in atoms if atom.span[1] <= cut.start()], atoms, cut.end())


def _pairs(left: str, right: str, before: list[Atom], atoms: list[Atom], at: int) -> Iterator[tuple[str, str]]:
    yield left, right
    that, attribute = _THAT_OF.match(right), _ATTRIBUTE.match(left)
    if that is not None and attribute is not None:
        yield left, f"{attribute['what']} {right[that.start(1) :]}"
    following = [atom for atom in atoms if atom.span[0] >= at]
    copula = next((atom for atom in before if atom.kind == "copula"), None)
    if not following or not (following[0].kind == "copula" or begins_with_verb(following)):
        return
    if following[0].kind != "copula" and copula is not None:
        head = left[: copula.span[1]]
        yield left, f"{head} {right}"
        agent = _AGENT.search(right)
        if agent is not None and before[-1].kind == "word":
            # "was written and directed by Ada": both by her.
            yield left + right[agent.start() :], f"{head} {right}"
    for end in [atom.span[1] for atom in before[:_MOST] if copula is None or atom.span[1] <= copula.span[0]]:
        yield left, f"{left[:end]} {right}"
