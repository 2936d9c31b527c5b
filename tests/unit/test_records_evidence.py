"""Evidence: what files and items become, how they are named, and the reference that resolves to the very bytes."""

import hashlib
import json
from decimal import Decimal

import pytest

from veracord import EvidencePack, InputError
from veracord.records.values import canonical


def sha(data):
    return f"sha256:{hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()}"


@pytest.fixture
def folder(tmp_path):
    """Write files by name and return their folder."""

    def make(**files):
        for name, data in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return tmp_path

    return make


def read(folder, *names):
    return EvidencePack.from_paths([folder / name for name in names] or [folder])


def refused(act, code):
    with pytest.raises(InputError) as error:
        act()
    assert error.value.code == code
    assert "\n" not in str(error.value)
    return error.value


# ---- files ---------------------------------------------------------------------------------------


def test_a_record_in_a_file(folder):
    text = '{ "id": "P",\n "n": 1.50 }\n'
    [item] = read(folder(**{"maker.json": text}), "maker.json").items
    assert item.id == "maker"
    assert item.structured == {"id": "P", "n": Decimal("1.50")}
    assert item.evidence_ref == sha(text)
    assert item.text is None
    assert item.rank is None
    assert item.where.endswith("maker.json")


def test_the_reference_is_of_the_bytes_that_were_received(folder):
    text = '{"id": "P"}'
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        data = text.encode(encoding)
        [item] = read(folder(**{"a.json": data}), "a.json").items
        assert item.evidence_ref == sha(data)
        assert item.content == {"id": "P"}


def test_records_in_a_list_are_numbered_and_named_by_their_canonical_form(folder):
    pack = read(folder(**{"many.json": '[{"b": 1.0, "a": 2}, {"a": 3}]'}))
    assert [item.id for item in pack.items] == ["many#0", "many#1"]
    assert pack.items[0].evidence_ref == sha('{"a":2,"b":1}')
    assert pack.items[1].where.endswith("many.json /1")


def test_items_in_a_file(folder):
    items = [{"id": "x", "content": {"a": 1}, "rank": 2}, {"id": "t", "text": "words", "source_ref": {"page": 3}}]
    pack = read(folder(**{"pack.json": json.dumps({"evidence": items})}))
    words, record = pack.items
    assert (record.id, record.rank, record.content) == ("x", 2, {"a": 1})
    assert record.evidence_ref == sha('{"a":1}')
    assert (words.text, words.source_ref, words.structured) == ("words", {"page": 3}, None)
    assert words.evidence_ref == sha("words")
    assert words.where.endswith("pack.json /evidence/1")


@pytest.mark.parametrize(
    "value", [{"evidence": {"a": 1}}, {"evidence": [], "id": "P"}, {"evidence": "x"}, {"Evidence": []}]
)
def test_a_record_with_a_member_evidence_is_a_record(folder, value):
    [item] = read(folder(**{"a.json": json.dumps(value)})).items
    assert item.content == value


def test_records_by_line_are_numbered_as_an_editor_numbers_lines(folder):
    data = b'{"a": 1}\r\n\n  \n{"a":2.0}\n{"a": 3}'
    pack = read(folder(**{"many.jsonl": data}))
    assert [item.id for item in pack.items] == ["many#1", "many#4", "many#5"]
    assert [item.evidence_ref for item in pack.items] == [sha('{"a": 1}'), sha('{"a":2.0}'), sha('{"a": 3}')]
    assert pack.items[1].where.endswith("many.jsonl:4")


def test_items_by_line(folder):
    lines = ['{"id": "b", "content": {"a": 1}, "rank": 1}', '{"id": "a", "text": "t"}']
    pack = read(folder(**{"pack.evidence.jsonl": "\n".join(lines)}))
    assert [item.id for item in pack.items] == ["a", "b"]
    assert [item.evidence_ref for item in pack.items] == [sha(lines[1]), sha(lines[0])]


