"""The locale of a text: which marks group digits, and which one starts the decimals.

A locale is declared ("(de-DE)") or evident: from words that only one language has, and from numbers that fit only one
convention.  Evidence that contradicts itself is no evidence: the outcome is "unknown", and `1.234` is then ambiguous.
"""

import re
from typing import Final, Literal

Locale = Literal["en", "de", "unknown"]

_DECLARED: Final = re.compile(
    r"""\((en|de)(?:[-_]([A-Z]{2}))?\)|\b(?:locale|lang|language|Sprache)["']?\s?[:=]\s?["']?(en|de)(?:[-_]([A-Z]{2}))?\b"""
)
#: Countries whose marks differ from those of their language.
_OTHER_MARKS: Final = frozenset({"CH", "LI", "ZA", "IN"})
_WORD: Final = re.compile(r"[^\W\d_]+")
#: So much of a text tells its language.
_SAMPLE: Final = 8192
_ENGLISH: Final = frozenset(
    "the of and is are was were has have with for from this that which its it not than at by to be been or as on "
    "about least most more less up each per contains contain weighs weight mass height width length depth capacity "
    "energy voltage current rated power content share recycled temperature range carbon footprint price list cells "
    "design life thickness net gross total value unit voltage between over under below above approximately".split()
)
_GERMAN: Final = frozenset(
    "der die das des dem den ein eine einer eines einem einen und ist sind war waren hat haben mit für von vom zum zur "
    "nicht als bei aus auf durch oder im am beträgt enthält wiegt gewicht masse höhe breite länge tiefe kapazität "
    "energie spannung nennspannung strom leistung anteil gehalt temperatur bereich preis zellen lebensdauer dicke "
    "netto brutto gesamt wert einheit zwischen über unter etwa rund mindestens höchstens kein keine ohne wird werden "
    "sowie pro je beim bis ab seit nach laut fahrzeug gehäuse hersteller stück jahr jahre jahren zu sich ich es".split()
)
_NUMBER: Final = re.compile(r"(?<![\w.,])[0-9]+(?:[.,][0-9]+)+(?![\w]|[.,][0-9])")
_COMMA_DECIMAL: Final = re.compile(r"[0-9]+(?:\.[0-9]{3})+,[0-9]+|[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})|0,[0-9]+")
_DOT_DECIMAL: Final = re.compile(r"[0-9]+(?:,[0-9]{3})+\.[0-9]+|[0-9]+\.(?:[0-9]{1,2}|[0-9]{4,})|0\.[0-9]+")


def locale_of(text: str) -> Locale:
    """Return the locale that a text declares or makes evident, else "unknown"."""
    if declared := _DECLARED.search(text):
        language, country = declared[1] or declared[3], declared[2] or declared[4]
        if country in _OTHER_MARKS:
            return "unknown"
        return "de" if language == "de" else "en"
    words, marks = _by_words(text[:_SAMPLE]), _by_marks(text[:_SAMPLE])
    if marks is None or words == marks:
        return words
    return marks if words == "unknown" else "unknown"


def _by_words(text: str) -> Locale:
    words = [word.casefold() for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH for word in words)
    german = sum(word in _GERMAN or ("ü" in word or "ß" in word or "ä" in word or "ö" in word) for word in words)
    # A few words of the other language are names and quotations.
    if english > 2 * german:
        return "en"
    return "de" if german > 2 * english else "unknown"


def _by_marks(text: str) -> Locale | None:
    """Tell what the numbers fit that fit one convention only; "unknown" if they disagree, None if there are none."""
    comma = dot = False
    for match in _NUMBER.finditer(text):
        comma = comma or _COMMA_DECIMAL.fullmatch(match.group()) is not None
        dot = dot or _DOT_DECIMAL.fullmatch(match.group()) is not None
    if comma and dot:
        return "unknown"
    if comma or dot:
        return "de" if comma else "en"
    return None
