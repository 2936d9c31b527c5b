"""What each part of a sentence is said of, as far as its form tells: the product, a value of it, or another thing.

The subject of the first predicate is the subject of all that share its sentence: "The casing of P-1 is steel and weighs
5 kg" tells the mass of the casing.  A subject that no closed list knows is a thing of its own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.grounding.claim_words import ClaimWords, product_spans, words_inside, words_of
from veracord.grounding.names import squash
from veracord.grounding.packs import PackView

_PARTS: Final = re.compile(
    r"(?<=[^\s,;:–—])(?:[,;:]+ (?:(?:and|but|while|und|aber) )?| (?:and|but|while|whereas|as well as|und|aber|sowie)"
    r"(?: also)?,? | [–—-] "
    r"| (?=(?:which|who|whose|whom) )| (?=that (?:is|was|are|were|has|had|weighs?|costs?|contains?) )"
    r"| (?=(?:with (?:an?|the)|mit (?:eine[rm]|de[rm])|weighing|costing|measuring|containing) ))"
)
_RELATIVE: Final = re.compile(r"(?:which|who|whose|whom|that|d(?:ie|er|as|en|em)(?= .* \w+(?:t|st)$)) ")
#: What is told before ", who is": a sort of thing, or of people whom nothing else tells.
_PARTICIPLE: Final = re.compile(r"(?:also )?[a-z]{2,20}(?:ing|ed|made|built) ")
_OBJECT: Final = re.compile(r" (?:has|have|had|by|with|contains?|includes?|hat|mit|von) ")
_SORT: Final = re.compile(
    r"\b(?:person|people|persons|someone|somebody|one|those)$"
    r"|\b(?:is|was|are|were) (?:an?|the|one) (?:(?!of )[\w'-]+ ){0,4}[\w'-]+$"
)
_QUOTED: Final = re.compile(r"[\"“„«][^\"”“»]*[\"”“»]")
_OWNING: Final = frozenset("its their his her hers sein seine seiner seines ihr ihre ihrer ihres deren dessen".split())
_DEFINITE: Final = frozenset("the this these that those der die das den dem des diese dieser dieses".split()) | _OWNING
_PLURAL: Final = frozenset({"they", "their", "these", "those"})
_OF: Final = frozenset({"of", "for", "in", "on", "by", "with", "from", "at"})
_FRAME: Final = frozenset({"article", "pronoun", "preposition", "cue"})
#: Words in front of a verb that change nothing of who is meant.
_PASSING: Final = frozenset("also now currently then still both first later itself alone auch jetzt derzeit".split())
_VERBS: Final = frozenset(
    "has have had hat haben hatte weigh weighs weighed wiegt wiegen contain contains contained enthält"
    " enthalten consist consists besteht bestehen cost costs kostet kosten use uses used come comes came"
    " kommt stammt measure measures include includes make makes made supply supplies manufacture"
    " manufactures produce produces own owns deliver delivers design designs designed supplied"
    " manufactured produced measured lasts provides runs stars starred won died wrote directed played"
    " lived passed took joined released recorded sold bought offers draws holds can".split()
)


def _keys(words: str) -> frozenset[str]:
    return frozenset(classify_word(word)[1] for word in words.split())


#: What is no thing of its own, so that "its" behind it is the product's.
_ATTRIBUTES: Final = _keys(
    "mass weight colour color farbe masse gewicht length width height depth thickness diameter volume density size area"
    " voltage capacity energy power current temperature pressure speed price cost age type class category model year"
    " date number code country origin nationality name title genre status länge breite höhe tiefe dicke durchmesser"
    " volumen dichte spannung kapazität energie leistung preis typ klasse herkunft language duration runtime lifetime"
    " warranty tare footprint efficiency frequency resistance gtin serialnumber born birth death population"
)
_MODIFYING: Final = _keys(
    "nominal rated net gross total maximum minimum carbon serial production manufacturing manufacture test release"
    " purchase expiry warranty product main average operating storage energy power unit sales selling birth death"
)
#: Who has to do with the product, but is no part of it.
_AGENTS: Final = _keys(
    "manufacturer supplier owner designer producer importer distributor seller vendor director writer author artist"
    " operator publisher founder composer hersteller lieferant besitzer importeur brand marke suppliers distributors"
)


#: Nobody in particular: "someone", "at least one person", "the same person".
_ANYBODY: Final = _keys("someone somebody person people persons anyone same one two three least both")
#: What holds the evidence is not what it tells of: "the record states 5 kg".
_SOURCES: Final = _keys("record evidence source sheet data datasheet table document pack file datensatz quelle states")


_GROUPS: Final = _keys("band group")
_LONGEST_NAME: Final = 60


class Kind(Enum):
    """What a subject is."""

    PRODUCT = auto()
    VALUE = auto()
    AGENT = auto()
    ANYBODY = auto()
    THING = auto()


@dataclass(frozen=True, slots=True)
class Subject:
    """What something is said of.

    Attributes:
        kind: What it is.
        words: The words that say it.
        leans: Whether it is told by a pronoun, "it" or "its mass".
        is_named: Whether it names the product.
        is_definite: Whether it begins with an article or a pronoun.
        is_plural: Whether it is "they" or "their", and no group of people is told of.
    """

    kind: Kind
    words: frozenset[str] = frozenset()
    leans: bool = False
    is_named: bool = False
    is_definite: bool = False
    is_plural: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sentence.

    Attributes:
        text: Its text.
        subject: Its own subject, where it has one.
        is_relative: Whether it is said of the noun in front of it: ", which is from Ulm".
        says_sort: Whether it ends with what a thing is: "is a company".
        has_verb: Whether something is said in it.
    """

    text: str
    subject: Subject | None
    is_relative: bool
    says_sort: bool
    has_verb: bool


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What the records of a pack call what they are about.

    Attributes:
        products: Their titles and identifiers.
        pieces: The words of them.
        kinds: The words for the kinds of things that they are.
    """

    products: tuple[str, ...]
    pieces: frozenset[str]
    kinds: frozenset[str]


def known_names(pack: PackView) -> KnownNames:
    """Return what the records of a pack call what they are about."""
    products: dict[str, None] = {}
    values: list[str] = []
    fields: set[str] = set()
    kinds = {"product"}
    for item in pack.items.values():
        for field in item.fields:
            products.update(dict.fromkeys(field.products))
            if field.kind == "text" and len(field.value) <= _LONGEST_NAME and field.value not in field.products:
                values.append(field.value)
            if field.names and field.value not in field.products:
                fields.update(field.names[-1].stems if len(field.names[-1].stems) == 1 else ())
            kinds |= field.wholes | (field.about.kinds | field.about.sorts if field.about is not None else frozenset())
    # A word that a value has, too, is nobody's: "Acme" of the Acme Pump by Acme.
    held = {squash(piece) for value in values for piece in value.split()}
    bare = [name.partition(" (")[0] for name in products]
    pieces = frozenset(squash(piece) for name in products for piece in name.split())
    return KnownNames(
        tuple(dict.fromkeys(name for name in (*products, *bare) if name)),
        pieces - held - {""},
        frozenset(kinds - (fields - {"product"})),
    )


def parts_said(text: str, names: KnownNames) -> Iterator[Part]:
    """Yield the parts of a sentence in order."""
    text = text.strip(" .!")
    folded = text.casefold()
    names = replace(names, products=tuple(name for name in names.products if name.casefold() in folded))
    protected = [match.span() for match in _QUOTED.finditer(text)]
    protected += [span for name in names.products for span in product_spans(text, name)]
    start, is_joined, has_object = 0, False, False
    for match in (*_PARTS.finditer(text), None):
        if match is not None and any(first < match.end() and match.start() < last for first, last in protected):
            continue
        piece = text[start : match.start() if match is not None else len(text)]
        words = words_of(piece)
        verb = _verb_place(words)
        is_relative = start > 0 and not is_joined and _RELATIVE.match(piece) is not None
        # "It has four cells, weighing 5 kg": nobody can tell what weighs that.
        is_relative |= start > 0 and not is_joined and has_object and _PARTICIPLE.match(piece) is not None
        subject = None if is_relative else _subject(piece, words, verb, names, is_first=not start)
        yield Part(piece, subject, is_relative, _SORT.search(piece) is not None, verb is not None)
        has_object = _OBJECT.search(piece) is not None
        start = match.end() if match is not None else len(text)
        is_joined = match is not None and any(c.isalpha() for c in match[0])


def _verb_place(words: ClaimWords) -> int | None:
    places = range(len(words.keys))
    return next((at for at in places if words.kinds[at] == "copula" or words.squashed[at] in _VERBS), None)


def _subject(text: str, words: ClaimWords, verb: int | None, names: KnownNames, *, is_first: bool) -> Subject | None:
    """Return the subject of a part; none where it takes over that of the part before it."""
    if not words.keys:
        return None
    named = _product_places(text, words, names)
    if 0 in named and not _has_noun_behind(words, named, verb):
        return Subject(Kind.PRODUCT, is_named=True, is_definite=True)
    end = verb
    if end is None:
        end = next((at for at, key in enumerate(words.squashed) if key[:1].isdigit() and at not in named), None)
        end = len(words.keys) if end is None and is_first else end
    is_open = words.kinds[0] == "preposition" or words.squashed[0].endswith("ing")
    is_definite = words.squashed[0] in _DEFINITE or words.kinds[0] == "pronoun" or 0 in named
    if (
        not end
        or (is_open and not (named & set(range(end))))
        or words.squashed[0] in ("a", "an", "ein", "eine", "einer")
    ):
        return None
    if not is_definite and not is_first and (verb is None or words.keys[0] in _ATTRIBUTES):
        return None
    own = _classified(words, end, named, names, is_definite=is_definite)
    if own.kind is Kind.THING and words.keys[end - 1] in _SOURCES:
        return None
    is_plural = words.squashed[0] in _PLURAL and own.leans and names.kinds.isdisjoint(_GROUPS)
    return replace(own, is_plural=True) if is_plural else own


def _classified(words: ClaimWords, end: int, named: frozenset[int], names: KnownNames, *, is_definite: bool) -> Subject:
    places = range(end)
    rest = [at for at in places if at not in named and words.kinds[at] not in _FRAME]
    rest = [at for at in rest if words.squashed[at] not in _PASSING]
    keys = frozenset(words.keys[at] for at in rest)
    leans = words.squashed[0] in _OWNING or words.kinds[0] == "pronoun" or (not keys and not named)
    is_named = any(at in named for at in places)
    is_of = any(words.keys[at] in _OF or _is_genitive(words, at, named) for at in places)
    is_product = keys <= names.kinds or {words.squashed[at] for at in rest} <= names.pieces
    if (not is_of and is_product) or (words.kinds[0] == "preposition" and _ends_with_name(words, end, named)):
        return Subject(Kind.PRODUCT, leans=leans, is_named=is_named, is_definite=is_definite)
    if not keys and is_named:
        return Subject(Kind.PRODUCT, is_named=True, is_definite=is_definite)
    kind = Kind.THING
    if keys <= _ATTRIBUTES | _MODIFYING | names.kinds and keys & _ATTRIBUTES:
        kind = Kind.VALUE
    elif keys <= _ANYBODY:
        kind = Kind.ANYBODY
    elif keys <= _AGENTS | names.kinds and keys & _AGENTS:
        kind = Kind.AGENT
    return Subject(kind, keys | frozenset(words.squashed[at] for at in rest), leans, is_named, is_definite)


def _is_genitive(words: ClaimWords, at: int, named: frozenset[int]) -> bool:
    return at in named and words.text[words.spans[at][1] :].startswith(("'", "’"))


def _ends_with_name(words: ClaimWords, end: int, named: frozenset[int]) -> bool:
    """Whether a product is named in front of the verb, and nothing is of it: "In 1952 Ada Berg was"."""
    at = end - 1
    while at in named:
        at -= 1
    return at < end - 1 and words.keys[at] not in _OF and not _is_genitive(words, end - 1, named)


def _product_places(text: str, words: ClaimWords, names: KnownNames) -> frozenset[int]:
    """Return the words that name a product, with the words for its kind in front of them."""
    found: set[int] = set()
    for name in names.products:
        for span in product_spans(text, name):
            inside = words_inside(words, span)
            at = min(inside, default=0) - 1
            while at >= 0 and (words.keys[at] in names.kinds or (words.kinds[at] == "article" and at == 0)):
                inside |= {at}
                at -= 1
            found |= inside
    return frozenset(found)


def _has_noun_behind(words: ClaimWords, named: frozenset[int], verb: int | None) -> bool:
    """Whether the name of a product at the beginning only tells whose a thing is: "P-1's casing", "the P-1 casing"."""
    at = 0
    while at in named:
        at += 1
    if _is_genitive(words, at - 1, named):
        return True
    while at < len(words.keys) and words.squashed[at] in _PASSING:
        at += 1
    if verb is not None:
        return verb > at
    return at < len(words.keys) and not words.squashed[at].endswith(("s", "ed"))
