"""Closed lists of words, English and German: which may be left out, which turn a meaning, which mean the same.

A word that stands in no list is a content word: it must be met by the same word.  Nothing here is open
ended, so that no list can make a wrong answer pass by accident.
"""

from typing import Final

from veracord.gates.glossary import GLOSSARY

#: Words that carry no assertion of their own.
ARTICLES: Final = frozenset(
    "the a an this that these those its their his her der die das den dem des ein eine einen einem einer eines"
    " diese dieser dieses".split()
)

#: Forms of "to be", by tense.
PRESENT: Final = frozenset("is are ist sind beträgt betragen lautet amounts equals".split())
PAST: Final = frozenset("was were war waren wurde wurden betrug".split())
OTHER_COPULAS: Final = frozenset("be been being sein worden".split())

#: Pronouns that stand for the thing that is spoken of.
PRONOUNS: Final = frozenset("it they he she es sie er".split())

#: Words that turn or limit what is said, by class.
CUES: Final[dict[str, frozenset[str]]] = {
    "negation": frozenset(
        "not no never none neither nor without cannot lacks lack lacking absent fails fail failed non hardly"
        " barely scarcely"
        " free nicht kein keine keinen keiner keinem keines nie niemals ohne weder noch frei unable isn't aren't wasn't"
        " weren't doesn't don't didn't won't can't couldn't hasn't haven't isnt doesnt dont cant excluding"
        " excludes exclude"
        " except except_for unless außer prohibited forbidden nothing nobody kaum".split()
    ),
    "modality": frozenset(
        "may might can could should would shall must will planned plan plans planning expected expects intended intend"
        " intends likely unlikely possibly possible probably perhaps potentially potential estimated allegedly"
        " supposedly"
        " reportedly presumably apparently proposed targeted aims aim scheduled pending designed provisional draft"
        " theoretical preliminary kann könnte könnten soll sollen sollte muss müssen darf dürfen wird werden geplant"
        " erwartet voraussichtlich möglicherweise vielleicht wahrscheinlich vermutlich angeblich seems seem"
        " appears appear"
        " need needs required recommended allowed permitted optional optionally eventually future nominally".split()
    ),
    "quantifier": frozenset(
        "all every each any some most many few several both half majority mostly partly partially fully entirely"
        " completely wholly largely mainly primarily always often sometimes usually typically generally normally rarely"
        " alle allen jede jeder jedes einige manche meisten viele wenige mehrere beide immer oft manchmal meist"
        " vollständig teilweise überwiegend typischerweise normalerweise ganz total altogether together"
        " insgesamt zusammen"
        " overall average mean".split()
    ),
    "condition": frozenset(
        "if when whenever while after before until till during once upon unless provided assuming under above"
        " below over"
        " within at between since wenn falls sobald nach vor bis während unter über bei seit zwischen sofern ab".split()
    ),
    "attribution": frozenset(
        "claims claim claimed says say said states stated according reports reported declares declared alleges asserts"
        " believes argues suggests suggested laut zufolge behauptet gemäß angaben".split()
    ),
    "exclusivity": frozenset(
        "only solely exclusively just alone sole merely nur ausschließlich allein lediglich".split()
    ),
    "cause": frozenset(
        "because due therefore thus hence causes caused cause so consequently owing thanks resulted results leading led"
        " weil da deshalb daher wegen aufgrund folglich dadurch".split()
    ),
    "comparison": frozenset(
        "than more less fewer higher lower heavier lighter larger smaller longer shorter better worse greater bigger"
        " faster slower older newer younger cheaper as_much twice double highest lowest heaviest lightest"
        " largest smallest"
        " longest shortest best worst greatest most_of least first last latest oldest newest mehr weniger"
        " höher niedriger"
        " schwerer leichter größer kleiner länger kürzer besser schlechter als_comparison höchste niedrigste schwerste"
        " größte kleinste beste".split()
    ),
    "time": frozenset(
        "formerly previously former earlier once currently recently already ago later originally initially ehemals"
        " früher zuvor derzeit aktuell bisher".split()
    ),
    "choice": frozenset("or either oder entweder whether".split()),
    "contrast": frozenset(
        "but however although though despite instead rather yet still aber jedoch obwohl trotz".split()
    ),
    "precision": frozenset("exactly precisely genau exakt".split()),
}

CUE_CLASSES: Final[dict[str, str]] = {word: name for name, words in CUES.items() for word in words}

