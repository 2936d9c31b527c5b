"""What comes of a model's answers, replayed without it and without a network; see `tests.golden.boundary_cases`.

Some answers were written for their case, one fault each; some are those of a small model, as they came.
"""

import asyncio
import json
import socket
from importlib.resources import files

import pytest

from tests.golden import make_boundary
from tests.golden.boundary_cases import BOUNDARY, Case, all_cases, requests_on, run
from tests.golden.runner import same
from veracord import RecordComposer
from veracord.composer.suggestions import Suppression
from veracord.errors import ModelUnavailableError
from veracord.models import Cassette
from veracord.ports import Message, Request
from veracord.promptkit.prompts import bundled_prompt

CASES = all_cases()
BUNDLED = sorted(path.name.removesuffix(".md") for path in (files("veracord") / "bundled" / "prompts").iterdir())
PROMPTS = json.loads((BOUNDARY / "prompts.json").read_text("utf-8"))
#: Besides the words of `Suppression`: how a case ends, with one to look at for each.
ENDINGS = {
    "accepted at once": ("synthesize-accepted", "accepted", 1),
    "accepted after a correction": ("synthesize-corrected", "accepted", 2),
    "accepted after one of the form": ("synthesize-corrected-form", "accepted", 2),
    "raised": ("synthesize-raised", "raised", 2),
    "refused": ("synthesize-refused", "failed", 1),
    "cut off": ("synthesize-cut-off", "failed", 1),
    "prose": ("synthesize-raised-prose", "raised", 2),
    "text alone": ("synthesize-text-only", "raised", 2),
    "suggested": ("suggest-shown", "ok", 1),
    "suggestions refused": ("suggest-refused", "failed:refused", 1),
    "suggestions cut off": ("suggest-cut-off", "failed:truncated", 1),
    "suggestions as prose": ("suggest-prose", "failed:invalid_json", 1),
    "answered at once": ("question-supported", "answered", 1),
    "answered after a correction": ("question-corrected", "answered", 2),
    "answered by a field": ("question-hint", "answered", 2),
    "split and covered": ("question-covered", "answered", 2),
    "split and not covered": ("question-not-covered", "abstained", 4),
    "decided by a model": ("question-decided", "answered", 2),
    "decided by nobody": ("question-undecided", "abstained", 4),
    "not answered": ("question-refused", "abstained", 1),
    "not answered beside a fact": ("question-smuggled", "abstained", 2),
}


class Blocked(socket.socket):
    """A socket that leads nowhere; an event loop wakes itself by a pair within the process, which is let through."""

    def __init__(self, family=-1, *more, **named):
        if family != socket.AF_UNIX:
            raise AssertionError("a socket was made")
        super().__init__(family, *more, **named)

    def connect(self, *_address):
        raise AssertionError("a connection was tried")

    connect_ex = connect


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    def resolve(*_arguments, **_named):
        raise AssertionError("a name was looked up")

    monkeypatch.setattr(socket, "socket", Blocked)
    monkeypatch.setattr(socket, "create_connection", resolve)
    monkeypatch.setattr(socket, "getaddrinfo", resolve)


def test_there_is_no_network():
    with pytest.raises(AssertionError, match="a socket was made"):
        socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    left, right = socket.socketpair()
    with left, right, pytest.raises(AssertionError, match="a connection was tried"):
        left.connect("/tmp/nowhere")  # noqa: S108 - is not reached
    with pytest.raises(AssertionError, match="a name was looked up"):
        socket.create_connection(("veracord.example", 80))


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_all_that_comes_of_an_answer(case):
    told = run(case, Cassette(case.cassette))
    assert same(told, case.expect), f"{case.content['why']}\n{told}"


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_every_answer_on_a_cassette_is_used(case):
    """A case that asks the same again is answered alike, so there may be fewer answers than requests."""
    asked = requests_on(case.cassette)
    assert 0 < len(asked) <= case.expect["requests"]


@pytest.mark.parametrize("case", [case for case in CASES if case.content["model"] == "scripted"], ids=repr)
def test_a_cassette_holds_what_its_case_says(case):
    lines = [json.loads(line) for line in case.cassette.read_text("utf-8").splitlines()[1:]]
    written = [answer if isinstance(answer, str) else answer.text for answer in case.answers]
    assert sorted(line["response"]["text"] for line in lines) == sorted(written)


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_ending_is_shown(ending):
    name, status, requests = ENDINGS[ending]
    expect = Case(name).expect
    assert (expect["status"], expect["requests"]) == (status, requests)


@pytest.mark.parametrize("word", Suppression)
def test_every_reason_not_to_show_a_suggestion_is_shown(word):
    assert any(word in case.expect.get("suppressed", ()) for case in CASES), f"no golden shows {word}"


def test_no_golden_expects_a_word_that_is_unknown():
    expected = {word for case in CASES for word in case.expect.get("suppressed", ())}
    assert expected <= {*Suppression}


@pytest.mark.parametrize("name", BUNDLED)
def test_goldens_were_reviewed_with_the_prompt_as_it_is(name):
    problem = unreviewed(name, PROMPTS, bundled_prompt(name).digest)
    assert not problem, problem


@pytest.mark.parametrize("name", BUNDLED)
def test_who_changes_a_prompt_is_told_which_goldens_to_review(name):
    problem = unreviewed(name, PROMPTS, "sha256:0000")
    assert f"the prompt {name} has changed" in problem
    assert "sha256:0000" in problem
    assert all(case in problem for case in PROMPTS[name]["cases"])
    assert unreviewed("another", PROMPTS, "sha256:0000") == "no golden was reviewed with the prompt another"
    assert unreviewed(name, {name: {**PROMPTS[name], "cases": []}}, PROMPTS[name]["digest"])


