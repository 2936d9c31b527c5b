"""Numbers that name one of several parts: "cell 1" and "cell 2" are two things, and no two values of one."""

import re
from typing import Final

from veracord.gates.atoms import classify_word
from veracord.gates.mentions import Mention
from veracord.language.quantities import Quantity
from veracord.language.tokens import fold

#: Parts, samples and steps that are told apart by a number behind the word.
_NUMBERED: Final = frozenset(
    "cell cells module modules pack packs part parts unit units sample samples specimen string strings rack racks layer"
    " layers step steps phase phases stage stages level zone zones channel port ports sensor sensors test tests batch"
    " lot group groups section chapter table figure item items position no number nr component variant version revision"
    " generation series type class line run trial plate tray bank branch battery product model motor pump lamp"
    " zelle modul teil probe muster prüfling schritt stufe lage schicht strang kanal sensor charge los gruppe abschnitt"
    " tabelle position komponente variante version baureihe typ klasse linie platte batterie produkt modell".split()
)
_WORD_BEFORE: Final = re.compile(r"([^\W\d_]{2,20})\.?[ \u00a0]$")
_REACH: Final = 24


def part_numbers(text: str, mentions: tuple[tuple[Mention, int], ...]) -> frozenset[tuple[str, str]]:
    """Return the parts that a text names by a number, with that number.

    Args:
        mentions: The values of the text, with their places in it.
    """
    found = set()
    for mention, _ in mentions:
        value = mention.value
        if not isinstance(value, Quantity) or value.unit is not None or not mention.text.isdigit():
            continue
        before = _WORD_BEFORE.search(text, max(0, mention.span[0] - _REACH), mention.span[0])
        if before is not None and fold(before[1]) in _NUMBERED:
            found.add((classify_word(fold(before[1]))[1], mention.text))
    return frozenset(found)
