"""Worlds for the laws of repair: a profile, a damaged record, and sources that tell the truth or do not.

Everything starts from a true record that conforms.  Sources are copies of it that lack, change, move or
garble something; the record is a copy with damages.  A world is *hard* when it has at least three sources,
two of which disagree about a damaged leaf, and rows with shares that only add up when all are mended.
"""

import json
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.properties.oracles import (
    ABSENT,
    Tokens,
    at,
    copied,
    has_object,
    is_same_product,
    nodes,
    pointer_of,
    same,
    spelled,
)
from veracord import EvidencePack, Profile

Draw = Callable[..., Any]

KEYS = [[("id",)], [("maker",), ("model",)]]
ADMINISTRATIVE = {("rid",), ("stamp",)}
ROWS = ("mix",)
UNITS = ("kg", "t")
MODES = ("open", "shut", "idle")
ZERO_UUID = "00000000-0000-0000-0000-000000000000"

JUNK: tuple[Any, ...] = (
    *(None, "", "junk", -1, 999, Decimal("0.5"), True, [], {}, ["junk"], [7, "junk"]),
    *({"odd": 1}, [{"odd": 1}], ZERO_UUID, "Shown", " kg", Decimal("1E+2")),
)


@dataclass(frozen=True)
class Traits:
    """What makes one profile differ from another."""

    draft: str = "2020-12"
    row_key: tuple[str, ...] = ("name",)
    bounds: tuple[int, int] = (100, 100)
    condition: str = "then"
    branches: str = "oneOf"
    is_closed: bool = True
    nullable: bool = False
    chained: bool = False
    compared: bool = True
    unique: bool = True


@dataclass(frozen=True, repr=False)
class World:
    """One example; it is shown by what differs from the true record.

    Attributes:
        traits: What the profile is like.
        truth: The record as it should be.
        record: The record as it is.
        evidence: The sources.
        joint: Places of shares that were damaged so that only all of them together add up.
    """

    traits: Traits
    truth: dict[str, Any]
    record: dict[str, Any]
    evidence: list[dict[str, Any]]
    joint: tuple[Tokens, ...] = ()

    def __repr__(self) -> str:
        """Return the differences, one on a line."""
        lines = [str(self.traits), f"mix: {self.truth['mix']}"]
        lines += [f"record {line}" for line in differences(self.truth, self.record)]
        for item in self.evidence:
            name = f"{item['id']} (rank {item.get('rank')})"
            lines.append(name if "content" in item else f"{name}: a text")
            lines += [f"  {line}" for line in differences(self.truth, item.get("content"))]
        return "\n".join(lines)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show the same in what Hypothesis prints."""
        del cycle
        printer.text(repr(self))

    @property
    def profile(self) -> Profile:
        """The profile, compiled once for all worlds that share it."""
        return profile_of(self.traits)

    @property
    def pack(self) -> EvidencePack:
        """The evidence as a pack."""
        return EvidencePack.from_items(self.evidence)

    @cached_property
    def same_product(self) -> list[dict[str, Any]]:
        """The contents of sources that are surely about the record's product."""
        contents = (item.get("content") for item in self.evidence)
        others = [c for c in contents if isinstance(c, dict) and c.get("rid") != self.record.get("rid")]
        return [content for content in others if is_same_product(KEYS, self.record, content)]


