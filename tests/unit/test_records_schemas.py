"""Schemas: which references reach what, in every draft, and that nothing is fetched."""

import http.server
import threading

import pytest

from veracord import ConfigurationError
from veracord.records.schemas import Schema, SchemaFile

DRAFTS = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    19: "https://json-schema.org/draft/2019-09/schema",
    20: "https://json-schema.org/draft/2020-12/schema",
}
TEXT = {"type": "string"}


def schema_of(main, **others):
    """Compile a schema with others beside it, by file name."""
    files = [SchemaFile("main.json", main, "main.json")]
    return Schema([*files, *(SchemaFile(f"{n}.json", c, f"{n}.json") for n, c in others.items())])


def refers(reference, draft=20, **extra):
    return {"$schema": DRAFTS[draft], "properties": {"a": {"$ref": reference}}, **extra}


def holds_text(schema):
    """Whether a schema takes a text and no number at /a."""
    return schema.is_valid({"a": "x"}) and not schema.is_valid({"a": 1})


@pytest.mark.parametrize(("draft", "uri"), DRAFTS.items())
def test_the_draft_is_the_one_that_the_schema_names(draft, uri):
    assert schema_of({"$schema": uri}).draft == draft


def test_a_schema_that_names_no_draft_is_read_as_the_newest():
    assert schema_of({"type": "object"}).draft == 20
    assert schema_of(True).is_valid({})
    assert not schema_of(False).is_valid({})


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("table", ["definitions", "$defs"])
def test_a_reference_inside_the_file(draft, table):
    assert holds_text(schema_of(refers(f"#/{table}/t", draft, **{table: {"t": TEXT}})))


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize(
    ("name", "written"),
    [("a/b", "a~1b"), ("m~n", "m~0n"), ("c%d", "c%25d"), ("x y", "x%20y"), ("ü", "%C3%BC"), ("", "")],
)
def test_a_reference_is_escaped_as_a_pointer_and_as_an_address(draft, name, written):
    assert holds_text(schema_of(refers(f"#/definitions/{written}", draft, definitions={name: TEXT})))


@pytest.mark.parametrize("draft", DRAFTS)
def test_a_reference_to_another_file_by_its_name(draft):
    other = {"$schema": DRAFTS[draft], **TEXT}
    assert holds_text(schema_of(refers("other.json", draft), other=other))
    assert holds_text(schema_of(refers("other.json#", draft), other=other))
    deep = {"$schema": DRAFTS[draft], "definitions": {"t": TEXT}}
    assert holds_text(schema_of(refers("other.json#/definitions/t", draft), other=deep))


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("address", ["http://example.org/schemas/t.json", "urn:example:t"])
def test_a_reference_to_another_file_by_the_address_it_gives_itself(draft, address):
    word = "id" if draft == 4 else "$id"
    other = {"$schema": DRAFTS[draft], word: address, **TEXT}
    assert holds_text(schema_of(refers(address, draft), other=other))
    assert holds_text(schema_of(refers("other.json", draft), other=other))


@pytest.mark.parametrize("draft", DRAFTS)
def test_a_reference_is_relative_to_the_address_of_its_file(draft):
    word = "id" if draft == 4 else "$id"
    main = refers("sub/t.json", draft, **{word: "http://example.org/schemas/main.json"})
    other = {"$schema": DRAFTS[draft], word: "http://example.org/schemas/sub/t.json", **TEXT}
    assert holds_text(schema_of(main, other=other))


@pytest.mark.parametrize("draft", DRAFTS)
def test_a_file_without_an_address_lies_beside_the_main_one(draft):
    word = "id" if draft == 4 else "$id"
    main = refers("other.json", draft, **{word: "http://example.org/schemas/main.json"})
    assert holds_text(schema_of(main, other={"$schema": DRAFTS[draft], **TEXT}))


