"""Profiles: every table and field that there is not, every value that cannot be meant, and what is kept."""

import json

import pytest

from veracord import ConfigurationError, Profile
from veracord.records.pointers import join
from veracord.records.profiles import bundled_profiles, matches

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "properties": {
        "id": {"type": "string"},
        "maker": {"type": "string"},
        "model": {"type": "string"},
        "record_no": {"type": "string"},
        "level": {"enum": ["model", "batch", "item"]},
        "o": {"properties": {"k": {"type": "number"}, "0": {"type": "string"}, "*": {}}},
        "mix": {
            "type": "array",
            "items": {
                "properties": {
                    "name": {"type": "string"},
                    "share": {"type": "number"},
                    "code": {"type": "string"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "parts": {"type": "array", "items": {"properties": {"k": {}, "n": {}}}},
                }
            },
        },
    },
}
HEAD = {"name": "t", "version": "1", "schema": "s.json"}

#: One profile that uses every table and field.
WHOLE = """
name = "t"
version = "1"
schema = "s.json"
description = "all of it"

[identity]
keys = [["/id"], { members = ["/record_no"], kind = "gtin" }, ["/maker", "/model"]]
level = "/level"
default_level = "model"

[administrative]
record_id = "/record_no"
never_filled = ["/o/k"]
never_suggested = ["/o/0"]

[[rows]]
at = "/mix"
key = ["/name", "/code"]

[[rows]]
at = "/mix/*/parts"
key = ["/k"]

[[context]]
value = "/mix/*/share"
agrees = ["/mix/*/name", "/o/k"]

[[levels]]
level = "item"
values = ["/o", "/mix"]

[[rules]]
kind = "sum"
over = "/mix/*/share"
min = 99.5
max = 1e2

[[rules]]
kind = "compare"
left = "/mix/*/share"
op = "<="
right = "/o/k"

[[rules]]
kind = "compare"
left = "/o/k"
op = ">"
right = 0.10

[[rules]]
kind = "unique"
over = "/mix/*/code"
"""


@pytest.fixture
def load(tmp_path):
    """Write a profile beside its schema and load it."""

    def make(text, schema=SCHEMA):
        (tmp_path / "s.json").write_text(json.dumps(schema), "utf-8")
        path = tmp_path / "t.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Profile.load(path)

    return make


def refused(load, text):
    with pytest.raises(ConfigurationError) as error:
        load(text)
    assert "t.toml" in error.value.where
    assert "\n" not in str(error.value)
    assert error.value.remedy
    return error.value


def with_head(text, **head):
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in {**HEAD, **head}.items()) + text


def test_everything_that_a_profile_may_say(load):
    profile = load(WHOLE)
    assert (profile.name, profile.version, profile.label) == ("t", "1", "t@1")
    assert profile.description == "all of it"
    assert [[join(m.tokens) for m in key] for key in profile.identity.keys] == [
        ["/id"],
        ["/record_no"],
        ["/maker", "/model"],
    ]
    assert [m.is_gtin for key in profile.identity.keys for m in key] == [False, True, False, False]
    assert profile.identity.level == ("level",)
    assert profile.identity.default_level == "model"
    assert profile.identity.record_id == ("record_no",)
    assert sorted(map(join, profile.never_filled)) == ["/o/k", "/record_no"]
    assert sorted(map(join, profile.never_suggested)) == [*("/id", "/maker", "/model", "/o/0", "/o/k", "/record_no")]
    assert profile.row_key(("mix",)) == (("name",), ("code",))
    assert profile.row_key(("mix", "7", "parts")) == (("k",),)
    assert profile.row_key(("mix", "7", "tags")) is None
    assert profile.row_key(("o",)) is None
    assert profile.context == {("mix", "*", "share"): (("mix", "*", "name"), ("o", "k"))}
    assert [str(rule.minimum) for rule in profile.rules[:1]] == ["99.5"]
    assert [type(rule).__name__ for rule in profile.rules] == [*("SumRule", "CompareRule", "CompareRule", "UniqueRule")]


