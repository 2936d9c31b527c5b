"""The words of a claim with their places, made once for all the fields that it is held against."""

from dataclasses import dataclass

from veracord.gates.atoms import classify_word
from veracord.grounding.names import squash
from veracord.language.tokens import fold, tokens_of

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class ClaimWords:
    """The words of a claim, made once for all fields.

    Attributes:
        text: The claim.
        spans: Where each word stands.
        squashed: Its letters and digits.
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
    """Return the words of a claim."""
    spans: list[Span] = []
    squashed: list[str] = []
    keys: list[str] = []
    kinds: list[str] = []
    for token in tokens_of(text):
        if token.kind == "punctuation":
            continue
        form = fold(token.text)
        if form.endswith(("'s", "’s")):
            form = form[:-2]
        kind, key = classify_word(form)
        if token.text == "A" and spans:
            # A name ("pack A"), not an article.
            kind, key = "word", "A"
        spans.append((token.span[0], token.span[0] + len(form) if len(form) < len(token.text) else token.span[1]))
        squashed.append(squash(form) or form)
        keys.append(key)
        kinds.append(kind)
    return ClaimWords(text, tuple(spans), tuple(squashed), tuple(keys), tuple(kinds), "".join(squashed))


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


def literal_spans(text: str, wanted: str, *, exact: bool) -> list[Span]:
    """Return where a text stands at the borders of words."""
    if not wanted:
        return []
    text, wanted = text.replace("\u00a0", " "), wanted.replace("\u00a0", " ")
    source, wanted = (text, wanted) if exact else (text.casefold(), wanted.casefold())
    if len(source) != len(text):
        source = text
    found = []
    start = source.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if _stands_alone(source, start, end):
            found.append((start, end))
        start = source.find(wanted, start + 1)
    return found


def _stands_alone(text: str, start: int, end: int) -> bool:
    if start and (text[start - 1].isalnum() or text[start - 1] in "_-−/+.#@~<>≤≥±") and (text[start].isalnum()):
        return False
    after = text[end : end + 2]
    if after[:1].isalnum() or after[:1] in tuple("_/@#%°"):
        return False
    return not (after[:1] in tuple(".-:,'’") and after[1:2].isalnum())
