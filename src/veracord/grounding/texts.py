"""The sentences of a text item: where they stand, what heading they stand under, and whether they are evidence.

A sentence is read when a claim first asks for it, so that a long text costs little more than a look at its words.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from veracord.gates.atoms import atoms_of, classify_word, keys_of_compound
from veracord.gates.lexicon import DIMENSIONS
from veracord.gates.quote import turns
from veracord.gates.shapes import shape_of
from veracord.gates.statements import Field, Sentence, Standing
from veracord.grounding.clauses import clauses_of
from veracord.grounding.contexts import LIMITED, is_silent, limits_of
from veracord.grounding.contrasts import first_half_of
from veracord.grounding.name_units import unit_in_name
from veracord.grounding.names import name_of
from veracord.grounding.sentences import sentences_of
from veracord.grounding.standing import forged_from, instructs, may_instruct, standing_of
from veracord.grounding.unsaid import without_unsaid
from veracord.language.locales import Locale, locale_of
from veracord.language.tokens import fold

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[%€$£]")
#: How far the border of a line is looked for.
_MARGIN: Final = 12
_HEADING_WORDS: Final = 4
#: Headings that name no part of a product.
_GENERIC: Final = frozenset(
    "data sheet datasheet technical general specification product information overview detail property table summary"
    " declaration document report description characteristic feature produkt technisch daten übersicht"
    " datenblatt".split()
)
_BLANKS: Final = re.compile(r"\s+")
_LABELLED: Final = re.compile(r"([^\W\d_][^\d:.;,()\n]{1,60}): ([^\W\d_][^\d:.;,()\n]{0,80})\.?")
_LONGEST_LABELLED: Final = 160
#: A line as programs write it: "mass_kg: 8", "nominalVoltage = 48"; three decimals could be thousands elsewhere.
_NAMED_NUMBER: Final = re.compile(
    r"([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+)[ \t]*[:=][ \t]*"
    r"(-?\d{1,15}(?:\.(?!\d{3}$)\d{1,9})?)"
)


@dataclass(slots=True)
class TextView:
    """A text item.

    Attributes:
        evidence_id: The item.
        text: Its text, with tables and forged blocks blanked out.
        locale: How its numbers are written.
        spans: Its sentences.
        headings: The heading that each stands under.
        words: The sentences that a word occurs in, by the word as written.
    """

    evidence_id: str
    text: str
    locale: Locale
    spans: list[tuple[int, int]]
    headings: list[str]
    words: dict[str, list[int]]
    _index: dict[str, list[list[int]]] = field(default_factory=dict)
    _read: dict[int, tuple[Sentence, ...]] = field(default_factory=dict)
    _lines: list[int] = field(default_factory=list)
    _standings: dict[int, Standing] = field(default_factory=dict)
    _taints: dict[int, int] | None = None
    _limits: dict[int, str] | None = None

    def sentences(self, number: int) -> tuple[Sentence, ...]:
        """Return a sentence, and its clauses that can stand alone; nothing where it is no evidence."""
        found = self._read.get(number)
        if found is None:
            is_told = self.standing(number) is Standing.EVIDENCE and not is_silent(self.limit(number))
            found = self._read[number] = tuple(self._statements(number)) if is_told else ()
        return found

    def identity(self, number: int) -> tuple[object, ...]:
        """Return what a sentence is read by: two that have it in common say the same."""
        start, end = self.spans[number]
        is_told = self.standing(number) is Standing.EVIDENCE
        return self.text[start:end], self.headings[number], self.limit(number), number == 0, is_told

    def limit(self, number: int) -> str | None:
        """Return a code for what the text around a sentence does to it, or None where it is simply said."""
        if self._limits is None:
            self._limits = limits_of(self.text, self.spans, self.headings, self.words)
        return self._limits.get(number)

    def may_contradict(self, number: int) -> bool:
        """Whether a sentence is said of itself, so that what it says can stand against other evidence."""
        limit = self.limit(number)
        return not is_silent(limit) and limit != LIMITED and self.standing(number) is Standing.EVIDENCE

    def heading_words(self, number: int) -> tuple[str, ...]:
        """Return the words of the heading that a sentence stands under, where they name anything."""
        return _heading_words(self.headings[number])

    def is_evidence(self, number: int) -> bool:
        """Whether a sentence is simply said by the text, and not asked, taken back, limited, or an instruction."""
        return self.limit(number) is None and self.standing(number) is Standing.EVIDENCE

    def numbers_of(self, key: str) -> set[int]:
        """Return the sentences that a canonical word occurs in, and those under a heading that has it."""
        if not self._index:
            for word, numbers in self.words.items():
                for one in _keys_of(word):
                    self._index.setdefault(one, []).append(numbers)
        return {number for numbers in self._index.get(key, ()) for number in numbers}

    def standing(self, number: int) -> Standing:
        """Return what a sentence is good for."""
        found = self._standings.get(number)
        if found is None:
            start, end = self.spans[number]
            # What the same paragraph says behind an instruction is under the same suspicion.
            is_tainted = start >= self._tainted().get(self._line_of(number), end)
            found = Standing.INSTRUCTION if is_tainted else standing_of(self.text[start:end])
            self._standings[number] = found
        return found

    def quotable(self) -> str:
        """Return the text of the sentences that are evidence, one a line."""
        return "\n".join(
            _BLANKS.sub(" ", self.text[start:end])
            for number, (start, end) in enumerate(self.spans)
            if self.is_evidence(number)
        )

    def _line_of(self, number: int) -> int:
        """Return where the line of a sentence begins; all are found in one pass, as a text may be one long line."""
        if not self._lines:
            begin, last = 0, 0
            for start, _ in self.spans:
                begin = max(begin, self.text.rfind("\n", last, start) + 1)
                last = start
                self._lines.append(begin)
        return self._lines[number]

    def _tainted(self) -> dict[int, int]:
        """Return for each paragraph with an instruction, by its beginning, where the first such sentence begins."""
        if self._taints is None:
            self._taints = {}
            suspects = {at for word, numbers in self.words.items() if may_instruct(word) for at in numbers}
            for number in sorted(suspects):
                start, end = self.spans[number]
                if instructs(self.text[start:end]):
                    self._taints.setdefault(self._line_of(number), start)
        return self._taints

    def _statements(self, number: int) -> list[Sentence]:
        start, end = self.spans[number]
        text = self.text[start:end]
        atoms = atoms_of(text, self.locale)
        half = first_half_of(text, self.locale)
        clauses = clauses_of(text, atoms) if half is None else [half]
        readings = [(text, atoms), *((clause, atoms_of(clause, self.locale)) for clause in clauses)]
        heading = _heading_words(self.headings[number])
        return [
            Sentence(
                evidence_id=self.evidence_id,
                span=(start, end),
                text=clause,
                shape=shape_of(found),
                heading=heading,
                is_first=number == 0,
                limit=self.limit(number) or "",
            )
            for clause, found in readings
        ]


def view_text(evidence_id: str, text: str) -> TextView:
    """Look through a text once.

    Args:
        text: The text, in which what is no prose (a table) was replaced by blanks.
    """
    forged = forged_from(text)
    usable = without_unsaid(text if forged is None else text[:forged])
    spans: list[tuple[int, int]] = []
    headings: list[str] = []
    words: dict[str, list[int]] = defaultdict(list)
    heading, heading_words = "", frozenset[str]()
    for start, end in sentences_of(usable):
        found = _heading_of(usable, start, end)
        if found is not None:
            heading, heading_words = found, frozenset(_WORD.findall(found))
            continue
        number = len(spans)
        spans.append((start, end))
        headings.append(heading)
        for word in heading_words.union(_WORD.findall(usable, start, end)):
            words[word].append(number)
    return TextView(evidence_id, usable, locale_of(usable), spans, headings, dict(words))


def labelled_values(view: TextView) -> tuple[Field, ...]:
    """Return "Label: value" sentences as fields, where the value is a few words and nothing limits it.

    Numbers are left to the sentences, which know the locale of their text, unless a program has named them.  A line
    that is there again is taken once.
    """
    found = []
    for number, ((start, end), heading) in enumerate(zip(view.spans, view.headings, strict=True)):
        if heading or end - start > _LONGEST_LABELLED:
            continue
        match = _LABELLED.fullmatch(view.text, start, end) or _NAMED_NUMBER.fullmatch(view.text, start, end)
        if match is None or not view.is_evidence(number) or turns(match[0]):
            continue
        is_number = match.re is _NAMED_NUMBER
        short, unit = unit_in_name(match[1]) if is_number else (None, None)
        found.append(
            Field(
                evidence_id=view.evidence_id,
                path=(),
                names=(name_of(match[1]),),
                row=(),
                products=(),
                value=match[2],
                unit=unit,
                short=short,
                kind="number" if is_number else "text",
            )
        )
    return tuple({(field.names[0].words, field.value): field for field in found}.values())


@lru_cache(maxsize=65536)
def _keys_of(word: str) -> tuple[str, ...]:
    """Return the canonical forms that a word may stand for."""
    form = fold(word)
    if form.endswith(("'s", "’s")):
        form = form[:-2]
    key = classify_word(form)[1]
    own = (key, DIMENSIONS[form]) if form in DIMENSIONS else (key,)
    return own + keys_of_compound(form)


def _heading_of(text: str, start: int, end: int) -> str | None:
    """Return the heading that a line is, or None."""
    before, after = text[max(0, start - _MARGIN) : start], text[end : end + _MARGIN]
    if before.rpartition("\n")[2].strip(" \t#") or after.partition("\n")[0].strip() or end - start > _LONGEST_LABELLED:
        return None
    line = text[start:end].strip()
    if "#" in before.rpartition("\n")[2] or line.startswith("#"):
        return line.lstrip("# \t")
    line_end = text.find("\n", end)
    if line_end < 0 or any(c.isdigit() for c in line):
        return None
    words = line.rstrip(":").split()
    if line.endswith(":") and len(words) <= _HEADING_WORDS:
        return line.rstrip(":")
    following = text[line_end + 1 : line_end + 200].lstrip("\n").split("\n", 1)[0]
    is_title = len(words) < _HEADING_WORDS and line[-1:].isalpha() and ":" in following and ":" not in line
    return line if is_title else None


@lru_cache(maxsize=1024)
def _heading_words(heading: str) -> tuple[str, ...]:
    if not heading:
        return ()
    words = shape_of(atoms_of(heading)).words
    return () if all(word in _GENERIC for word in words) else words
