"""Where a claim names a field: its own name, other labels of it, or a verb that stands for it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from veracord.gates.glossary import NOMINAL
from veracord.gates.statements import Field, Name
from veracord.grounding.claim_words import ClaimWords
from veracord.grounding.limits_beside import VALUE_NAMES
from veracord.grounding.names import name_of, squash
from veracord.grounding.part_roles import is_inner
from veracord.grounding.part_values import has_date
from veracord.grounding.relations import Relation, Side, relations_of

#: Words of names above a field that say nothing of it.
_HOLLOW: Final = frozenset(
    "data detail details info information properti property attribute general characteristic valu field fields physical"
    " dimension technical specification master basic".split()
)
_ROLES: Final = frozenset("maximum minimum nominal rat rate measur typical initial remaining average mean".split())
_IDS: Final = frozenset({"id", "ids", "identifier", "code", "type"})
_OF: Final = frozenset({"of"})
_HAVE: Final = frozenset({"have"})
_LONGEST_RUN: Final = 12


@dataclass(frozen=True, slots=True)
class Label:
    """Words of a claim that name a field.

    Attributes:
        used: The words.
        side: Where the value has to stand.
        relation: The relation that they are, where they are a verb and not a name.
        said: Which of the field's names they are.
        verb: Those of them that are the relation.
        name: The field's own name, where the words are it.
        own: Where that stands, from its first word to behind its last.
    """

    used: frozenset[int]
    side: Side = "any"
    relation: Relation | None = None
    said: frozenset[int] = frozenset()
    verb: frozenset[int] = frozenset()
    name: Name | None = None
    own: tuple[int, int] = (0, 0)


def labels_in(words: ClaimWords, field: Field, taken: frozenset[int]) -> Iterator[Label]:
    """Yield the words that name a field, for each place where its own name stands."""
    for alias in field.aliases:
        for start, end in runs_of(words, alias, taken):
            said = frozenset(range(len(field.names)))
            yield Label(frozenset(range(start, end)), said=said, name=alias, own=(start, end))
    for names in name_variants(field):
        yield from _named(words, names, taken)
        if field.row and len(names) > 1:
            # "cell 1" of "cells": the word is the row's.
            for start, end in runs_of(words, names[-1], taken):
                yield Label(frozenset(range(start, end)), said=frozenset({len(names) - 1}))
    if field.names:
        for label in _relations_in(words, field.names[-1], taken):
            # In a row of many a lone word may mean another thing than the row.
            if not field.row or len(label.used) > 1:
                yield label
                named = _with_names_above(words, field.names, label, taken)
                if named is not None:
                    yield named


def _named(words: ClaimWords, names: tuple[Name, ...], taken: frozenset[int]) -> Iterator[Label]:
    for start, end in runs_of(words, names[-1], taken):
        used, said = _names_above(words, names, frozenset(range(start, end)), taken)
        side: Side = "after" if names[-1].stems[-1:] == ("by",) else "any"
        yield Label(used, side, said=frozenset({*said, len(names) - 1}), name=names[-1], own=(start, end))
    for used in _possessive(words, names[-1].stems, taken):
        # "is a part of" of "isPartOf".
        yield Label(used, "after" if names[-1].stems[-1:] == ("of",) else "any", said=frozenset({len(names) - 1}))


def _with_names_above(words: ClaimWords, names: tuple[Name, ...], label: Label, taken: frozenset[int]) -> Label | None:
    """Return a relation with the part that it is said of: "The lid is made of steel"."""
    used, said = _names_above(words, names, label.used, taken)
    return replace(label, used=used, said=frozenset(said)) if said else None


def _names_above(
    words: ClaimWords, names: tuple[Name, ...], used: frozenset[int], taken: frozenset[int]
) -> tuple[frozenset[int], set[int]]:
    """Take along the names above a field, from the inside out, as far as the claim goes; tell which they are."""
    said: set[int] = set()
    for at, name in reversed(list(enumerate(names[:-1]))):
        found = list(runs_of(words, name, used | taken))
        if found:
            said.add(at)
            # The one right in front of what was found, else the first.
            used |= frozenset(range(*max((run for run in found if run[1] <= min(used)), default=found[0])))
        elif not is_hollow(name) and not is_inner(name):
            break
    return used, said


def _possessive(words: ClaimWords, stems: tuple[str, ...], taken: frozenset[int]) -> Iterator[frozenset[int]]:
    """Yield where a name stands in two: "mass of the battery", "the battery has a mass", of "batteryMass"."""
    for cut in range(1, len(stems)):
        for first, second, links in ((stems[cut:], stems[:cut], _OF), (stems[:cut], stems[cut:], _HAVE)):
            for start in range(len(words.keys) - len(stems)):
                end = start + len(first)
                if words.keys[start:end] != first:
                    continue
                at = end
                while at < len(words.keys) and (words.kinds[at] == "article" or words.keys[at] in links):
                    at += 1
                used = frozenset((*range(start, end), *range(at, at + len(second))))
                if at > end and words.keys[at : at + len(second)] == second and not used & taken:
                    yield used


def _relations_in(words: ClaimWords, name: Name, taken: frozenset[int]) -> Iterator[Label]:
    for relation in relations_of(name):
        keys = relation.keys
        if not keys:
            at = next((at for at, kind in enumerate(words.kinds) if kind == "copula" and at not in taken), None)
            # Without a value of the field in the claim, "is" says nothing of it.
            if at is not None and taken:
                yield Label(frozenset({at}), "after", relation, verb=frozenset({at}))
            continue
        if keys[0] not in words.keys:
            continue
        for start in range(len(words.keys) - len(keys) + 1):
            used = frozenset(range(start, start + len(keys)))
            if words.keys[start : start + len(keys)] == keys and not used & taken:
                yield Label(used, relation.side, relation, verb=used)


def index_keys(field: Field) -> set[str]:
    """Return the words that a claim about a field has at least one of."""
    keys: set[str] = set()
    for name in (*(names[-1] for names in name_variants(field)), *field.aliases):
        keys |= {name.squashed, *name.stems[-1:]}
    for relation in relations_of(field.names[-1]) if field.names else ():
        keys.add(relation.keys[-1] if relation.keys else "\x00is")
    return keys


def asked_keys(words: ClaimWords) -> list[str]:
    """Return the words of a claim, and neighbours written as one, that a field may be found by."""
    keys = dict.fromkeys((*words.keys, *words.squashed))
    for at in range(len(words.squashed) - 1):
        keys[words.squashed[at] + words.squashed[at + 1]] = None
    if "nenn" in keys:
        keys.update(dict.fromkeys(sorted(NOMINAL)))
    if "copula" in words.kinds:
        keys["\x00is"] = None
    return list(keys)


def is_hollow(name: Name) -> bool:
    """Whether a name above a field only groups fields, and is no part of a product."""
    return bool(name.stems) and all(stem in _HOLLOW for stem in name.stems)


def name_variants(field: Field) -> list[tuple[Name, ...]]:
    """Return the names of a field, as a whole and without a word that says what kind of value it is."""
    names = field.names
    if not names:
        return []
    found = [names]
    above, own = names[:-1], names[-1]
    if field.short is not None:
        found.append((*above, field.short))
    is_name = own.squashed == "name" and field.kind == "text" and above and above[-1].squashed not in _IDS
    if above and (own.squashed in VALUE_NAMES or is_name):
        found.append(above)
    for *outer, last in list(found):
        event = _event(last) if field.kind == "text" else None
        if event is not None and has_date(field.value):
            found.append((*outer, event))
        if field.kind == "boolean" and len(last.stems) > 1 and last.stems[0] == "present":
            # "isWaterproof": whether it is waterproof.
            found.append((*outer, Name("", last.stems[1:], last.words.partition(" ")[2])))
        if len(last.stems) > 1 and last.stems[-1] in _ROLES:
            found.append((*outer, Name("", (last.stems[-1], *last.stems[:-1]), last.words)))
    return found


def _event(name: Name) -> Name | None:
    """Return what a name of a date is the date of: "manufacturingDate", "issuedAt"."""
    if len(name.stems) < 2:  # noqa: PLR2004 - a date alone is of nothing
        return None
    if name.stems[-1] in ("date", "at", "on"):
        return Name("", name.stems[:-1], name.words)
    return Name("", name.stems[2:], name.words) if name.stems[:2] == ("date", "of") else None


def runs_of(words: ClaimWords, name: Name, used: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield where a name stands: the same letters, or the same words in other forms."""
    for start in range(len(words.keys)):
        if start in used:
            continue
        end = _spelled(words, name.squashed, start, used)
        if end:
            yield start, end
            continue
        end = start + len(name.stems)
        if (
            name.stems
            and _is_same(words.keys[start:end], name.stems)
            and not any(at in used for at in range(start, end))
        ):
            yield start, end


