"""How a fact is told: plain sentences, in the language of the question, the most readable first.

Each is only offered: whichever the verifier accepts first is the answer.  A thing that the field is of is never left
out: "the country of the manufacturer", not "the country".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from veracord.answers.owners import is_property, named_above
from veracord.answers.questions import Question
from veracord.answers.units_asked import in_unit_asked
from veracord.answers.vocabulary import keys_of, vocabulary
from veracord.gates.lexicon import ARTICLES, CUES, OTHER_COPULAS, PAST, PRESENT, PRONOUNS
from veracord.gates.statements import Field, Name
from veracord.grounding.field_names import name_variants
from veracord.grounding.record_values import mention_of
from veracord.language.tokens import fold
from veracord.language.units import unit_named

_CODE_MARK: Final = ":"
#: A longer text is no value that a sentence could hold.
LONGEST_VALUE: Final = 600
_MOST_DIGITS: Final = 40
_MOST_WORDS: Final = 6
_MOST_NAMES: Final = 4
#: Marks that no plain value has.
_MARKS: Final = "'\"“”„«»‹›[]{}<>;?!|*`\n\r\t"
_QUOTES: Final = ("“”", '""', "«»")
#: Words of a sentence, and none of a value.
_OF_SENTENCES: Final = ARTICLES | PRESENT | PAST | OTHER_COPULAS | PRONOUNS | frozenset().union(*CUES.values())
#: First words of the name of a flag that are a verb of their own, and how they are denied.
_VERBS: Final = {"contains": "contain", "has": "have", "supports": "support", "includes": "include", "uses": "use"}
#: Ends of a range, as they stand in front of what it is a range of.
_ENDS: Final = {"min": "minimum", "max": "maximum", "minimum": "minimum", "maximum": "maximum"}
_ARTICLES_AFTER: Final = {"die": "Die", "der": "Der", "das": "Das", "welche": "Die", "welcher": "Der", "welches": "Das"}


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence without its markers and its stop.

    Attributes:
        label: What it calls the field.
        text: It.
    """

    label: str
    text: str


def sentences_of(question: Question, fields: Sequence[Field]) -> list[Told]:
    """Return the ways to tell what fields say: one field, the same one in several sources, or the items of a list."""
    first = fields[0]
    if is_list(fields):
        return list(_of_list(question, fields))
    if first.kind == "boolean":
        return list(_of_flag(first))
    values = values_of(first, question)
    found = [
        Told(label, f"{label} {verb} {value}")
        for label, verb in (_german_labels(question, first) if question.is_german else ())
        for value in values
    ]
    found += [
        Told(label, f"The {label} {verb} {value}")
        for label in labels_of(first)
        for verb in _verbs(label)
        for value in values
    ]
    return found


def is_list(fields: Sequence[Field]) -> bool:
    """Whether fields are the items of one list of texts, all of them."""
    first = fields[0]
    return (
        1 < len(fields) == first.list_size
        and len({(field.evidence_id, field.path[:-1]) for field in fields}) == 1
        and len({field.path for field in fields}) == len(fields)
    )


def _of_list(question: Question, fields: Sequence[Field]) -> Iterator[Told]:
    values = [values_of(field, question)[:1] for field in fields]
    if not all(values):
        return
    texts = [value[0] for value in values]
    told = f"{', '.join(texts[:-1])} and {texts[-1]}"
    for label in labels_of(fields[0]):
        plural = label if _is_plural(label) else f"{label}s"
        yield Told(plural, f"The {plural} are {told}")


def _of_flag(field: Field) -> Iterator[Told]:
    """Yield what a flag says: "The product is not waterproof"."""
    is_true = field.value == "true"
    words = _spoken(field.names[-1].words).split()
    above = named_above(field, field.names)
    thing = field.row[-1] if field.row else f"The {_spoken(above[-1].words)}" if above else "The product"
    if not (field.row and above):
        rest = " ".join(words[1:])
        if words[0] in _VERBS and rest:
            yield Told(rest, f"{thing} {words[0]} {rest}" if is_true else f"{thing} does not {_VERBS[words[0]]} {rest}")
        plain = rest if words[0] == "is" and rest else " ".join(words)
        if words[0] not in _VERBS:
            yield Told(plain, f"{thing} is {'' if is_true else 'not '}{plain}")
    for label in labels_of(field):
        yield Told(label, f"{label}: {field.value}")
    for label in labels_of(field):
        yield Told(label, f"The {label} is {field.value}")


