"""`veracord repair` with a model: what is asked, and what is made of the answer. The server's log is the judge."""

import json

import pytest

from tests.contract.model_server import Answer, ModelServer, Status

BASE = ["repair", "record.json", "-p", "widget.toml", "-e", "evidence"]
KEY = "sk-very-secret-4711"


def answer(*suggestions):
    return Answer(json.dumps({"suggestions": list(suggestions)}))


def guess(path="/colour", value="red", **fields):
    return {"path": path, "value": value, "rationale": "Most widgets are.", "confidence": 0.9, **fields}


@pytest.fixture
def server():
    with ModelServer(default=answer(guess())) as opened:
        yield opened


@pytest.fixture
def settings(shop, server):
    """Write veracord.toml with a model in it."""

    def write(file="veracord.toml", **fields):
        model = {"adapter": "chat_completions", "base_url": server.chat_url, "name": "small", "transport_retries": 0}
        lines = [f"{key} = {json.dumps(value)}" for key, value in {**model, **fields}.items() if value is not None]
        (shop / file).write_text("\n".join(["[model]", *lines, ""]), "utf-8")

    return write


def test_one_question_and_its_answer_stands_apart(cli, server, settings):
    settings()
    ended = cli(*BASE, "--json")
    assert (ended.code, ended.err) == (1, "")
    assert len(server.requests) == 1
    result = ended.json
    assert result["suggestions_status"] == "ok"
    assert result["suggestions"] == [
        {
            "path": "/colour",
            "value": "red",
            "rationale": "Most widgets are.",
            "confidence": 0.3,
            "rank": 1,
            "source": "model_training",
            "status": "unverified",
            "requires_review": True,
        }
    ]
    assert result["record"]["colour"] == "green"
    assert [fill["path"] for fill in result["fills"]] == ["/mass_kg"]
    assert [row["path"] for row in result["unresolved"]] == ["/colour"]
    without = cli(*BASE, "--json", "--no-suggest").json
    changed = {"suggestions", "suggestions_status"}
    assert {name: value for name, value in result.items() if name not in changed} == {
        name: value for name, value in without.items() if name not in changed
    }
    assert without["suggestions_status"] == "off"


def test_who_is_not_to_be_asked_is_not(cli, server, settings):
    settings()
    assert cli(*BASE, "--no-suggest").code == 1
    assert cli("repair", "good.json", "-p", "widget.toml", "-e", "evidence").code == 0
    assert cli("validate", "record.json", "-p", "widget.toml").code == 1
    assert not server.requests


def test_nothing_set_no_model(cli, server):
    assert cli(*BASE, "--json").json["suggestions_status"] == "no_model"
    assert not server.requests


def test_a_model_of_the_command_line(cli, server):
    result = cli(*BASE, "--json", "--model", "mine", "--base-url", server.chat_url).json
    assert result["suggestions_status"] == "ok"
    (request,) = server.requests
    assert request.json["model"] == "mine"
    assert "authorization" not in request.headers


def test_it_takes_the_place_of_the_table_with_its_key(cli, server, settings):
    settings(base_url="http://127.0.0.1:9/v1", api_key_env="WIDGET_KEY", temperature=0.5)
    cli(*BASE, "--model", "mine", "--base-url", server.chat_url, WIDGET_KEY=KEY)
    (request,) = server.requests
    assert "authorization" not in request.headers
    assert "temperature" not in request.json


@pytest.mark.parametrize("option", [("--model", "mine"), ("--base-url", "http://127.0.0.1:9/v1")])
def test_half_a_model_is_refused(cli, one_error, option):
    one_error(cli(*BASE, *option), "usage", words=("--model", "--base-url"))


def test_a_settings_file_of_another_name(cli, server, settings):
    settings("other.toml", temperature=0.25, seed=7)
    cli(*BASE, "--config", "other.toml")
    (request,) = server.requests
    assert (request.json["temperature"], request.json["seed"]) == (0.25, 7)


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"colour": 1}, "unknown_field", ("veracord.toml", "model", "colour")),
        ({"temperature": 9}, "invalid_pipeline", ("veracord.toml", "model.temperature")),
        ({"adapter": "carrier_pigeon"}, "invalid_pipeline", ("veracord.toml", "model.adapter")),
        ({"name": None}, "missing_field", ("veracord.toml", "model.name")),
        ({"path": "x"}, "invalid_pipeline", ("veracord.toml", "model.path")),
    ],
)
def test_a_table_that_cannot_be_used_is_told_with_its_field(cli, settings, one_error, fields, code, words):
    settings(**fields)
    one_error(cli(*BASE), code, words=words)
    # Who asks nobody is not bothered.
    assert cli(*BASE, "--no-suggest").code == 1


def test_the_report_says_what_a_guess_is(cli, settings):
    settings()
    out = cli(*BASE).out
    filled, _, rest = out.partition("Unverified guesses of a model")
    assert "/colour" in rest
    assert '"red"' in rest
    assert '"red"' not in filled
    assert rest.endswith("1 filled, 1 open; 1 source used, 2 not; the record does not conform to widget@1.\n")


