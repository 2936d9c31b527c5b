"""Rule `names`: a person goes by a part of the name, and anybody by another name of the record.

Supported: "Berg was born in Ulm" of "Ada Berg", "Wolf was born in Ulm" where the record has the nickname "Wolf".  Not:
the same where another record of the evidence, or another field of this one, has that name.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.claims import Reading
from veracord.grounding.packs import EvidenceView, PackView
from veracord.grounding.rule_kinds import Support
from veracord.grounding.support import Judgement

_FULL_NAME: Final = re.compile(r"[A-Z][^\W\d_]+(?: [A-Z][^\W\d_]*\.?)? [A-Z][^\W\d_]+")
_BIRTHS: Final = frozenset({"born", "birthdate", "dateofbirth"})
_OTHER_NAMES: Final = frozenset({"alsoknownas", "othernames", "nickname", "nicknames", "birthname", "fullname"})
#: What may stand between a name and the rest of a claim.
_BEHIND: Final = re.compile(r"(?P<of>['’]s?)?(?= )")
#: The last stop of an abbreviation may be left out: "O.R.V.O" is "O.R.V.O.".
_DOTTED: Final = re.compile(r"[A-Z](?:\.[A-Z]){1,7}")
_BEHIND_DOTTED: Final = re.compile(r"\.?(?P<of>['’]s?)?(?= )")
_WORD: Final = re.compile(r"\w+")
_PLAIN: Final = re.compile(r"[^\W_][\w.' -]{1,60}")
_SHORTEST: Final = 3


def supported_by_names(claim: Reading, pack: PackView, support: Support) -> Judgement | None:
    """Return that a claim is supported with the title of the record in the place of another name of it, or None.

    Args:
        support: Judges a claim with the same citations; gives a judgement only where it is supported.
    """
    cited = [pack.items[one] for one in claim.claim.evidence_ids if one in pack.items]
    if len(cited) != 1 or not cited[0].fields or not cited[0].fields[0].products:
        return None
    title = cited[0].fields[0].products[0]
    if claim.text.casefold().startswith(title.casefold()):
        return None
    for name in _names(cited[0], title):
        behind = _BEHIND_DOTTED if _DOTTED.fullmatch(name) else _BEHIND
        match = behind.match(claim.text, len(name)) if claim.text.startswith(name) else None
        if match is not None and not _is_of_others(name, title, cited[0], pack):
            return support(f"{title}{match['of'] or ''}{claim.text[match.end() :]}")
    return None


def _names(item: EvidenceView, title: str) -> Iterator[str]:
    """Yield the other names of a record, and those that are a part of the name of a person."""
    for field in item.fields:
        value = field.value.strip() if field.kind == "text" else ""
        is_name = bool(field.names) and field.names[-1].squashed in _OTHER_NAMES
        if is_name and len(field.names) == 1 and len(value) >= _SHORTEST and _PLAIN.fullmatch(value):
            yield value
    is_person = any(field.names and field.names[-1].squashed in _BIRTHS for field in item.fields)
    if is_person and _FULL_NAME.fullmatch(title):
        words = title.split()
        yield words[-1]
        yield words[0]


def _is_of_others(name: str, title: str, item: EvidenceView, pack: PackView) -> bool:
    """Whether another record has a name, or a field of this one that is not about its names."""
    words = _words_of(name)
    for other in pack.items.values():
        for field in other.fields:
            if other is not item and any(_has(product, words) for product in field.products):
                return True
            is_own = bool(field.names) and field.names[-1].squashed in _OTHER_NAMES | _BIRTHS | {"title", "name"}
            if field.kind == "text" and not is_own and field.value != title and _has(field.value, words):
                return True
    return False


def _words_of(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _has(text: str, words: list[str]) -> bool:
    """Whether a text has words one behind the other."""
    own = _words_of(text)
    return any(own[at : at + len(words)] == words for at in range(len(own) - len(words) + 1))
