"""The words of a claim with their places, made once for all the fields that it is held against."""

import re
from dataclasses import dataclass
from typing import Final

from veracord.gates.atoms import COPULA_PHRASES, classify_word, keys_of_compound
from veracord.gates.lexicon import DIMENSIONS
from veracord.grounding.names import squash
from veracord.language.tokens import fold, tokens_of

Span = tuple[int, int]

#: A name as short as this may be a word.
_SHORT_NAME: Final = 3
_GENITIVE: Final = re.compile(r"['’]s?(?=\s)")


@dataclass(frozen=True, slots=True, eq=False)
class ClaimWords:
    """The words of a claim, made once for all fields.

    Attributes:
        text: The claim.
        spans: Where each word stands.
        squashed: Its letters and digits; nothing for a further part of a compound.
        keys: Its canonical form.
        kinds: What it is.
        joined: All words in one, to look for a name in.
    """

    text: str
    spans: tuple[Span, ...]
    squashed: tuple[str, ...]
    keys: tuple[str, ...]
    kinds: tuple[str, ...]
    joined: str


def words_of(text: str) -> ClaimWords:
    """Return the words of a claim; of a German compound one word for each part, all at the same place."""
    found: list[tuple[Span, str, str, str]] = []
    for token in tokens_of(text):
        if token.kind == "punctuation":
            continue
        form = fold(token.text)
        if form.endswith(("'s", "’s")):
            form = form[:-2]
        kind, key = classify_word(form)
        if token.text == "A" and found:
            # A name ("pack A"), not an article.
            kind, key = "word", "A"
        start = token.span[0]
        span = (start, start + len(form) if len(form) < len(token.text) else token.span[1])
        parts = keys_of_compound(form) if kind == "word" else ()
        found.append((span, squash(form) or form, parts[0] if parts else key, kind))
        found += [(span, "", part, kind) for part in parts[1:]]
    if not found:
        return ClaimWords(text, (), (), (), (), "")
    spans, squashed, keys, kinds = zip(*_with_copulas(found), strict=True)
    return ClaimWords(text, spans, squashed, keys, kinds, "".join(squashed))


def _with_copulas(found: list[tuple[Span, str, str, str]]) -> list[tuple[Span, str, str, str]]:
    """Turn "amounts to" and its like into forms of "to be", and "CO2 footprint" into what it is short for."""
    for at in range(len(found) - 1):
        pair = (found[at][1], found[at + 1][1])
        if pair in COPULA_PHRASES:
            for place in (at, at + 1):
                found[place] = (*found[place][:2], "present", "copula")
        elif pair[0] == "co2" and found[at + 1][2] == "footprint":
            found[at] = (*found[at][:2], "carbon", found[at][3])
    for at in range(2, len(found)):
        if found[at][1] in DIMENSIONS and any(one[1][:1].isdigit() for one in found[at - 2 : at]):
            # "5 mm long": the word behind the value names what is measured.
            found[at] = (*found[at][:2], DIMENSIONS[found[at][1]], found[at][3])
    return found


def blanked(words: ClaimWords, used: frozenset[int]) -> str:
    """Return the claim with the words that are taken replaced by a mark as long."""
    text = list(words.text)
    for at in used:
        start, end = words.spans[at]
        text[start:end] = " " * (end - start)
    return "".join(text)


def words_inside(words: ClaimWords, span: Span) -> frozenset[int]:
    """Return the words that a span touches."""
    return frozenset(at for at, (start, end) in enumerate(words.spans) if start < span[1] and span[0] < end)


def literal_spans(text: str, wanted: str, *, exact: bool, is_name: bool = False) -> list[Span]:
    """Return where a text stands at the borders of words.

    Args:
        exact: Whether letter case counts.
        is_name: Whether it may stand in the genitive: "Orin's".
    """
    if not wanted:
        return []
    text, wanted = text.replace("\u00a0", " "), wanted.replace("\u00a0", " ")
    said = wanted
    source = text
    if not exact:
        source, wanted = text.casefold(), wanted.casefold()
        if len(source) != len(text):
            # "ß" becomes two letters, and places would move.
            source, wanted = (text.lower(), said.lower()) if len(text.lower()) == len(text) else (text, said)
    found = []
    start = source.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if _stands_alone(source, start, end) or (is_name and _GENITIVE.match(source, end) is not None):
            found.append((start, end))
        start = source.find(wanted, start + 1)
    return found


def product_spans(text: str, product: str) -> list[Span]:
    """Return where the name of a product stands in a text; "A" is a name, "a" and the first word "A" an article."""
    is_exact = len(product) <= _SHORT_NAME or any(c.isdigit() for c in product)
    found = literal_spans(text, product, exact=is_exact, is_name=True)
    return [span for span in found if len(product) > 1 or text[: span[0]].strip()]


def _stands_alone(text: str, start: int, end: int) -> bool:
    if start and (text[start - 1].isalnum() or text[start - 1] in "_-−/+.#@~<>≤≥±") and (text[start].isalnum()):
        return False
    after = text[end : end + 2]
    if after[:1].isalnum() or after[:1] in tuple("_/@#%°"):
        return False
    return not (after[:1] in tuple(".-:,'’") and after[1:2].isalnum())