# ---- unknown tables and fields -------------------------------------------------------------------

TABLES = {
    "": HEAD,
    "identity": {"keys": [["/id"]]},
    "administrative": {"record_id": "/record_no"},
    "rows": {"at": "/mix", "key": ["/name"]},
    "context": {"value": "/o/k", "agrees": ["/id"]},
    "levels": {"level": "item", "values": ["/o"]},
    "rules sum": {"kind": "sum", "over": "/mix/*/share", "min": 1},
    "rules compare": {"kind": "compare", "left": "/o/k", "op": "<", "right": 1},
    "rules unique": {"kind": "unique", "over": "/mix/*/code"},
}
LISTS = ("rows", "context", "levels", "rules")


def table_text(name, fields):
    header = name.split()[0] if name else ""
    lines = "".join(f"{field} = {json.dumps(value)}\n" for field, value in fields.items())
    if not name:
        return lines
    header = f"[[{header}]]" if header in LISTS else f"[{header}]"
    level = '[identity]\nlevel = "/level"\n' if name == "levels" else ""
    return with_head(f"{level}{header}\n{lines}")


@pytest.mark.parametrize("table", TABLES)
def test_each_table_alone_is_accepted(load, table):
    assert load(table_text(table, TABLES[table])).name == "t"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ["x", "Name", "keys ", "", "minimum", "comment"])
def test_an_unknown_field_is_refused_by_name(load, table, name):
    error = refused(load, table_text(table, TABLES[table]) + f"{json.dumps(name)} = 1\n")
    full = f"{table.split()[0]}.{name}" if table else name
    assert error.what == f"unknown field {full}"
    assert error.code == "invalid_profile"
    assert "known:" in error.remedy


@pytest.mark.parametrize("table", ["row", "rule", "Identity", "level", "admin", "meta"])
@pytest.mark.parametrize("header", ["[{}]", "[[{}]]"])
def test_an_unknown_table_is_refused_by_name(load, table, header):
    assert refused(load, with_head(f"{header.format(table)}\nx = 1\n")).what == f"unknown field {table}"


def test_an_unknown_field_of_a_key_is_refused(load):
    text = with_head('[identity]\nkeys = [{ members = ["/id"], kinds = "gtin" }]\n')
    assert refused(load, text).what == "unknown field identity.keys.kinds"


@pytest.mark.parametrize(
    ("kind", "field"),
    [("sum", "left"), ("sum", "right"), ("compare", "over"), ("compare", "min"), ("unique", "max"), ("unique", "op")],
)
def test_a_field_of_another_kind_of_rule_is_unknown(load, kind, field):
    text = table_text(f"rules {kind}", TABLES[f"rules {kind}"]) + f"{field} = 1\n"
    assert refused(load, text).what == f"unknown field rules.{field}"


# ---- fields that are missing, or of the wrong kind -----------------------------------------------


@pytest.mark.parametrize("name", HEAD)
@pytest.mark.parametrize("value", [..., "", 1, True, [], [1], {}])
def test_name_version_and_schema_are_texts(load, name, value):
    head = {field: given for field, given in HEAD.items() if field != name}
    if value is not ...:
        head[name] = value
    lines = [f"{field} = {_toml(given)}" for field, given in head.items()]
    assert refused(load, "\n".join(lines)).code == "invalid_profile"


def _toml(value):
    return "{}" if value == {} else json.dumps(value)