def unreviewed(name, reviewed, digest):
    """Return why the goldens of a prompt are not reviewed; "" where they are."""
    row = reviewed.get(name, {"digest": "", "cases": []})
    if not row["cases"]:
        return f"no golden was reviewed with the prompt {name}"
    if row["digest"] == digest:
        return ""
    return (
        f"the prompt {name} has changed. Record these goldens again (python -m tests.golden.make_boundary --again"
        f" NAMES), read their answers, mend what they expect, then set its digest in boundary/prompts.json to {digest}:"
        f" {' '.join(row['cases'])}"
    )


def test_prompts_and_goldens_name_each_other():
    """No case goes unreviewed, and no prompt is listed that is not there."""
    asking = {name: [case.name for case in CASES if name in case.prompts] for name in PROMPTS}
    assert {name: row["cases"] for name, row in PROMPTS.items()} == asking
    assert sorted(PROMPTS) == BUNDLED


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_a_case_sends_the_prompts_of_its_kind(case):
    """The rules come first; a form that bears our annotation does not choose them."""
    rules, *asking = case.prompts
    used = set()
    for request in requests_on(case.cassette):
        system, user = request["messages"][:2]
        assert system == {"role": "system", "content": bundled_prompt(rules).text}
        used |= {name for name in asking if _is_sent(name, user["content"])}
        assert not asking or any(_is_sent(name, user["content"]) for name in asking)
    assert used == set(asking)


def _is_sent(name, content):
    before, _, after = bundled_prompt(name).text.partition("{{ input }}")
    return content.startswith(before) and content.endswith(after)


@pytest.mark.parametrize(
    ("name", "changed", "told"),
    [
        ("suggest-shown", {"record": {"product": {"id": "TK-41"}}}, {"status": "failed:cassette_miss"}),
        ("synthesize-accepted", {"seed": {"type": "CX-9"}}, {"status": "failed", "code": "cassette_miss"}),
        ("answer-accepted", {"unit": {"note": "Another."}}, {"status": "transport_failure", "code": "cassette_miss"}),
    ],
)
def test_a_request_that_was_not_recorded_is_an_error(name, changed, told):
    case = Case(name)
    case.content |= changed
    missed = run(case, Cassette(case.cassette))
    assert {key: missed[key] for key in told} == told
    assert missed["requests"] == 1


def test_a_cassette_says_what_it_misses():
    request = Request((Message("user", "Is there anybody?"),))
    with pytest.raises(ModelUnavailableError, match="no answer is recorded") as caught:
        asyncio.run(Cassette(CASES[0].cassette).complete(request))
    assert caught.value.code == "cassette_miss"
    assert caught.value.details["digest"].startswith("sha256:")


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "synthesis"], ids=repr)
def test_text_never_supports_a_leaf(case):
    """Whatever a text looks like: each leaf of a record names the seed or a source that is structured."""
    texts = {item["id"] for item in case.content["evidence"] if "text" in item}
    supported = {row.split(" ")[0] for row in case.expect.get("support", {}).values()}
    assert not supported & texts


def test_the_values_of_a_text_are_only_good_as_a_source():
    """The very same words as content support the record that they do not support as text."""
    case = Case("synthesize-text-only")
    mail, note, lab = case.content["evidence"]
    content = {name: value for name, value in json.loads(mail["text"]).items() if name != "evidence_ref"}
    case.content["evidence"] = [{"id": "mail", "content": content}, note, lab]
    with RecordComposer(case.profile) as composer:
        result = composer.synthesize(case.content["seed"], case.pack)
    assert result.record["chemistry"] == "LFP"


@pytest.mark.parametrize("arguments", [["suggest-shown"], ["--again"], ["suggest-none", "synthesize-accepted"]])
def test_what_was_recorded_is_not_recorded_again_by_accident(arguments, capsys):
    before = {case.name: case.cassette.read_bytes() for case in CASES}
    assert make_boundary.make(arguments) == 2
    assert capsys.readouterr().err
    assert {case.name: case.cassette.read_bytes() for case in CASES} == before
    assert not list((BOUNDARY / "cassettes").glob("*.new"))


def test_without_names_what_is_missing_is_recorded_and_nothing_else(capsys):
    assert make_boundary.make([]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["suggest-shown", "synthesize-corrected", "answer-corrected"])
def test_a_case_can_be_recorded_again_on_purpose(name, tmp_path, monkeypatch, capsys):
    """A script gives the same cassette, byte for byte."""
    case = Case(name)
    before = case.cassette.read_bytes()
    case.cassette = tmp_path / "recorded.jsonl"
    case.cassette.write_bytes(b"anything")
    monkeypatch.setattr(make_boundary, "Case", lambda _name: case)
    assert make_boundary.make(["--again", name]) == 0
    assert case.cassette.read_bytes() == before
    assert capsys.readouterr().out.startswith(f"{name}: ")


def test_a_script_must_be_used_up(tmp_path, monkeypatch, capsys):
    case = Case("suggest-shown")
    case.content["answers"] = case.content["answers"] * 2
    case.cassette = tmp_path / "recorded.jsonl"
    monkeypatch.setattr(make_boundary, "Case", lambda _name: case)
    assert make_boundary.make(["suggest-shown"]) == 1
    assert "1 answers were not asked for" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
