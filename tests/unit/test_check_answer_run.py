"""A fault of ours in one line of `check-answer` loses no other line."""

import json

from veracord.apps import check_answer_run
from veracord.apps.cli import run

LINE = {"id": "a", "evidence": [{"id": "e1", "text": "Tare 3 kg."}], "answer": "The tare is 3 kg [e1]."}


def test_lines_behind_a_fault_are_judged(tmp_path, monkeypatch, capfdbinary):
    judge_line = check_answer_run.judge_line

    def faulty(verifier, question):
        if question["id"] == "b":
            raise IndexError("the text of a record")
        return judge_line(verifier, question)

    monkeypatch.setattr(check_answer_run, "judge_line", faulty)
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(LINE | {"id": name}) + "\n" for name in "abc"), "utf-8")
    code = run(["check-answer", str(path)])
    out, err = capfdbinary.readouterr()
    found = [json.loads(line) for line in out.splitlines()]
    assert code == 70
    assert [line.get("verdict") for line in found] == ["supported", None, "supported"]
    assert found[1]["error"]["code"] == "internal"
    assert b"the text of a record" not in out + err