@pytest.mark.parametrize(
    ("table", "field", "value"),
    [
        *(("identity", "keys", value) for value in ([[]], [[1]], ["no"], [["/id", 1]], [[["/id"]]], "/id", 1)),
        *(("identity", "level", value) for value in ("", "level", 1, ["/level"])),
        *(("identity", "default_level", value) for value in ("Model", "serial", 1)),
        *(("administrative", "record_id", value) for value in ("", "record_no", 1, ["/record_no"])),
        *(("administrative", "never_filled", value) for value in ([""], ["id"], [1], 1, "")),
        *(("administrative", "never_suggested", value) for value in ([""], ["id"], ["/~2"], 1)),
        *(("rows", "at", value) for value in (..., "", "mix", 1, ["/mix"])),
        *(("rows", "key", value) for value in (..., [], [""], ["name"], [1], 1)),
        *(("context", "value", value) for value in (..., "", "o", 1)),
        *(("context", "agrees", value) for value in (..., [], [""], ["id"], ["/o/k"], 1)),
        *(("levels", "level", value) for value in (..., "", "Item", 1)),
        *(("levels", "values", value) for value in ([""], ["o"], 1)),
        *(("rules sum", "kind", value) for value in (..., "", "total", 1)),
        *(("rules sum", "over", value) for value in (..., "", "mix", "/o/k", 1)),
        *(("rules sum", "min", value) for value in (..., "1", True, [1])),
        *(("rules sum", "max", value) for value in ("1", False, [1])),
        *(("rules compare", "left", value) for value in (..., "", "o", 1)),
        *(("rules compare", "op", value) for value in (..., "", "=", "=<", "<>", "lt", 1)),
        *(("rules compare", "right", value) for value in (..., "", "o", True, [1], "/mix/*/share")),
        *(("rules unique", "over", value) for value in (..., "/o/k", "/mix", 1)),
    ],
)
def test_a_field_that_is_missing_or_wrong_is_refused(load, table, field, value):
    fields = {name: given for name, given in TABLES[table].items() if name != field}
    if value is not ...:
        fields[field] = value
    assert refused(load, table_text(table, fields)).code == "invalid_profile"


@pytest.mark.parametrize("value", ["false", "0", '""', "[]", '"x"', "1"])
@pytest.mark.parametrize("table", ["identity", "administrative"])
def test_a_table_that_is_none_is_refused(load, table, value):
    assert refused(load, with_head(f"{table} = {value}\n")).code == "invalid_profile"


@pytest.mark.parametrize("value", ["false", "0", '""', "{}", '"x"', "1", "[1]", '["x"]'])
@pytest.mark.parametrize("table", LISTS)
def test_a_list_of_tables_that_is_none_is_refused(load, table, value):
    assert refused(load, with_head(f"{table} = {value}\n")).code == "invalid_profile"


@pytest.mark.parametrize("value", ["false", "0", '""', "{}"])
def test_keys_that_are_no_list_are_refused(load, value):
    assert refused(load, with_head(f"[identity]\nkeys = {value}\n")).code == "invalid_profile"


@pytest.mark.parametrize("value", ["nan", "inf", "1979-05-27", "07:32:00"])
def test_a_value_that_json_does_not_have_is_refused(load, value):
    refused(load, with_head(f'[[rules]]\nkind = "sum"\nover = "/mix/*/share"\nmin = {value}\n'))


@pytest.mark.parametrize("text", ["name = ", "[identity", "name = 'a'\nname = 'b'", b"name = '\xff'", b"\xff\xfe\x00"])
def test_what_is_no_toml_is_refused(load, text):
    assert refused(load, text).code == "invalid_toml"


# ---- names that the schema does not know ---------------------------------------------------------

UNKNOWN = ["/absent", "/id/x", "/o/absent", "/mix/name", "/mix/*/absent", "/mix/*/name/x", "/ID", "/*", "/o/*/k"]


