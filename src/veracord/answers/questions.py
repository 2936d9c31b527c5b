"""A question as words: which of them name the product, which only ask, and which name what is asked for.

Closed world: a word that is none of the first two must be explained by the field that answers.

Source: answers.md section 5.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from veracord.answers.units_asked import UnitAsked, unit_asked
from veracord.answers.vocabulary import Vocabulary, label_form, vocabulary
from veracord.errors import InputError
from veracord.gates.claims import quotations_of
from veracord.gates.glossary import parts_of_compound
from veracord.grounding.claim_words import ClaimWords, literal_spans, words_inside, words_of
from veracord.language.tokens import fold
from veracord.pipeline.texts import clean

#: A question is a sentence or two; what is longer is something else.
LONGEST_QUESTION: Final = 2_000
_MOST_SHOWN: Final = 12
_SINGLE: Final = "'‘’"
#: Words that join the words of a label, and need no explanation.
#: The "Nenn-" of a German compound, which is "nominal" or "rated".
NENN: Final = "nenn"
#: Words that only a German question has, and words that only an English one has.
_GERMAN: Final = frozenset(
    "wie welche welcher welches welchen welchem wer wem wen wo woher wann ist sind wurde wird wurden lautet hat haben"
    " nenne nennen gib sag zeige bitte das des dem ein eine einer eines vom zum zur beträgt kostet wiegt".split()
)
_ENGLISH: Final = frozenset("what how which who when where is are the of does do please".split())
_JOINTS: Final = frozenset("of the for in a an and".split())
#: Words between a product and its identifier.
_LINKS: Final = frozenset("with whose having by named called mit".split())


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read.

    Attributes:
        text: It, cleaned.
        words: Its words.
        keys: The canonical form of each as a word of a label.
        forms: Each, folded.
        kind: What is asked for, where the question word says it: "date", "number", or "".
        product: The places of the words that name the product.
        asking: The places of the words that only ask.
        quoted: The places of the words inside quotation marks: the label of a field.
        unit: The unit that the value is asked for in, if one is.
    """

    text: str
    words: ClaimWords
    keys: tuple[str, ...]
    forms: tuple[str, ...]
    kind: str
    product: frozenset[int]
    asking: frozenset[int]
    quoted: frozenset[int]
    unit: UnitAsked | None = None

    @property
    def is_german(self) -> bool:
        """Whether it is asked in German."""
        return bool(_GERMAN & set(self.forms)) and not _ENGLISH & set(self.forms)

    @property
    def free(self) -> tuple[int, ...]:
        """The places of all words but those that name the product."""
        return tuple(at for at in range(len(self.keys)) if at not in self.product)

    @property
    def telling(self) -> tuple[int, ...]:
        """The places of the words that a field must explain."""
        return tuple(at for at in self.free if at not in self.asking)

    @property
    def looked_for(self) -> tuple[str, ...]:
        """The words that a field must explain, as written."""
        spans = [self.words.spans[at] for at in self.telling[:_MOST_SHOWN]]
        return tuple(clean(self.text[start:end], 60) for start, end in spans)


def cleaned(question: str) -> str:
    """Return a question as one line of text that steers nothing.

    Raises:
        InputError: It is no text, empty, or longer than 2,000 characters.
    """
    if not isinstance(question, str):
        raise InputError("the question is no text", remedy="give a text", code="invalid_question")
    if len(question) > LONGEST_QUESTION:
        raise InputError(
            f"the question has more than {LONGEST_QUESTION:,} characters",
            remedy="ask in a sentence or two, and give everything else as evidence",
            code="invalid_question",
        )
    # Blanks first, so that a line break is no unsafe character.
    text = " ".join(clean(" ".join(question.split()), LONGEST_QUESTION + 1).replace("\ufffd", " ").split())
    if not any(char.isalnum() for char in text):
        raise InputError("the question is empty", remedy="ask something", code="invalid_question")
    return text


def read_question(text: str, products: Iterable[str] = (), naming: Collection[str] = ()) -> Question:
    """Read a question that was cleaned.

    Args:
        text: The question.
        products: Identifiers of products, as the evidence writes them.
        naming: Further words that may stand in front of one: the names of their members.
    """
    words = words_of(text)
    lists = vocabulary()
    forms = tuple(fold(text[start:end]) for start, end in words.spans)
    keys = _keys_of(words, forms, lists)
    named = _product_words(words, forms, products, lists.naming.union(naming))
    quoted = frozenset(at for at in _quoted(text, words) - named if forms[at] not in _JOINTS)
    unit = unit_asked(words, forms, named | quoted)
    asking = (_asking(forms, named, lists) | (unit.places if unit else frozenset())) - quoted
    return Question(text, words, keys, forms, _kind_of(forms, keys), named, asking - named, quoted, unit)


