"""An invented product passport of about 15 kB, with damages and sources; nothing stands for a real product."""

import copy
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.passport_schema import KINDS, MODES, PROFILE, Json, schema

_NAMES: Final = ["Cast iron", "Bronze", "Stainless steel", "Copper", "Aluminium", "Nitrile rubber", "Polyamide"]
_WORDS: Final = (
    *("sealed", "rated", "outer", "motor", "carbon", "inlet", "flange"),
    *("rotor", "bearing", "spare", "coated", "approved", "tested"),
)


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
            "kind": self._random.choice(KINDS),
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
        "legs": [{"mode": mode, "distanceKm": make.number(2000), "country": "DE"} for mode in MODES],
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
