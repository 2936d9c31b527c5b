"""`veracord synthesize`: a whole record, or every reason why there is none. The server's log is the judge."""

import json

import pytest

from tests.contract.model_server import Answer, ModelServer, Status

BASE = ["synthesize", "seed.json", "-p", "widget.toml", "-e", "evidence"]
KEY = "sk-very-secret-4711"


@pytest.fixture(autouse=True)
def seed(shop):
    return write_seed(shop, id="W-1", name="Widget")


def write_seed(shop, **members):
    path = shop / "seed.json"
    path.write_text(json.dumps(members), "utf-8")
    return path


@pytest.fixture
def server():
    with ModelServer() as opened:
        yield opened


@pytest.fixture
def with_model(server, shop):
    def write(**fields):
        model = {"adapter": "chat_completions", "base_url": server.chat_url, "name": "small", "transport_retries": 0}
        lines = [f"{key} = {json.dumps(value)}" for key, value in {**model, **fields}.items()]
        (shop / "veracord.toml").write_text("\n".join(["[model]", *lines, ""]), "utf-8")

    return write


def test_a_record_is_put_together_without_asking_anybody(cli, server, with_model):
    with_model()
    ended = cli(*BASE, "--json")
    assert (ended.code, ended.err) == (0, "")
    assert not server.requests
    result = ended.json
    assert result["method"] == "assembly"
    assert result["record"] == {"id": "W-1", "name": "Widget", "mass_kg": 1.25, "maker": "Acme"}
    assert {row["path"]: row["evidence_id"] for row in result["support"]} == {
        "/id": "request:seed",
        "/maker": "maker",
        "/mass_kg": "maker",
        "/name": "request:seed",
    }
    assert '"mass_kg":1.250' in ended.out


def test_the_report_says_where_each_leaf_comes_from(cli):
    ended = cli(*BASE)
    rows = [line.split() for line in ended.out.splitlines()]
    assert ["/mass_kg", "1.250", "maker", "/mass_kg"] in rows
    assert ["/id", '"W-1"', "the", "seed", "/id"] in rows
    assert ended.out.endswith(
        "4 leaves: 2 of the seed, 2 from evidence; put together without a model; the record conforms to widget@1.\n"
    )


def test_files_are_written_whole_or_not_at_all(cli, shop):
    outputs = ["--out", "result.json", "--record-out", "made.json"]
    ended = cli(*BASE, *outputs)
    assert (ended.code, ended.out) == (0, "")
    assert json.loads((shop / "result.json").read_text("utf-8"))["method"] == "assembly"
    assert json.loads((shop / "made.json").read_text("utf-8"))["maker"] == "Acme"
    origins = json.loads((shop / "made.origins.json").read_text("utf-8"))
    assert origins == {"/id": "seed", "/maker": "evidence", "/mass_kg": "evidence", "/name": "seed"}
    before = {path.name: path.read_bytes() for path in shop.glob("*.json")}
    assert cli("synthesize", "seed.json", "-p", "widget.toml", *outputs).code == 1
    assert {path.name: path.read_bytes() for path in shop.glob("*.json")} == before
    assert cli("verify", "result.json", "-e", "evidence").code == 0


def test_a_refusal_tells_every_path_with_its_reason(cli, shop):
    write_seed(shop, id="W-1")
    ended = cli("synthesize", "seed.json", "-p", "widget.toml", "--json")
    assert (ended.code, ended.err) == (1, "")
    assert {row["path"] for row in ended.json["violations"]} == {"/name", "/mass_kg"}
    assert ended.json["error"]["code"] == "not_grounded"
    shown = cli("synthesize", "seed.json", "-p", "widget.toml")
    assert shown.code == 1
    assert "/name" in shown.out
    assert "not_grounded: " in shown.out
    write_seed(shop, name="Widget")
    assert cli(*BASE, "--json").json["error"]["code"] == "no_identity"


def test_what_was_not_taken_is_told(cli, shop):
    (shop / "evidence" / "other.json").write_text('{"id": "W-1", "maker": "Acne"}', "utf-8")
    ended = cli(*BASE)
    assert ended.code == 0
    assert "Left out (1)" in ended.out
    assert '"Acme" from maker; "Acne" from other' in ended.out


def test_a_model_writes_what_is_grounded(cli, shop, server, with_model):
    with_model(api_key_env="WIDGET_KEY")
    server.script('{"id": "W-1", "name": "Widget", "mass_kg": 1.25}')
    ended = cli(*BASE, "--no-assemble", "--json", "--store", "store.db", WIDGET_KEY=KEY)
    assert ended.code == 0
    assert ended.json["method"] == "model"
    (request,) = server.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in ended.out + ended.err
    assert all(KEY.encode() not in path.read_bytes() for path in shop.rglob("*") if path.is_file())


def test_two_requests_whatever_happens(cli, server, with_model):
    with_model()
    server.script("no record at all", '{"id": "W-1", "name": "Widget", "mass_kg": 7}', "never asked for")
    ended = cli(*BASE, "--no-assemble", "--json")
    assert ended.code == 1
    assert len(server.requests) == 2
    assert any(row["path"] == "/mass_kg" for row in ended.json["violations"])
    first, second = (request.messages for request in server.requests)
    assert second[: len(first)] == first
    assert len(second) == len(first) + 2


