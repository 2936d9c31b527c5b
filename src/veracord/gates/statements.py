"""What evidence says, as the gates see it: one field of a record, or one sentence of a text."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from veracord.gates.mentions import Mention
from veracord.gates.shapes import Shape
from veracord.records.pointers import join


class Standing(StrEnum):
    """Whether a statement is evidence at all."""

    EVIDENCE = "evidence"
    INSTRUCTION = "instruction"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """One name of a field or of something above it.

    Attributes:
        squashed: Its letters and digits, folded, without any mark between them.
        stems: Its words as stems.
        words: Its words as a person would write them.
    """

    squashed: str
    stems: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class About:
    """What kind of thing a record is about.

    Attributes:
        kinds: Words for it: "film".
        sorts: Words that the record has for its sort: "folk", "Swedish".
        persons: Those of them that may stand in front of what a person is.
    """

    kinds: frozenset[str]
    sorts: frozenset[str]
    persons: frozenset[str]


@dataclass(slots=True, eq=False)
class Field:
    """A leaf of a structured item; never changed (a frozen one takes three times as long to make).

    Attributes:
        evidence_id: The item.
        path: Where it stands there.
        names: Its names, the outermost first.
        aliases: Other labels of it, from a schema or a profile.
        short: Its own name without the unit that ends it: "mass" of ``mass_kg``.
        row: What its row is called, where rows stand side by side.
        products: What identifies the record that it is in.
        value: The value as text, as a person would write it.
        unit: The unit as the record writes it.
        kind: "number", "range", "text" or "boolean".
        bound: What limits a number: an operator or a tolerance beside it.
        row_words: Words of the name of the member that a row goes by: "stage" of "lifecycleStage".
        wholes: Words that mean the record as a whole: "battery".
        about: What kind of thing the record is about, where its fields tell.
        is_list_item: Whether it is one of several values of one field.
        has_loose_unit: Whether the unit is a currency beside the number, which a claim may leave out.
        list_size: Of how many texts that list is, where all its items are texts.
        counted: How many things that list names, where each of its texts is the plain name of one.
        standing: Whether it is evidence.
        owners: For each product how many names stand above the object that it identifies.
        roles: For each name above it what that object is to what stands around it: "own", "part", "other" and so on.
        row_places: Which of these names are lists whose row is told.
        is_limited: Whether something beside it may take it back or limit it.
        is_code: Whether it is an identifier by its name, even where it is digits only.
    """

    evidence_id: str
    path: tuple[str | int, ...]
    names: tuple[Name, ...]
    row: tuple[str, ...]
    products: tuple[str, ...]
    value: str
    unit: str | None = None
    kind: str = "text"
    is_list_item: bool = False
    list_size: int = 0
    counted: int = 0
    aliases: tuple[Name, ...] = ()
    short: Name | None = None
    bound: str = ""
    row_words: frozenset[str] = frozenset()
    wholes: frozenset[str] = frozenset()
    about: "About | None" = None
    has_loose_unit: bool = False
    standing: Standing = Standing.EVIDENCE
    owners: tuple[int, ...] = ()
    roles: tuple[str, ...] = ()
    row_places: frozenset[int] = frozenset()
    is_limited: bool = False
    is_code: bool = False

    @property
    def pointer(self) -> str:
        """Where it stands, as a JSON Pointer."""
        return join(self.path)

    @property
    def span(self) -> tuple[int, int] | None:
        """A field has a pointer, and no span."""
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """A sentence of a text, or a clause of one that can stand alone.

    Attributes:
        evidence_id: The item.
        span: Where it stands in the item's text.
        text: Its characters; of a clause with the words that it shares with the clause before.
        shape: Its words, cues and values.
        heading: The words of the heading that it stands under.
        is_first: Whether nothing stands before it that a pronoun of it could mean.
        standing: Whether it is evidence.
        limit: A code for what the text around it does to it: takes it back, or limits it.
    """

    evidence_id: str
    span: tuple[int, int]
    text: str
    shape: Shape
    heading: tuple[str, ...] = ()
    is_first: bool = True
    standing: Standing = Standing.EVIDENCE
    limit: str = ""

    @property
    def pointer(self) -> str | None:
        """A sentence has a span, and no pointer."""
        return None


Statement = Field | Sentence


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """A claim and a statement about the same thing, side by side.

    Attributes:
        statement: The statement.
        said: The values of the claim, in order, each with the number of words before it.
        held: Those of the statement.
        said_cues: What turns or limits the claim.
        held_cues: The same of the statement.
        unexplained: Words of the claim that nothing of the statement explains.
        differences: Codes of ours for what else differs: "tense", "voice", "subject".
        foreign_product: Whether the claim names another product than the statement's.
        names_left: How many names above a field the claim does not say.
        is_named: Whether the claim names the product of the statement.
    """

    statement: Statement
    said: tuple[tuple[Mention, int], ...] = ()
    held: tuple[tuple[Mention, int], ...] = ()
    said_cues: tuple[tuple[str, int], ...] = ()
    held_cues: tuple[tuple[str, int], ...] = ()
    unexplained: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    foreign_product: bool = False
    names_left: int = 0
    is_named: bool = False

    def pairs(self, kind: str) -> list[tuple[Mention | None, Mention | None]]:
        """Return the values of one kind, the claim's and the statement's, side by side by their order."""
        said = [mention for mention, _ in self.said if mention.kind == kind]
        held = [mention for mention, _ in self.held if mention.kind == kind]
        longest = max(len(said), len(held))
        return [(said[at] if at < len(said) else None, held[at] if at < len(held) else None) for at in range(longest)]


@dataclass(frozen=True, slots=True, eq=False)
class BoundEvidence:
    """What a claim is held against.

    Attributes:
        cited: The ids that stand at the claim's own text.
        missing: Those of them that the pack does not have.
        binding: The statement of the cited evidence that is about the same thing, or None.
        rivals: What other evidence about the same product says of the same thing.
        texts: The texts of the cited evidence, for quotations.
        told: The ids that the same sentence of the answer cites beside: it tells what they say, too.
        foreign: Cited ids of evidence about another product than the one that was asked about.
        leans_back: Whether the claim leaves to what stands before it what it is about.
        others: What evidence about another product says of the same thing, where the claim names none.
    """

    cited: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    binding: Binding | None = None
    rivals: tuple[Binding, ...] = ()
    texts: tuple[str, ...] = ()
    told: frozenset[str] = frozenset()
    foreign: tuple[str, ...] = ()
    others: tuple[Binding, ...] = ()
    leans_back: bool = False


NO_EVIDENCE: Final = BoundEvidence()
