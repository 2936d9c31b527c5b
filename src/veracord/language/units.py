"""Units as a text or a record writes them, and exact conversion between them.

The rule: letter case of prefixes (MJ, mJ), basis (CO2, CO2e, wt, vol), functional unit (per kWh) and currency belong to
the unit.  A spelling that we do not know is no unit when read from text; from a record it is a literal unit, which
equals only the same spelling.
"""

import re
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Final

from veracord.language.tokens import Span
from veracord.language.unit_table import Scale, unit_table

#: Digits that an exact result may have.
_PRECISION: Final = 1200
_GAP: Final = "[ \u00a0\u2009\u202f]"
_LETTERS: Final = r"A-Za-zÀ-ÖØ-öø-ÿŁłČč\u00b5\u03bc\u03a9\u2126°º\u2103\u2109%\uff05‰€$£¥₹₩₺"
#: A symbol or up to four words; a bracket may enclose it.
_ATOM: Final = re.compile(rf"[{_LETTERS}]+(?:[²³]|\^?[23](?![\w]))?(?:\([A-Z]\))?")
_NEXT: Final = re.compile(rf"(?:{_GAP}|-|\. ?|·|\*)?([{_LETTERS}]+[²³23]?)")
_WORDS_MOST: Final = 4
_LEADING: Final = re.compile(rf"{_GAP}{{0,2}}-?\[?")
_SPECIAL: Final = re.compile(
    r"(?:k?J/\(kg[ ·*]?K\)|k?J/kgK|W/\(m[ ·*]?K\)|W/m·?K|m/s[²2]|dB ?\(A\)|dBA|1/min|(?:rev|r|U)/min|min(?:-1|⁻¹)"
    r"|N[·* ]m(?![\w²³])|unit:[A-Za-z]+)(?![\w])"
)
_CARBON: Final = re.compile(
    rf"{_GAP}?(?:of |an )?(?:CO(?:2|₂|\u00b2))"
    rf"(?P<equivalent>e(?![\w])|{_GAP}?-?{_GAP}?(?:eq|equivalents?|equ|äq|Äq|Äquivalente?n?"
    rf"|Aequivalente?)(?![\w])\.?)?(?![\w])"
    rf"|{_GAP}?(?:of )?carbon dioxide(?P<long>[ -]equivalents?)?(?![\w])",
)
_SPECIAL_FIRST: Final = frozenset("kJWmd1rUNu")
_BASIS_FIRST: Final = frozenset("wWmMgGvVaA")
_BASIS: Final = (
    ("mass", r"by (?:weight|mass)|w/w|m/m|wt|weight|mass|(?:nach )?Gew(?:icht|\.)?|Massen?"),
    ("volume", r"by volume|v/v|vol|volume|Vol(?:umen|\.)?"),
    ("mol", r"mol(?:ar)?|by mole"),
    ("atom", r"at(?:\.|omic)?"),
    ("humidity", r"RH|r\.?F\.?|rel\. Feuchte|relative humidity"),
)
_BASIS_AFTER: Final = re.compile(
    rf"{_GAP}?\(?(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _BASIS) + r")\)?(?![\w%])", re.IGNORECASE
)
_BASIS_BEFORE: Final = re.compile(
    r"(?:(?P<mass>wt|w|weight|mass|Gew(?:ichts)?|Ma|Massen?)|(?P<volume>vol(?:ume)?|v|Volumen|Vol)|(?P<mol>mol)"
    r"|(?P<atom>at))"
    r"\.?[ \u00a0-]{0,2}(?:%|prozent|percent|per cent)",
    re.IGNORECASE,
)
_PER: Final = re.compile(rf"{_GAP}?/{_GAP}?|{_GAP}(?:per|pro|je){_GAP}|{_GAP}(?=[A-Za-z]+(?:-1|⁻¹))")
_INVERSE: Final = re.compile(r"-1|⁻¹")
_WORD: Final = re.compile(r"[^\W\d_]+")
_BEFORE_PER: Final = frozenset("/ \u00a0\u2009\u202f")
#: What is counted in a functional unit, in either language.
_COUNTED: Final = {
    word: name
    for name, words in {
        "cell": "cell cells Zelle",
        "module": "module modules Modul",
        "pack": "pack packs",
        "battery": "battery batteries Batterie",
        "product": "product products Produkt",
        "vehicle": "vehicle vehicles Fahrzeug car",
        "cycle": "cycle cycles Zyklus",
        "person": "person people Person capita",
        "package": "package packages Packung Paket",
        "item": "item items Artikel",
        "box": "box Karton",
    }.items()
    for word in words.casefold().split()
}
_POWERS: Final = str.maketrans({"²": "2", "³": "3", "^": None})
_CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_URN: Final = re.compile(r"^(?:unit:|urn:samm:[\w.:-]*#)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: `symbol` is ours for every spelling of it; without a dimension it equals only its own spelling."""

    symbol: str
    dimension: str | None = None
    per: "Unit | None" = None
    basis: str | None = None

    def __str__(self) -> str:
        basis = f" {self.basis}" if self.basis else ""
        return f"{self.symbol}{basis}" + (f"/{self.per}" if self.per else "")


def read_unit(text: str, start: int) -> tuple[Unit, Span] | None:
    """Read the unit that begins at `start`, after at most two spaces, a hyphen or a bracket.

    The span holds the unit alone, without what stands before it.
    """
    begin = start
    if not text[start : start + 1].isalpha():
        gap = _LEADING.match(text, start)
        begin = gap.end() if gap else start
    found = _read_simple(text, begin)
    if found is None:
        return None
    unit, end = found
    unit, end = _read_basis(text, unit, end)
    if (per := read_per(text, end)) is not None:
        unit, end = Unit(unit.symbol, unit.dimension, per[0], unit.basis), per[1]
        if unit.basis is None:
            unit, end = _read_basis(text, unit, end)
    return unit, (begin, end)


@lru_cache(maxsize=4096)
def unit_named(code: str) -> Unit | None:
    """Return the unit that a record names: a symbol, a word, a code of Recommendation 20, or a name of SAMM."""
    code = _URN.sub("", code.strip())
    table = unit_table()
    if not code:
        return None
    if (symbol := table.codes.get(code)) is not None and symbol not in table.scales:
        return unit_named(symbol)
    if (symbol := table.symbols.get(code) or table.codes.get(code)) is not None:
        return _unit(symbol)
    if (symbol := table.words.get(code.casefold())) is not None and not _turns_prefix(code, symbol):
        return _unit(symbol)
    found = read_unit(code, 0)
    if found is not None and found[1] == (0, len(code)):
        return found[0]
    return _camel_unit(code)


def literal_unit(code: str) -> Unit:
    """Return a unit for a spelling that we do not know; it equals only the same spelling."""
    return Unit(code.strip())


def convert(value: Decimal, source: Unit, target: Unit) -> Decimal | None:
    """Return a value in another unit, exactly; None if the units do not meet or no decimal number is the result."""
    if source == target:
        return value
    if not comparable(source, target):
        return None
    return exact_decimal(in_unit(base_value(Fraction(value), source), target))


def comparable(one: Unit, other: Unit) -> bool:
    """Tell whether values in two units can be compared: same dimension, basis and kind of functional unit."""
    if one == other:
        return True
    if one.dimension is None or one.dimension != other.dimension or one.basis != other.basis:
        return False
    if one.per is None or other.per is None:
        return one.per is other.per
    return comparable(one.per, other.per)


def base_value(value: Fraction, unit: Unit, *, difference: bool = False) -> Fraction:
    """Return a value in the base unit of its dimension; a difference knows no zero of the scale."""
    size, offset = _scale(unit)
    return (value + (0 if difference else offset)) * size


def in_unit(value: Fraction, unit: Unit) -> Fraction:
    """Return a value that is in the base unit in another unit of the dimension."""
    size, offset = _scale(unit)
    return value / size - offset


def exact_decimal(value: Fraction) -> Decimal | None:
    """Return a rational number as a decimal, or None if that has no end."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return None
    with localcontext(Context(prec=_PRECISION)):
        return Decimal(value.numerator) / Decimal(value.denominator)


def _scale(unit: Unit) -> tuple[Fraction, Fraction]:
    """Size and offset of a whole unit; a functional unit divides, and leaves no zero but that of nothing."""
    scales = unit_table().scales
    own = scales.get(unit.symbol, _ONE)
    if unit.per is None:
        return own.size, own.offset
    return own.size / scales.get(unit.per.symbol, _ONE).size, Fraction(0)


_ONE: Final = Scale(None, Fraction(1), Fraction(0))


@lru_cache(maxsize=1024)
def _unit(symbol: str) -> Unit:
    scale = unit_table().scales.get(symbol)
    if scale is None and "/" in symbol:
        above, _, below = symbol.partition("/")
        return Unit(above, unit_table().scales[above].dimension, _unit(below))
    return Unit(symbol, scale.dimension if scale else None)


def _read_simple(text: str, begin: int) -> tuple[Unit, int] | None:
    """Read a unit without basis and functional unit, the longest spelling first."""
    table = unit_table()
    first = text[begin : begin + 1]
    if first in _SPECIAL_FIRST and (match := _SPECIAL.match(text, begin)) is not None:
        unit = unit_named(match.group())
        return (unit, match.end()) if unit else None
    before = _BASIS_BEFORE.match(text, begin) if first in _BASIS_FIRST else None
    if before is not None and before.lastgroup is not None:
        return Unit("%", "ratio", None, before.lastgroup), before.end()
    atom = _ATOM.match(text, begin)
    if atom is None:
        return None
    ends = [atom.end()]
    several = atom.group().casefold() in table.heads
    while several and len(ends) < _WORDS_MOST and (following := _NEXT.match(text, ends[-1])) is not None:
        ends.append(following.end())
    for end in reversed(ends):
        if text[end : end + 1].isalnum():
            continue
        written = text[begin:end].translate(_POWERS)
        symbol = table.symbols.get(written)
        if symbol is None:
            symbol = table.words.get(written.casefold().replace("-", " ")) or table.words.get(written.casefold())
            symbol = None if symbol is not None and _turns_prefix(written, symbol) else symbol
        if symbol is None and len(written) > 1:
            symbol = table.codes.get(written)
        if symbol is not None and _stands_as_unit(text, written, end):
            return _unit(symbol), end
    return None


def _turns_prefix(written: str, symbol: str) -> bool:
    """Tell whether letter case makes another unit of a spelling: "Mm" is no millimetre, and "Gb" no gigabyte."""
    scales, is_as_long = unit_table().scales, len(written) == len(symbol)
    if scales[symbol].dimension == "data":
        return is_as_long and written[-1] != symbol[-1]
    plain, is_other = scales.get(symbol[1:]), is_as_long and {written[0], symbol[0]} == {"m", "M"}
    return is_other and plain is not None and scales[symbol].dimension == plain.dimension


def _stands_as_unit(text: str, written: str, end: int) -> bool:
    """Tell whether a spelling that is also a common word is meant as a unit here: not in "5 in total", "5 each of"."""
    if written not in _COMMON_WORDS:
        return True
    return not (text[end : end + 1] == " " and text[end + 1 : end + 2].isalpha())


_COMMON_WORDS: Final = frozenset({"in", "mo", "var", "each", "one", "unit", "ratio", "fraction"})


def _read_basis(text: str, unit: Unit, end: int) -> tuple[Unit, int]:
    if unit.basis is not None:
        return unit, end
    if unit.dimension == "mass" and (match := _CARBON.match(text, end)) is not None:
        basis = "CO2e" if match["equivalent"] or match["long"] else "CO2"
        return Unit(unit.symbol, unit.dimension, unit.per, basis), match.end()
    if unit.symbol == "%" and (match := _BASIS_AFTER.match(text, end)) is not None:
        return Unit(unit.symbol, unit.dimension, unit.per, match.lastgroup), match.end()
    return unit, end


def read_per(text: str, end: int) -> tuple[Unit, int] | None:
    """Read the functional unit after a unit or an amount of money ("/kWh", "per cell", "je kWh"), and its end."""
    match = _PER.match(text, end) if text[end : end + 1] in _BEFORE_PER else None
    if match is None:
        return None
    begin = match.end()
    for lead in ("1000 km", "1,000 km", "1.000 km", "100 km", "100km", "100 g", "1 "):
        if text.startswith(lead, begin) and lead != "1 ":
            return _unit(unit_table().words.get(lead, lead)), begin + len(lead)
        begin += len(lead) if text.startswith(lead, begin) else 0
    found = _read_simple(text, begin)
    if found is not None:
        inverse = None if match.group().strip() else _INVERSE.match(text, found[1])
        return (found[0], inverse.end()) if inverse else found if match.group().strip() else None
    word = _WORD.match(text, begin)
    if word is not None and (counted := _COUNTED.get(word.group().casefold())) is not None:
        return Unit(counted, f"count of {counted}"), word.end()
    return None


def _camel_unit(code: str) -> Unit | None:
    """Read a name such as `kilogramPerCubicMetre`."""
    words = unit_table().words
    if "Per" in code and (whole := words.get(" ".join(_CAMEL.findall(code)).casefold())) is not None:
        return _unit(whole)
    above, per, below = code.partition("Per")
    symbol = words.get(" ".join(_CAMEL.findall(above)).casefold())
    if symbol is None or _turns_prefix(above, symbol):
        return None
    if not per:
        return _unit(symbol)
    under = words.get(" ".join(_CAMEL.findall(below)).casefold())
    return Unit(symbol, _unit(symbol).dimension, _unit(under)) if under else None
