"""The same inputs through Python, the command line and HTTP give the same JSON: there is one way to a result."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from tests.contract.http_servers import Served
from tests.golden.runner import GOLDEN, own_cases, own_profile
from veracord import EvidencePack, RecordComposer, RecordGenerationError
from veracord.apps.cli import run
from veracord.bootstrap.answer_lines import judge_line
from veracord.grounding.verifier import Verifier
from veracord.records.reading import read_record, read_value
from veracord.records.writing import write_json
from veracord.reports.validations import validation_report

_CASES = own_cases()
REPAIRS = _CASES[:: len(_CASES) // 20][:20]
VALIDATIONS = _CASES[3 :: len(_CASES) // 12][:12]
SEEDS = [case for case in _CASES if case["evidence"] and not case.get("origins")][:: len(_CASES) // 8][:6]
LAMP = [
    {"id": "sheet", "content": {"id": "L-1", "name": "Lamp one", "mass_kg": Decimal("5.50"), "colour": "red"}},
    {"id": "words", "text": "The lamp L-1 weighs 5.5 kg. It is red."},
]
QUESTIONS = [
    "What is the mass of L-1?",
    "What colour is the lamp L-1?",
    "Who made the moon?",
    "Wie schwer ist L-1?",
    "Is the lamp L-1 red?",
    "What is the price of L-1?",
]
ANSWERS = [
    {"id": "a", "answer": "The lamp weighs 5.5 kg [words].", "evidence": LAMP},
    {"id": 2, "answer": "The lamp weighs 6 kg [words].", "evidence": LAMP},
    {"id": "c", "answer": "It is red [words]. It is cheap.", "evidence": LAMP},
    {"id": "d", "answer": "The mass is 5.50 kg [sheet].", "evidence": LAMP},
    {"id": "e", "answer": "Nobody knows.", "evidence": []},
    {"id": "f", "answer": "Red.", "claims": ["The lamp L-1 is red."], "evidence": LAMP},
]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("same")
    with Served(folder / "s.db", sorted((GOLDEN / "profiles").glob("*.toml"))) as server:
        yield server.client("propose")


@pytest.fixture
def command(capsysbinary, tmp_path):
    """Run a command in this process; give its JSON."""

    def call(*arguments, files):
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        run([str(tmp_path / name) if (name := str(part)) in files else name for part in arguments])
        return capsysbinary.readouterr().out

    return call


def items_of(case):
    return {"evidence": case["evidence"]}


def told(result):
    """The JSON of a result, with exact numbers; every spelling counts."""
    return write_json(read_value(result if isinstance(result, bytes) else write_json(result), max_levels=200))


def profile_path(case):
    return str(GOLDEN / "profiles" / f"{case['profile']}.toml")


@pytest.mark.parametrize("case", REPAIRS, ids=[case["id"] for case in REPAIRS])
def test_a_repair(client, command, case):
    record = write_json(case["record"])
    origins = case.get("origins", {})
    profile = own_profile(case["profile"])
    pack = EvidencePack.from_items(case["evidence"])
    python = RecordComposer(profile).repair(read_record(record), pack, origins=origins).to_dict()
    files = {"r.json": record, "e.json": write_json(items_of(case))}
    if origins:
        files["r.origins.json"] = write_json(origins)
    cli = command("repair", "r.json", "-p", profile_path(case), "-e", "e.json", "--json", files=files)
    body = {"record": case["record"], "profile": profile.name, "evidence": case["evidence"], "origins": origins}
    http = client.post("/v1/repair", write_json(body))
    assert http.status == 200, http.data
    assert told(python) == told(cli) == told(http.data)


@pytest.mark.parametrize("case", VALIDATIONS, ids=[case["id"] for case in VALIDATIONS])
def test_a_validation(client, command, case):
    # Half of them with the values that are wrong.
    with_values = VALIDATIONS.index(case) % 2 == 1
    record = write_json(case["record"])
    profile = own_profile(case["profile"])
    python = validation_report(profile, read_record(record), with_values=with_values)
    more = ["--show-values"] if with_values else []
    cli = command("validate", "r.json", "-p", profile_path(case), "--json", *more, files={"r.json": record})
    body = {"record": case["record"], "profile": profile.name, "show_values": with_values}
    assert told(python) == told(cli) == told(client.post("/v1/validate", write_json(body)).data)


@pytest.mark.parametrize("case", SEEDS, ids=[case["id"] for case in SEEDS])
def test_a_synthesis(client, command, case):
    seed = write_json(case["record"])
    profile = own_profile(case["profile"])
    pack = EvidencePack.from_items(case["evidence"])
    files = {"r.json": seed, "e.json": write_json(items_of(case))}
    cli = command("synthesize", "r.json", "-p", profile_path(case), "-e", "e.json", "--json", files=files)
    body = {"seed": case["record"], "profile": profile.name, "evidence": case["evidence"]}
    http = client.post("/v1/synthesize", write_json(body))
    try:
        python, refused = RecordComposer(profile).synthesize(read_record(seed), pack).to_dict(), None
    except RecordGenerationError as error:
        python, refused = None, error
    if refused is not None:
        line = read_value(cli)
        assert (http.status, http.code) == (422, refused.code)
        assert line["error"]["code"] == refused.code
        assert refused.details["violations"] == line["violations"] == http.json["violations"]
        return
    assert http.status == 200
    assert told(python) == told(cli) == told(http.data)


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer(client, command, question):
    pack = EvidencePack.from_items(LAMP)
    from veracord.records.profiles import Profile

    python = RecordComposer(Profile.of_anything()).answer(question, pack).to_dict()
    cli = command("answer", question, "-e", "e.json", "--json", files={"e.json": write_json({"evidence": LAMP})})
    http = client.post("/v1/answer", write_json({"question": question, "evidence": LAMP}))
    assert told(python) == told(cli) == told(http.data)


@pytest.mark.parametrize("line", ANSWERS, ids=[str(line["id"]) for line in ANSWERS])
def test_a_judgement(client, command, line):
    python = {"id": line["id"], **judge_line(Verifier(), read_value(write_json(line)))}
    cli = command("check-answer", "a.jsonl", files={"a.jsonl": write_json(line) + b"\n"})
    http = client.post("/v1/check-answer", write_json(line))
    assert told(python) == told(cli) == told(http.data)


def test_judgements_as_lines(client, command):
    lines = b"\n".join([*map(write_json, ANSWERS), b"", b'{"id": 1}', b"{"]) + b"\n"
    cli = command("check-answer", "a.jsonl", files={"a.jsonl": lines})
    http = client.post("/v1/check-answer", lines, kind="application/x-ndjson")
    assert http.status == 200
    assert http.headers["content-type"] == "application/x-ndjson"
    mine, theirs = http.lines, [read_value(line) for line in cli.splitlines()]
    assert len(mine) == len(theirs) == len(ANSWERS) + 2
    assert mine[: len(ANSWERS)] == theirs[: len(ANSWERS)]
    assert [one["error"]["code"] for one in mine[len(ANSWERS) :]] == [
        one["error"]["code"] for one in theirs[len(ANSWERS) :]
    ]


def test_there_are_fifty_of_them():
    assert len(REPAIRS) + len(VALIDATIONS) + len(SEEDS) + len(QUESTIONS) + len(ANSWERS) >= 50


def test_a_schema_that_comes_along_is_the_same_as_one_in_a_file(client, command):
    schema = json.loads(Path(GOLDEN / "profiles" / f"{REPAIRS[0]['profile']}.schema.json").read_text("utf-8"))
    record = write_json(REPAIRS[0]["record"])
    files = {"r.json": record, "x.schema.json": json.dumps(schema).encode()}
    cli = command("validate", "r.json", "--schema", "x.schema.json", "--json", files=files)
    body = {"record": REPAIRS[0]["record"], "schemas": [{"name": "x.schema.json", "content": schema}]}
    assert told(cli) == told(client.post("/v1/validate", write_json(body)).data)


def test_numbers_keep_their_digits(client):
    record = b'{"a": 0.10, "b": 12345678901234567890.125, "c": 1E+400}'
    answer = client.post("/v1/repair", b'{"record": %s, "schemas": [{"name": "s", "content": {}}]}' % record)
    assert b'"record":' + record in answer.data