@pytest.mark.parametrize(
    ("step", "exit_code"),
    [
        (Status(500), 5),
        (Answer("no", finish="refusal"), 1),
        (Answer('{"id"', finish="length"), 1),
    ],
)
def test_a_model_that_fails_ends_a_synthesis(cli, server, with_model, step, exit_code):
    with_model()
    server.script(step)
    ended = cli(*BASE, "--no-assemble")
    assert ended.code == exit_code
    assert not ended.out
    assert ended.err.startswith("error: ")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("step", [Answer("no", finish="refusal"), Answer('{"id"', finish="length")])
def test_an_answer_that_was_refused_or_cut_off_is_told_as_json(cli, server, with_model, step):
    with_model()
    server.script(step)
    ended = cli(*BASE, "--no-assemble", "--json")
    assert ended.code == 1
    code = ended.json["error"]["code"]
    assert ended.err.startswith(f"error: {code}: {ended.json['error']['message']}")
    assert ended.json["violations"] == []


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Status(401), ("model_key_refused:401", "check the API key")),
        (
            Status(200, b"<html>hello</html>", content_type="text/html"),
            ("model_bad_body", "check base_url and the adapter"),
        ),
    ],
)
def test_a_failure_tells_what_to_do(cli, server, with_model, step, words):
    with_model()
    server.script(step)
    ended = cli(*BASE, "--no-assemble")
    assert ended.code == 5
    assert all(word in ended.err for word in words)
    assert "hello" not in ended.err


def test_a_cassette_without_the_answer_tells_what_to_do(cli, shop):
    (shop / "tape.jsonl").write_text('{"cassette": 1, "settings": {}}\n', "utf-8")
    (shop / "veracord.toml").write_text('[model]\nadapter = "cassette"\npath = "tape.jsonl"\n', "utf-8")
    ended = cli(*BASE, "--no-assemble")
    assert ended.code == 5
    assert "cassette_miss: no answer is recorded" in ended.err


@pytest.mark.parametrize("answer", ["no record at all", '```json\n["a"]\n```', '{"id": NaN}'])
def test_an_answer_that_is_no_record_is_told_as_such(cli, server, with_model, answer):
    with_model()
    server.script(answer, answer)
    ended = cli(*BASE, "--no-assemble", "--json")
    assert ended.code == 1
    assert "the model's answer is no JSON object" in ended.json["error"]["message"]
    assert "give evidence" not in ended.json["error"]["message"]


def test_without_a_model_and_assembly_the_reason_is_told(cli, shop):
    write_seed(shop, id="W-1")
    ended = cli(*BASE, "--no-assemble", "--json")
    assert "no model is set up" in ended.json["error"]["message"]
    assert {row["path"] for row in ended.json["violations"]} == {"/mass_kg", "/name"}


def test_options_of_a_model_are_named(cli, one_error):
    url = "http://127.0.0.1:9/v1"
    one_error(cli(*BASE, "--model", "", "--base-url", url), "usage", words=("--model",))
    one_error(cli(*BASE, "--model", "x", "--base-url", ""), "usage", words=("--base-url",))
    one_error(cli(*BASE, "--model", "x", "--base-url", "ftp://x"), "base_url_invalid", words=("--base-url",))


def test_a_model_that_is_down_is_told_by_the_exit_code(cli, with_model):
    with_model(base_url="http://127.0.0.1:9/v1")
    ended = cli(*BASE, "--no-assemble")
    assert (ended.code, ended.out) == (5, "")
    # Where nobody needs it, nobody notices.
    assert cli(*BASE).code == 0


def test_a_seed_cannot_steer_a_terminal(cli, shop):
    write_seed(shop, id="W-1", name="\x1b]0;owned\x07")
    ended = cli(*BASE)
    assert ended.code == 0
    assert "\\u001b]0;owned" in ended.out
    write_seed(shop, id="W-1", name="Widget", **{"\x1b]0;owned\x07": 1})
    refused = cli(*BASE)
    assert refused.code == 1
    assert not set("\x1b\x07") & set(ended.out + refused.out + refused.err)


def test_origins_of_the_seed_are_read(cli, shop):
    (shop / "seed.origins.json").write_text('{"/name": "accepted_suggestion"}', "utf-8")
    ended = cli("synthesize", "seed.json", "-p", "widget.toml", "-e", "evidence", "--json")
    # The evidence states the name, too.
    assert ended.code == 0
    assert {row["evidence_id"] for row in ended.json["support"] if row["path"] == "/name"} == {"maker"}
    write_seed(shop, id="W-1", name="Widget", price=2)
    (shop / "seed.origins.json").write_text('{"/price": "accepted_suggestion"}', "utf-8")
    ended = cli(*BASE, "--json")
    assert ended.code == 1
    assert [(row["path"], row["rule"]) for row in ended.json["violations"]] == [("/price", "suggestion_origin")]


def test_what_cannot_be_read_is_told(cli, shop, one_error):
    one_error(cli("synthesize", "none.json", "-p", "widget.toml"), "unreadable_file", words=("none.json",))
    one_error(cli("synthesize", "seed.json"), "usage")
    one_error(cli("synthesize", "many.jsonl", "-p", "widget.toml"), "usage", words=("many.jsonl", "veracord run"))
    one_error(cli(*BASE, "--record-out", "seed.json"), "output_is_input")
    (shop / "seed.json").write_text("[]", "utf-8")
    one_error(cli(*BASE), "not_an_object")


def test_standard_input_and_a_bare_schema(cli):
    ended = cli(
        "synthesize", "-", "--schema", "widget.schema.json", "--identity", "/id", "-e", "evidence", "--json",
        stdin=b'{"id": "W-1"}',
    )  # fmt: skip
    assert ended.code == 0
    assert ended.json["record"]["name"] == "Widget"
