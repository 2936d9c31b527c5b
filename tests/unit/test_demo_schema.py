"""The demonstration schema holds exactly the fields, bounds and required members of this table.

Judged by jsonschema alone, so that a fault in our own validation cannot hide a fault in the schema.
Formats are checked by two small functions below: what optional libraries are installed changes
nothing. In pointers `*` stands for any row of an array or any further member of an object.
"""

import copy
import json
import re
import tomllib
from collections.abc import Iterator
from datetime import datetime
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from jsonschema import Draft202012Validator, FormatChecker

BUNDLED = files("veracord") / "bundled"
SCHEMA: dict[str, Any] = json.loads((BUNDLED / "eu-dpp-demo.schema.json").read_text("utf-8"))
PROFILE: dict[str, Any] = tomllib.loads((BUNDLED / "eu-dpp-demo.toml").read_text("utf-8"))

FORMATS = FormatChecker(formats=())


@FORMATS.checks("date-time", raises=ValueError)
def _is_date_time(value: object) -> bool:
    if not isinstance(value, str):
        return True
    if re.fullmatch(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", value) is None:
        return False
    return datetime.fromisoformat(value.upper()).tzinfo is not None


@FORMATS.checks("uri", raises=ValueError)
def _is_uri(value: object) -> bool:
    if not isinstance(value, str):
        return True
    return bool(urlsplit(value).scheme) and re.search(r"[\s<>\"{}|\\^`]", value) is None


VALIDATOR = Draft202012Validator(SCHEMA, format_checker=FORMATS)


class Field(NamedTuple):
    """One place of the schema: what it admits, shown by examples on both sides of every bound."""

    pointer: str
    kind: str
    rule: dict[str, Any]
    accepted: list[Any]
    rejected: list[Any]


MINIMAL: dict[str, Any] = {
    "schema_version": "1",
    "dpp_id": "DPP-1",
    "product": {"id": "P-1", "brand": "B", "model": "M", "category": "other"},
    "materials": [{"name": "Steel", "share_pct": 100}],
    "compliance": {"standards": ["S1"]},
}

REQUIRED: dict[str, list[str]] = {
    "": ["schema_version", "dpp_id", "product", "materials", "compliance"],
    "/product": ["id", "brand", "model", "category"],
    "/materials/*": ["name", "share_pct"],
    "/compliance": ["standards"],
    "/sources/*": ["id", "kind"],
}

# A row that has to be made before a field in it can be set.
ROWS: dict[str, dict[str, Any]] = {"/sources/*": {"id": "S-1", "kind": "report"}}

PERCENT = {"minimum": 0, "maximum": 100}
FRACTION = {"minimum": 0, "maximum": 1}
NOT_NEGATIVE = {"minimum": 0}
CATEGORIES = [
    "battery",
    "ev_battery",
    "smartphone",
    "laptop",
    "display",
    "printer",
    "heat_pump",
    "appliance",
    "textile",
    "other",
]
MODES = ["ship", "truck", "rail", "air"]


def text(pointer: str, least: int = 0) -> Field:
    """Describe a string of at least so many characters, counted as code points."""
    too_short = ["x" * (least - 1)] if least else []
    rule = {"minLength": least} if least else {}
    accepted = ["x" * least, "x" * 2000, "\U0001f9f5" * max(least, 1), " " * least]
    return Field(pointer, "string", rule, accepted, [*too_short, None, 7, True, ["text"], {}])


def uri(pointer: str) -> Field:
    """Describe a string that has to be an absolute address."""
    accepted = ["https://maker.example/a?b=c#d", "urn:maker:doc:1"]
    rejected = ["", "maker.example/a", "/a", "https://maker.example/a b", None, 7]
    return Field(pointer, "string", {"format": "uri"}, accepted, rejected)


def number(pointer: str, rule: dict[str, int]) -> Field:
    """Describe a number with inclusive bounds; a truth value or a digit string is none."""
    least, most = rule["minimum"], rule.get("maximum")
    accepted = [least, float(least), least + 0.001, 1e9 if most is None else most]
    over = [] if most is None else [most + 0.001, most + 1]
    rejected = [least - 0.001, least - 1, *over, None, True, str(least), [least]]
    return Field(pointer, "number", rule, accepted, rejected)


def choice(pointer: str, values: list[str]) -> Field:
    """Describe one of a closed list of words, spelled exactly."""
    rejected = ["", values[0].upper(), f" {values[0]}", "unknown", None, 0, [values[0]]]
    return Field(pointer, "enum", {"enum": values}, values, rejected)


def flag(pointer: str) -> Field:
    """Describe a truth value; neither numbers nor words stand for one."""
    return Field(pointer, "boolean", {}, [True, False], [None, 0, 1, "true", []])


def group(pointer: str, *accepted: dict[str, Any]) -> Field:
    """Describe an object, open to members that the schema does not name."""
    return Field(pointer, "object", {}, list(accepted), [None, "text", 1, False, []])


def rows(pointer: str, *accepted: list[Any], least: int = 0) -> Field:
    """Describe an array with at least so many items."""
    rule = {"minItems": least} if least else {}
    too_few: list[Any] = [[]] if least else []
    return Field(pointer, "array", rule, list(accepted), [*too_few, None, "text", 1, {}])


STEEL = {"name": "Steel", "share_pct": 100}
PRODUCT = MINIMAL["product"]

TABLE: list[Field] = [
    group("", MINIMAL, {**MINIMAL, "unheard_of": 1}),
    text("/schema_version"),
    text("/dpp_id", least=4),
    Field(
        "/issued_at_utc",
        "string",
        {"format": "date-time"},
        ["2025-03-18T09:30:00Z", "2025-03-18T09:30:00.25Z", "2025-03-18T11:30:00+02:00"],
        ["", "2025-03-18", "2025-03-18T09:30:00", "18.03.2025 09:30", "2025-02-30T00:00:00Z", 0],
    ),
    group("/product", PRODUCT, {**PRODUCT, "unheard_of": 1}),
    text("/product/id"),
    text("/product/brand", least=1),
    text("/product/model", least=1),
    choice("/product/category", CATEGORIES),
    text("/product/display_name"),
    text("/product/geography"),
    uri("/product/image_url"),
    rows("/materials", [STEEL], [STEEL, STEEL], least=1),
    group("/materials/*", STEEL, {**STEEL, "unheard_of": 1}),
    text("/materials/*/name", least=1),
    number("/materials/*/share_pct", PERCENT),
    number("/materials/*/recycled_pct", PERCENT),
    number("/materials/*/mass_kg", NOT_NEGATIVE),
    flag("/materials/*/substance_of_concern"),
    group("/compliance", {"standards": ["S1"]}, {"standards": ["S1"], "unheard_of": 1}),
    rows("/compliance/standards", ["S1"], ["S1", "S2"], ["S1", "S1"], least=1),
    text("/compliance/standards/*", least=2),
    flag("/compliance/ce_marking"),
    rows("/compliance/evidence_urls", [], ["https://maker.example/a"]),
    uri("/compliance/evidence_urls/*"),
    group("/lifecycle", {}, {"unheard_of": 1}),
    text("/lifecycle/manufacture_country"),
    group("/lifecycle/use_phase", {}, {"unheard_of": 1}),
    number("/lifecycle/use_phase/lifetime_years", NOT_NEGATIVE),
    number("/lifecycle/use_phase/annual_energy_kwh", NOT_NEGATIVE),
    text("/lifecycle/use_phase/use_country"),
    rows("/lifecycle/transport_legs", [], [{}]),
    group("/lifecycle/transport_legs/*", {}, {"unheard_of": 1}),
    choice("/lifecycle/transport_legs/*/mode", MODES),
    number("/lifecycle/transport_legs/*/distance_km", NOT_NEGATIVE),
    group("/carbon", {}, {"unheard_of": 1}),
    text("/carbon/functional_unit"),
    text("/carbon/methodology"),
    number("/carbon/total_kg_co2e", NOT_NEGATIVE),
    number("/carbon/uncertainty_pct", PERCENT),
    group("/carbon/stage_split", {}, {"materials": 1, "transport": 1, "packaging": 1}),
    number("/carbon/stage_split/materials", FRACTION),
    number("/carbon/stage_split/transport", FRACTION),
    number("/carbon/stage_split/use_phase", FRACTION),
    number("/carbon/stage_split/end_of_life", FRACTION),
    number("/carbon/stage_split/*", FRACTION),
    group("/circularity", {}, {"unheard_of": 1}),
    number("/circularity/recyclability_pct", PERCENT),
    number("/circularity/recycled_content_pct", PERCENT),
    number("/circularity/repairability_index", {"minimum": 0, "maximum": 10}),
    number("/circularity/spare_parts_availability_years", NOT_NEGATIVE),
    group("/end_of_life", {}, {"recycling_rate_pct": 100, "landfill_rate_pct": 100}),
    number("/end_of_life/recycling_rate_pct", PERCENT),
    number("/end_of_life/incineration_rate_pct", PERCENT),
    number("/end_of_life/landfill_rate_pct", PERCENT),
    uri("/end_of_life/take_back_url"),
    rows("/sources", [], [{"id": "S-1", "kind": "report"}]),
    group("/sources/*", ROWS["/sources/*"], {**ROWS["/sources/*"], "unheard_of": 1}),
    text("/sources/*/id"),
    text("/sources/*/kind"),
    uri("/sources/*/url"),
    text("/notes"),
]

FIELDS = pytest.mark.parametrize("field", TABLE, ids=[field.pointer or "root" for field in TABLE])

# Keywords that lead to other places (walked), and those that only speak to people.
APPLICATORS = {"properties", "items", "additionalProperties"}
ANNOTATIONS = {"title", "description", "$schema", "$id"}


def _walk(node: dict[str, Any], pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every place of the schema with the subschema that stands there."""
    yield pointer, node
    for name, child in node.get("properties", {}).items():
        yield from _walk(child, f"{pointer}/{name}")
    for keyword in ("items", "additionalProperties"):
        if keyword in node:
            yield from _walk(node[keyword], f"{pointer}/*")


PLACES = list(_walk(SCHEMA))


def _put(pointer: str, value: object) -> tuple[Any, list[str | int]]:
    """Set one value in a copy of the minimal record; return the record and the value's path."""
    if not pointer:
        return copy.deepcopy(value), []
    record = copy.deepcopy(MINIMAL)
    here: Any = record
    path: list[str | int] = []
    names = pointer[1:].split("/")
    for depth, name in enumerate(names):
        at = "/" + "/".join(names[: depth + 1])
        path.append(_step(here, name))
        if depth == len(names) - 1:
            _set(here, path[-1], copy.deepcopy(value))
        elif isinstance(here, list):
            here[:1] = here[:1] or [copy.deepcopy(ROWS.get(at, {}))]
            here = here[0]
        else:
            here = here.setdefault(name, [] if _is_list(at) else {})
    return record, path


def _step(container: object, name: str) -> str | int:
    """Turn a name of the table into a member or an index: `*` is row 0 or a stage of our own."""
    if name != "*":
        return name
    return 0 if isinstance(container, list) else "packaging"


def _set(container: Any, step: str | int, value: object) -> None:
    if isinstance(container, list) and not container:
        container.append(value)
    else:
        container[step] = value


def _is_list(pointer: str) -> bool:
    return any(field.pointer == pointer and field.kind == "array" for field in TABLE)


def _drop(pointer: str, member: str) -> tuple[Any, list[str | int]]:
    """Take a required member out of an otherwise valid record."""
    parent: Any = {"": MINIMAL, **ROWS}.get(pointer)
    if parent is None:
        parent = MINIMAL
        for name in pointer[1:].split("/"):
            parent = parent[0] if name == "*" else parent[name]
    return _put(pointer, {name: value for name, value in parent.items() if name != member})


def test_schema_is_a_sound_2020_12_schema() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(SCHEMA)
    assert VALIDATOR.is_valid(MINIMAL)


def test_table_and_schema_name_the_same_places() -> None:
    named = [field.pointer for field in TABLE]
    assert sorted(named) == sorted(pointer for pointer, _ in PLACES)
    assert len(named) == len(set(named))


@FIELDS
def test_place_has_this_type_and_rule_and_no_other(field: Field) -> None:
    node = dict(PLACES)[field.pointer]
    stated = {
        keyword: value for keyword, value in node.items() if keyword not in APPLICATORS | ANNOTATIONS | {"required"}
    }
    kind = {} if field.kind == "enum" else {"type": field.kind}
    assert stated == {**kind, **field.rule}


@FIELDS
def test_place_accepts_what_it_should(field: Field) -> None:
    assert field.accepted
    for value in field.accepted:
        record, _ = _put(field.pointer, value)
        assert list(VALIDATOR.iter_errors(record)) == [], value


@FIELDS
def test_place_rejects_what_it_should(field: Field) -> None:
    assert field.rejected
    for value in field.rejected:
        record, path = _put(field.pointer, value)
        errors = list(VALIDATOR.iter_errors(record))
        assert errors, value
        assert all(list(error.absolute_path) == path for error in errors), value


def test_required_members_are_these() -> None:
    stated = {pointer: node["required"] for pointer, node in PLACES if "required" in node}
    assert stated == REQUIRED


@pytest.mark.parametrize(("pointer", "member"), [(at, name) for at, names in REQUIRED.items() for name in names])
def test_required_member_is_missed(pointer: str, member: str) -> None:
    record, path = _drop(pointer, member)
    (error,) = VALIDATOR.iter_errors(record)
    assert error.validator == "required"
    assert list(error.absolute_path) == path
    assert f"'{member}'" in error.message


def test_only_the_stage_split_says_what_further_members_hold() -> None:
    closed = [pointer for pointer, node in PLACES if "additionalProperties" in node]
    assert closed == ["/carbon/stage_split"]


def test_every_place_is_explained_to_people() -> None:
    for pointer, node in PLACES:
        assert node.get("title", "").strip(), pointer
        assert node.get("description", "").strip(), pointer


def test_it_says_that_it_certifies_nothing() -> None:
    assert "demonstration" in SCHEMA["title"].lower()
    assert "certified for nothing" in SCHEMA["description"]
    assert "certifies nothing" in PROFILE["description"]


def test_profile_adds_the_sum_of_shares() -> None:
    rule = {"kind": "sum", "over": "/materials/*/share_pct", "min": 95, "max": 105}
    assert PROFILE["rules"] == [rule]


def test_profile_names_only_places_of_the_schema() -> None:
    administrative = PROFILE["administrative"]
    named = {administrative["record_id"], *administrative["never_filled"]}
    named |= {*administrative["never_suggested"]}
    named |= {pointer for key in PROFILE["identity"]["keys"] for pointer in key}
    named |= {f"{row['at']}/*{member}" for row in PROFILE["rows"] for member in row["key"]}
    for context in PROFILE["context"]:
        named |= {context["value"], *context["agrees"]}
    assert named <= {pointer for pointer, _ in PLACES}