@pytest.mark.parametrize("pointer", UNKNOWN)
@pytest.mark.parametrize(
    "text",
    [
        "[identity]\nkeys = [[{}]]",
        "[identity]\nkeys = [{{ members = [{}], kind = 'gtin' }}]",
        "[identity]\nlevel = {}",
        "[administrative]\nrecord_id = {}",
        "[administrative]\nnever_filled = [{}]",
        "[administrative]\nnever_suggested = [{}]",
        "[[rows]]\nat = {}\nkey = ['/k']",
        "[[context]]\nvalue = {}\nagrees = ['/id']",
        "[[context]]\nvalue = '/mix/*/share'\nagrees = [{}]",
        "[identity]\nlevel = '/level'\n[[levels]]\nlevel = 'item'\nvalues = [{}]",
        "[[rules]]\nkind = 'compare'\nleft = {}\nop = '<'\nright = 1",
        "[[rules]]\nkind = 'compare'\nleft = '/mix/*/share'\nop = '<'\nright = {}",
    ],
)
def test_a_place_that_the_schema_does_not_know_is_refused(load, text, pointer):
    error = refused(load, with_head(text.format(json.dumps(pointer))))
    assert error.code == "invalid_profile"


@pytest.mark.parametrize("pointer", ["/mix/*/absent", "/absent/*", "/o/*", "/mix/*/*", "/mix/*/tags/*/x"])
@pytest.mark.parametrize("kind", ["sum", "unique"])
def test_a_rule_over_what_the_schema_does_not_know_is_refused(load, kind, pointer):
    text = f"[[rules]]\nkind = '{kind}'\nover = '{pointer}'\n" + ("min = 1\n" if kind == "sum" else "")
    assert "the schema does not know" in refused(load, with_head(text)).what


@pytest.mark.parametrize("pointer", ["/absent", "/name/x", "/*"])
def test_a_row_key_that_the_schema_does_not_know_is_refused(load, pointer):
    text = f"[[rows]]\nat = '/mix'\nkey = ['/name', '{pointer}']"
    assert "the schema does not know" in refused(load, with_head(text)).what


# ---- keys and places that can never match --------------------------------------------------------


@pytest.mark.parametrize("pointer", ["/mix/0/name", "/mix/*/name", "/mix/17/tags/0"])
def test_an_identity_member_inside_an_array_is_refused(load, pointer):
    assert "array" in refused(load, with_head(f"[identity]\nkeys = [['/maker', '{pointer}']]")).what


def test_an_identity_member_may_be_named_like_an_index(load):
    profile = load(with_head("[identity]\nkeys = [['/o/0']]"))
    assert profile.identity.all_members[0].tokens == ("o", "0")


@pytest.mark.parametrize("keys", ["[['/id'], ['/id']]", "[['/maker', '/model'], ['/model', '/maker']]"])
def test_a_key_that_repeats_an_earlier_one_is_refused(load, keys):
    assert "never decide" in refused(load, with_head(f"[identity]\nkeys = {keys}")).what


def test_a_key_that_names_a_member_twice_is_refused(load):
    assert "twice" in refused(load, with_head("[identity]\nkeys = [['/id', '/id']]")).what


def test_a_key_that_contains_an_earlier_one_is_kept(load):
    assert len(load(with_head("[identity]\nkeys = [['/id'], ['/id', '/maker'], ['/maker']]")).identity.keys) == 3


@pytest.mark.parametrize("pointer", ["/mix/*/code", "/mix/0/code"])
@pytest.mark.parametrize("text", ["[administrative]\nrecord_id = '{}'", "[identity]\nlevel = '{}'"])
def test_a_single_member_inside_an_array_is_refused(load, text, pointer):
    refused(load, with_head(text.format(pointer)))


def test_a_star_in_what_is_never_filled_protects_every_row_or_is_refused(load):
    try:
        profile = load(with_head("[administrative]\nnever_filled = ['/mix/*/code', '/mix/*/parts']"))
    except ConfigurationError:
        return
    for place in (("mix", "0", "code"), ("mix", "31", "code"), ("mix", "0", "parts", "1", "k")):
        assert profile.is_never_filled(place)
    assert not profile.is_never_filled(("mix", "0", "name"))


