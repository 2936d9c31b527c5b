"""A claim beside one field of a record: which of its words are the label, the row, the product and the value.

The closed world: every word of the claim is the field's label, the name of its row, its product, its value, or one of
a few words that only carry them.  A word that is none of these is left unexplained, and then the claim is not
supported.
"""

import re
from collections.abc import Iterator
from typing import Final

from veracord.gates.mentions import Mention, mentions_of
from veracord.gates.statements import Binding, Field, Name
from veracord.grounding.claim_words import ClaimWords, blanked, literal_spans, words_inside
from veracord.grounding.names import squash
from veracord.grounding.part_values import date_in, is_in_season, parts_of_value, season_in
from veracord.grounding.records import VALUE_NAMES, mention_of, number_mention
from veracord.language.dates import DateMention
from veracord.language.locales import Locale
from veracord.language.quantities import Quantity

Span = tuple[int, int]

#: Names above a field that say nothing of it.
_HOLLOW: Final = frozenset(
    "data details detail info information properties attributes general characteristics values fields".split()
)
_CARRIERS: Final = frozenset({"of", "for", "as", "have", "with", "valu", "row"})
_LONGEST_RUN: Final = 12
_PLACING: Final = frozenset({"in", "on", "at", "from", "by"})
_NAMING: Final = frozenset({"id", "name", "type", "number", "code", "identifier"})
_MOST_PLACES: Final = 4
_MARK: Final = re.compile(r"[\"“”„'‘’«»:,;.()!\s]*")


def bind_field(words: ClaimWords, field: Field, locale: Locale | None = None) -> Binding | None:
    """Return a claim and a field side by side, or None where the claim is not about the field.

    It is about the field if it names it, and its row where rows stand side by side.
    """
    if any(squash(row) not in words.joined for row in field.row):
        return None
    best: Binding | None = None
    literals: list[Span | None] = [*_literals(words, field), None]
    for literal in literals:
        taken = words_inside(words, literal) if literal is not None else frozenset()
        for label in _labels_in(words, field, taken):
            found = _bind_labelled(words, field, taken, label, literal, locale)
            if found is not None and (best is None or _rank(found) < _rank(best)):
                best = found
        if best is not None and literal is not None and not best.unexplained:
            break
    return best


def _rank(binding: Binding) -> tuple[int, int]:
    same = [said.text for said, _ in binding.said] == [held.text for held, _ in binding.held]
    return (len(binding.unexplained) + len(binding.said_cues) + binding.foreign_product, 0 if same else 1)


def _bind_labelled(
    words: ClaimWords,
    field: Field,
    taken: frozenset[int],
    label: frozenset[int],
    literal: Span | None,
    locale: Locale | None,
) -> Binding | None:
    used = taken | label
    for row in field.row:
        found = _literal_words(words, row, used)
        if found is None:
            return None
        used |= found
    used, is_named = _without_product(words, field, used)
    is_foreign = not is_named and _names_product(words, used)
    said, held, used = _values(words, field, used, literal, locale)
    rest = _rest(words, used)
    return Binding(
        statement=field,
        said=tuple((mention, 0) for mention in said),
        held=((held, 0),),
        said_cues=tuple((words.keys[at], 0) for at in rest if words.kinds[at] == "cue"),
        unexplained=tuple(
            words.keys[at]
            for at in rest
            if _asserts(words, at) and not (words.keys[at] == "product" and (is_named or _is_plain_root(field)))
        ),
        foreign_product=is_foreign,
        names_left=_names_left(words, field, label),
    )


def _is_plain_root(field: Field) -> bool:
    """Whether a field is a record's own, so that "the product mass" may mean it."""
    return len(field.names) == 1 and field.names[0].squashed not in _NAMING