def _keys_of(words: ClaimWords, forms: tuple[str, ...], lists: Vocabulary) -> tuple[str, ...]:
    """Return the words of a question in canonical form; of a German compound, whose places are many, each part."""
    keys: list[str] = []
    for at, form in enumerate(forms):
        part = 0
        while at > part and words.spans[at - part - 1] == words.spans[at]:
            part += 1
        parts = parts_of_compound(form)
        key = parts[part] if part < len(parts) else lists.translations.get(form, form)
        keys.append(key if key == NENN else label_form(key))
    return tuple(keys)


def names_in(text: str, products: Iterable[str]) -> list[str]:
    """Return the identifiers that stand whole in a question, and not only inside a longer one."""
    found = [(span, product) for product in products for span in literal_spans(text, product, exact=True)]
    return list(
        dict.fromkeys(
            product
            for (start, end), product in found
            if not any(a <= start and end <= b and (a, b) != (start, end) for (a, b), _ in found)
        )
    )


def _quoted(text: str, words: ClaimWords) -> frozenset[int]:
    spans = [quotation.span for quotation in quotations_of(text)]
    marks = [at for at, char in enumerate(text) if char in _SINGLE and _is_edge(text, at)]
    spans += [(marks[0] + 1, marks[-1])] if len(marks) > 1 and not spans else []
    return frozenset(at for span in spans for at in words_inside(words, span))


def _is_edge(text: str, at: int) -> bool:
    """Whether a mark stands at the edge of a word, and not inside one."""
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    return before.isalnum() != after.isalnum()


def _product_words(
    words: ClaimWords, forms: tuple[str, ...], products: Iterable[str], naming: Collection[str]
) -> frozenset[int]:
    found: set[int] = set()
    for product in products:
        for span in literal_spans(words.text, product, exact=True):
            inside = words_inside(words, span)
            found |= inside | _words_before(min(inside), forms, naming)
    return frozenset(found)


def _words_before(start: int, forms: tuple[str, ...], naming: Collection[str]) -> set[int]:
    """Return the places of the words that lead to an identifier: "(product) with serial number"."""
    found: set[int] = set()
    at = start - 1
    while at >= 0 and forms[at] in naming:
        found.add(at)
        at -= 1
    if at >= 0 and forms[at] in _LINKS:
        found.add(at)
        generic = vocabulary().generic
        if at and forms[at - 1] in generic:
            found.add(at - 1)
    return found


def _kind_of(forms: tuple[str, ...], keys: tuple[str, ...]) -> str:
    """Return what the question word asks for."""
    if {"when", "wann"} & set(forms) or set(keys) & {"date", "day", "datum", "tag"}:
        return "date"
    if "how" in forms and forms[forms.index("how") + 1 : forms.index("how") + 2] in (("many",), ("much",)):
        return "number"
    return "number" if "wie" in forms and {"viel", "viele"} & set(forms) else ""


def _asking(forms: tuple[str, ...], named: frozenset[int], lists: Vocabulary) -> frozenset[int]:
    asking = {at for at, form in enumerate(forms) if form in lists.frames}
    asking |= _openers(forms, lists)
    last = len(forms) - 1
    for at, form in enumerate(forms):
        if form in lists.sources and _is_told_of(forms, at, lists):
            asking.add(at)
            if at < last and forms[at + 1] in lists.telling:
                asking.add(at + 1)
        is_possessive = form.endswith(("'s", "’s"))
        if form.removesuffix("'s").removesuffix("’s") in lists.generic and (
            at == last or is_possessive or at + 1 in named or at + 1 in asking or forms[at + 1] in lists.frames
        ):
            asking.add(at)
    return frozenset(asking)


def _openers(forms: tuple[str, ...], lists: Vocabulary) -> set[int]:
    """Return the places of the words that begin an order: "please state", "can you tell me"."""
    found: set[int] = set()
    for at, form in enumerate(forms):
        if form in lists.openers:
            found.add(at)
            return found
        if form not in ("please", "can", "could", "would", "you", "i", "need", "bitte", "kannst", "du", "mir"):
            return set()
        found.add(at)
    return found


def _is_told_of(forms: tuple[str, ...], at: int, lists: Vocabulary) -> bool:
    """Whether a word such as "record" is where something is written: "in the record", "does the record state"."""
    before = at - 1
    while before >= 0 and forms[before] in (
        "the",
        "this",
        "that",
        "its",
        "data",
        "product",
        "dem",
        "der",
        "das",
        "den",
    ):
        before -= 1
    if before < 0:
        return at + 1 < len(forms) and forms[at + 1] in lists.telling
    if forms[before] in ("in", "to", "from", "by", "per", "on", "laut", "gemäß", "im"):
        return True
    return (
        forms[before] in ("does", "do", "did", "what", "which")
        and at + 1 < len(forms)
        and (forms[at + 1] in lists.telling)
    )