def _spelled(words: ClaimWords, wanted: str, start: int, used: Collection[int], longest: int = _LONGEST_RUN) -> int:
    """Return where words end that spell a name from a place on, or 0."""
    if not words.squashed[start] or not wanted.startswith(words.squashed[start]):
        return 0
    joined = ""
    for end in range(start, min(start + longest, len(words.squashed))):
        if end in used or len(joined) > len(wanted):
            return 0
        joined += words.squashed[end]
        if joined == wanted:
            after = end + 1
            while after < len(words.squashed) and not words.squashed[after]:
                after += 1
            return after
    return 0


def _is_same(said: tuple[str, ...], held: tuple[str, ...]) -> bool:
    if said == held:
        return True
    return "nenn" in said and len(said) == len(held) and all(
        one == other or (one == "nenn" and other in NOMINAL) for one, other in zip(said, held, strict=True)
    )  # fmt: skip


def literal_words(words: ClaimWords, text: str, used: frozenset[int]) -> frozenset[int] | None:
    """Return the words of the claim that spell a text, or that are its words in other forms or the other language."""
    wanted = squash(text)
    if not wanted or text.startswith("\x00"):
        return None
    for start in range(len(words.squashed)):
        end = 0 if start in used else _spelled(words, wanted, start, used, len(words.squashed))
        if end:
            return frozenset(range(start, end))
    return _translated(words, text, used)


def _translated(words: ClaimWords, text: str, used: frozenset[int]) -> frozenset[int] | None:
    name = name_of(text)
    if not name.stems or any(c.isdigit() for c in text):
        return None
    for start in range(len(words.keys) - len(name.stems) + 1):
        inside = frozenset(range(start, start + len(name.stems)))
        if words.keys[start : start + len(name.stems)] == name.stems and not inside & used:
            return inside
    return None


def may_name_row(words: ClaimWords, row: str) -> bool:
    """Whether a claim could name a row: a quick look, before anything is compared."""
    return squash(row) in words.joined or set(name_of(row).stems) <= set(words.keys)
