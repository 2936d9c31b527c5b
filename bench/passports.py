"""An invented product passport of about 15 kB, with its schema, its profile, damages and sources.

Everything is made from a seed; nothing stands for a real product or follows a real data model.
"""

import copy
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

Json = dict[str, Any]

PROFILE: Final = """\
name = "invented-pump"
version = "1"
schema = "invented-pump.schema.json"

[identity]
keys = [{ members = ["/product/gtin"], kind = "gtin" }, ["/operator/name", "/product/partId"]]

[administrative]
record_id = "/passport/id"
never_filled = ["/passport/id", "/passport/issuedOn"]

[[rows]]
at = "/materials"
key = ["/name"]

[[rows]]
at = "/components"
key = ["/partId"]

[[rows]]
at = "/documents"
key = ["/id"]

[[context]]
value = "/footprint/totalKg"
agrees = ["/footprint/functionalUnit"]

[[rules]]
kind = "sum"
over = "/materials/*/sharePct"
min = 95
max = 105
"""

_TEXT: Final[Json] = {"type": "string", "minLength": 1, "maxLength": 300}
_DATE: Final[Json] = {"type": "string", "format": "date"}
_URI: Final[Json] = {"type": "string", "format": "uri"}
_YES_NO: Final[Json] = {"type": "boolean"}
_MODES: Final = ["ship", "truck", "rail", "air"]
_KINDS: Final = ["manual", "declaration", "test report", "certificate", "data sheet"]
_CLASSES: Final = ["A", "B", "C", "D", "E", "F", "G"]
_NAMES: Final = ["Cast iron", "Bronze", "Stainless steel", "Copper", "Aluminium", "Nitrile rubber", "Polyamide"]
_WORDS: Final = [
    "sealed",
    "rated",
    "outer",
    "motor",
    "carbon",
    "inlet",
    "flange",
    "rotor",
    "bearing",
    "spare",
    "coated",
    "approved",
    "tested",
]


def schema() -> Json:
    """Return the schema of the passport."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://schemas.example/invented-pump",
        "$defs": _definitions(),
        **_object(
            passport=_object(
                id=_TEXT,
                version=_pattern(r"^[0-9]+\.[0-9]+\.[0-9]+$"),
                status=_enum("draft", "approved", "withdrawn"),
                issuedOn=_DATE,
                expiresOn=_DATE,
                language=_pattern("^[a-z]{2}$"),
            ),
            product=_object(
                gtin=_pattern("^[0-9]{13}$"),
                partId=_TEXT,
                name=_TEXT,
                description=_TEXT,
                category=_enum("pump", "motor", "valve"),
                weight=_ref("quantity"),
                dimensions=_object(length=_ref("quantity"), width=_ref("quantity"), height=_ref("quantity")),
                images=_array(_URI),
            ),
            operator=_ref("party"),
            facilities=_array(_ref("party")),
            materials=_array(_ref("material")),
            components=_array(_ref("component")),
            documents=_array(_ref("document")),
            footprint=_object(
                functionalUnit=_TEXT,
                method=_TEXT,
                totalKg=_number(0),
                stages=_object(raw=_number(0), production=_number(0), transport=_number(0), use=_number(0)),
            ),
            energy=_object(ratedPowerW=_number(0), annualKwh=_number(0), efficiencyClass=_enum(*_CLASSES)),
            curve=_array(_array({"type": "number", "minimum": 0})),
            legs=_array(_object(mode=_enum(*_MODES), distanceKm=_number(0), country=_ref("country"))),
        ),
    }


def _definitions() -> Json:
    return {
        "country": _pattern("^[A-Z]{2}$"),
        "quantity": _object(value=_number(0), unit=_pattern("^unit:[a-zA-Z]+$")),
        "address": _object(street=_TEXT, houseNumber=_TEXT, postCode=_TEXT, city=_TEXT, country=_ref("country")),
        "party": _object(
            name=_TEXT,
            identifier=_pattern("^ORG[0-9]{9}$"),
            address=_ref("address"),
            contact=_object(
                phone=_pattern(r"^\+[0-9 ]{6,20}$"), email={"type": "string", "format": "email"}, website=_URI
            ),
        ),
        "material": _object(
            name=_TEXT,
            sharePct=_number(0, 100),
            recycledPct=_number(0, 100),
            massKg=_number(0),
            hazardous=_YES_NO,
            locations=_array(_TEXT),
            origin=_ref("country"),
        ),
        "component": _object(
            partId=_pattern("^C-[0-9]{4}$"),
            name=_TEXT,
            count={"type": "integer", "minimum": 1},
            weight=_ref("quantity"),
            materials=_array(_TEXT),
            replaceable=_YES_NO,
            supplier=_object(name=_TEXT, identifier=_pattern("^ORG[0-9]{9}$")),
        ),
        "document": _object(
            id=_TEXT,
            title=_TEXT,
            kind=_enum(*_KINDS),
            url=_URI,
            language=_pattern("^[a-z]{2}$"),
            issuedOn=_DATE,
        ),
    }


def _object(**members: Json) -> Json:
    return {
        "type": "object",
        "required": list(members),
        "properties": members,
        "additionalProperties": False,
    }


def _array(items: Json) -> Json:
    return {"type": "array", "minItems": 1, "items": items}


def _ref(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def _pattern(pattern: str) -> Json:
    return {"type": "string", "pattern": pattern}


def _enum(*values: str) -> Json:
    return {"type": "string", "enum": list(values)}


def _number(least: float, most: float | None = None) -> Json:
    return {"type": "number", "minimum": least, **({} if most is None else {"maximum": most})}


class _Maker:
    """Makes the values of one passport."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def words(self, count: int) -> str:
        return " ".join(self._random.choices(_WORDS, k=count))

    def number(self, most: float) -> float:
        return round(self._random.uniform(0.1, most), 3)

    def quantity(self, unit: str) -> Json:
        return {"value": self.number(90), "unit": f"unit:{unit}"}

    def party(self, number: int) -> Json:
        return {
            "name": f"Works {number} {self.words(1)}",
            "identifier": f"ORG{100_000_000 + number}",
            "address": {
                "street": f"{self.words(1).title()} road",
                "houseNumber": str(number + 1),
                "postCode": str(10_000 + number),
                "city": "Fernhollow",
                "country": "DE",
            },
            "contact": {
                "phone": f"+49 30 {5550000 + number}",
                "email": f"works{number}@pumps.example",
                "website": f"https://pumps.example/works/{number}",
            },
        }

    def material(self, name: str) -> Json:
        return {
            "name": name,
            "sharePct": 14.25,
            "recycledPct": self.number(60),
            "massKg": self.number(20),
            "hazardous": self._random.random() < 0.2,  # noqa: PLR2004 - about one in five
            "locations": [self.words(2), self.words(3)],
            "origin": self._random.choice(["DE", "SE", "PL", "IT"]),
        }

    def component(self, number: int) -> Json:
        return {
            "partId": f"C-{1000 + number}",
            "name": self.words(3),
            "count": self._random.randint(1, 12),
            "weight": self.quantity("kilogram"),
            "materials": self._random.sample(_NAMES, 3),
            "replaceable": True,
            "supplier": {"name": f"Supplier {self.words(2)}", "identifier": f"ORG{200_000_000 + number}"},
        }

    def document(self, number: int) -> Json:
        return {
            "id": f"doc-{number}",
            "title": self.words(5),
            "kind": self._random.choice(_KINDS),
            "url": f"https://pumps.example/documents/{number}.pdf",
            "language": "en",
            "issuedOn": f"2024-03-{number + 1:02d}",
        }