def test_a_star_in_a_level_declares_every_row_or_is_refused(load):
    text = "[identity]\nlevel = '/level'\n[[levels]]\nlevel = 'model'\nvalues = ['/mix/*/code']"
    try:
        profile = load(with_head(text))
    except ConfigurationError:
        return
    assert profile.identity.declared_level(("mix", "3", "code")) == "model"


@pytest.mark.parametrize("key", ["['/tags/*']", "['/name', '/parts/*/k']", "['/name', '/name']"])
def test_a_row_key_that_can_never_match_is_refused(load, key):
    refused(load, with_head(f"[[rows]]\nat = '/mix'\nkey = {key}"))


@pytest.mark.parametrize(
    "text",
    [
        "[[rows]]\nat = '/mix'\nkey = ['/name']\n[[rows]]\nat = '/mix'\nkey = ['/code']",
        "[[context]]\nvalue = '/o/k'\nagrees = ['/id']\n[[context]]\nvalue = '/o/k'\nagrees = ['/maker']",
        "[[context]]\nvalue = '/o/k'\nagrees = ['/id']\n[[context]]\nvalue = '/id'\nagrees = ['/o/k']",
        (
            "[[context]]\nvalue = '/id'\nagrees = ['/maker']\n[[context]]\nvalue = '/maker'\nagrees = ['/model']\n"
            "[[context]]\nvalue = '/model'\nagrees = ['/id']"
        ),
        "[[context]]\nvalue = '/o'\nagrees = ['/o/k']",
        "[identity]\nkeys = ['/maker', '/model']",
        "[[rules]]\nkind = 'sum'\nover = '/mix/*/share'\nmin = 105\nmax = 95",
        "[[context]]\nvalue = '/o/k'\nagrees = ['/o']",
        "[[context]]\nvalue = '/id'\nagrees = ['/mix/*/name']",
        (
            "[identity]\nlevel = '/level'\n[[levels]]\nlevel = 'item'\nvalues = ['/o']\n"
            "[[levels]]\nlevel = 'model'\nvalues = ['/o']"
        ),
        "[[levels]]\nlevel = 'item'\nvalues = ['/o']",
        "[identity]\ndefault_level = 'item'",
        "[identity]\nkeys = [{ members = ['/id', '/maker'], kind = 'gtin' }]",
        "[identity]\nkeys = [{ members = ['/id'], kind = 'ean' }]",
    ],
)
def test_declarations_that_contradict_each_other_are_refused(load, text):
    assert refused(load, with_head(text)).code == "invalid_profile"


# ---- loading -------------------------------------------------------------------------------------


def test_an_unknown_profile_names_the_bundled_ones():
    with pytest.raises(ConfigurationError, match="unknown_profile") as error:
        Profile.load("no-such-profile")
    assert all(name in error.value.remedy for name in bundled_profiles())


@pytest.mark.parametrize("name", bundled_profiles())
def test_every_bundled_profile_loads(name):
    assert Profile.load(name).name == name


def test_files_that_are_not_there(load, tmp_path):
    with pytest.raises(ConfigurationError, match="unreadable_file"):
        Profile.load(tmp_path / "absent.toml")
    with pytest.raises(ConfigurationError, match=r"unreadable_file.*gone\.json"):
        load(with_head("", schema="gone.json"))
    with pytest.raises(ConfigurationError, match="unreadable_file"):
        Profile.from_schema([tmp_path / "gone.json"])


@pytest.mark.parametrize("data", [b"{", b'{"a": 1, "a": 2}', b'{"minimum": NaN}', b"\xff", b"// x\n{}", b"{} {}", b""])
def test_a_schema_file_is_read_strictly(load, tmp_path, data):
    load(WHOLE)
    (tmp_path / "s.json").write_bytes(data)
    with pytest.raises(ConfigurationError, match=r"s\.json"):
        Profile.load(tmp_path / "t.toml")
    with pytest.raises(ConfigurationError, match=r"s\.json"):
        Profile.from_schema([tmp_path / "s.json"])