@pytest.mark.parametrize("draft", DRAFTS)
def test_references_go_from_file_to_file_and_back(draft):
    schema = {"$schema": DRAFTS[draft]}
    one = {**schema, "properties": {"next": {"$ref": "other.json"}, "a": TEXT}}
    two = {**schema, "properties": {"next": {"$ref": "main.json"}, "b": TEXT}}
    compiled = schema_of(one, other=two)
    assert compiled.is_valid({"a": "x", "next": {"b": "y", "next": {"a": "z"}}})
    assert not compiled.is_valid({"a": "x", "next": {"b": "y", "next": {"a": 1}}})
    assert not compiled.is_valid({"a": "x", "next": {"b": 1}})


@pytest.mark.parametrize(
    ("draft", "anchor"),
    [(4, {"id": "#t"}), (6, {"$id": "#t"}), (7, {"$id": "#t"}), (19, {"$anchor": "t"}), (20, {"$anchor": "t"})],
)
def test_a_reference_to_a_named_place(draft, anchor):
    assert holds_text(schema_of(refers("#t", draft, definitions={"x": {**anchor, **TEXT}})))


@pytest.mark.parametrize("draft", DRAFTS)
def test_an_address_inside_a_file_moves_the_base(draft):
    word = "id" if draft == 4 else "$id"
    inner = {
        word: "http://example.org/inner.json",
        "properties": {"a": {"$ref": "#/definitions/t"}},
        "definitions": {"t": TEXT},
    }
    outer = {
        "$schema": DRAFTS[draft],
        word: "http://example.org/outer.json",
        "properties": {"in": inner},
        "definitions": {"t": {"type": "integer"}},
    }
    schema = schema_of(outer)
    assert holds_text(schema) is False
    assert schema.is_valid({"in": {"a": "x"}})
    assert not schema.is_valid({"in": {"a": 1}})


@pytest.mark.parametrize("draft", [4, 6, 7])
def test_up_to_draft_7_a_reference_hides_what_stands_beside_it(draft):
    main = {
        "$schema": DRAFTS[draft],
        "properties": {"a": {"$ref": "#/definitions/t", "maxLength": 1}},
        "definitions": {"t": TEXT},
    }
    assert schema_of(main).is_valid({"a": "long"})


@pytest.mark.parametrize("draft", [19, 20])
def test_from_2019_on_a_reference_stands_beside_other_keywords(draft):
    main = {
        "$schema": DRAFTS[draft],
        "properties": {"a": {"$ref": "#/$defs/t", "maxLength": 1}},
        "$defs": {"t": TEXT},
    }
    assert not schema_of(main).is_valid({"a": "long"})


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize(
    "reference",
    [
        *("absent.json", "http://example.org/absent.json", "https://example.org/a#/b", "urn:example:absent"),
        *("file:///etc/hostname", "other.json#/definitions/absent", "#/definitions/absent", "../other.json"),
    ],
)
def test_a_reference_to_what_is_not_given_is_refused(draft, reference):
    other = {"$schema": DRAFTS[draft], **TEXT}
    with pytest.raises(ConfigurationError) as refused:
        schema_of(refers(reference, draft), other=other)
    assert refused.value.where == "main.json"
    assert refused.value.remedy


def test_the_address_that_is_not_given_is_named():
    with pytest.raises(ConfigurationError, match=r"reference_outside.*absent\.json"):
        schema_of(refers("absent.json"))


@pytest.fixture
def asked():
    """Serve a schema on the loopback address, and tell which paths were asked for."""
    paths = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            paths.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"type": "string"}')

        def log_message(self, *args):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", paths
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("word", ["$ref", "$schema"])
def test_nothing_is_fetched(asked, draft, word):
    address, paths = asked
    schema = {"$schema": DRAFTS[draft], "properties": {"a": {word: f"{address}/s.json"}}}
    if word == "$schema":
        schema = {"$schema": f"{address}/draft.json"}
    with pytest.raises(ConfigurationError):
        schema_of(schema)
    assert paths == []


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize(
    "fault", [{"type": "thing"}, {"minLength": "1"}, {"required": "a"}, {"properties": []}, {"pattern": "("}]
)
def test_what_breaks_its_own_draft_is_refused(draft, fault):
    with pytest.raises(ConfigurationError) as refused:
        schema_of({"$schema": DRAFTS[draft], "properties": {"a": fault} if "properties" not in fault else []})
    assert refused.value.code == "invalid_schema"