def _labels_in(words: ClaimWords, field: Field, taken: frozenset[int]) -> Iterator[frozenset[int]]:
    """Yield the words that name a field, for each place where its own name stands."""
    for alias in field.aliases:
        for start, end in _runs(words, alias, taken):
            yield frozenset(range(start, end))
    for names in name_variants(field):
        for start, end in _runs(words, names[-1], taken):
            used = frozenset(range(start, end))
            # The names above it, from the inside out, as far as the claim goes.
            for name in reversed(names[:-1]):
                above = next(iter(_runs(words, name, used | taken)), None)
                if above is not None:
                    used |= frozenset(range(*above))
                elif name.squashed not in _HOLLOW:
                    break
            yield used


def name_variants(field: Field) -> list[tuple[Name, ...]]:
    """Return the names of a field; one that is only called "value" goes by the name above it as well."""
    names = field.names
    if not names:
        return []
    if field.short is not None:
        return [names, (*names[:-1], field.short)]
    if len(names) > 1 and names[-1].squashed in VALUE_NAMES:
        return [names, names[:-1]]
    return [names]


def _runs(words: ClaimWords, name: Name, used: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Yield where a name stands: the same letters, or the same words in other forms."""
    count = len(words.keys)
    for start in range(count):
        if start in used:
            continue
        if name.squashed.startswith(words.squashed[start]):
            joined = ""
            for end in range(start, min(start + _LONGEST_RUN, count)):
                if end in used:
                    break
                joined += words.squashed[end]
                if joined == name.squashed:
                    yield start, end + 1
                    break
                if len(joined) >= len(name.squashed):
                    break
            else:
                continue
            if joined == name.squashed:
                continue
        end = start + len(name.stems)
        if name.stems and words.keys[start:end] == name.stems and not used.intersection(range(start, end)):
            yield start, end


def _literal_words(words: ClaimWords, text: str, used: frozenset[int]) -> frozenset[int] | None:
    """Return the words of the claim that spell a text, its letters and digits in order."""
    wanted = squash(text)
    if not wanted or text.startswith("\x00"):
        return None
    for start in range(len(words.squashed)):
        if start in used or not wanted.startswith(words.squashed[start]):
            continue
        joined = ""
        for end in range(start, len(words.squashed)):
            if end in used or len(joined) > len(wanted):
                break
            joined += words.squashed[end]
            if joined == wanted:
                return frozenset(range(start, end + 1))
    return None


def _without_product(words: ClaimWords, field: Field, used: frozenset[int]) -> tuple[frozenset[int], bool]:
    """Take out the product that the claim names, if it is the record's; tell whether it was."""
    for product in field.products:
        for span in literal_spans(words.text, product, exact=True):
            inside = words_inside(words, span)
            if inside and not inside & used:
                return used | inside, True
    return used, False


def _names_product(words: ClaimWords, used: frozenset[int]) -> bool:
    """Whether the claim speaks of a product by a name that is none of the record's."""
    names = [at for at, key in enumerate(words.keys) if key == "product" and at not in used]
    return any(at + 1 < len(words.keys) and at + 1 not in used and _identifies(words, at + 1) for at in names)


def _identifies(words: ClaimWords, at: int) -> bool:
    start, end = words.spans[at]
    return any(c.isdigit() for c in words.text[start:end]) or words.text[start : start + 1].isupper()


def _values(
    words: ClaimWords, field: Field, used: frozenset[int], literal: Span | None, locale: Locale | None
) -> tuple[list[Mention], Mention, frozenset[int]]:
    """Return what the claim says for a value, what the field holds, and the words that are taken then."""
    whole = Mention("text", field.value, (0, len(field.value)))
    if literal is not None:
        return [whole], whole, _with_joint(words, used) if _is_part(field, literal) else used
    if field.kind == "boolean":
        at = next((at for at in _rest(words, used) if words.keys[at] in ("true", "false")), None)
        said = [] if at is None else [Mention("text", words.keys[at], words.spans[at])]
        return said, whole, used if at is None else used | {at}
    held = mention_of(field)
    if held is not None:
        found = mentions_of(blanked(words, used), locale)
        if field.unit and _may_lack_unit(words, field, used) and _have_no_unit(found):
            held = number_mention(field.value, None)
        for mention in found:
            used |= words_inside(words, mention.span)
        return found, held, used
    told = _part_told(words, field, used, locale)
    if told is not None:
        return told
    # What the claim says instead stays unexplained.
    rest = [at for at in _rest(words, used) if _asserts(words, at)]
    if not rest:
        return [], whole, used
    span = (words.spans[rest[0]][0], words.spans[rest[-1]][1])
    return [Mention("text", words.text[span[0] : span[1]], span)], whole, used


def _part_told(
    words: ClaimWords, field: Field, used: frozenset[int], locale: Locale | None
) -> tuple[list[Mention], Mention, frozenset[int]] | None:
    """Return what the claim says of the one day that a text tells, or of how many texts a list has."""
    rest = blanked(words, used)
    held = date_in(field.value)
    season = season_in(rest) if held is not None else None
    if held is not None and season is not None and isinstance(held.value, DateMention):
        inside = words_inside(words, season.span())
        if is_in_season(held.value, season[1], season[2]):
            return [held], held, _with_joint(words, used | inside)
        return None
    said = mentions_of(rest, locale)
    if len(said) != 1:
        return None
    inside = words_inside(words, said[0].span)
    if held is not None and said[0].kind == "date":
        return said, held, _with_joint(words, used | inside)
    value = said[0].value
    if field.list_size and isinstance(value, Quantity) and value.unit is None and value.kind == "cardinal":
        return said, number_mention(str(field.list_size), None), used | inside
    return None


def _with_joint(words: ClaimWords, used: frozenset[int]) -> frozenset[int]:
    """Take the preposition in front of a value along: "born in Ulm", "released on 3 May"."""
    joints = {at - 1 for at in used if at and at - 1 not in used and words.keys[at - 1] in _PLACING}
    before = {at - 2 for at in used if at > 1 and words.kinds[at - 1] == "article" and words.keys[at - 2] in _PLACING}
    return used | (joints | before) - used


def _may_lack_unit(words: ClaimWords, field: Field, used: frozenset[int]) -> bool:
    """Whether a number of the field may be told without its unit: the claim names it, or it is a currency beside it."""
    if field.kind != "number":
        return False
    if field.short is not None:
        return any(words.keys[at] in field.names[-1].stems[-1:] for at in used)
    return field.has_loose_unit


def _have_no_unit(mentions: list[Mention]) -> bool:
    return all(isinstance(mention.value, Quantity) and mention.value.unit is None for mention in mentions)


def _is_part(field: Field, literal: Span) -> bool:
    return field.kind == "text" and literal[1] - literal[0] < len(field.value.strip().rstrip("."))


def _literals(words: ClaimWords, field: Field) -> list[Span]:
    """Return where the field's value stands in the claim as the record writes it, the last place first."""
    if field.kind == "boolean":
        return []
    if field.kind == "number":
        if not field.unit:
            return []
        wanted = f"{field.value} {field.unit}"
    else:
        wanted = field.value.strip().rstrip(".") or field.value
    spans = literal_spans(words.text, wanted, exact=any(c.isdigit() for c in wanted))
    if not spans and field.kind == "text":
        parts = parts_of_value(field.value)
        spans = [
            span for part in parts for span in literal_spans(words.text, part, exact=any(c.isdigit() for c in part))
        ]
    return spans[::-1][:_MOST_PLACES]


def _asserts(words: ClaimWords, at: int) -> bool:
    return words.kinds[at] not in ("article", "copula", "cue", "pronoun") and words.keys[at] not in _CARRIERS


def _names_left(words: ClaimWords, field: Field, used: frozenset[int]) -> int:
    """Return how many names above the field the claim does not say."""
    names = name_variants(field)[-1] if field.names else ()
    left = len(names) - 1
    for name in reversed(names[:-1]):
        if not any(words.keys[at] in name.stems or words.squashed[at] in name.squashed for at in used):
            break
        left -= 1
    return left


def _rest(words: ClaimWords, used: frozenset[int]) -> list[int]:
    return [at for at in range(len(words.keys)) if at not in used]
