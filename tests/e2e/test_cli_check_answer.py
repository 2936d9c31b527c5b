"""`veracord check-answer` as a user meets it."""

import json
import subprocess

GOOD = {"id": "a", "evidence": [{"id": "e1", "text": "Tare 3 kg."}], "answer": "The tare is 3 kg [e1]."}
WRONG = GOOD | {"id": "b", "answer": "The tare is 4 kg [e1]."}
REFUSED = GOOD | {"id": "c", "answer": "The evidence does not state the colour."}


def lines(*questions):
    return "".join(json.dumps(question) + "\n" for question in questions)


def test_an_answer_that_is_grounded_is_supported(cli):
    done = cli("check-answer", "-", stdin=lines(GOOD).encode())
    assert (done.code, done.err) == (0, "")
    (found,) = done.lines
    assert list(found) == ["id", "verdict", "coverage", "claims"]
    assert (found["id"], found["verdict"], found["coverage"]) == ("a", "supported", "complete")
    (claim,) = found["claims"]
    assert list(claim) == ["text", "verdict", "evidence_ids", "gates"]
    assert claim["evidence_ids"] == ["e1"]
    assert {tuple(gate) for gate in claim["gates"]} == {("gate", "outcome", "detail")}
    assert len(claim["gates"]) == 10


def test_verdicts_come_in_order_and_decide_the_exit_code(cli, shop):
    (shop / "answers.jsonl").write_text(lines(GOOD, WRONG, REFUSED), "utf-8")
    done = cli("check-answer", "answers.jsonl")
    assert done.code == 1
    assert [(line["id"], line["verdict"]) for line in done.lines] == [
        ("a", "supported"),
        ("b", "unsupported"),
        ("c", "abstain"),
    ]
    assert done.lines[2]["coverage"] == "none_asserted"


def test_given_claims_are_held_against_the_answer(cli):
    question = GOOD | {"claims": ["The tare is 3 kg."]}
    assert cli("check-answer", "-", stdin=lines(question).encode()).lines[0]["verdict"] == "supported"
    question = GOOD | {"claims": []}
    found = cli("check-answer", "-", stdin=lines(question).encode()).lines[0]
    assert (found["verdict"], found["coverage"], found["claims"]) == ("unsupported", "incomplete", [])


def test_a_bad_line_is_told_in_its_place_and_the_rest_goes_on(cli):
    bad = [
        b"{",
        b"[]",
        b'{"id": "x", "id": "y"}',
        json.dumps({"id": "d", "evidence": [], "answer": 5}).encode(),
        json.dumps({"id": "e", "evidence": [{"id": "e1"}], "answer": ""}).encode(),
        json.dumps({"id": "f", "evidence": [], "answer": "", "claims": "x"}).encode(),
        json.dumps({"evidence": [], "answer": ""}).encode(),
        json.dumps(GOOD | {"id": "g", "evidence": GOOD["evidence"] * 2}).encode(),
    ]
    done = cli("check-answer", "-", stdin=b"\n".join([*bad, b"", lines(GOOD).encode()]))
    assert done.code == 2
    assert [line["id"] for line in done.lines] == [None, None, None, "d", "e", "f", None, "g", "a"]
    for line in done.lines[:-1]:
        assert list(line) == ["id", "error"]
        assert list(line["error"]) == ["code", "message"]
    assert done.lines[-1]["verdict"] == "supported"
    assert len(done.err.splitlines()) == len(bad)
    assert all(line.startswith("error: ") for line in done.err.splitlines())


def test_each_line_is_answered_before_the_next_is_asked(command, env):
    with subprocess.Popen(
        [*command, "check-answer", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env()
    ) as process:
        for name in ("one", "two"):
            process.stdin.write(lines(GOOD | {"id": name}).encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == name
        process.stdin.close()
        assert process.wait(20) == 0


def test_no_file_is_an_error_of_the_user(cli):
    done = cli("check-answer", "absent.jsonl")
    assert done.code == 2
    assert done.err.startswith("error: unreadable_file")


def test_no_lines_are_all_supported(cli):
    done = cli("check-answer", "-", stdin=b"\n")
    assert (done.code, done.out) == (0, "")
