"""Names of members as a person would write them: ``carbonFootprint_kg`` is "carbon footprint kg"."""

import re
from functools import lru_cache
from typing import Final

from veracord.gates.atoms import classify_word, keys_of_compound
from veracord.gates.statements import Name
from veracord.language.tokens import fold, tokens_of

_MARKS: Final = re.compile(r"[_\-\s./]+")
_BOUNDARY: Final = re.compile(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])|(?<=[A-Z0-9])(?=[A-Z][a-z])|(?<=[a-z]{2})(?=\d)")
#: Short forms in names; in a text "min" is a minute.
_SHORT: Final = {"min": "minimum", "max": "maximum", "nom": "nominal", "temp": "temperature", "qty": "quantity"}
#: Names of identifiers, which may be digits only and are no numbers.
_CODES: Final = frozenset(
    "serialnumber serialno seriennummer productid produktid gtin ean upc sku isbn passportidentifier partnumber partno"
    " teilenummer batchnumber batchno chargennummer lotnumber lotno modelnumber articlenumber artikelnummer itemnumber"
    " ordernumber registrationnumber certificatenumber documentnumber postalcode postcode zip zipcode plz phone"
    " phonenumber telephone telefon fax vin duns hscode taricode customscode".split()
)
_SQUASHED: Final = re.compile(r"[\W_]+")


@lru_cache(maxsize=32768)
def squash(text: str) -> str:
    """Return the letters and digits of a text, folded."""
    return _SQUASHED.sub("", fold(text))


@lru_cache(maxsize=16384)
def name_of(member: str) -> Name:
    """Return a member's name."""
    own = member.rstrip(": ").rsplit(":", 1)[-1]
    words = " ".join(_BOUNDARY.sub(" ", _MARKS.sub(" ", own)).split())
    forms = [fold(token.text) for token in tokens_of(words) if token.kind != "punctuation"]
    keys = tuple(key for at, form in enumerate(forms) for key in _keys(_without_no(form, forms[at + 1 :])))
    return Name(squash(own), keys, words)


def _without_no(form: str, rest: list[str]) -> str:
    """Return "number" for the "no" of "No. of cells" and "Part No.", which denies nothing."""
    return "number" if form == "no" and rest[:1] in ([], ["of"]) else form


@lru_cache(maxsize=8192)
def is_code_name(name: Name) -> bool:
    """Whether what a member of a name holds is an identifier, whatever it looks like."""
    return name.squashed in _CODES or name.stems[-1:] in (("id",), ("identifier",))


def _keys(form: str) -> tuple[str, ...]:
    return keys_of_compound(form) or (_SHORT.get(form) or classify_word(form)[1],)