def labels_of(field: Field) -> list[str]:
    """Return what a field may be called, the plainest first: its own name, and the things that it is of."""
    row = "".join(f" of the {row}" if row.islower() else f" of {row}" for row in field.row)
    found: dict[str, None] = {}
    for names in name_variants(field)[::-1]:
        above = named_above(field, names)
        if row:
            # A row that the question names is what the field is of.
            found[_spoken(names[-1].words) + row] = None
        for label in _with_owners(_spoken(names[-1].words), [_spoken(name.words) for name in above]):
            found[label + row] = None
        innermost = max((at for at, name in enumerate(names[:-1]) if name in above), default=len(names) - 1)
        for start in range(min(innermost, len(names) - 2), max(len(names) - _MOST_NAMES, 0) - 1, -1):
            found[" ".join(_spoken(name.words) for name in names[start:]) + row] = None
    for alias in field.aliases:
        found[_spoken(alias.words) + row] = None
    return list(found)


def _with_owners(own: str, above: list[str]) -> Iterator[str]:
    if not above:
        yield own
        return
    if own in _ENDS:
        yield f"{_ENDS[own]} {above[-1]}" + "".join(f" of the {owner}" for owner in reversed(above[:-1]))
    for owners in dict.fromkeys((tuple(above), tuple(above[-2:]), tuple(above[-1:]))):
        ways = (own + "".join(f" of the {owner}" for owner in reversed(owners)), " ".join((*owners, own)))
        yield from ways if is_property(own) else ways[::-1]


def _german_labels(question: Question, field: Field) -> Iterator[tuple[str, str]]:
    """Yield what a German sentence calls a field, and its verb: as the question does, else by a closed list."""
    for names in name_variants(field)[::-1]:
        if named_above(field, names):
            continue
        row = "".join(f" von {row}" for row in field.row)
        verb = "beträgt" if field.kind == "number" and field.unit else "ist"
        label = _as_asked(question, names[-1]) or vocabulary().german.get(vocabulary().wide(keys_of(names[-1].words)))
        if label:
            yield label[0].upper() + label[1:] + row, verb


def _as_asked(question: Question, name: Name) -> str | None:
    """Return the German word that a question has for a name, with its article."""
    lists = vocabulary()
    wanted = {lists.wide(keys_of(name.words)), lists.wide(keys_of(name.words.lower().replace("rated", "nominal")))}
    spans = question.words.spans
    for at in range(1, len(spans)):
        start, end = spans[at]
        places = [place for place in question.telling if spans[place] == spans[at]]
        keys = lists.wide("nominal" if question.keys[place] == "nenn" else question.keys[place] for place in places)
        article = _ARTICLES_AFTER.get(question.forms[at - 1])
        word = question.text[start:end]
        if article and places and keys in wanted and word[:1].isupper():
            return f"{article} {word}"
    return None


def _verbs(label: str) -> tuple[str, ...]:
    return ("are", "is") if _is_plural(label.partition(" of ")[0]) else ("is",)


def _is_plural(label: str) -> bool:
    last = label.rpartition(" ")[2]
    return len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is"))  # noqa: PLR2004 - "gas"


def _spoken(name: str) -> str:
    """Return a name as it stands in a sentence: in lower case but for what is written in capitals."""
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in name.split())


def values_of(field: Field, question: Question) -> list[str]:
    """Return the value as it is told: as the record writes it, with a unit that people read; none if it is too long."""
    value, unit = " ".join(field.value.split()), field.unit
    if question.unit is not None and not field.row:
        asked = in_unit_asked(field, question.unit)
        if asked is None:
            return []
        value, unit = asked
    if field.kind == "number" and len(value) > _MOST_DIGITS:
        value = f"{Decimal(value).normalize():E}"
    if len(value) > LONGEST_VALUE:
        return []
    if field.kind != "text" or unit:
        return [value] if unit is None else [f"{value} {one}" for one in _units(unit)]
    quoted = [f"{marks[0]}{value}{marks[1]}" for marks in _QUOTES if not set(marks) & set(value)]
    mention = mention_of(field)
    if is_plain(field.value) or (mention is not None and mention.kind in ("quantity", "date")):
        return [value, *quoted]
    return quoted if " " in value else [*quoted, value]


def is_plain(value: str) -> bool:
    """Whether a text is plainly a value, and could not be taken for a sentence of the answer."""
    words = value.split()
    if len(words) > _MOST_WORDS or set(_MARKS) & set(value) or not value.isprintable():
        return False
    ends = [word for word in words[:-1] if word.endswith((".", ":")) and len(word) > _MOST_NAMES]
    return not ends and not _OF_SENTENCES & {fold(word.strip(".,:()")) for word in words}


def _units(unit: str) -> list[str]:
    known = unit_named(unit)
    plain = [] if known is None or known.dimension is None else [str(known)]
    # A code such as unit:kilogram or KGM is for machines.
    is_code = _CODE_MARK in unit or (unit.isupper() and len(unit) == 3)  # noqa: PLR2004 - codes of Recommendation 20
    return list(dict.fromkeys([*plain, unit] if is_code else [unit, *plain]))