@pytest.mark.parametrize("name", ["note.txt", "note.md"])
def test_texts_are_text_also_where_they_look_like_json(folder, name):
    data = '{"id": "P"}'
    [item] = read(folder(**{name: data}), name).items
    assert (item.id, item.text, item.content, item.structured) == ("note", data, None, None)
    assert item.evidence_ref == sha(data)


def test_a_folder_stands_for_all_that_is_readable_below_it(folder):
    root = folder(
        **{
            "b.json": "{}",
            "sub/deep/a.json": '{"x": 1}',
            "sub/c.txt": "t",
            "sub/scan.pdf": b"%PDF",
            "table.csv": "a,b",
            ".hidden.json": "not read",
            ".git/config.json": "not read",
            "b.origins.json": "{}",
        }
    )
    pack = read(root)
    assert [item.id for item in pack.items] == ["a", "b", "c"]
    assert sorted(path.rpartition("/")[2] for path in pack.skipped) == ["scan.pdf", "table.csv"]


def test_a_file_that_is_named_twice_is_read_once(folder):
    root = folder(**{"a.json": "{}"})
    assert len(EvidencePack.from_paths([root / "a.json", root, root / "." / "a.json"])) == 1


def test_two_files_of_one_name_need_names_of_their_own(folder):
    root = folder(**{"x/a.json": "{}", "y/a.json": "{}"})
    error = refused(lambda: read(root), "duplicate_evidence_id")
    assert "x/a.json" in error.where
    assert "y/a.json" in error.where


@pytest.mark.parametrize("name", ["scan.pdf", "table.csv", "noend", "a.JSON5"])
def test_a_file_of_another_kind_is_refused_when_it_is_named(folder, name):
    refused(lambda: read(folder(**{name: "x"}), name), "unknown_evidence_kind")


def test_a_file_that_is_not_there(folder):
    error = refused(lambda: read(folder(), "absent.json"), "unreadable_file")
    assert error.where.endswith("absent.json")


@pytest.mark.parametrize(
    ("name", "data", "code", "where"),
    [
        ("a.json", '{"a": 1, "a": 2}', "duplicate_key", "a.json line 1 column"),
        ("a.json", '{"a": NaN}', "invalid_json", "a.json line 1 column"),
        ("a.json", "7", "not_an_object", "a.json"),
        ("a.json", '[{}, "x"]', "not_an_object", "a.json /1"),
        ("a.json", b"\xff", "wrong_encoding", "a.json"),
        ("a.json", '{"evidence": [{"id": "x"}]}', "invalid_evidence", "a.json /evidence/0"),
        ("a.jsonl", '{}\n{"a": }\n', "invalid_json", "a.jsonl:2"),
        ("a.jsonl", "{}\n\n[1]\n", "not_an_object", "a.jsonl:3"),
        ("a.evidence.jsonl", '{"id": "x", "content": {}}\n[]\n', "invalid_evidence", "a.evidence.jsonl:2"),
        ("a.txt", b"caf\xe9", "wrong_encoding", "a.txt"),
        ("a.jsonl", "{}".encode("utf-16"), "wrong_encoding", "a.jsonl"),
    ],
)
def test_what_cannot_be_read_names_its_place(folder, name, data, code, where):
    error = refused(lambda: read(folder(**{name: data})), code)
    assert where in error.where


def test_what_is_too_large_is_refused(folder):
    root = folder(**{"a.json": '{"a": "' + "x" * 100 + '"}', "b.jsonl": '{"a": "' + "x" * 100 + '"}'})
    for name in ("a.json", "b.jsonl"):
        with pytest.raises(InputError, match="too_large"):
            EvidencePack.from_paths([root / name], max_bytes=50)
        assert len(EvidencePack.from_paths([root / name], max_bytes=200)) == 1


# ---- origins beside a file -----------------------------------------------------------------------


