"""Identifiers in a text: models, serial numbers, standards with their edition, URNs, addresses, times, and versions.

The rule: an identifier is one piece with every character of it; the digits in it are no quantity.
"""

import re
from dataclasses import dataclass
from typing import Final

from veracord.language.tokens import Span
from veracord.language.units import read_unit

#: Who publishes standards, and the words that stand between the name and the number.
_BODIES: Final = frozenset(
    "DIN EN ISO IEC UN UL ASTM SAE IEEE VDE VDI GB GB/T JIS ANSI CEN CENELEC ETSI ECE BS NF OENORM ÖNORM RAL CISPR "
    "ITU IATF "
    "AIAG NIST FIPS RFC HD prEN UNECE EUCAR FMVSS MIL-STD ISO/IEC ISO/TS ISO/TR IEC/TS IEC/TR EN/ISO DIN/EN TS TR PAS "
    "ISO/PAS BS/EN UN/ECE ANSI/UL ISO/SAE UL/IEC REACH VDMA DKE CLC/TS".split()
)
_STANDARD: Final = re.compile(
    r"[0-9][0-9A-Za-z]*(?:[.\-/][0-9A-Za-z]+)*(?::[0-9]{4}(?:-[0-9]{2})?)?(?:[+/]A[0-9]+(?::[0-9]{4})?)*"
)
_ADDRESS_MARKS: Final = ("://", "@", "www.", "urn:", "did:", "doi:", "mailto:")
_ADDRESS: Final = re.compile(
    r"\b(?:https?|ftp|urn|did|mailto|info|doi):[^\s<>\"'”“»]+|\bwww\.[^\s<>\"'”“»]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
)
#: Words before a number that make it a name, not a count.
_LABELS: Final = frozenset(
    "serial batch lot model part article item order type class category version release revision rev section "
    "figure fig "
    "table page pages chapter annex step clause paragraph appendix level grade phase stage option note gtin ean "
    "upc s/n sn "
    "p/n id no nr nummer seriennummer artikelnummer chargennummer modellnummer seriennr chargennr charge modell typ "
    "klasse kategorie abschnitt abbildung abb tabelle seite kapitel anhang schritt stufe art.-nr art serien-nr cas "
    "gtin-8 gtin-12 gtin-13 gtin-14 gtin8 gtin12 gtin13 gtin14 regulation directive verordnung richtlinie v".split()
)
#: Words that may stand between such a word and the number.
_LINKS: Final = frozenset({"code", "#", ":", "number", "nummer"})
_NUMBERED: Final = frozenset(
    "no nr id gtin ean upc s/n sn p/n serial seriennummer artikelnummer chargennummer modellnummer seriennr "
    "chargennr".split()
)
#: An article and a name in front of a number; words in front of which a number counts all the same.
_NAME: Final = re.compile(r"\b(?:[Tt]he|[Dd](?:er|ie|as|en|em|es)|[Aa]n?|[Ee]ine?[mnrs]?) ([A-ZÄÖÜ][^\W\d_]{2,30}) $")
_COUNTING: Final = frozenset(
    "year jahr monat tag month day first last next ersten letzten nächsten top other range bereich".split()
)
_AFTER_NAME: Final = ("", " ", ".", ",", ";", ":", "?", "!", ")", "'", "’", "\n")
_NAME_DIGITS: Final = 3
#: How far before a number its label stands.
_LOOK_BACK: Final = 40
#: A number of this many digits counts nothing.
_LONG_DIGITS: Final = 12
#: Formulas that are words of the field, and units with a digit.
_WORDS: Final = frozenset({"CO2", "CO2e", "CO2eq", "H2O", "O2", "m2", "m3", "cm2", "cm3", "mm2", "mm3", "dm3", "km2"})
_INSIDE: Final = frozenset(".-_/:#")
_TRAILING: Final = ".,;:!?)]}'\"”’"
#: "CO2-Fußabdruck" is a word, and no name of one thing.
_OF_GAS: Final = re.compile(r"(?:CO2|H2O|O2)(?:-[^\W\d_]{3,})+")
_RUN: Final = re.compile(r"[0-9]+")
_RIGHT: Final = re.compile(r"[\w]*(?:[.\-_/:#][^\W_][\w]*)*")
_MORE: Final = re.compile(r"(?:,[0-9]+)*")
_TIMES_TEN: Final = re.compile(r"[0-9]+(?:\.[0-9]+)*x10|[0-9]+(?:\.[0-9]+)*[eE]")
_LAW: Final = re.compile(r"[0-9]{1,4}/[0-9]{1,4}(?:/(?:EU|EC|EG|EWG|EEC))?(?!\w)")
_LAW_BEFORE: Final = re.compile(r"\((?:EU|EC|EG)\)[ \u00a0]?(?:No\.?[ \u00a0]|Nr\.?[ \u00a0])?$")
_CLOCK: Final = re.compile(r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?")
_ORDINAL: Final = re.compile(r"[0-9]+(?:st|nd|rd|th|te|ter|tes|ten)", re.IGNORECASE)
#: Decades, times, versions.
_NAMED_BY_FORM: Final = re.compile(
    r"[12][0-9]{2}0s|[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?|[0-9]+(?:\.[0-9]+){2,}"
)
_MONEY: Final = re.compile(r"(?:EUR|USD|GBP|CHF)[0-9]+(?:\.[0-9]+)*")
_POWER_SIGNS: Final = frozenset("^+-−⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_ONE_NUMBER: Final = r"[0-9]+(?:\.[0-9]+)*(?:[eE][+\-]?[0-9]{1,3})?"
#: A number, a range, a fraction, a ratio.
_NUMERIC: Final = re.compile(rf"{_ONE_NUMBER}(?:[-/:]{_ONE_NUMBER})?")
_FIRST_NUMBER: Final = re.compile(rf"(?:{_ONE_NUMBER}[-/])?{_ONE_NUMBER}|{_ONE_NUMBER}")
_COUNT_BEFORE: Final = re.compile(r"[0-9][ \u00a0]?$")
_VERSION: Final = re.compile(r"[0-9]+(?:\.[0-9]+){2,}")
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+")


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier, character by character as written."""

    text: str
    span: Span


def identifiers_of(text: str) -> list[Identifier]:
    """Return the identifiers in a text, in order, without overlap."""
    addresses = _addresses(text)
    out: list[Identifier] = []
    end, following = 0, 0
    for run in _RUN.finditer(text):
        if run.start() < end:
            continue
        while following < len(addresses) and addresses[following][0] <= run.start():
            out.append(_identifier(text, addresses[following]))
            end = max(end, addresses[following][1])
            following += 1
        if run.start() < end:
            continue
        span, end = _read_identifier(text, run, end)
        if span is not None:
            out.append(_identifier(text, span))
    out.extend(_identifier(text, span) for span in addresses[following:])
    return out


def _identifier(text: str, span: Span) -> Identifier:
    return Identifier(text[span[0] : span[1]], span)


def _addresses(text: str) -> list[Span]:
    if not any(mark in text for mark in _ADDRESS_MARKS):
        return []
    return [(m.start(), m.start() + len(m.group().rstrip(_TRAILING))) for m in _ADDRESS.finditer(text)]


def _read_identifier(text: str, run: re.Match[str], last: int) -> tuple[Span | None, int]:
    """Read the piece around a run of digits: its span if it identifies, and where to go on."""
    start = _after_unit(text, _left(text, run.start(), last), run.start())
    right = _RIGHT.match(text, run.end())
    end = right.end() if right else run.end()
    if start == run.start():
        words = text[max(last, start - _LOOK_BACK) : start].split()
        if words and (standard := _standard(text, words, start)) is not None:
            return standard, standard[1]
        if (law := _LAW.match(text, start)) is not None:
            before = _LAW_BEFORE.search(text, max(last, start - 12), start)
            if before is not None or law.group()[-1].isalpha():
                return (before.start() if before else start, law.end()), law.end()
        if words and _is_labelled(words):
            # "Nos. 22,24,26" are names to the last.
            more = _MORE.match(text, end)
            end = more.end() if more else end
            return (start, end), end
        if _ends_name(text, start, end):
            return (start, end), end
    if _identifies(text, start, end, run):
        return (start, end), end
    return None, end


def _left(text: str, start: int, last: int) -> int:
    """Return where the piece that holds a digit begins: letters, and marks between letters."""
    while start > last:
        before = text[start - 1]
        if before.isalnum() or before == "_":
            start -= 1
        elif before in _INSIDE and start - 1 > last and text[start - 2].isalnum():
            start -= 2
        else:
            break
    return start


def _after_unit(text: str, start: int, digits: int) -> int:
    """Return where the piece begins if a number with its unit stands before the slash: 48 V/100 Ah."""
    slash = text.rfind("/", start, digits)
    if slash < 0 or not _COUNT_BEFORE.search(text, max(0, start - 2), start):
        return start
    unit = read_unit(text, start)
    return slash + 1 if unit is not None and unit[1] == (start, slash) else start


def _standard(text: str, words: list[str], start: int) -> Span | None:
    """Read a standard whose number begins at `start`: DIN EN ISO 9001:2015, UN 38.3."""
    used = 0
    words = [word.lstrip("([\"'“„") for word in words]
    while used < len(words) and words[-1 - used] in _BODIES:
        used += 1
    if not used:
        return None
    begin = start
    for word in reversed(words[-used:]):
        begin = text.rindex(word, 0, begin)
    match = _STANDARD.match(text, start)
    return (begin, match.end()) if match else None


def _is_labelled(words: list[str]) -> bool:
    named = False
    for word in reversed(words[-3:]):
        plain = word.casefold().rstrip(".:#").lstrip("(")
        # "the serial number is 5" names, "the part is 5 mm" counts.
        if plain in {"is", "ist"}:
            named = True
        elif plain in _NUMBERED or (plain in _LABELS and not named):
            return True
        elif plain not in _LINKS and plain:
            return False
    return False


def _ends_name(text: str, start: int, end: int) -> bool:
    """Tell the number of a name ("the Orin 10 weighs") from an amount: an article, one capital word, no unit."""
    if end - start > _NAME_DIGITS or not text[start:end].isdigit() or text[end : end + 1] not in _AFTER_NAME:
        return False
    before = _NAME.search(text, max(0, start - _LOOK_BACK), start)
    return before is not None and before[1].casefold() not in _COUNTING and read_unit(text, end) is None


def _identifies(text: str, start: int, end: int, run: re.Match[str]) -> bool:
    """Tell an identifier from a number with its unit."""
    piece = text[start:end]
    if piece.isdigit():
        return len(piece) >= _LONG_DIGITS
    if _is_number(piece, text[end : end + 1]):
        return False
    # A piece that begins with letters; only a currency stands before its number.
    if start != run.start():
        return _MONEY.fullmatch(piece) is None
    number = _FIRST_NUMBER.match(piece)
    if number is None or _NAMED_BY_FORM.fullmatch(piece):
        return True
    unit = read_unit(text, start + number.end())
    # 12kg, 48V, 20mm/s: the unit ends the piece.
    return unit is None or unit[1][1] < end


def _is_number(piece: str, following: str) -> bool:
    """Tell a number, a range, a fraction, a ratio, an ordinal, the first part of 1.3x10^6, and words such as CO2."""
    if piece in _WORDS or _ORDINAL.fullmatch(piece) or _OF_GAS.fullmatch(piece):
        return True
    if _TIMES_TEN.fullmatch(piece):
        return following in _POWER_SIGNS and following != ""
    if _CLOCK.fullmatch(piece) or (_VERSION.fullmatch(piece) and not _GROUPED.fullmatch(piece)):
        return False
    return _NUMERIC.fullmatch(piece) is not None
