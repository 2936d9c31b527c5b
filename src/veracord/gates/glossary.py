"""German words of technical records, and how they are said in English; compounds are taken apart by closed lists.

"Nennkapazität" is "rated capacity": a known modifier and a known head, nothing left over.  A compound with a part that
no list has stays one word, and meets only itself.
"""

from functools import lru_cache
from typing import Final

#: Words of one meaning beyond those of the lexicon, German and English.
GLOSSARY: Final[dict[str, str]] = {
    german: english
    for english, forms in {
        "concentration": "konzentration",
        "current": "strom",
        "pressure": "druck",
        "date": "datum",
        "quantity": "menge",
        "number": "anzahl",
        "graphite": "graphit",
        "manganese": "mangan",
        "iron": "eisen",
        "zinc": "zink",
        "tin": "zinn",
        "silver": "silber",
        "cadmium": "kadmium",
        "polypropylene": "polypropylen",
        "polyethylene": "polyethylen",
        "polyamide": "polyamid",
        "rubber": "gummi",
        "frame": "rahmen rahmens",
        "cathode": "kathode",
        "electrolyte": "elektrolyt",
        "location": "standort",
        "category": "kategorie",
        "class": "klasse",
        "purpose": "zweck",
        "remaining": "verbleibende verbleibender verbleibendes verbleibenden",
        "maximum": "maximale maximaler maximales maximalen max",
        "minimum": "minimale minimaler minimales minimalen",
        "nominal": "nominale nominaler nominalen",
        "watertight": "wasserdicht",
        "fireproof": "feuerfest",
        "toxic": "giftig",
        "flammable": "brennbar entflammbar",
        "quiet": "leise",
        "cycle": "zyklus zyklen",
        "lifetime": "lebensdauer",
        "efficiency": "wirkungsgrad",
        "footprint": "fußabdruck fussabdruck",
        "importer": "importeur",
        "resistance": "widerstand",
        "frequency": "frequenz",
        "density": "dichte",
        "volume": "volumen",
        "area": "fläche",
        "duration": "dauer",
        "children": "kids child",
    }.items()
    for german in forms.split()
}
#: First parts of compounds, with the letters that join them.
_MODIFIERS: Final[dict[str, str]] = {
    "nenn": "nenn",
    "betriebs": "operating",
    "lager": "storage",
    "lagerungs": "storage",
    "transport": "transport",
    "umgebungs": "ambient",
    "massen": "mass",
    "gewichts": "mass",
    "volumen": "volume",
    "rezyklat": "recycled",
    "herstellungs": "manufacturing",
    "fertigungs": "manufacturing",
    "prüf": "test",
    "test": "test",
    "liefer": "delivery",
    "jahres": "annual",
    "kabel": "cable",
    "gehäuse": "casing",
    "mindest": "minimum",
    "minimal": "minimum",
    "höchst": "maximum",
    "maximal": "maximum",
    "rest": "remaining",
    "zell": "cell",
    "zellen": "cell",
    "batterie": "battery",
    "produkt": "product",
    "energie": "energy",
    "wasser": "water",
    "netto": "net",
    "brutto": "gross",
    "dauer": "continuous",
    "spitzen": "peak",
    "ausgangs": "output",
    "eingangs": "input",
    "innen": "internal",
    "lade": "charging",
    "versand": "shipping",
    "ausstellungs": "issue",
    "ablauf": "expiry",
    "trenn": "separator",
    "blei": "lead",
    "nickel": "nickel",
    "kobalt": "cobalt",
    "lithium": "lithium",
}
_HEADS: Final[dict[str, str]] = {
    "kapazität": "capacity",
    "spannung": "voltage",
    "temperatur": "temperature",
    "anteil": "share",
    "anteils": "share",
    "datum": "date",
    "tiefe": "depth",
    "menge": "quantity",
    "energie": "energy",
    "leistung": "power",
    "masse": "mass",
    "gewicht": "mass",
    "strom": "current",
    "druck": "pressure",
    "länge": "length",
    "breite": "width",
    "höhe": "height",
    "dicke": "thickness",
    "durchmesser": "diameter",
    "nummer": "number",
    "preis": "price",
    "zeit": "time",
    "dauer": "duration",
    "rate": "rate",
    "quote": "rate",
    "querschnitt": "cross section",
    "fläche": "area",
    "volumen": "volume",
    "gehalt": "content",
    "land": "country",
    "jahr": "year",
    "klasse": "class",
    "material": "material",
    "widerstand": "resistance",
    "frequenz": "frequency",
    "konzentration": "concentration",
    "verbrauch": "consumption",
    "folie": "film",
    "zelle": "cell",
}
_WHOLE: Final[dict[str, str]] = {
    "entladetiefe": "depth of discharge",
    "massenanteil": "mass fraction",
    "volumenanteil": "volume fraction",
    "herkunftsland": "country of origin",
    "ladezustand": "state of charge",
}
#: What "Nenn-" may stand for; standards use both for the same thing.
NOMINAL: Final = frozenset({"rated", "rat", "rate", "nominal", "nenn"})
_SHORTEST: Final = 7
_LONGEST: Final = 40


@lru_cache(maxsize=32768)
def parts_of_compound(form: str) -> tuple[str, ...]:
    """Return the English words of a German compound, or nothing."""
    if not _SHORTEST <= len(form) <= _LONGEST:
        return ()
    if form in _WHOLE:
        return tuple(_WHOLE[form].split())
    for length in range(4, len(form) - 3):
        head = _HEADS.get(form[length:])
        modifier = _MODIFIERS.get(form[:length]) if head is not None else None
        if head is not None and modifier is not None:
            return (modifier, *head.split())
    return ()