def test_origins_beside_a_record(folder):
    origins = {"/a": "accepted_suggestion", "/b": "evidence", "/c/d": "suggestion_origin"}
    [item] = read(folder(**{"a.json": '{"a": 1}', "a.origins.json": json.dumps(origins)})).items
    assert item.origins == origins
    assert item.unsupporting == {("a",), ("c", "d")}


def test_origins_beside_lines_are_by_line_number(folder):
    origins = {"2": {"/a": "accepted_suggestion"}}
    pack = read(folder(**{"a.jsonl": '{"a": 1}\n{"a": 2}\n', "a.origins.json": json.dumps(origins)}))
    assert [dict(item.origins) for item in pack.items] == [{}, {"/a": "accepted_suggestion"}]


@pytest.mark.parametrize("origins", ["[", "[]", '{"a": "x"}', '{"/a": 1}', '{"/~2": "x"}', '"x"', "7"])
def test_origins_that_cannot_be_meant_are_refused(folder, origins):
    with pytest.raises(InputError):
        read(folder(**{"a.json": "{}", "a.origins.json": origins}))


# ---- items in memory -----------------------------------------------------------------------------


def test_items_in_memory():
    content = {"b": [1.5, (2, Decimal("3.0"))], "a": None}
    pack = EvidencePack.from_items([{"id": "x", "content": content, "rank": 1}, {"id": "t", "text": "é"}])
    assert len(pack) == 2
    words, record = pack.items
    assert record.content == {"b": [Decimal("1.5"), [2, Decimal("3.0")]], "a": None}
    assert record.evidence_ref == sha('{"a":null,"b":[1.5,[2,3]]}') == sha(canonical(record.content))
    assert words.evidence_ref == sha("é")
    content["b"].append(9)
    assert record.content["b"] == [Decimal("1.5"), [2, Decimal("3.0")]]


@pytest.mark.parametrize(
    "item",
    [
        {},
        {"id": "x"},
        {"content": {}},
        {"id": "", "content": {}},
        {"id": 1, "content": {}},
        {"id": None, "content": {}},
        {"id": "x", "content": {}, "text": "t"},
        {"id": "x", "content": {}, "text": None},
        {"id": "x", "text": 1},
        {"id": "x", "text": None},
        {"id": "x", "content": {}, "rank": 0},
        {"id": "x", "content": {}, "rank": -1},
        {"id": "x", "content": {}, "rank": 1.5},
        {"id": "x", "content": {}, "rank": "1"},
        {"id": "x", "content": {}, "rank": True},
        {"id": "x", "content": {}, "origins": []},
        {"id": "x", "content": {}, "origins": {"a": "input"}},
        {"id": "x", "content": {}, "origins": {"/a": 1}},
        {"id": "x", "content": {}, "evidence_ref": "sha256:0"},
        {"id": "x", "content": {}, "Rank": 1},
        {"id": "x", "content": {"a": float("nan")}},
        {"id": "x", "content": {"a": float("inf")}},
        {"id": "x", "content": {"a": "\ud800"}},
        {"id": "x", "content": {1: 2}},
        {"id": "x", "content": {"a": {1, 2}}},
        {"id": "x", "content": {"a": b"x"}},
    ],
)
def test_items_that_cannot_be_meant_are_refused(item):
    with pytest.raises(InputError) as error:
        EvidencePack.from_items([{"id": "ok", "content": {}}, item])
    assert "evidence item 1" in error.value.where


@pytest.mark.parametrize("content", [None, [], [1], "x", 7, True])
def test_content_that_is_no_object_is_kept_and_not_structured(content):
    [item] = EvidencePack.from_items([{"id": "x", "content": content}]).items
    assert item.content == content
    assert item.structured is None


@pytest.mark.parametrize("rank", [1, 7, 10**30, 2.0, Decimal("3E0"), None])
def test_ranks_are_whole_numbers_from_one(rank):
    [item] = EvidencePack.from_items([{"id": "x", "content": {}, "rank": rank}]).items
    assert item.rank == rank
    assert item.rank is None or type(item.rank) is int