def test_a_pattern_that_no_engine_compiles_is_refused():
    with pytest.raises(ConfigurationError):
        schema_of({"properties": {"a": {"pattern": r"^[\ud800-\udfff]$"}}})


@pytest.mark.parametrize("content", [[], "x", 1, None])
def test_a_schema_is_an_object_or_a_boolean(content):
    with pytest.raises(ConfigurationError, match="invalid_schema"):
        schema_of(content)


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date-time", "2026-01-31T10:00:00Z", "2026-01-31T10:00:00"),
        ("email", "a@example.org", "a@@example.org"),
        ("uri", "https://example.org/a", "no address"),
        ("ipv4", "127.0.0.1", "127.0.0.256"),
        ("date", "2024-02-29", "2024-02-30"),
    ],
)
def test_formats_are_checked_in_every_draft(draft, name, good, bad):
    schema = schema_of({"$schema": DRAFTS[draft], "properties": {"a": {"format": name}}})
    assert schema.is_valid({"a": good})
    assert not schema.is_valid({"a": bad})
    assert schema.is_valid({"a": 1})


def test_an_unknown_format_asks_for_nothing():
    assert schema_of({"properties": {"a": {"format": "float"}}}).is_valid({"a": "x"})


def test_a_subschema_is_compiled_with_its_references():
    main = refers("other.json#/$defs/t", **{"$defs": {"mine": {"$ref": "other.json#/$defs/t"}}})
    schema = schema_of(main, other={"$defs": {"t": {"$ref": "#/$defs/u"}, "u": TEXT}})
    node = schema.subschema(schema.root, schema.content["properties"]["a"])
    compiled = schema.compile(node)
    assert compiled.is_valid("x")
    assert not compiled.is_valid(1)
    followed = schema.follow(node, "other.json#/$defs/t")
    assert schema.compile(followed).is_valid("x")
    assert not schema.compile(followed).is_valid(1)
    assert schema.follow(node, "other.json#/$defs/absent") is None
    assert schema.follow(node, "absent.json") is None
    assert [found.content for found in schema.references(node)] == [{"$ref": "#/$defs/u"}]


@pytest.mark.parametrize("draft", DRAFTS)
def test_a_subschema_keeps_its_draft_when_it_is_compiled_alone(draft):
    main = {"$schema": DRAFTS[draft], "properties": {"a": {"exclusiveMinimum": True, "minimum": 1}}}
    if draft != 4:
        main["properties"]["a"] = {"exclusiveMinimum": 1}
    schema = schema_of(main)
    compiled = schema.compile(schema.subschema(schema.root, main["properties"]["a"]))
    assert compiled.is_valid(2)
    assert not compiled.is_valid(1)


def test_a_name_is_matched_by_the_rules_of_the_validator():
    schema = schema_of({})
    assert schema.name_matches("^x_", "x_1")
    assert not schema.name_matches("^x_", "ax_")
    assert schema.name_matches("b", "abc")
    assert not schema.name_matches("^a$", "a\n")
    assert not schema.name_matches(r"^\d$", "١")
    assert schema.name_matches(r"^\p{L}$", "ü")


def test_two_files_with_one_address_are_refused_if_they_differ():
    same = {"$id": "urn:example:t", **TEXT}
    assert holds_text(schema_of(refers("urn:example:t"), one=same, two=dict(same)))
    with pytest.raises(ConfigurationError):
        schema_of(refers("urn:example:t"), one=same, two={**same, "type": "integer"})


def test_what_a_schema_shows_is_gathered_from_all_files():
    main = refers("other.json", pattern="^m$")
    other = {"example": "shown", "items": {"examples": ["a", ["b", {"c": "d"}], 1]}, "default": "not"}
    assert schema_of(main, other=other).shown_texts == {"^m$", "shown", "a", "b", "d"}
