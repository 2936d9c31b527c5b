"""Texts that stand where a value should, and say that there is none: "n/a", "TBD", "keine Angabe", "see annex"."""

from functools import cache
from typing import Final

from veracord.language.tokens import fold

#: Texts that say that there is no value; of those that end in "..." the beginning is enough.
_NOTHING: Final = (
    "n/a|n.a.|na|n. a.|n/k|tbd|tba|tbc|t.b.d.|tbd...|to be ...|null|nil|nan|undefined|unknown...|unspecified|"
    "not specified...|not available...|not applicable...|not known...|not given...|not stated...|not provided...|"
    "not determined...|not disclosed...|not reported...|not yet ...|no data...|no information...|no value...|"
    "no entry...|not recorded...|not declared...|not defined...|not set...|not measured...|not assessed...|"
    "not tested...|to follow...|missing|empty|blank|see ...|refer to ...|cf. ...|as above|as per ...|on request|"
    "upon request|available on request|confidential...|placeholder...|lorem ipsum...|string|xxx|xx|todo...|k. a.|"
    "k.a.|o. a.|o. angabe...|keine angabe...|keine daten...|keine information...|keine werte|kein wert|"
    "kein eintrag|ohne angabe...|nicht angegeben...|nicht bekannt...|nicht verfügbar...|nicht vorhanden...|"
    "nicht spezifiziert...|nicht zutreffend...|nicht anwendbar...|nicht ermittelt...|nicht bestimmt...|"
    "nicht relevant|nicht definiert...|unbekannt...|entfällt...|siehe ...|s. anhang...|s. o.|s. u.|vgl. ...|"
    "wie oben|auf anfrage|folgt|wird nachgereicht...|noch ...|n. v.|n.v.|n. z.|n. b.|n. n.|n.n.|inconnu...|"
    "non spécifié...|non renseigné...|non disponible...|non applicable...|non communiqué...|sans objet|"
    "à définir...|voir ...|n.c.|s. o|desconocid...|no especificad...|no disponible...|no aplica...|sin datos...|"
    "sin información...|por definir...|sconosciut...|non specificat...|non disponibil...|non applicabil...|"
    "da definire...|vedi ...|nessun dato...|onbekend...|niet gespecificeerd...|niet beschikbaar...|"
    "niet van toepassing...|n.v.t.|nvt|nog niet ...|zie ...|geen gegevens...|desconhecid...|não especificad...|"
    "não disponível...|não aplicável...|sem dados...|a definir...|nieznan...|nie określono...|nie dotyczy...|"
    "brak danych...|brak|b.d.|zob. ...|patrz ..."
).split("|")
#: Texts that are values, and name nobody and nothing: two fields that hold one do not hold the same.
_NO_NAMES: Final = frozenset(
    "other others various several diverse misc miscellaneous different multiple mixed anonymous private self same"
    " idem dito ditto yes true no false secret internal external third-party andere sonstige verschiedene mehrere"
    " divers autre autres otro otros altro altri".split()
)
#: That there is none is told by the field and not by its value: "The seller is None" calls one so.
_NONE: Final = frozenset("none nobody nothing keine keiner keines niemand ninguno nessuno aucun aucune".split())
_OPEN: Final = "..."
#: "TBD-1" may be a name, "desconocido" is what "desconocid" begins.
_SHORT: Final = 6
_MARKS: Final = " \t\r\n.,;:!?()<>{}\"'*_-"


def says_nothing(value: str) -> bool:
    """Whether a text is no value: empty, marks alone, or one of the usual words for nothing."""
    form = " ".join(fold(value).split())
    if not any(char.isalnum() for char in form):
        return True
    plain = form.strip(_MARKS)
    whole, beginnings = _lists()
    return plain in whole or any(_begins(plain, beginning) for beginning in beginnings)


def is_no_value(value: str) -> bool:
    """Whether a text says nothing, or that there is none."""
    return says_nothing(value) or fold(value).strip(_MARKS) in _NONE


def names_nobody(value: str) -> bool:
    """Whether a text is no name: nothing at all, or a word for whatever is not told, as "various"."""
    return is_no_value(value) or fold(value).strip(_MARKS) in _NO_NAMES


def _begins(form: str, beginning: str) -> bool:
    """Whether a text begins so, at the end of a word; a long beginning may be that of an inflected word."""
    after = form[len(beginning) : len(beginning) + 1]
    is_border = beginning.endswith(" ") or len(beginning) > _SHORT or not after.isalnum()
    return form.startswith(beginning) and is_border


@cache
def _lists() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the texts that are nothing as a whole, and those with which one begins."""
    folded = [fold(text) for text in _NOTHING]
    whole = frozenset(text.strip(_MARKS) for text in folded)
    return whole, tuple(text.removesuffix(_OPEN) for text in folded if text.endswith(_OPEN))
