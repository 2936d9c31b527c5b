"""Claims, and everything that language reads in one, read once."""

import re
from dataclasses import dataclass
from typing import Final

from veracord.gates.atoms import Atom, atoms_of
from veracord.gates.shapes import Shape, shape_of
from veracord.language.locales import Locale, locale_of

Span = tuple[int, int]

_QUOTATION: Final = re.compile(
    r"\"([^\"\n]{1,2000})\"|“([^”\n]{1,2000})”|„([^“”\n]{1,2000})[“”]|«([^»\n]{1,2000})»|‘([^’\n]{2,2000})’(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One assertion of an answer.

    Attributes:
        text: Its text, without citation markers.
        spans: The parts of the answer that it stands for.
        evidence_ids: The ids that are cited for it.
    """

    text: str
    spans: tuple[Span, ...] = ()
    evidence_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Quotation:
    """What stands between quotation marks.

    Attributes:
        text: The text between the marks.
        span: Where it stands in the claim, without the marks.
    """

    text: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A claim with all that was read in it.

    Attributes:
        claim: The claim.
        text: The text that was read.
        atoms: Its atoms, frame words included.
        shape: Its shape.
        quotations: Its quotations.
        locale: How its numbers are written.
    """

    claim: Claim
    text: str
    atoms: tuple[Atom, ...]
    shape: Shape
    quotations: tuple[Quotation, ...] = ()
    locale: Locale = "en"


def answer_locale(text: str) -> Locale:
    """Return the locale of a claim; where nothing tells, answers are English."""
    found = locale_of(text)
    return "en" if found == "unknown" else found


def read_claim(claim: Claim, locale: Locale | None = None) -> Reading:
    """Read all that a claim says."""
    locale = locale or answer_locale(claim.text)
    atoms = atoms_of(claim.text, locale)
    return Reading(claim, claim.text, tuple(atoms), shape_of(atoms), quotations_of(claim.text), locale)


def quotations_of(text: str) -> tuple[Quotation, ...]:
    """Return the quotations of a text."""
    found = []
    for match in _QUOTATION.finditer(text):
        start = match.start()
        # A mark behind a digit stands for inches.
        if match[0][0] == '"' and start and text[start - 1].isalnum():
            continue
        group = next(number for number in range(1, 6) if match[number] is not None)
        found.append(Quotation(match[group], match.span(group)))
    return tuple(found)
