"""`veracord answer`: an answer with its evidence, or why there is none."""

import json

import pytest

from tests.contract.model_server import Answer, ModelServer

RECORD = {"productId": "P-1", "mass": {"value": 10, "unit": "kg"}, "maker": "Acme GmbH", "note": "a\u001b[31mb"}
OTHER = {"productId": "P-2", "mass": {"value": 77, "unit": "kg"}, "colour": "red"}
BASE = ["-e", "sources"]


@pytest.fixture(autouse=True)
def sources(shop):
    folder = shop / "sources"
    folder.mkdir()
    (folder / "own.json").write_text(json.dumps(RECORD), "utf-8")
    (folder / "other.json").write_text(json.dumps(OTHER), "utf-8")
    (shop / "product.json").write_text('{"productId": "P-1"}', "utf-8")
    return folder


def draft(text, *ids):
    return Answer(json.dumps({"sentences": [{"text": text, "evidence_ids": list(ids)}]}))


def test_an_answer_is_told_with_its_evidence(cli):
    ended = cli("answer", "How heavy is product P-1?", *BASE)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("The mass is 10 kg [own].\n")
    assert "/mass/value" in ended.out
    assert "sha256:" in ended.out


def test_an_answer_as_json(cli):
    ended = cli("answer", "How heavy is it?", *BASE, "--product", "product.json", "--json")
    assert ended.code == 0
    assert ended.json["text"] == "The mass is 10 kg [own]."
    assert ended.json["path"] == "hints"


@pytest.mark.parametrize(
    ("question", "more", "code"),
    [
        ("How heavy is the product?", [], "ambiguous_product"),
        ("What is the colour of product P-1?", [], "other_product"),
        ("What is the colour?", ["--product", "product.json"], "other_product"),
        ("What is the price of product P-1?", [], "no_such_field"),
        ("What is the mass of product P-3?", [], "other_product"),
    ],
)
def test_an_abstention_is_told_with_its_reason(cli, question, more, code):
    ended = cli("answer", question, *BASE, *more)
    assert (ended.code, ended.err) == (1, "")
    assert f"({code})" in ended.out
    ended = cli("answer", question, *BASE, *more, "--json")
    assert (ended.code, ended.json["code"]) == (1, code)


def test_no_evidence_is_an_abstention(cli):
    assert cli("answer", "How heavy is it?", "--json").json["code"] == "no_evidence"


def test_a_question_from_standard_input(cli):
    ended = cli("answer", "-", *BASE, stdin=b"How heavy is product P-1?\n")
    assert ended.code == 0


@pytest.mark.parametrize("question", ["", " \n", "\x1b[\x07", "x" * 3_000])
def test_what_is_no_question_is_refused_in_one_line(cli, question):
    ended = cli("answer", question, *BASE)
    assert ended.code == 2
    assert ended.err.startswith("error: invalid_question: ")
    assert ended.err.count("\n") == 1
    assert "\x1b" not in ended.err


def test_a_megabyte_is_refused_at_once(cli):
    ended = cli("answer", "-", *BASE, stdin=b"How heavy? " * 100_000)
    assert (ended.code, ended.err.count("\n")) == (2, 1)


def test_a_hostile_question_steers_nothing(cli):
    ended = cli("answer", "What is the \x1b]0;owned\x07\u202eprice of product P-1?", *BASE)
    assert ended.code == 1
    assert not any(char in ended.out for char in "\x1b\x07\u202e")


def test_values_of_the_evidence_steer_no_terminal(cli):
    ended = cli("answer", "What is the note of product P-1?", *BASE)
    assert "\x1b" not in ended.out


def test_a_model_drafts_and_the_server_is_asked_once(cli):
    with ModelServer(default=draft("The mass is 10 kg.", "own")) as server:
        asked = ["--model", "small", "--base-url", server.chat_url]
        ended = cli("answer", "How heavy is product P-1?", *BASE, *asked, "--json")
    assert (ended.code, ended.json["path"]) == (0, "model")
    (request,) = server.requests
    assert "77" not in json.dumps(request.json)


def test_what_a_model_makes_up_is_not_answered(cli):
    with ModelServer(default=draft("The price is 5 EUR.", "own")) as server:
        asked = ["--model", "small", "--base-url", server.chat_url]
        ended = cli("answer", "What is the price of product P-1?", *BASE, *asked, "--json")
    assert ended.code == 1
    assert ended.json["code"] in ("not_supported", "undecided")
    assert len(server.requests) == 2
    assert "EUR" not in ended.out


def test_a_model_that_is_not_there_is_exit_code_5(cli):
    ended = cli("answer", "How heavy is product P-1?", *BASE, "--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    assert ended.code == 5
    assert ended.out == ""


def test_a_profile_names_the_product(cli, shop):
    (shop / "sources2").mkdir()
    (shop / "sources2/w.json").write_text('{"id": "W-1", "name": "Widget", "mass_kg": 1.25}', "utf-8")
    (shop / "seed.json").write_text('{"id": "W-1"}', "utf-8")
    command = ["answer", "How heavy is the product?", "-e", "sources2", "-p", "widget.toml", "--product", "seed.json"]
    assert "1.25 kg [w]" in cli(*command).out


def test_settings_of_answers_stand_in_the_settings_file(cli, shop):
    (shop / "veracord.toml").write_text("[answers]\ndecomposes = true\nevidence_characters = 2000\n", "utf-8")
    with ModelServer(default=draft("The mass is 10 kg.", "own")) as server:
        asked = ["--model", "small", "--base-url", server.chat_url]
        assert cli("answer", "How heavy is product P-1?", *BASE, *asked).code == 0
    names = [request.json["response_format"]["json_schema"]["name"] for request in server.requests]
    assert names == ["draft", "decompose"] * 2


@pytest.mark.parametrize(
    ("text", "code", "names"),
    [
        ("answers = 1\n", "invalid_setting", ["answers"]),
        ("[answers]\ncolour = 1\n", "unknown_field", ["veracord.toml", "answers", "colour"]),
        ("[answers]\nevidence_characters = -1\n", "invalid_pipeline", ["answers.evidence_characters"]),
        ("[answers]\nsupports = 1\n", "invalid_pipeline", ["answers.supports"]),
    ],
)
def test_settings_that_cannot_be_are_refused_in_one_line(cli, shop, text, code, names):
    (shop / "veracord.toml").write_text(text, "utf-8")
    ended = cli("answer", "How heavy is product P-1?", *BASE)
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert ended.err.startswith(f"error: {code}: ")
    assert all(name in ended.err for name in names)
