"""Rule `kinds`: what a thing is, with words for its sort in front and a clause about it behind.

Supported: "Low Tide is a Swedish film from 1999 that was directed by Ada Berg", where the record has the fields of a
film, the country Sweden, the date and the director.  Not: "a Danish film", "a Swedish short film", "a Swedish film by
Bo Ek" of the same.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.claims import Reading
from veracord.gates.outcomes import passed
from veracord.gates.statements import Field, Standing
from veracord.grounding.names import squash
from veracord.grounding.packs import EvidenceView, PackView
from veracord.grounding.part_values import is_limited
from veracord.grounding.sort_words import fields_telling
from veracord.grounding.substitution import supported_by
from veracord.grounding.support import SUPPORTED, Judgement
from veracord.language.tokens import fold

Support = Callable[[str], Judgement | None]

_IS: Final = re.compile(
    r"(?:the )?(?P<subject>[^,;:]{1,120}?),? (?P<is>is|was|are|were) (?:(?P<article>an?|the) )?(?P<rest>[^;:]{2,300})",
    re.IGNORECASE,
)
#: Where what is said of the thing begins, behind what it is.
_BEHIND: Final = re.compile(
    r" (?:(?:that|who|which)(?:['’]s)? |(?=from |starring |(?:[a-z]+ed|written|made|built|sung|hanging|hung)"
    r" (?:and [a-z]+ed |and written )?(?:in|on|by|at|before|after|during|to) ))"
)
#: What a noun phrase may have beside its noun so that what follows is said of the noun still: "a film of 1999 that".
_CLOSED: Final = re.compile(
    r"^(?:type|kind|sort) of | (?:from|of|in) \d{4}s?$| of art$| with \d+ [a-z]+$", re.IGNORECASE
)
#: Behind any of these stands another noun, and a clause that follows is said of that: "made of wool from Germany".
_OPEN: Final = re.compile(
    r"\b(?:of|by|from|in|at|on|to|for|with|under|between|via|who|which|that|von|aus|mit"
    r"|starring|featuring|containing|including|having|using)\b",
    re.IGNORECASE,
)
_KIND: Final = re.compile(r"(?<![^\W\d_])[^\W\d_]+\Z")
_WORK_OF_ART: Final = re.compile(r"\b(?:work|piece) of art$", re.IGNORECASE)
#: Says nothing of a band or an album.
_MUSIC: Final = re.compile(r"\bmusic(?:al)?$", re.IGNORECASE)
#: Where a painting is; of another thing it would say more.
_HANGING: Final = re.compile(r"^(?:hanging|hung) (?=in |at )")
_QUOTES: Final = "\"'“”‘’ "
_MOST: Final = 4
_MARKS: Final = re.compile(r"[,;:]")
_GAP: Final = re.compile(" ")
_MOST_GAPS: Final = 12
_SPELLINGS: Final = (
    ("flavour", "flavor"), ("colour", "color"), ("fibre", "fiber"), ("aluminium", "aluminum"), ("grey", "gray"),
)  # fmt: skip
#: Fields whose value says what a thing is.
_TYPES: Final = frozenset(
    {"type", "category", "kind", "producttype", "productcategory", "course", "role", "species", "breed", "sex"}
)


def supported_by_kinds(claim: Reading, pack: PackView, support: Support) -> Judgement | None:
    """Return that a thing is what a claim says that it is, and that the clause behind holds as well, or None.

    Args:
        support: Judges a claim with the same citations; gives a judgement only where it is supported.
    """
    text = claim.text.strip(" .")
    title = next((title for title in _titles(claim, pack) if text.startswith(f"{title} ")), "")
    # A comma of the title is none of the sentence.
    match = _IS.fullmatch(_MARKS.sub(" ", title) + text[len(title) :])
    if match is None or any(key == "not" for key, _ in claim.shape.cues):
        return None
    subject, rest = text[match.start("subject") : match.end("subject")], match["rest"]
    whole = _kind_of(subject, rest, claim, pack)
    if whole is not None:
        return whole
    for cut in list(_BEHIND.finditer(rest))[:_MOST]:
        kind, said = rest[: cut.start()], rest[cut.end() :]
        first = None
        if match["article"] and _OPEN.search(_CLOSED.sub("", kind)) is None:
            first = support(f"{subject} {match['is']} {match['article']} {kind}")
        first = first or _kind_of(subject, kind, claim, pack)
        if first is None:
            continue
        if kind.endswith(" painting"):
            said = _HANGING.sub("located ", said)
        second = next(filter(None, map(support, _clauses(subject, match["is"], said, cut[0]))), None)
        if second is not None:
            return supported_by(first, second)
    return None


def _titles(claim: Reading, pack: PackView) -> Iterator[str]:
    """Yield the titles of the records cited."""
    cited = (pack.items[one] for one in claim.claim.evidence_ids if one in pack.items)
    yield from (title for item in cited if item.fields for title in item.fields[0].products[:1])


def _clauses(subject: str, is_form: str, said: str, joint: str) -> Iterator[str]:
    """Yield how what stands behind a kind is said as a clause of its own."""
    if joint.strip():
        yield f"{subject} {said}" if not joint.rstrip().endswith("s") else f"{subject} is {said}"
    elif said.startswith("starring "):
        yield f"{subject} stars {said.removeprefix('starring ')}"
    elif said.startswith("from "):
        yield f"{subject} {is_form} {said}"
        yield f"{subject} was released in {said.removeprefix('from ')}"
    else:
        yield f"{subject} was {said}"


def _kind_of(subject: str, said: str, claim: Reading, pack: PackView) -> Judgement | None:
    """Return that the records cited are about a thing of this name, kind and sort."""
    said = _WORK_OF_ART.sub("artwork", said)
    found: list[Field] = []
    for evidence_id in claim.claim.evidence_ids:
        item = pack.items.get(evidence_id)
        if item is None or not item.fields or not _is_called(item, subject):
            continue
        for sorts, head in _heads_of(said, item):
            told = fields_telling(sorts, item.fields)
            if told is not None:
                found += [head, *told]
                break
    return Judgement(SUPPORTED, (passed("citation"),), tuple(found)) if found else None


def _heads_of(said: str, item: EvidenceView) -> Iterator[tuple[str, Field]]:
    """Yield what stands in front of the word for what a thing is, and the field that tells that it is one."""
    match = _KIND.search(said)
    about = item.fields[0].about
    if match is not None and about is not None and classify_word(fold(match[0]))[1] in about.kinds:
        yield _MUSIC.sub("", said[: match.start()].rstrip()), item.fields[0]
    for field in item.fields:
        is_type = len(field.names) == 1 and field.names[0].squashed in _TYPES and field.kind == "text"
        if not is_type or field.is_limited or field.standing is not Standing.EVIDENCE or is_limited(field.value):
            continue
        for gap in list(_GAP.finditer(said))[:_MOST_GAPS]:
            if _spelled(said[gap.end() :]) == _spelled(field.value.strip()):
                yield said[: gap.start()].strip(), field


def _spelled(text: str) -> str:
    """Return a text in one spelling, without hyphens and capital letters."""
    text = text.casefold().replace("-", " ")
    for british, american in _SPELLINGS:
        text = text.replace(british, american)
    return text


def _is_called(item: EvidenceView, subject: str) -> bool:
    """Whether a name is the whole title of a record, or that without what stands in brackets behind it."""
    said = squash(subject.strip(_QUOTES))
    titles = item.fields[0].products[:1]
    return bool(said) and any(said in (squash(title), squash(title.partition(" (")[0])) for title in titles)
