"""`veracord run`: a real process against a real server on the loopback address."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from tests.contract.model_server import Answer, Delay, Hang, ModelServer, Status, ToolCalls
from tests.e2e.pipeline_folders import ByUnit, PipelineFolder, ended, one_error, prompt_of, reading, unit_of

COLD = reading("Vostok", -128)
SECRET = "CANARY-5520"


@pytest.fixture
def server():
    with ModelServer(default=Answer(reading())) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path, server):
    return PipelineFolder.make(tmp_path / "job", server.chat_url)


def test_a_run_in_which_all_is_accepted(folder, server):
    done = folder.run()
    assert (done.code, done.err) == (0, "")
    assert folder.results() == [
        {"key": key, "outcome": "accepted", "incomplete": [], "value": {"place": "Oslo", "degrees": 4}} for key in "abc"
    ]
    assert "weather: 3 units, complete" in done.out
    assert "Requests: 3\n" in done.out
    assert "Tokens: 21 in, 9 out" in done.out
    assert "Results: readings.jsonl" in done.out
    assert sorted(unit_of(request)["note"] for request in server.requests) == ["note a", "note b", "note c"]


def test_output_is_in_the_order_of_the_input_whatever_is_answered_first(folder, server):
    order = []

    def slow_first(request):
        order.append(unit_of(request)["id"])
        return Delay(0.3, Answer(reading())) if order[-1] == "a" else Answer(reading(order[-1]))

    server.script(slow_first)
    assert folder.run().code == 0
    assert [(row["key"], row["value"]["place"]) for row in folder.results()] == [("a", "Oslo"), ("b", "b"), ("c", "c")]
    text = (folder.path / "readings.jsonl").read_text("utf-8")
    assert text.startswith('{"key":"a","outcome":"accepted","incomplete":[],"value":{"place":"Oslo","degrees":4}}\n')


def test_a_rejected_unit_is_corrected_by_exactly_two_more_messages(folder, server):
    server.script(ByUnit({"b": [COLD, reading("Vostok", -89)]}))
    done = folder.run()
    assert done.code == 0, done
    assert folder.outcomes() == dict.fromkeys("abc", "accepted")
    assert folder.results()[1]["value"] == {"place": "Vostok", "degrees": -89}
    first, second = (request for request in server.requests if unit_of(request)["id"] == "b")
    assert len(server.requests) == 4
    assert len(second.messages) == len(first.messages) + 2
    base = first.body[first.body.index(b'"messages":[') :]
    base = base[: base.index(b"}]") + 1]
    assert second.body.count(base) == 1
    assert second.messages[-2] == {"role": "assistant", "content": COLD}
    assert second.messages[-1]["role"] == "user"
    assert "-128 degrees were never measured" in second.messages[-1]["content"]


def test_each_correction_replaces_the_one_before(folder, server):
    folder.producer["retries"] = 3
    worse = [reading("Vostok", -200 - number) for number in range(3)]
    server.script(ByUnit({"a": [*worse, reading("Vostok", -80)]}))
    folder.units({"id": "a"})
    assert folder.run().code == 0
    sizes = [len(request.messages) for request in server.requests]
    assert sizes == [sizes[0], *[sizes[0] + 2] * 3]
    assert [request.messages[-2]["content"] for request in server.requests[1:]] == worse
    assert len({json.dumps(request.messages[:-2]) for request in server.requests[1:]}) == 1


def test_rejected_and_the_run_goes_on(folder, server):
    server.script(ByUnit({"b": [COLD]}))
    folder.producer["policy"] = {"rejection": "warn_continue"}
    done = folder.run()
    assert done.code == 3
    assert done.err == "warning: unit b of reading is rejected: cold (rejected)\n"
    assert folder.results()[1] == {"key": "b", "outcome": "rejected", "incomplete": [], "value": None}
    assert folder.outcomes() == {"a": "accepted", "b": "rejected", "c": "accepted"}
    assert len(server.requests) == 4
    assert "weather: 3 units, complete" in done.out


def test_rejected_and_the_run_ends(folder, server):
    server.script(ByUnit({"a": [COLD]}))
    folder.producer["retries"] = 0
    done = folder.run("--concurrency", 1)
    assert done.code == 4
    assert done.err.startswith(
        "error: run_failed: unit a ended as rejected (cold: rejected) and the policy says fail_run, reading, "
    )
    assert done.err.count("\n") == 1
    assert folder.outcomes() == {"a": "rejected"}
    assert len(server.requests) == 1
    assert "weather: 1 of 3 units, not complete (run_failed)" in done.out


def test_a_producers_policy_overrides_that_of_the_file_field_by_field(folder, server):
    server.script(ByUnit({"a": [COLD], "b": [Answer("", finish="length")]}))
    folder.tables["policy"] = {"rejection": "fail_run", "truncation": "warn_continue"}
    folder.producer["policy"] = {"rejection": "warn_continue"}
    done = folder.run("--json")
    assert done.code == 3
    assert folder.outcomes() == {"a": "rejected", "b": "truncated", "c": "accepted"}
    policy = done.json["policy"]["reading"]
    assert policy["rejection"] == {"disposition": "warn_continue", "origin": "producer"}
    assert policy["truncation"] == {"disposition": "warn_continue", "origin": "pipeline"}
    assert policy["refusal"] == {"disposition": "fail_run", "origin": "default"}


def test_a_validator_that_cannot_check_leaves_the_unit_incomplete(folder, server):
    folder.producer["validators"].append({"id": "broken", "use": "checks:cannot_say", "execution_retries": 0})
    folder.units({"id": "a"})
    done = folder.run()
    assert done.code == 3
    assert (
        done.err
        == "warning: unit a of reading is accepted_incomplete: reading/broken could not check (raised:RuntimeError)\n"
    )
    assert folder.results() == [
        {
            "key": "a",
            "outcome": "accepted_incomplete",
            "incomplete": ["reading/broken"],
            "value": {"place": "Oslo", "degrees": 4},
        }
    ]
    assert len(server.requests) == 1
    folder.producer["policy"] = {"validator_execution_failure": "fail_run"}
    strict = folder.run("--json")
    assert strict.code == 4
    assert (strict.json["complete"], strict.json["ended_by"]) == (False, "run_failed")
    # What was accepted as incomplete is no answer for another run.
    assert len(server.requests) == 2
    assert folder.results()[0]["outcome"] == "validation_unavailable"
    assert folder.results()[0]["value"] is None


def test_a_validator_that_cannot_check_is_never_told_to_the_model(folder, server):
    folder.producer["validators"].append({"id": "broken", "use": "checks:cannot_say", "execution_retries": 0})
    folder.units({"id": "a"})
    server.script(ByUnit({"a": [COLD, reading()]}))
    assert folder.run().code == 3
    told = server.requests[1].messages[-1]["content"]
    assert "1 check could not be run" in told
    for word in ("broken", "RuntimeError", "thermometer"):
        assert word not in told


def test_an_answer_of_the_wrong_form_is_asked_for_again(folder, server):
    folder.units({"id": "a"})
    server.script(ByUnit({"a": ['{"place": "Oslo"}', "```json\n" + reading() + "\n```"]}))
    done = folder.run()
    assert done.code == 0
    first, second = server.requests
    assert second.messages[:-2] == first.messages
    assert second.messages[-2]["content"] == '{"place": "Oslo"}'
    assert "degrees" in second.messages[-1]["content"]
    assert "Requests: 2\n" in done.out


def test_the_budget_of_structure_is_renewed_by_each_attempt(folder, server):
    folder.units({"id": "a"})
    folder.producer.update(retries=2, structure_repairs=1, policy={"structural_failure": "warn_continue"})
    server.script(lambda _: "no JSON at all")
    done = folder.run()
    assert done.code == 3
    assert folder.outcomes() == {"a": "structural_failure"}
    sizes = [len(request.messages) for request in server.requests]
    assert sizes == [sizes[0], sizes[0] + 2] * 3


def test_a_tool_is_called_where_that_is_asked_for(folder, server):
    folder.units({"id": "a"})
    folder.producer["via"] = "tool"
    server.script(ToolCalls((("reading", COLD),)), ToolCalls((("reading", reading()),)))
    assert folder.run().code == 0
    assert server.requests[0].json["tools"][0]["function"]["name"] == "reading"
    assert len(server.requests[1].messages) == len(server.requests[0].messages) + 2
    assert json.loads(server.requests[1].messages[-2]["content"]) == json.loads(COLD)
    assert "tool_calls" not in server.requests[1].messages[-2]


def test_the_second_producer_is_given_what_the_first_made(folder, server):
    schema = {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]}
    folder.write("words.json", json.dumps(schema))
    folder.write(
        "words.md",
        "---\nid: words\nversion: 1\npurpose: Puts it in words\nvariables: [input, previous]\n---\n"
        "{{ input }}\nSay it: {{ previous }}\n",
    )
    folder.tables["producers"].append({"id": "words", "prompt": "words.md", "schema": "words.json"})
    folder.producer["validators"].append({"id": "broken", "use": "checks:cannot_say", "execution_retries": 0})
    folder.producer["policy"] = {"rejection": "warn_continue"}

    def answers(request):
        name = request.json["response_format"]["json_schema"]["name"]
        if name == "reading":
            return Answer(COLD if unit_of(request)["id"] == "b" else reading("Bergen", 7))
        return Answer('{"words": "mild"}')

    server.script(answers)
    done = folder.run()
    assert done.code == 3, done
    assert folder.results()[0] == {
        "key": "a",
        "outcome": "accepted_incomplete",
        "incomplete": ["reading/broken"],
        "value": {"words": "mild"},
    }
    assert folder.results()[1]["value"] is None
    second = [prompt_of(request) for request in server.requests if "Say it" in prompt_of(request)]
    assert len(second) == 2
    assert all('<previous>\n{"place":"Bergen","degrees":7}\n</previous>' in text for text in second)


@pytest.mark.parametrize(
    ("key", "units", "keys"),
    [
        ("/about/id", [{"about": {"id": "x"}}, {"about": {"id": "y"}}], ["x", "y"]),
        (None, [{"id": "x"}, ["y"], "z"], ["1", "2", "3"]),
        ("/id", [{"id": 12}, {"id": "é\n"}], ["12", "é\n"]),
    ],
)
def test_how_units_are_named(folder, key, units, keys):
    folder.units(*units)
    if key is None:
        del folder.tables["run"]["key"]
    else:
        folder.tables["run"]["key"] = key
    assert folder.run().code == 0
    assert [row["key"] for row in folder.results()] == keys


def test_blank_lines_count_as_lines_and_are_no_units(folder):
    del folder.tables["run"]["key"]
    folder.write("notes.jsonl", '\ufeff{"n": 1}\r\n\n  \n{"n": 2}')
    assert folder.run().code == 0
    assert [row["key"] for row in folder.results()] == ["1", "4"]


def test_without_an_output_file_the_lines_are_printed(folder, server):
    del folder.tables["run"]["output"]
    server.script(ByUnit({"b": [COLD]}))
    folder.tables["policy"] = {"rejection": "warn_continue"}
    done = folder.run()
    assert done.code == 3
    assert [(row["key"], row["outcome"]) for row in done.lines] == [
        ("a", "accepted"),
        ("b", "rejected"),
        ("c", "accepted"),
    ]
    # Standard output holds the results alone, so the counts stand beside the warning.
    assert done.err.startswith("warning: unit b ")
    assert "weather: 3 units, complete" in done.err


@pytest.mark.parametrize("to_file", [True, False])
def test_json_is_one_object(folder, server, to_file):
    if not to_file:
        del folder.tables["run"]["output"]
    server.script(ByUnit({"b": [COLD]}))
    folder.tables["policy"] = {"rejection": "warn_continue"}
    done = folder.run("--json")
    assert done.code == 3
    assert done.out.count("\n") == 1
    told = done.json
    assert told["run"] == "weather"
    assert told["complete"] is True
    assert told["units"] == 3
    assert told["outcomes"] == {"accepted": 2, "rejected": 1}
    assert told["usage"]["requests"] == 4
    assert (told["usage"]["input_tokens"], told["usage"]["output_tokens"]) == (28, 12)
    assert told["output"] == ("readings.jsonl" if to_file else None)
    assert ("results" in told) is not to_file
    if not to_file:
        assert [row["key"] for row in told["results"]] == ["a", "b", "c"]


def test_costs_are_told_where_prices_are_known(folder):
    folder.tables["model"] |= {"price_per_mtok_in": 1.5, "price_per_mtok_out": 2, "max_cost_usd": 1, "max_tokens": 9}
    done = folder.run("--json")
    assert done.code == 0, done
    assert done.json["usage"]["cost_usd"] == pytest.approx((21 * 1.5 + 9 * 2) / 1e6)


def test_a_run_ends_before_the_request_that_could_pass_the_limit_on_cost(folder, server):
    folder.tables["model"] |= {"price_per_mtok_in": 1, "price_per_mtok_out": 1, "max_tokens": 10}
    folder.tables["model"]["max_cost_usd"] = 0.0000001
    done = folder.run()
    assert done.code == 4
    assert done.err.startswith("error: cost_ceiling: ")
    assert not server.requests
    assert set(folder.outcomes().values()) <= {"cancelled"}


def test_a_dry_run_counts_the_worst_case_and_asks_nobody(folder, server):
    folder.producer.update(retries=2, structure_repairs=3)
    folder.tables["producers"].append(
        {"id": "again", "prompt": "reading.md", "schema": "reading.json", "retries": 0, "structure_repairs": 0}
    )
    worst = 3 * ((1 + 2) * (1 + 3) + 1)
    told = folder.run("--dry-run", "--json")
    assert (told.code, told.err) == (0, "")
    assert told.json["units"] == 3
    assert told.json["max_requests"] == worst
    assert [item["max_requests_per_unit"] for item in told.json["producers"]] == [12, 1]
    assert told.json["producers"][0]["policy"]["rejection"] == {"disposition": "fail_run", "origin": "default"}
    plain = folder.run("--dry-run")
    assert (plain.code, plain.err) == (0, "")
    assert f"weather: 3 units, at most {worst} requests" in plain.out
    assert "(1 + 2) x (1 + 3) = 12" in plain.out
    assert not server.requests
    assert not server.connections
    assert "readings.jsonl" not in folder.files()
    assert not (folder.path / ".veracord").exists()


def test_a_dry_run_checks_what_a_run_would_check(folder, server):
    folder.units({"id": "a"}, {"id": "a"})
    one_error(folder.run("--dry-run"), "duplicate_key", "notes.jsonl:1", "notes.jsonl:2")
    folder.validator["use"] = "checks:no_such_name"
    one_error(folder.run("--dry-run"), "not_importable", "weather.toml producers[0].validators[0].use", "no_such_name")
    assert not server.connections


@pytest.mark.parametrize(("option", "in_file", "connections"), [(None, 2, 2), (3, 2, 3)])
def test_so_many_units_are_in_flight(folder, server, option, in_file, connections):
    server.script(lambda _: Delay(0.1, Answer(reading())))
    folder.units(*({"id": str(number)} for number in range(6)))
    folder.tables["run"]["concurrency"] = in_file
    assert folder.run(*(["--concurrency", option] if option else [])).code == 0
    # One connection carries one request at a time.
    assert server.connections == connections
    assert len(server.requests) == 6


def test_transcripts_are_for_their_owner_alone(folder, server):
    server.script(ByUnit({"b": [COLD, reading()]}))
    done = folder.run("--debug-transcripts", "seen", "--json", OWN_KEY=SECRET)
    assert done.code == 0
    assert done.json["debug_transcripts"] is True
    assert done.err == "warning: texts of the model are written to seen\n"
    seen = folder.path / "seen"
    assert seen.stat().st_mode & 0o777 == 0o700
    files = sorted(seen.iterdir())
    assert len(files) == 4
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    assert sum(row["answered"] == COLD for row in rows) == 1
    assert sum(len(row["asked"]) == 4 for row in rows) == 1
    assert {row["asked"][0]["role"] for row in rows} == {"system"}


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
def test_transcripts_are_refused_where_others_can_read_them(folder, server):
    (folder.path / "open").mkdir(mode=0o755)
    (folder.path / "open").chmod(0o750)
    one_error(folder.run("--debug-transcripts", "open"), "transcripts", "open", "chmod 700")
    (folder.path / "file").write_text("x", "utf-8")
    one_error(folder.run("--debug-transcripts", "file"), "transcripts", "file")
    assert not server.connections


def test_a_transcript_that_cannot_be_written_ends_the_run(folder, server):
    # Its name is taken by a folder.
    folder.run("--debug-transcripts", "seen")
    name = next(path.name for path in (folder.path / "seen").iterdir() if path.name.startswith("b-"))
    (folder.path / "seen" / name).unlink()
    (folder.path / "seen" / name).mkdir()
    server.script()
    # In the store of the first run all is done, and nobody would be asked.
    done = folder.run("--debug-transcripts", "seen", "--concurrency", 1, "--store", "second.db")
    assert done.code == 4, done
    assert "\nerror: transcript_unwritable: a transcript cannot be written, " in done.err
    assert folder.outcomes() == {"a": "accepted", "b": "cancelled"}
    assert len(server.requests) == 2


def test_a_refused_configuration_makes_no_folder_for_transcripts(folder, server):
    folder.producer["unknown"] = 1
    before = folder.files()
    one_error(folder.run("--debug-transcripts", "new/seen"), "unknown_field")
    assert folder.files() - {"weather.toml"} == before
    assert not server.connections


def test_without_transcripts_no_text_of_the_model_is_on_the_disk(folder, server, tmp_path):
    server.script(ByUnit({"b": [f'{{"place": "{SECRET}"}}', reading(SECRET, -500)]}))
    folder.tables["policy"] = {"rejection": "warn_continue"}
    done = folder.run(HOME=str(tmp_path), TMPDIR=str(tmp_path))
    assert done.code == 3
    assert SECRET not in done.out + done.err
    assert any(
        SECRET in request.messages[-1 - 1]["content"] for request in server.requests if len(request.messages) > 2
    )
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path


def test_the_key_is_sent_and_told_nobody(folder, server):
    server.script(ByUnit({"b": [Status(401, f'{{"error": "bad key {SECRET}"}}'.encode())]}))
    folder.tables["model"]["api_key_env"] = "OWN_KEY"
    folder.tables["policy"] = {"transport_failure": "warn_continue"}
    done = folder.run("--debug-transcripts", "seen", OWN_KEY=f"sk-{SECRET}")
    assert done.code == 3
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer sk-{SECRET}"}
    assert SECRET not in done.out + done.err
    for path in folder.path.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path
    assert SECRET not in folder.run("--dry-run", "--json", OWN_KEY=f"sk-{SECRET}").out


@pytest.mark.parametrize("variables", [{}, {"OWN_KEY": ""}])
def test_without_a_key_none_is_sent(folder, server, variables):
    folder.tables["model"]["api_key_env"] = "OWN_KEY"
    assert folder.run(**variables).code == 0
    assert all("authorization" not in request.headers for request in server.requests)
    assert server.requests


def test_a_key_that_no_header_can_carry_is_refused_unseen(folder, server):
    folder.tables["model"]["api_key_env"] = "OWN_KEY"
    done = folder.run(OWN_KEY=f"{SECRET}\nX-Evil: 1")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "weather.toml model" in done.err
    assert SECRET not in done.err
    assert not server.connections


def test_the_wire_of_anthropic(folder, server):
    folder.tables["model"] |= {
        "adapter": "anthropic",
        "base_url": server.url,
        "max_tokens": 100,
        "api_key_env": "OWN_KEY",
    }
    server.script(ByUnit({"b": [COLD, reading()]}))
    done = folder.run(OWN_KEY="sk-own")
    assert done.code == 0, done
    assert {request.path for request in server.requests} == {"/v1/messages"}
    assert {request.headers["x-api-key"] for request in server.requests} == {"sk-own"}
    first, second = (request for request in server.requests if unit_of(request)["id"] == "b")
    assert second.messages[:-2] == first.messages


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_a_run_and_keeps_what_is_settled(folder, server, name):
    folder.units(*({"id": key} for key in "abcde"))
    server.script(ByUnit({"b": [Hang()], "c": [Hang()]}))
    process = folder.start("--concurrency", 2)
    server.wait_for_requests(3, 20)
    process.send_signal(getattr(signal, name))
    done = ended(process)
    assert done.code == 4, done
    assert done.err.startswith("error: "), done.err
    assert done.err.count("\n") == 1
    assert folder.outcomes() == {"a": "accepted", "b": "cancelled", "c": "cancelled"}
    assert "weather: 1 of 5 units, not complete" in done.out
    assert "Requests: 3 (2 of unknown cost)" in done.out
    assert not [name for name in folder.files() if name.endswith((".tmp", ".old"))]


def test_a_signal_while_a_validator_hangs(folder, server):
    folder.use("import time\n\ndef check(value):\n    open('started', 'w').close()\n    time.sleep(600)\n")
    folder.units({"id": "a"})
    process = folder.start()
    server.wait_for_requests(1, 20)
    while not (folder.path / "started").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    done = ended(process)
    assert done.code == 4, done
    assert done.err.count("\n") == 1
    assert folder.outcomes() == {"a": "cancelled"}


@pytest.mark.parametrize(
    ("raises", "isolate"),
    [
        ("SystemExit", False),
        ("SystemExit", True),
        ("KeyboardInterrupt", False),
        ("type('Own', (BaseException,), {})", False),
    ],
)
def test_a_validator_that_asks_for_the_end_ends_the_run_without_a_word_of_its_own(folder, server, raises, isolate):
    folder.use(
        f"def check(value):\n    if value['place'] == 'end':\n        raise {raises}('{SECRET}')\n", isolate=isolate
    )
    server.script(ByUnit({"b": [reading("end")], "c": [Hang()]}))
    done = folder.run("--concurrency", 1)
    assert done.code == 4, done
    assert done.err.startswith("error: "), done.err
    assert done.err.count("\n") == 1, done.err
    assert SECRET not in done.out + done.err
    assert folder.outcomes() == {"a": "accepted", "b": "cancelled"}


def test_an_old_output_is_kept_when_something_is_refused(folder, server):
    old = folder.write("readings.jsonl", "old\n")
    folder.tables["model"]["colour"] = "red"
    assert folder.run().code == 2
    del folder.tables["model"]["colour"]
    folder.units({"id": "a"}, {})
    assert folder.run().code == 2
    assert old.read_text("utf-8") == "old\n"
    folder.units({"id": "a"})
    assert folder.run().code == 0
    assert len(old.read_text("utf-8").splitlines()) == 1
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "name",
    ["weather.toml", "checks.py", "link.jsonl"],
)
def test_the_output_is_no_input(folder, server, name):
    (folder.path / "link.jsonl").symlink_to("notes.jsonl")
    folder.tables["run"]["output"] = name
    folder.save()
    before = (folder.path / name).read_bytes()
    one_error(folder.run(), "output_is_input", "weather.toml run.output", name.removeprefix("./"))
    assert (folder.path / name).read_bytes() == before
    assert not server.connections


@pytest.mark.parametrize("name", ["missing/out.jsonl"])
def test_an_output_that_cannot_be_written_is_told_before_the_first_request(folder, server, name):
    folder.tables["run"]["output"] = name
    one_error(folder.run(), "unwritable_output", name)
    assert not server.connections


def test_a_run_without_units_is_complete(folder, server):
    folder.write("notes.jsonl", "\n")
    done = folder.run("--json")
    assert (done.code, done.json["units"], done.json["complete"]) == (0, 0, True)
    assert folder.results() == []
    assert not server.connections


def test_many_warnings_are_counted(folder, server):
    folder.units(*({"id": str(number)} for number in range(25)))
    folder.tables["policy"] = {"rejection": "warn_continue"}
    folder.producer["retries"] = 0
    server.script(lambda _: COLD)
    done = folder.run()
    assert done.code == 3
    assert done.err.count("\n") == 21
    assert done.err.endswith("warning: and 5 more units after which the run went on\n")


def test_hostile_keys_and_codes_cannot_steer_a_terminal(folder):
    folder.use(
        "from veracord.pipeline import Defect\n\ndef check(value):\n    return [Defect('x\\x1b[31m', '', 'y')]\n"
    )
    folder.units({"id": "\x1b[2J\nerror: \u202e"})
    folder.producer["policy"] = {"rejection": "warn_continue"}
    done = folder.run()
    assert done.code == 3
    assert done.err.count("\n") == 1
    assert all(char.isprintable() or char == "\n" for char in done.err), repr(done.err)


def test_a_pipeline_of_another_folder(folder, server, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder.write("limits.py", "COLDEST = -90\n")
    folder.write(
        "checks.py",
        "from limits import COLDEST\n\ndef not_too_cold(value):\n    return value['degrees'] > COLDEST or ['x']\n",
    )
    done = folder.run(cwd=elsewhere)
    assert done.code == 0, done
    assert folder.outcomes() == dict.fromkeys("abc", "accepted")
    # The store alone belongs to the folder that the command is given in.
    assert {path.name for path in elsewhere.iterdir()} == {".veracord"}
    assert not (folder.path / ".veracord").exists()
    assert len(server.requests) == 3


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_on_a_terminal_a_line_renews_itself_and_goes_away(folder, server):
    import pty

    server.script(ByUnit({"a": [Answer(COLD)], "b": [Delay(1.0, Answer(reading()))]}))
    folder.producer.update(retries=0, policy={"rejection": "warn_continue"})
    ours, theirs = pty.openpty()
    process = folder.start("--concurrency", 1, stderr=theirs, TERM="xterm")
    os.close(theirs)
    text = b""
    # The end of a terminal is told as an error.
    with suppress(OSError):
        while chunk := os.read(ours, 65536):
            text += chunk
    os.close(ours)
    done = ended(process)
    assert done.code == 3
    lines = text.decode().split("\r\x1b[K")
    told = re.compile(r"1/3  1 failed  [0-9.,]+/s  ETA [0-9,]+ s  tokens 7 in, 3 out")
    assert any(told.fullmatch(line) for line in lines)
    assert lines[-1] == "warning: unit a of reading is rejected: cold (rejected)\r\n"
    assert "weather: 3 units, complete" in done.out


def test_help_names_every_option_and_exit_code(cli):
    done = cli("run", "--help")
    assert done.code == 0
    options = ("--store", "--run", "--retry", "--concurrency", "--dry-run", "--debug-transcripts", "--json", "--config")
    for word in (*options, "PIPELINE.toml"):
        assert word in done.out
    for number in "0234":
        assert number in done.out


def test_an_input_that_is_a_pipe_is_refused_since_it_is_read_twice(folder):
    os.mkfifo(folder.path / "pipe")
    folder.tables["run"]["input"] = "pipe"
    one_error(folder.run(), "unreadable_file", "pipe")


def more_units_at_the_third_request(folder, server):
    """Let one line more be added to the input while the run is under way."""
    path = folder.path / "notes.jsonl"

    def answer(_request):
        if len(server.requests) == 3:
            path.write_bytes(path.read_bytes() + b'{"id": "more"}\n')
        return reading("Oslo", 4)

    server.script(answer)


@pytest.mark.parametrize("number", [30, 1100])
def test_an_input_that_is_changed_under_the_run_ends_it_and_keeps_what_was_done(folder, server, number):
    folder.units(*({"id": f"u{n}"} for n in range(number)))
    before = (folder.path / "notes.jsonl").read_bytes()
    more_units_at_the_third_request(folder, server)
    done = folder.run("--concurrency", 2)
    assert done.code == 4
    assert "input_changed" in done.err
    # What was about to be asked for when it was seen is not asked for.
    assert set(folder.outcomes().values()) <= {"accepted", "cancelled"}
    accepted = list(folder.outcomes().values()).count("accepted")
    assert 3 <= accepted == len(server.requests) <= 6
    assert f"{number:,} units, not complete" in done.out
    kept = folder.results()
    # The next start sees it before anything is asked, and the input can be put back.
    one_error(folder.run(), "input_changed")
    assert folder.results() == kept
    (folder.path / "notes.jsonl").write_bytes(before)
    server.script(lambda _: reading("Oslo", 4))
    assert folder.run("--concurrency", 20).code == 0
    assert len(folder.results()) == accepted + len(server.requests) == number


def test_more_signals_that_follow_at_once_do_not_lose_what_was_done(folder, server):
    folder.units(*({"id": f"u{n}"} for n in range(40)))
    folder.tables["run"]["concurrency"] = 4
    server.script(lambda _: Delay(0.05, Answer(reading("Oslo", 4))))
    process = folder.start()
    server.wait_for_requests(8, 20)
    for _ in range(5):
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    done = ended(process)
    assert done.code == 4
    assert len(folder.results()) >= 4


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
def test_the_end_of_a_terminal_ends_a_run_in_order(folder, server):
    folder.units(*({"id": f"u{n}"} for n in range(40)))
    folder.tables["run"]["concurrency"] = 2
    server.script(lambda _: Delay(0.05, Answer(reading("Oslo", 4))))
    process = folder.start()
    server.wait_for_requests(4, 20)
    process.send_signal(signal.SIGHUP)
    done = ended(process)
    assert done.code == 4
    assert folder.results()
    assert not list(folder.path.glob(".readings*"))


def test_more_units_in_flight_than_open_files_are_refused(folder):
    folder.run("--dry-run")
    command = f"ulimit -n 200; exec {sys.executable} -m veracord run weather.toml --concurrency 500"
    done = subprocess.run(["bash", "-c", command], cwd=folder.path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "too_many_files" in done.stderr


def test_what_a_validator_prints_does_not_get_among_the_results(folder, server):
    folder.use("def check(value):\n    print('chatter')\n")
    server.script(lambda _: reading("Oslo", 4))
    done = folder.run("--json")
    assert done.json["complete"]
    assert "chatter" in done.err
