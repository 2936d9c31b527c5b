"""Every input that cannot be used is one line with code, place and remedy; nothing is written."""

import json

import pytest

DEEP = '{"id": ' + "[" * 200 + "]" * 200 + "}"

#: (name of the file, its content, code, words of the error)
BAD_RECORDS = [
    ("r.json", b'{"id": "W-1",\n "name" "x"}', "invalid_json", ["r.json line 2 column 9"]),
    ("r.json", b'{"id": 1', "invalid_json", ["r.json line 1 column"]),
    ("r.json", b'{"a": 1, "a": 2}', "duplicate_key", ["r.json line 1"]),
    ("r.json", b'{"a": NaN}', "invalid_json", ["r.json line 1"]),
    ("r.json", b'{"a": 1} x', "trailing_text", ["r.json line 1 column 10"]),
    ("r.json", b'{"a": "\\ud800"}', "lone_surrogate", ["r.json line 1"]),
    ("r.json", b'{"a": "\xe9"}', "wrong_encoding", ["r.json", "UTF-8"]),
    ("r.json", '{"a": 1}'.encode("utf-32"), "wrong_encoding", ["UTF-32"]),
    ("r.json", DEEP.encode(), "too_deep", ["128 levels"]),
    ("r.json", b'{"a": 1e100001}', "number_too_large", ["r.json line 1"]),
    ("r.json", b"[1]", "not_an_object", ["r.json"]),
    ("r.json", b"", "invalid_json", ["r.json"]),
    ("big.json", b'{"a": "' + b"x" * 17_000_000 + b'"}', "too_large", ["big.json", "16777216"]),
]


@pytest.mark.parametrize("verb", ["validate", "repair"])
@pytest.mark.parametrize("case", BAD_RECORDS, ids=lambda case: f"{case[2]}-{case[1][:12]!r}")
def test_a_record_that_cannot_be_read(cli, shop, one_error, verb, case):
    name, content, code, words = case
    (shop / name).write_bytes(content)
    outputs = ["--out", "o.json", "--record-out", "f.json"] if verb == "repair" else []
    one_error(cli(verb, name, "-p", "widget.toml", *outputs), code, words=words)
    assert not list(shop.glob("o.json")) + list(shop.glob("f.json"))


@pytest.mark.parametrize(("name", "word"), [("missing.json", "no such file"), ("evidence", "directory")])
@pytest.mark.parametrize("lines", [[], ["--jsonl"]])
def test_a_record_that_is_not_there(cli, one_error, name, word, lines):
    for verb in ("validate", "repair"):
        ended = cli(verb, name, "-p", "widget.toml", *lines)
        one_error(ended, "unreadable_file", words=[name, word])


def test_a_pattern_that_tries_too_many_ways(cli, shop, one_error):
    (shop / "many.json").write_text('{"a": "' + "a" * 40 + '!"}', "utf-8")
    (shop / "ways.json").write_text('{"properties": {"a": {"pattern": "^(a|a)*b\\\\1?$"}}}', "utf-8")
    one_error(cli("validate", "many.json", "--schema", "ways.json"), "pattern_undecided", words=["/a"])


def test_standard_input_is_named(cli, one_error):
    ended = cli("validate", "-", "-p", "widget.toml", stdin=b'{"a"')
    one_error(ended, "invalid_json", words=["standard input line 1"])
    many = cli("validate", "-", "--jsonl", "-p", "widget.toml", "--json", stdin=b'\n{"a"\n')
    assert "standard input line 2 column" in many.err


BAD_PROFILES = [
    ('name = "x"\nversion = "1"\nschema = "widget.schema.json"\ncolour = 1\n', ["colour"]),
    ('name = "x"\nversion = "1"\nschema = "widget.schema.json"\n[colour]\n', ["colour"]),
    ('name = "x"\nversion = "1"\nschema = "widget.schema.json"\n[identity]\nkeys = [["/no"]]\n', ["/no"]),
    ('name = "x"\nversion = "1"\n', ["schema"]),
    ("name = \n", ["line 1"]),
]


@pytest.mark.parametrize(("text", "words"), BAD_PROFILES)
def test_a_profile_that_cannot_be_used(cli, shop, one_error, text, words):
    (shop / "bad.toml").write_text(text, "utf-8")
    for arguments in (["validate", "record.json"], ["repair", "record.json", "-e", "evidence"]):
        ended = cli(*arguments, "-p", "bad.toml")
        assert ended.code == 2
        code = ended.err.split(": ")[1]
        one_error(ended, code, words=["bad.toml", *words])


def test_a_profile_that_is_not_there(cli, one_error):
    one_error(cli("validate", "record.json", "-p", "no.toml"), "unreadable_file", words=["no.toml"])
    ended = cli("validate", "record.json", "-p", "no-such")
    one_error(ended, "unknown_profile", words=["no-such", "eu-dpp-demo"])


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"$ref": "https://example.com/other.json"}, "example.com"),
        ({"$ref": "../outside.json"}, "outside.json"),
        ({"$ref": "widget.schema.json"}, "widget.schema.json"),
        ({"type": "no such type"}, "s.json"),
    ],
)
def test_a_schema_that_cannot_be_used(cli, shop, one_error, schema, word):
    (shop / "s.json").write_text(json.dumps(schema), "utf-8")
    (shop.parent / "outside.json").write_text("{}", "utf-8")
    ended = cli("validate", "record.json", "--schema", "s.json")
    one_error(ended, ended.err.split(": ")[1], words=[word])