#: One canonical word for words of one meaning; the two languages meet here.
_MEANINGS: Final[dict[str, str]] = {
    "mass": "weighs weigh weighed weight weights masses gewicht masse wiegt wiegen gewichte",
    "price": "costs cost preis kostet",
    "casing": "housing casings housings gehäuse enclosure",
    "aluminium": "aluminum",
    "colour": "color colours colors farbe",
    "grey": "gray grau",
    "black": "schwarz",
    "white": "weiß weiss",
    "red": "rot",
    "blue": "blau",
    "green": "grün",
    "steel": "stahl",
    "copper": "kupfer",
    "lead": "blei",
    "mercury": "quecksilber",
    "cobalt": "kobalt cobalts",
    "plastic": "kunststoff",
    "glass": "glas",
    "wood": "holz",
    "paper": "papier",
    "length": "länge lengths",
    "width": "breite widths",
    "height": "höhe heights",
    "depth": "tiefe depths",
    "thickness": "dicke",
    "diameter": "durchmesser",
    "voltage": "spannung",
    "capacity": "kapazität",
    "energy": "energie",
    "power": "leistung",
    "temperature": "temperatur",
    "manufacturer": "hersteller maker producer",
    "supplier": "lieferant",
    "serialnumber": "seriennummer",
    "battery": "batterie batteries batterien akku",
    "cell": "cells zelle zellen",
    "product": "produkt products produkte",
    "model": "modell models modelle",
    "material": "materials materialien werkstoff",
    "share": "anteil shares anteile",
    "content": "gehalt contents",
    "lid": "deckel",
    "base": "boden",
    "test": "tested tests test testing geprüft getestet",
    "manufacture": "manufactured manufactures hergestellt made_on produced gefertigt",
    "certify": "certified certifies zertifiziert",
    "recycle": "recycled recycelt rezykliert",
    "recyclable": "recycelbar recyclingfähig",
    "repairable": "reparierbar",
    "contain": "contains contained containing enthält enthalten",
    "consist": "besteht",
    "use": "uses used verwendet nutzt",
    "warranty": "garantie",
    "year": "years jahr jahre jahren",
    "month": "months monat monate",
    "day": "days tag tage",
    "water": "wasser",
    "air": "luft",
    "and": "und sowie plus_and",
    "from": "von_from ab_from",
    "true": "wahr yes ja",
    "false": "falsch nein",
}

MEANINGS: Final[dict[str, str]] = GLOSSARY | {form: word for word, forms in _MEANINGS.items() for form in forms.split()}

#: Adjectives that, right behind a quantity, name its dimension: "0.5 mm thick".
DIMENSIONS: Final[dict[str, str]] = {
    "thick": "thickness",
    "long": "length",
    "wide": "width",
    "high": "height",
    "tall": "height",
    "deep": "depth",
    "heavy": "mass",
    "dick": "thickness",
    "lang": "length",
    "breit": "width",
    "hoch": "height",
    "tief": "depth",
    "schwer": "mass",
}

#: Comparatives that name the attribute and the direction that they compare.
COMPARATIVES: Final[dict[str, tuple[str, int]]] = {
    "heavier": ("mass", 1),
    "lighter": ("mass", -1),
    "longer": ("length", 1),
    "shorter": ("length", -1),
    "wider": ("width", 1),
    "narrower": ("width", -1),
    "taller": ("height", 1),
    "thicker": ("thickness", 1),
    "thinner": ("thickness", -1),
    "deeper": ("depth", 1),
    "costlier": ("price", 1),
    "cheaper": ("price", -1),
    "schwerer": ("mass", 1),
    "leichter": ("mass", -1),
    "länger": ("length", 1),
    "kürzer": ("length", -1),
    "breiter": ("width", 1),
    "dicker": ("thickness", 1),
}

#: Comparatives in front of an attribute: "a higher mass than".
DEGREES: Final[dict[str, int]] = {
    "higher": 1,
    "greater": 1,
    "larger": 1,
    "bigger": 1,
    "more": 1,
    "lower": -1,
    "smaller": -1,
    "less": -1,
    "fewer": -1,
    "höher": 1,
    "größer": 1,
    "niedriger": -1,
    "kleiner": -1,
}

#: What a source may be called, where a claim says who says it.
SOURCES: Final = (
    "record|source|document|documentation|evidence|data ?sheet|datasheet|sheet|note|handbook|brochure|manual|text|"
    "report|table|entry|passport|file|"
    "sources|documents|records|specification|specifications|label"
)

#: Cues of one meaning.
_CUE_MEANINGS: Final[dict[str, str]] = {
    "not": (
        "no isn't aren't wasn't weren't doesn't don't didn't won't can't couldn't hasn't haven't isnt"
        " doesnt dont cant nicht"
        " kein keine keinen keiner keinem keines non"
    ),
    "without": "ohne",
    "never": "nie niemals",
    "neither": "weder",
    "nor": "noch",
    "planned": "plan plans planning geplant scheduled",
    "expected": "expects expect erwartet voraussichtlich",
    "intended": "intends intend",
    "can": "kann",
    "all": "alle allen",
    "each": "jede jeder jedes every",
    "some": "einige manche",
    "most": "meisten",
    "many": "viele",
    "if": "wenn falls",
    "after": "nach",
    "before": "vor",
    "until": "bis till",
    "during": "während",
    "under": "unter",
    "above": "über",
    "at": "bei",
    "since": "seit",
    "between": "zwischen",
    "only": "nur exclusively solely ausschließlich lediglich just",
    "because": "weil da",
    "more_than": "",
    "or": "oder",
    "either": "entweder",
    "but": "aber however jedoch",
    "exactly": "precisely genau exakt",
    "together": "zusammen altogether",
    "total": "insgesamt",
    "claims": "claim claimed behauptet",
}

CUE_MEANINGS: Final[dict[str, str]] = {form: word for word, forms in _CUE_MEANINGS.items() for form in forms.split()}

#: Words that tie two things; they are kept, as they carry the roles, unless a rule says otherwise.
PREPOSITIONS: Final[dict[str, str]] = {
    "of": "of",
    "von": "of",
    "for": "for",
    "für": "for",
    "as": "as",
    "als": "as",
    "in": "in",
    "im": "in",
    "on": "on",
    "am": "on",
    "auf": "on",
    "has": "have",
    "have": "have",
    "had": "have",
    "hat": "have",
    "haben": "have",
    "having": "have",
    "with": "with",
    "mit": "with",
    "to": "to",
    "zu": "to",
    "by": "by",
    "from": "from",
    "aus": "from",
    "durch": "by",
    "into": "into",
    "per": "per",
    "je": "per",
    "do": "do",
    "does": "do",
    "did": "do",
}