def schema_of(traits: Traits) -> dict[str, Any]:
    """Return the schema of a profile."""
    number = {"type": "number", "minimum": 0, "maximum": 100}
    row = {
        "type": "object",
        "required": [*traits.row_key, "share", "sub"],
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "grade": {"type": "integer"},
            "share": number,
            "code": {"type": "string", "minLength": 2},
            "tags": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
            "sub": {"$ref": f"#/{_definitions(traits)}/sub"},
        },
    }
    inner = {
        "type": "object",
        "required": ["c", "0"],
        "properties": {
            "c": {"type": "array", "items": {"type": "integer"}, "minItems": 2},
            "0": {"type": "string", "minLength": 1},
            "": {"type": "integer"},
            "a/b": {"type": "boolean"},
            "~1": {"type": "string"},
            "01": {"type": "number"},
        },
        "patternProperties": {"^x_": {"type": "integer", "minimum": 0}},
    }
    box: dict[str, Any] = {
        "type": "object",
        "required": ["a", "inner"],
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}, "inner": inner},
    }
    if traits.is_closed:
        box["additionalProperties"] = False
        inner["additionalProperties"] = False
    label: dict[str, Any] = {"type": "string", "minLength": 1, "examples": ["Shown"]}
    if traits.nullable:
        label = {"anyOf": [{**label}, {"type": "null"}]}
    schema: dict[str, Any] = {
        "$schema": _DRAFTS[traits.draft],
        "type": "object",
        "required": [
            *("id", "maker", "model", "rid", "mode", "gauge", "label"),
            *("carbon", "power", "box", "mix", "limits"),
        ],
        "properties": {
            "id": {"type": "string", "minLength": 1},
            "maker": {"type": "string", "minLength": 1},
            "model": {"type": "string", "minLength": 1},
            "rid": {"type": "string", "minLength": 1},
            "stamp": {"type": "string", "pattern": "^20"},
            "mode": {"enum": list(MODES)},
            "gauge": {"type": "number", "minimum": 0, "maximum": 10},
            "extra": {"type": "integer", "minimum": 0},
            "label": label,
            "uuid": {"type": "string", "format": "uuid"},
            "carbon": {
                "type": "object",
                "required": ["total", "unit"],
                "properties": {
                    "total": {"type": "number", "minimum": 0},
                    "unit": {"enum": list(UNITS)},
                    "scope": {"type": "string"},
                },
            },
            "power": {
                "type": "object",
                "properties": {
                    "kind": {"enum": ["mains", "cell"]},
                    "volts": {"type": "number", "exclusiveMinimum": 0},
                    "hours": {"type": "number", "exclusiveMinimum": 0},
                },
                traits.branches: [
                    {"properties": {"kind": {"const": "mains"}}, "required": ["kind", "volts"]},
                    {"properties": {"kind": {"const": "cell"}}, "required": ["kind", "hours"]},
                ],
            },
            "box": box,
            "limits": {
                "type": "object",
                "required": ["low", "high"],
                "properties": {"low": {"type": "number"}, "high": {"type": "number"}},
            },
            "mix": {"type": "array", "minItems": 1, "items": row},
            "parts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["qty"],
                    "properties": {
                        "sku": {"type": "string", "minLength": 1},
                        "qty": {"type": "integer", "minimum": 1},
                        "hue": {"enum": ["red", "blue"]},
                    },
                },
            },
            "ratios": {"type": "array", "items": {"type": "number"}, "minItems": 2},
        },
        _definitions(traits): {
            "sub": {
                "type": "object",
                "required": ["x"],
                "properties": {"x": {"type": "number", "minimum": 0}, "y": {"type": "string"}},
            }
        },
    }
    schema.update(_condition(traits))
    return schema


_DRAFTS = {
    "07": "http://json-schema.org/draft-07/schema#",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}


def _definitions(traits: Traits) -> str:
    return "definitions" if traits.draft == "07" else "$defs"


def _condition(traits: Traits) -> dict[str, Any]:
    """Return what the schema asks for depending on other members."""
    is_open = {"properties": {"mode": {"const": "open"}}, "required": ["mode"]}
    is_shut = {"properties": {"mode": {"const": "shut"}}, "required": ["mode"]}
    extra: dict[str, Any] = {"required": ["extra"]}
    both = [{"if": is_open, "then": extra}, {"if": is_shut, "then": {"required": ["ratios"]}}]
    by_member = {"label": ["extra"], "uuid": ["ratios"]}
    by_schema = {"mode": extra}
    old = traits.draft == "07"
    conditions: dict[str, dict[str, Any]] = {
        "then": {"if": is_open, "then": {**extra, "properties": {"gauge": {"maximum": 5}}}},
        "else": {"if": {"not": is_open}, "else": extra},
        "all": {"allOf": both},
        "dependentRequired": {"dependencies" if old else "dependentRequired": by_member},
        "dependentSchemas": {"dependencies" if old else "dependentSchemas": by_schema},
        "none": {},
    }
    return conditions[traits.condition]