def test_a_schema_that_cannot_be_read(cli, shop, one_error):
    (shop / "s.json").write_bytes(b'{"type": }')
    ended = cli("validate", "record.json", "--schema", "s.json")
    one_error(ended, "invalid_json", words=["s.json line 1 column"])
    ended = cli("validate", "record.json", "--schema", "none.json")
    one_error(ended, "unreadable_file", words=["none.json"])


BAD_EVIDENCE = [
    ("e.json", b'{"id"', "invalid_json", ["e.json line 1"]),
    ("e.json", b"[1]", "not_an_object", ["e.json"]),
    ("e.json", b'{"evidence": [{"content": {}}]}', "invalid_evidence", ["e.json"]),
    ("e.json", b'{"evidence": [{"id": "a", "text": "", "content": {}}]}', "invalid_evidence", []),
    ("e.json", DEEP.encode(), "too_deep", ["e.json"]),
    ("e.jsonl", b'{"id": "W-1"}\n{"id"\n', "invalid_json", ["e.jsonl:2"]),
    ("e.txt", b"\xff\xfe\x00", "wrong_encoding", ["e.txt"]),
    ("e.pdf", b"%PDF", "unknown_evidence_kind", ["e.pdf"]),
    ("maker.txt", b"twice", "duplicate_evidence_id", ["maker", "maker.json", "maker.txt"]),
]


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("case", BAD_EVIDENCE, ids=lambda case: f"{case[2]}-{case[0]}")
def test_evidence_that_cannot_be_used(cli, shop, one_error, case, jobs):
    name, content, code, words = case
    (shop / name).write_bytes(content)
    (shop / "one.jsonl").write_bytes((shop / "good.json").read_bytes())
    ended = cli(
        *["repair", "one.jsonl", "-p", "widget.toml", "-e", "evidence", "-e", name],
        *["--jobs", jobs, "--out", "o.jsonl"],
    )
    one_error(ended, code, words=words)
    assert not (shop / "o.jsonl").exists()


def test_evidence_that_is_not_there(cli, one_error):
    ended = cli("repair", "record.json", "-p", "widget.toml", "-e", "nowhere.json")
    one_error(ended, "unreadable_file", words=["nowhere.json"])


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("[models]\n", "unknown_setting", ["models"]),
        ("model = 3\n", "invalid_setting", ["model"]),
        ("[limits]\nmax_record_bytes = 'x'\n", "invalid_setting", ["max_record_bytes"]),
        ("[limits\n", "invalid_toml", ["veracord.toml"]),
    ],
)
def test_settings_that_cannot_be_used(cli, shop, one_error, text, code, words):
    (shop / "veracord.toml").write_text(text, "utf-8")
    one_error(cli("validate", "record.json", "-p", "widget.toml"), code, words=words)


@pytest.mark.parametrize(
    ("option", "ending"), [("-p", ".toml"), ("--schema", ".json"), ("-e", ".json"), ("--config", "")]
)
def test_a_name_that_no_file_can_have(cli, one_error, option, ending):
    ended = cli("repair", "good.json", "-p", "widget.toml", option, "n" * 300 + ending)
    if option == "--schema":
        ended = cli("repair", "good.json", option, "n" * 300 + ending)
    one_error(ended, ended.err.split(": ")[1], words=["too long"])


def test_a_settings_file_that_is_not_there(cli, one_error):
    ended = cli("validate", "record.json", "-p", "widget.toml", "--config", "none.toml")
    one_error(ended, "unreadable_file", words=["none.toml"])


def test_no_error_holds_record_content(cli, shop):
    secret = "SECRET-7731"
    contents = (
        f'{{"{secret}": 1, "{secret}": 2}}',
        f'{{"a": "{secret}}}',
        f'{{"a": "{secret}"}} {secret}',
        f'{{"{secret}": {DEEP}}}',
        f'["{secret}"]',
    )
    (shop / "r.jsonl").write_text("\n".join(contents), "utf-8")
    for verb in ("validate", "repair"):
        ended = cli(verb, "r.jsonl", "-p", "widget.toml", "--json")
        assert ended.code == 2
        assert ended.err.count("\n") == len(ended.lines) == len(contents)
        assert secret not in ended.err + ended.out
    for content in contents:
        (shop / "r.json").write_text(content, "utf-8")
        ended = cli("repair", "r.json", "-p", "widget.toml")
        assert ended.code == 2
        assert secret not in ended.err + ended.out


def test_a_hostile_file_name_cannot_steer_the_terminal(cli, one_error):
    ended = cli("validate", "x\x1b[31m\nerror: y.json", "-p", "widget.toml")
    one_error(ended, "unreadable_file", words=["x\\u001b[31m\\u000aerror"])


def test_an_empty_evidence_path_is_not_the_current_folder(cli, one_error):
    ended = cli("repair", "record.json", "-p", "widget.toml", "-e", "")
    one_error(ended, "usage", words=("empty path",))


def test_a_misspelt_origin_is_refused(cli, shop, one_error):
    (shop / "evidence" / "maker.origins.json").write_text('{"/mass_kg": "acepted_suggestion"}', "utf-8")
    one_error(cli("repair", "record.json", "-p", "widget.toml", "-e", "evidence"), "invalid_evidence")