def passport(seed: int = 1) -> Json:
    """Return a passport that conforms."""
    make = _Maker(seed)
    return {
        "passport": {
            "id": f"passport-{seed}",
            "version": "1.0.0",
            "status": "approved",
            "issuedOn": "2025-01-15",
            "expiresOn": "2035-01-15",
            "language": "en",
        },
        "product": {
            "gtin": "4006381333931",
            "partId": f"P-{seed:06d}",
            "name": "Pump " + make.words(2),
            "description": make.words(25),
            "category": "pump",
            "weight": make.quantity("kilogram"),
            "dimensions": {side: make.quantity("millimetre") for side in ("length", "width", "height")},
            "images": [f"https://pumps.example/images/{number}.png" for number in range(4)],
        },
        "operator": make.party(0),
        "facilities": [make.party(number) for number in range(1, 7)],
        "materials": [make.material(name) for name in _NAMES],
        "components": [make.component(number) for number in range(32)],
        "documents": [make.document(number) for number in range(16)],
        "footprint": {
            "functionalUnit": "one pump over 15 years of use",
            "method": "cradle to gate",
            "totalKg": make.number(900),
            "stages": {stage: make.number(300) for stage in ("raw", "production", "transport", "use")},
        },
        "energy": {"ratedPowerW": 750, "annualKwh": make.number(3000), "efficiencyClass": "B"},
        "curve": [[make.number(40) for _ in range(12)] for _ in range(4)],
        "legs": [{"mode": mode, "distanceKm": make.number(2000), "country": "DE"} for mode in _MODES],
    }


def damage(record: Json) -> Json:
    """Return a copy with five violations: a missing leaf, a type, an enum, and two in rows."""
    record = copy.deepcopy(record)
    del record["operator"]["identifier"]
    record["product"]["weight"]["value"] = "12,5"
    record["energy"]["efficiencyClass"] = "Z"
    record["components"][17]["count"] = 0
    del record["materials"][3]["sharePct"]
    return record


def sources(record: Json, count: int = 3) -> list[Json]:
    """Return passports of the same product from other hands: other ids, other order of rows."""
    found: list[Json] = []
    for number in range(count):
        source = copy.deepcopy(record)
        source["passport"]["id"] = f"source-{number}"
        source["passport"]["version"] = f"1.{number}.0"
        for rows in ("materials", "components", "documents"):
            random.Random(number).shuffle(source[rows])
        found.append(source)
    return found


@dataclass(frozen=True, slots=True)
class Case:
    """What one repair needs, as bytes.

    Attributes:
        schema: The schema.
        record: The damaged record.
        sources: The evidence documents.
        violations: How many violations the record has; the sources cure all.
    """

    schema: Json
    record: bytes
    sources: list[bytes]
    violations: int


def synthetic_case() -> Case:
    """Return the case of the invented passport."""
    good = passport()
    documents = [compact(source) for source in sources(good)]
    return Case(schema(), compact(damage(good)), documents, violations=5)


def write_profile(folder: Path) -> Path:
    """Write profile and schema into a folder and return the profile's path."""
    (folder / "invented-pump.schema.json").write_bytes(compact(schema()))
    path = folder / "invented-pump.toml"
    path.write_text(PROFILE, encoding="utf-8")
    return path


def compact(value: object) -> bytes:
    """Return JSON without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