@cache
def profile_of(traits: Traits) -> Profile:
    """Return the profile of some traits, loaded from files as a user's is."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "world.schema.json").write_text(json.dumps(schema_of(traits)), "utf-8")
        path = Path(folder, "world.toml")
        path.write_text(_toml(traits), "utf-8")
        return Profile.load(path)


def _toml(traits: Traits) -> str:
    key = json.dumps([f"/{name}" for name in traits.row_key])
    text = f"""
name = "world"
version = "1"
schema = "world.schema.json"

[identity]
keys = [["/id"], ["/maker", "/model"]]

[administrative]
record_id = "/rid"
never_filled = ["/stamp"]

[[rows]]
at = "/mix"
key = {key}

[[context]]
value = "/carbon/total"
agrees = ["/carbon/unit"]

[[rules]]
kind = "sum"
over = "/mix/*/share"
min = {traits.bounds[0]}
max = {traits.bounds[1]}
"""
    if traits.chained:
        text += '\n[[context]]\nvalue = "/carbon/unit"\nagrees = ["/mode"]\n'
    if traits.compared:
        text += '\n[[rules]]\nkind = "compare"\nleft = "/limits/low"\nop = "<="\n'
        text += 'right = "/limits/high"\n'
    if traits.unique:
        text += '\n[[rules]]\nkind = "unique"\nover = "/mix/*/code"\n'
    return text


def _some_traits(count: int) -> list[Traits]:
    """Return traits in which every option stands beside many others; few, for each is compiled."""
    rng = random.Random(11)
    return [
        Traits(
            draft=("2020-12", "07")[number % 2],
            row_key=rng.choice([("name",), ("name", "grade")]),
            bounds=rng.choice([(100, 100), (95, 105)]),
            condition=CONDITIONS[number // 2 % len(CONDITIONS)],
            branches=rng.choice(["oneOf", "anyOf"]),
            is_closed=rng.random() < 0.5,
            nullable=rng.random() < 0.5,
            chained=rng.random() < 0.5,
            compared=rng.random() < 0.7,
            unique=rng.random() < 0.7,
        )
        for number in range(count)
    ]


CONDITIONS = ("then", "else", "all", "dependentRequired", "dependentSchemas", "none")
TRAITS = st.sampled_from(_some_traits(48))

NUMBERS = st.sampled_from([0, 1, 3, Decimal("2.5"), Decimal("4.0"), Decimal("0.1"), 5])


CUTS = st.sets(st.integers(1, 99), min_size=1, max_size=3)
KINDS = st.sampled_from(["mains", "cell"])
SOME_MODE = st.sampled_from(MODES)
SOME_UNIT = st.sampled_from(UNITS)
SMALL = st.integers(0, 3)


@st.composite
def truths(draw: Draw, traits: Traits) -> dict[str, Any]:
    """Draw a record that conforms."""
    cuts = sorted(draw(CUTS))
    shares = [high - low for low, high in zip([0, *cuts], [*cuts, 100], strict=True)]
    alike = len(traits.row_key) > 1 and draw(st.booleans())
    kind = draw(KINDS)
    mix = [
        {
            "name": "n" if alike else f"n{number}",
            "grade": number,
            "share": share,
            "code": f"C{number}",
            "tags": ["t"] * (1 + number % 2),
            "sub": {"x": draw(NUMBERS), "y": "deep"},
        }
        for number, share in enumerate(shares)
    ]
    inner = {"c": [1, 2], "0": "z", "": 4, "a/b": True, "~1": "t", "01": Decimal("1.50"), "x_1": 3}
    return {
        "id": "P-1",
        "maker": "M\u00f6",
        "model": "M",
        "rid": "R-0",
        "stamp": "2026",
        "mode": draw(SOME_MODE),
        "gauge": draw(NUMBERS),
        "extra": draw(SMALL),
        "label": "true",
        "uuid": "5f0d6f2e-3f3e-4b43-9c1e-2d6d6a1c9a11",
        "carbon": {"total": draw(NUMBERS), "unit": draw(SOME_UNIT), "scope": "s"},
        "power": {"kind": kind, "volts" if kind == "mains" else "hours": 12},
        "box": {"a": 1, "b": "b", "inner": inner},
        "limits": {"low": 1, "high": 1 + draw(SMALL)},
        "mix": mix,
        "parts": [{"sku": "A", "qty": 1, "hue": "red"}, {"sku": "B", "qty": 2, "hue": "blue"}],
        "ratios": [Decimal("0.5"), 1],
    }


@dataclass(frozen=True)
class Op:
    """One change to a record: what is done, where, and with which value."""

    kind: str
    where: int
    what: int

    def apply(self, value: dict[str, Any], *, spares: tuple[str, ...] = (), is_true: bool = False) -> None:
        """Change a record in place.

        Args:
            value: The record.
            spares: Members of the record that are mostly left alone.
            is_true: Whether what is left must be true: arrays without objects are left alone.
        """
        places = list(nodes(value))
        if not places:
            return
        place = places[self.where % len(places)]
        parent, child = at(value, place[:-1]), at(value, place)
        lists = [part for part in (parent, child) if isinstance(part, list)]
        is_spared = place[0] in spares and self.what % 4 != 1
        if not is_spared and not (is_true and not all(map(has_object, lists))):
            self._change(parent, int(place[-1]) if isinstance(parent, list) else place[-1], child)

    def _change(self, parent: Any, key: Any, child: Any) -> None:
        match self.kind:
            case "drop":
                del parent[key]
            case "junk":
                parent[key] = copied(JUNK[self.what % len(JUNK)])
            case "tweak":
                parent[key] = tweaked(child)
            case "respell" if isinstance(child, int | Decimal) and not isinstance(child, bool):
                parent[key] = Decimal(child) * Decimal("1.00")
            case "turn" if isinstance(child, list):
                parent[key] = child[::-1]
            case "twice" if isinstance(child, list) and child:
                child.append(copied(child[self.what % len(child)]))
            case "unknown" if isinstance(child, dict):
                child["zz"] = self.what


def ops(kinds: str, most: int) -> st.SearchStrategy[list[Op]]:
    """Return lists of changes of some kinds."""
    op = st.builds(Op, st.sampled_from(kinds.split()), st.integers(0, 200), st.integers(0, 60))
    return st.lists(op, max_size=most)


def tweaked(value: Any) -> Any:
    """Return another value of the same kind, valid wherever the first is in most places."""
    for names in (UNITS, MODES, ("red", "blue"), ("mains", "cell")):
        if value in names and not isinstance(value, list):
            return names[(names.index(value) + 1) % len(names)]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | Decimal):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list) and value:
        return [*copied(value), copied(value[-1])]
    return value


FEW_DAMAGES = ops("drop junk tweak twice turn unknown", 3)
MANY_DAMAGES = ops("drop junk junk tweak twice turn unknown", 9)
HONEST_CHANGES = ops("drop respell turn", 2)
WILD_CHANGES = ops("drop junk tweak turn twice unknown", 4)
UP_TO_SIX = st.integers(3, 6)
UP_TO_FOUR = st.integers(1, 4)
TWENTY = st.integers(0, 20)
ONE_OR_TWO = st.integers(1, 2)
RANKS = st.sampled_from([None, None, None, 1, 2])
OTHER_IDS = st.sampled_from(["P-2", "p-1", " P-1x", 1, "P-1\u200b"])
WEAK_MODELS = st.sampled_from(["M", "N", " M ", "m"])
WRONG_KINDS = st.sampled_from([True, None, "", {}])
BROKEN_VALUES = st.sampled_from([ABSENT, True, {}, [[]]])

#: Leaves about which two sources are made to disagree.
DISPUTED = (
    *(("gauge",), ("label",), ("carbon", "unit"), ("carbon", "total"), ("box", "a")),
    *(("limits", "high"), ("ratios",), ("mix", "0", "sub", "x"), ("box", "inner", "0"), ("mode",)),
)
SOME_DISPUTES = [st.lists(st.sampled_from(DISPUTED), min_size=least, max_size=3, unique=True) for least in (0, 1)]
#: Leaves and objects that every record needs and that a source that has them can mend.
MENDABLE = (
    *(("gauge",), ("label",), ("mode",), ("power",), ("box",), ("limits",), ("carbon",)),
    *(("limits", "high"), ("box", "inner", "c"), ("box", "inner"), ("mix", "0", "sub"), ("mix",)),
)
MENDABLE_PLACES = st.lists(st.sampled_from(MENDABLE), min_size=1, max_size=4, unique=True)
ROLES = st.sampled_from(["honest", "honest", "wild", "other", "text", "weak"])
FRIENDS = st.sampled_from(["honest", "honest", "wild"])


@st.composite
def worlds(draw: Draw) -> World:
    """Draw a world; most are hard."""
    traits = draw(TRAITS)
    truth = draw(truths(traits))
    record = copied(truth)
    record["rid"] = "R-1"
    for op in draw(FEW_DAMAGES):
        op.apply(record, spares=ROWS)
    joint = _break_shares(draw, record)
    for scene in draw(SOME_SCENES):
        scene(record)
    evidence = [_source(draw, truth, number) for number in range(draw(UP_TO_SIX))]
    _dispute(draw, record, evidence)
    if draw(TWENTY) > 16:
        _split_row(record, evidence)
    return World(traits, truth, record, evidence, joint)


@st.composite
def messes(draw: Draw) -> World:
    """Draw a world in which anything may be wrong anywhere."""
    traits = draw(TRAITS)
    truth = draw(truths(traits))
    record = copied(truth)
    record["rid"] = "R-1"
    for op in draw(MANY_DAMAGES):
        op.apply(record)
    evidence = [_source(draw, truth, number) for number in range(draw(UP_TO_FOUR))]
    for op in draw(MANY_DAMAGES):
        for item in evidence[:2]:
            if "content" in item:
                op.apply(item["content"])
    return World(traits, truth, record, evidence)


@st.composite
def honest_worlds(draw: Draw) -> World:
    """Draw a world in which every source tells the truth and some source knows each damaged leaf."""
    traits = draw(TRAITS)
    truth = draw(truths(traits))
    record = copied(truth)
    record["rid"] = "R-1"
    for place in draw(MENDABLE_PLACES):
        if isinstance(at(record, place[:-1]), dict):
            _damage(draw, record, place)
    _break_shares(draw, record, may_hide=False)
    whole = {"id": "s0", "content": {**copied(truth), "rid": "S-0"}}
    evidence = [whole]
    for number in range(1, draw(UP_TO_FOUR)):
        content = {**copied(truth), "rid": f"S-{number}"}
        for op in draw(HONEST_CHANGES):
            op.apply(content, is_true=True)
        if not isinstance(record.get("mix"), list):
            # Rows are copied whole, and only from sources that agree about all of them.
            content["mix"] = copied(truth["mix"])[:: draw(st.sampled_from([1, -1]))]
        evidence.append({"id": f"s{number}", "content": content})
    return World(traits, truth, record, evidence)


def _damage(draw: Draw, record: dict[str, Any], place: Tokens) -> None:
    parent = at(record, place[:-1])
    value = draw(BROKEN_VALUES)
    if value is ABSENT or (place == ROWS and value == [[]]):
        parent.pop(place[-1], None)
    else:
        parent[place[-1]] = copied(value)


def _hide_condition(record: dict[str, Any]) -> None:
    """Damage what a condition reads, and break what the condition asks for."""
    record["mode"] = None
    record["gauge"] = 7
    record.pop("extra", None)


def _hide_branch(record: dict[str, Any]) -> None:
    """Damage the member that chooses a branch, and take away what the branch asks for."""
    record["power"] = {"kind": "both"}


def _hide_sum(record: dict[str, Any]) -> None:
    """Take a share away, so that the sum, which is wrong, cannot be checked."""
    rows = record.get("mix")
    if isinstance(rows, list) and len(rows) > 1 and all(isinstance(row, dict) for row in rows):
        rows[0].pop("share", None)
        rows[-1]["share"] = 37


def _hide_comparison(record: dict[str, Any]) -> None:
    """Damage one side of a comparison, so that it cannot be made."""
    record["limits"] = {"low": 3, "high": "much"}


def _hide_members(record: dict[str, Any]) -> None:
    """Replace objects with members by what is none."""
    record["box"] = 5
    record.pop("carbon", None)


SCENES = (_hide_condition, _hide_branch, _hide_comparison, _hide_members)
SOME_SCENES = st.lists(st.sampled_from(SCENES), max_size=2, unique=True)

#: What is added to the first shares, so that the sum of all stays as it is.
CHANGES = (
    *((200, -200), (200, 300, -500), (300, -300), (-200, 200), (300, 200, -500), (500, -500)),
    *((200, -200), (-300, 300), (200, 300, -500), (), (-500, 500), (400, -400), (200, -200)),
)


def _break_shares(draw: Draw, record: dict[str, Any], *, may_hide: bool = True) -> tuple[Tokens, ...]:
    """Put shares out of range so that their sum stays, and return their places."""
    rows = record.get("mix")
    changes = CHANGES[draw(TWENTY) % len(CHANGES)]
    if not isinstance(rows, list) or len(rows) < 2 or not changes:
        if may_hide:
            _hide_sum(record)
        return ()
    if len(rows) < len(changes):
        changes = CHANGES[0]
    places = []
    for index, change in enumerate(changes):
        row = rows[index]
        share = row.get("share") if isinstance(row, dict) else None
        if isinstance(share, int) and not isinstance(share, bool):
            row["share"] = share + change
            places.append(("mix", str(index), "share"))
    return tuple(places)


def _source(draw: Draw, truth: dict[str, Any], number: int) -> dict[str, Any]:
    """Draw one source; the first three are about the same product."""
    content = copied(truth)
    # Now and then a source is an older copy of the record itself, which is no evidence for it.
    content["rid"] = "R-1" if number == 3 and draw(TWENTY) > 12 else f"S-{number}"
    role = draw(FRIENDS if number < 3 else ROLES)
    spares = ("mix", "id", "maker", "model", "rid") if number < 3 else ()
    for op in draw(HONEST_CHANGES if role == "honest" else WILD_CHANGES):
        op.apply(content, spares=spares)
    if role == "other":
        content["id"] = draw(OTHER_IDS)
    if role == "weak":
        content.pop("id", None)
        content["model"] = draw(WEAK_MODELS)
    item: dict[str, Any] = {"id": f"s{number}", "content": content}
    if role == "text":
        item = {"id": f"s{number}", "text": json.dumps({"id": "P-1", "gauge": 1})}
    rank = draw(RANKS)
    return item if rank is None else {**item, "rank": rank}


def _dispute(draw: Draw, record: dict[str, Any], evidence: list[dict[str, Any]]) -> None:
    """Damage some leaves of the record and let sources disagree about them."""
    for place in draw(SOME_DISPUTES[draw(TWENTY) != 5]):
        parent = at(record, place[:-1])
        if isinstance(parent, dict):
            parent[place[-1]] = draw(WRONG_KINDS)
        for number, item in enumerate(evidence[: draw(ONE_OR_TWO)]):
            theirs = at(item.get("content"), place)
            if theirs is not ABSENT:
                changed = tweaked(tweaked(theirs)) if number else tweaked(theirs)
                at(item["content"], place[:-1])[place[-1]] = changed
    if draw(TWENTY) > 2:
        for item in evidence:
            item.pop("rank", None)


def _split_row(record: dict[str, Any], evidence: list[dict[str, Any]]) -> None:
    """Damage two members of the last row; each is known to one of two sources, whose rows differ elsewhere."""
    for number, holder in enumerate([record, *(item.get("content", {}) for item in evidence)]):
        rows = at(holder, ROWS)
        row = rows[-1] if isinstance(rows, list) and rows else None
        if isinstance(row, dict) and number == 0:
            row.update(tags=[], sub=5)
        elif isinstance(row, dict):
            row.pop("tags" if number == 1 else "sub", None)
            if number == 1:
                row["code"] = "another"


def is_hard(world: World) -> bool:
    """Whether a world has three sources, a dispute, shares that only add up jointly, and rows."""
    return (
        len(world.same_product) >= 3
        and isinstance(world.record.get("mix"), list)
        and len(world.record["mix"]) >= 2
        and is_disputed(world)
        and has_joint_group(world)
    )


def is_disputed(world: World) -> bool:
    """Whether two sources about the product say different things about one damaged leaf."""
    broken = {v.path for v in world.profile.validate(world.record)}
    for path in broken:
        place = tuple(part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:])
        said = [counterpart(world, source, place) for source in world.same_product]
        said = [value for value in said if value is not ABSENT and value not in (None, "", [], {})]
        if any(not same(said[0], value) for value in said[1:]):
            return True
    return False


def has_joint_group(world: World) -> bool:
    """Whether shares are damaged that are in bounds together and in no smaller number."""
    rows = world.record.get("mix")
    if len(world.joint) < 2 or not isinstance(rows, list):
        return False
    shares = [at(world.record, ("mix", str(n), "share")) for n in range(len(rows))]
    if not all(isinstance(share, int | Decimal) for share in shares):
        return False
    better: dict[int, Any] = {}
    for place in world.joint:
        said = [counterpart(world, source, place) for source in world.same_product]
        said = [value for value in said if value is not ABSENT]
        if not said or not all(same(said[0], value) for value in said):
            return False
        better[int(place[1])] = said[0]
    if not all(isinstance(value, int | Decimal) for value in better.values()):
        return False
    low, high = world.traits.bounds
    sound = [
        mask
        for mask in range(1, 2 ** len(better))
        if low
        <= sum(
            better[n] if n in better and mask >> list(better).index(n) & 1 else share for n, share in enumerate(shares)
        )
        <= high
    ]
    return sound == [2 ** len(better) - 1]


def counterpart(world: World, source: Any, place: Tokens) -> Any:
    """Return what a source says about a place of the record: rows by their key."""
    found = counterpart_place(world, source, place)
    return ABSENT if found is None else at(source, found)


def counterpart_place(world: World, source: Any, place: Tokens) -> Tokens | None:
    """Return the place in a source that a place of the record stands for; None for rows without one."""
    if place[:1] != ROWS or len(place) < 2:
        return place
    key = world.traits.row_key
    row, theirs = at(world.record, place[:2]), at(source, ROWS)
    if not isinstance(row, dict) or not isinstance(theirs, list):
        return None
    wanted = [at(row, (name,)) for name in key]
    for index, other in enumerate(theirs):
        values = [at(other, (name,)) for name in key]
        if all(v is not ABSENT and same(v, w) for v, w in zip(values, wanted, strict=True)):
            return ("mix", str(index), *place[2:])
    return None


def differences(truth: Any, value: Any, place: Tokens = ()) -> list[str]:
    """Return where a value differs from the true one."""
    if isinstance(truth, dict) and isinstance(value, dict):
        names = dict.fromkeys([*truth, *value])
        pairs = [(name, truth.get(name, ABSENT), value.get(name, ABSENT)) for name in names]
    elif isinstance(truth, list) and isinstance(value, list) and len(truth) == len(value):
        pairs = [(str(n), a, b) for n, (a, b) in enumerate(zip(truth, value, strict=True))]
    elif spelled(truth) == spelled(value):
        return []
    else:
        return [f"{pointer_of(place)}: {'nothing' if value is ABSENT else value}"]
    return [line for name, a, b in pairs for line in differences(a, b, (*place, name))]