def test_a_schema_file_that_is_too_large(tmp_path):
    (tmp_path / "s.json").write_text('{"description": "' + "x" * 100 + '"}', "utf-8")
    assert Profile.from_schema([tmp_path / "s.json"], max_bytes=1000)
    with pytest.raises(ConfigurationError, match="too_large"):
        Profile.from_schema([tmp_path / "s.json"], max_bytes=50)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_files_are_read_by_their_byte_order_mark(tmp_path, encoding):
    (tmp_path / "s.json").write_text(json.dumps(SCHEMA), encoding)
    (tmp_path / "t.toml").write_text(WHOLE.replace("all of it", "größer"), encoding)
    assert Profile.load(tmp_path / "t.toml").description == "größer"


def test_digests_tell_profiles_and_schemas_apart(load):
    first = load(WHOLE)
    again = load(WHOLE.replace('name = "t"', '# a remark\nname   =  "t"'))
    assert first.digest == again.digest
    assert first.schema_digest == load(WHOLE, dict(reversed(SCHEMA.items()))).schema_digest
    other = load(WHOLE.replace("99.5", "99.6"))
    assert other.digest != first.digest
    assert other.schema_digest == first.schema_digest
    changed = load(WHOLE, {**SCHEMA, "title": "x"})
    assert changed.schema_digest != first.schema_digest
    assert changed.digest == first.digest


def test_a_bare_schema_makes_a_profile(tmp_path):
    (tmp_path / "thing.schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    bare = Profile.from_schema([tmp_path / "thing.schema.json"])
    assert bare.label == "thing@0"
    assert bare.identity.keys == ()
    keyed = Profile.from_schema([tmp_path / "thing.schema.json"], [["/id"], ["/maker", "/model"]])
    assert [len(key) for key in keyed.identity.keys] == [1, 2]
    assert keyed.digest != bare.digest
    with pytest.raises(ConfigurationError, match="does not know"):
        Profile.from_schema([tmp_path / "thing.schema.json"], [["/absent"]])
    with pytest.raises(ConfigurationError, match="invalid_profile"):
        Profile.from_schema([tmp_path / "thing.schema.json"], [["id"]])


def test_keys_are_added_behind_those_of_the_profile(load):
    profile = load(with_head("[identity]\nkeys = [['/id']]"))
    more = profile.with_identity([["/maker", "/model"]])
    assert [[join(m.tokens) for m in key] for key in more.identity.keys] == [["/id"], ["/maker", "/model"]]
    assert {("maker",), ("model",)} <= set(more.never_suggested)
    assert more.digest != profile.digest
    assert len(profile.identity.keys) == 1
    for keys in ([["/absent"]], [["/id"]], [["/mix/0/name"]], [[]]):
        with pytest.raises(ConfigurationError):
            profile.with_identity(keys)


def test_rows_violate_and_rules_are_found_together(load):
    profile = load(WHOLE)
    record = {"id": 1, "o": {"k": 0}, "mix": [{"share": 60, "code": "a"}, {"share": 60, "code": "a"}]}
    assert [(v.path, v.rule) for v in profile.validate(record)] == [
        *(("", "compare"), ("/id", "type"), ("/mix", "sum"), ("/mix", "unique"), ("/o", "compare"))
    ]
    assert not profile.conforms(record)
    assert profile.conforms({"mix": [{"share": 100, "code": "a"}], "o": {"k": 100}})
    assert not profile.conforms({"mix": [{"share": 50}], "o": {"k": 100}})


@pytest.mark.parametrize(
    ("place", "pattern", "fits"),
    [
        *((("a", "0"), ("a", "*"), True), (("a",), ("a", "*"), False), (("a", "0", "b"), ("a", "*"), False)),
        *((("a", "x"), ("a", "*"), True), ((), (), True), (("b", "0"), ("a", "*"), False)),
    ],
)
def test_a_pattern_stands_for_places_of_its_length(place, pattern, fits):
    assert matches(place, pattern) is fits