def test_a_guess_cannot_steer_a_terminal(cli, shop, server, settings):
    settings()
    (shop / "record.json").write_text('{"id": "W-1", "mass_kg": 2}', "utf-8")
    (shop / "evidence" / "maker.json").unlink()
    bad = "\x1b]0;owned\x07\u202eWidget\r\n"
    server.script(answer(guess("/name", bad, rationale=f"It is.\x1b[2J{bad}")))
    ended = cli(*BASE)
    assert not set("\x1b\x07\u202e\r") & set(ended.out)
    assert "\\u001b]0;owned" in ended.out
    server.script(answer(guess("/name", bad)))
    assert cli(*BASE, "--json").json["suggestions"][0]["value"] == bad


def test_what_was_not_shown_is_counted(cli, server, settings):
    settings()
    server.script(answer(guess(value="green"), guess("/mass_kg", 3), guess("/colour", "blue")))
    result = cli(*BASE, "--json").json
    assert result["suggestions"] == []
    assert sum(result["suppressed"].values()) == 3
    server.script(answer(guess(value="green")))
    assert "1 suggestion of the model not shown" in cli(*BASE).out


@pytest.mark.parametrize(
    ("step", "status"),
    [
        (Status(500), "failed:http_error"),
        (Status(401), "failed:"),
        (Answer("I am sure it is red."), "failed:"),
        (Answer("no", finish="refusal"), "failed:refused"),
        (Answer('{"sugg', finish="length"), "failed:truncated"),
    ],
)
def test_a_model_that_fails_costs_the_repair_nothing(cli, server, settings, step, status):
    settings()
    server.script(step)
    ended = cli(*BASE, "--json")
    assert (ended.code, ended.err) == (1, "")
    assert ended.json["suggestions_status"].startswith("failed:")
    if status != "failed:http_error":
        assert ended.json["suggestions_status"].startswith(status)
    assert [fill["path"] for fill in ended.json["fills"]] == ["/mass_kg"]
    assert len(server.requests) == 1


def test_a_model_that_is_down_is_told_and_nothing_else(cli, settings):
    settings(base_url="http://127.0.0.1:9/v1")
    ended = cli(*BASE)
    assert (ended.code, ended.err) == (1, "")
    assert "No suggestions: " in ended.out
    assert "1 filled, 1 open" in ended.out


def test_the_key_is_sent_and_shown_nowhere(cli, shop, server, settings):
    settings(api_key_env="WIDGET_KEY")
    server.script(Status(401, f'{{"error": {{"message": "bad key {KEY}"}}}}'.encode()), answer(guess()))
    for arguments in (["--json"], ["--out", "result.json", "--record-out", "done.json", "--store", "store.db"]):
        ended = cli(*BASE, *arguments, WIDGET_KEY=KEY)
        assert KEY not in ended.out + ended.err
    assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {KEY}"] * 2
    for path in shop.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_records_are_asked_about_one_by_one(cli, shop, server, settings, jobs):
    settings()
    rows = [{"id": f"W-{number}", "name": "Widget", "mass_kg": 1, "colour": "green"} for number in range(6)]
    rows.insert(2, {"id": "W-9", "name": "Widget", "mass_kg": 1})
    (shop / "many.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    ended = cli("repair", "many.jsonl", "-p", "widget.toml", "--json", "--jobs", jobs, "--store", "store.db")
    assert ended.code == 1
    assert [result["record"]["id"] for result in ended.lines] == [row["id"] for row in rows]
    assert [len(result["suggestions"]) for result in ended.lines] == [1, 1, 0, 1, 1, 1, 1]
    assert len(server.requests) == 6


def test_a_limit_for_one_process_is_not_spread_over_several(cli, lines, settings, one_error):
    settings(requests_per_minute=60)
    ended = cli("repair", lines, "-p", "widget.toml", "--jobs", 2)
    one_error(ended, "usage", words=("requests_per_minute", "--jobs"))


def test_a_store_that_is_not_there_yet_is_no_output(cli, shop, one_error):
    for option in ("--out", "--record-out"):
        one_error(cli(*BASE, "--store", "new.db", option, "new.db"), "output_is_input", words=("new.db",))
        assert not (shop / "new.db").exists()


def test_the_origins_of_another_file_are_not_replaced(cli, shop, one_error):
    (shop / "done.jsonl").write_text("{}\n", "utf-8")
    (shop / "done.origins.json").write_text('{"1":{"/x":"suggestion_origin"}}', "utf-8")
    before = (shop / "done.origins.json").read_bytes()
    one_error(cli(*BASE, "--record-out", "done.json"), "output_is_input", words=("done.origins.json", "done.jsonl"))
    assert (shop / "done.origins.json").read_bytes() == before
    (shop / "done.jsonl").unlink()
    assert cli(*BASE, "--record-out", "done.json").code in (0, 1)


def test_a_store_that_cannot_be_used_is_refused_before_anybody_is_asked(cli, shop, server, settings, one_error):
    settings()
    (shop / "store.db").write_bytes(b"name,age\nAda,36\n" * 100)
    one_error(cli(*BASE, "--store", "store.db"), "store_unusable", words=("store.db",))
    one_error(cli(*BASE, "--store", "ftp://x/y"), "unknown_store")
    one_error(cli(*BASE, "--store", ""), "unknown_store")
    assert not server.requests
    (shop / "store.db").unlink()
    assert cli(*BASE, "--store", "store.db").code == 1
    one_error(cli(*BASE, "--store", "store.db", "--record-out", "store.db"), "output_is_input")