def test_a_record_may_be_as_deep_in_memory_as_in_a_file():
    content = {}
    for _ in range(127):
        content = {"a": content}
    assert len(EvidencePack.from_items([{"id": "x", "content": content}])) == 1
    with pytest.raises(InputError, match="too_deep"):
        EvidencePack.from_items([{"id": "x", "content": {"a": content}}])


def test_ids_are_unique_and_sorted():
    pack = EvidencePack.from_items([{"id": i, "content": {}} for i in ("b", "B", "ä", "a", "10", "9")])
    assert [item.id for item in pack.items] == ["10", "9", "B", "a", "b", "ä"]
    refused(
        lambda: EvidencePack.from_items([{"id": "a", "text": ""}, {"id": "a", "text": "x"}]), "duplicate_evidence_id"
    )


# ---- references ----------------------------------------------------------------------------------


def test_a_reference_resolves_to_the_very_content(folder):
    root = folder(**{"a.json": '{"a": 1}', "b.jsonl": '{"b": 1}\n{"b": 2}', "c.txt": "c", "d.json": '[{"d": 1}]'})
    pack = read(root)
    for item in pack.items:
        assert pack.resolve(item.evidence_ref).id == item.id


def test_equal_content_has_one_reference_and_the_first_item_is_named():
    pack = EvidencePack.from_items([{"id": "b", "content": {"x": 1.0}}, {"id": "a", "content": {"x": 1}}])
    assert pack.items[0].evidence_ref == pack.items[1].evidence_ref
    assert pack.resolve(pack.items[1].evidence_ref).id == "a"


def test_one_changed_byte_and_the_reference_fails(folder):
    before = read(folder(**{"a.json": '{"a": 1}'})).items[0].evidence_ref
    for data in ('{"a": 2}', '{"a":1}', '{"a": 1} ', '{"a": 1}\n', '\ufeff{"a": 1}'):
        refused(lambda data=data: read(folder(**{"a.json": data})).resolve(before), "unresolved_reference")
    assert read(folder(**{"a.json": '{"a": 1}'})).resolve(before).id == "a"


@pytest.mark.parametrize("reference", ["", "a", "sha256:", "sha256:" + "0" * 64, "request:seed"])
def test_a_reference_to_nothing_is_refused(reference):
    pack = EvidencePack.from_items([{"id": "a", "content": {}}])
    refused(lambda: pack.resolve(reference), "unresolved_reference")


def test_an_empty_pack():
    pack = EvidencePack.from_items([])
    assert len(pack) == 0
    assert EvidencePack().items == ()


@pytest.mark.parametrize("origin", [{}, [], 5, None, "wat"])
def test_an_origin_that_is_none_is_refused(origin):
    with pytest.raises(InputError) as refused:
        EvidencePack.from_items([{"id": "a", "content": {"x": 1}, "origins": {"/x": origin}}])
    assert refused.value.code == "invalid_evidence"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.json", '[{"x": 1}]'),
        ("list.json", '{"evidence": [{"id": "a", "content": {"x": 1}}]}'),
        ("items.evidence.jsonl", '{"id": "a", "content": {"x": 1}}\n'),
        ("lines.jsonl", '{"x": 1}\n'),
        ("another.json", '{"x": 1}'),
        ("text.txt", "x"),
    ],
)
def test_origins_that_would_be_passed_over_are_refused(tmp_path, name, text):
    (tmp_path / name).write_text(text, "utf-8")
    stem = "alone" if name == "another.json" else name.rpartition(".")[0]
    (tmp_path / f"{stem}.origins.json").write_text('{"2": {"/x": "suggestion_origin"}}', "utf-8")
    with pytest.raises(InputError) as refused:
        EvidencePack.from_paths([tmp_path])
    assert (refused.value.code, refused.value.where.endswith(f"{stem}.origins.json")) == ("invalid_origins", True)
