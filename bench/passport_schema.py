"""Schema and profile of an invented product passport; they follow no real data model."""

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
MODES: Final = ["ship", "truck", "rail", "air"]
KINDS: Final = ["manual", "declaration", "test report", "certificate", "data sheet"]
_CLASSES: Final = ["A", "B", "C", "D", "E", "F", "G"]


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
            legs=_array(_object(mode=_enum(*MODES), distanceKm=_number(0), country=_ref("country"))),
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
            kind=_enum(*KINDS),
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
