"""What a cassette plays, what it keeps, and what it refuses."""

import asyncio
import json
import os
import socket
import stat
import traceback
from decimal import Decimal

import pytest

from veracord.errors import ConfigurationError, InputError, ModelUnavailableError
from veracord.models.cassettes import Cassette
from veracord.models.redaction import MARK
from veracord.ports import Finish, Message, Request, Response, Tool, Usage
from veracord.testing import ScriptedModel

KEY = "quokka-1234-opal"
SECRET = "zebra-kumquat-7431"
TOOL = Tool("keep", "Keeps a number.", {"type": "object", "properties": {"n": {"multipleOf": Decimal("0.10")}}})
PLAIN = Request((Message("user", "first"),))
FULL = Request(
    (Message("system", "s"), Message("user", "ä\n\u2028")),
    output_schema={"type": "object", "maximum": Decimal("1.50")},
    output_name="person",
    tools=(TOOL,),
    required_tool="keep",
)
ANSWER = Response(
    '{"n": 1}',
    Finish.LENGTH,
    "keep",
    Usage(2, input_tokens=7, output_tokens=0, cost_usd=Decimal("0.00120"), unmetered=1),
)


class Other(ScriptedModel):
    """A model with settings of its own, that tells when it was closed."""

    def __init__(self, answers, **settings):
        super().__init__(answers)
        self.own_settings = {"adapter": "other", **settings}
        self.closed = 0

    @property
    def settings(self):
        return self.own_settings

    async def aclose(self):
        self.closed += 1


def recorded(path, model, *requests, secrets=()):
    async def work():
        async with Cassette.record(path, model, secrets=secrets) as recorder:
            return [await recorder.complete(request) for request in requests]

    return asyncio.run(work())


def played(path, *requests, model=None):
    async def work():
        cassette = Cassette(path, model=model)
        try:
            return [await cassette.complete(request) for request in requests]
        finally:
            await cassette.aclose()

    return asyncio.run(work())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.jsonl"


def test_what_was_recorded_is_played_whole_and_every_time(path):
    refusal = Response("", Finish.REFUSAL)
    recorded(path, ScriptedModel([ANSWER, refusal]), FULL, PLAIN)
    assert played(path, PLAIN, FULL, FULL, PLAIN) == [refusal, ANSWER, ANSWER, refusal]


def test_playing_reaches_no_network(path, monkeypatch):
    def refuse(*_args, **_more):
        raise AssertionError("the network was asked")

    recorded(path, ScriptedModel(["hello"]), PLAIN)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    model = ScriptedModel(["other"])
    assert played(path, PLAIN, model=model) == [Response("hello")]
    assert model.requests == []


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"messages": (Message("system", "first"),)}, id="role"),
        pytest.param({"messages": (Message("user", "First"),)}, id="text"),
        pytest.param({"messages": (*PLAIN.messages, Message("assistant", ""))}, id="one more message"),
        pytest.param({"output_schema": {}}, id="schema"),
        pytest.param({"output_name": "other"}, id="name of the schema"),
        pytest.param({"tools": (TOOL,)}, id="tools"),
        pytest.param({"required_tool": "keep"}, id="required tool"),
    ],
)
def test_another_request_is_a_miss(path, changed):
    parts = {"messages": PLAIN.messages, **changed}
    recorded(path, ScriptedModel(["hello"]), PLAIN)
    with pytest.raises(ModelUnavailableError) as caught:
        played(path, Request(**parts))
    assert caught.value.code == "cassette_miss"


def test_an_equal_number_in_a_schema_is_the_same_request(path):
    one, other = ({"maximum": Decimal("1.50"), "type": "number"}, {"type": "number", "maximum": Decimal("1.5")})
    recorded(path, ScriptedModel(["hello"]), Request(PLAIN.messages, one))
    assert played(path, Request(PLAIN.messages, other)) == [Response("hello")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param(SECRET, "cassette_miss", id="miss"),
        pytest.param(f"{SECRET}\ud800", "model_request_invalid", id="no text"),
    ],
)
def test_a_miss_names_digest_and_file_and_nothing_that_was_asked(path, text, code):
    recorded(path, ScriptedModel(["hello"]), PLAIN)
    with pytest.raises(ModelUnavailableError) as caught:
        played(path, Request((Message("user", text),)))
    error = caught.value
    assert error.code == code
    assert (error.details["requests"], error.details["retryable"]) == (0, False)
    assert error.__context__ is None
    if code == "cassette_miss":
        assert error.details["digest"].startswith("sha256:")
        assert error.details["digest"] in str(error)
        assert str(path) in str(error)
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if "/models/" in frame.f_code.co_filename]
    assert frames
    assert SECRET not in f"{error} {error!r} {error.details} {[frame.f_locals for frame in frames]}"


def test_a_cassette_has_the_settings_of_the_model_that_was_recorded(path):
    recorded(path, Other(["hello"], temperature=Decimal("0.5"), seed=3), PLAIN)
    assert Cassette(path).settings == {"adapter": "other", "temperature": Decimal("0.5"), "seed": 3}


def test_other_settings_than_the_recorded_ones_are_refused(path):
    recorded(path, Other(["hello"], seed=3), PLAIN)
    other = Other(["hello"], seed=4)
    with pytest.raises(ConfigurationError, match="cassette_mismatch"):
        Cassette(path, model=other)
    with pytest.raises(ConfigurationError, match="cassette_mismatch"):
        Cassette.record(path, other)
    assert played(path, PLAIN, model=Other([], seed=3)) == [Response("hello")]


def test_the_first_answer_is_kept_and_given_to_whoever_asks_again(path):
    model = ScriptedModel(["one", "two"])
    assert recorded(path, model, PLAIN, PLAIN) == [Response("one")] * 2
    again = ScriptedModel(["three", "four"])
    assert recorded(path, again, PLAIN, FULL) == [Response("one"), Response("three")]
    assert (len(model.requests), len(again.requests)) == (1, 1)
    assert played(path, PLAIN, FULL) == [Response("one"), Response("three")]


def test_of_two_recorders_at_once_the_one_that_is_closed_first_is_kept(path):
    async def work():
        first, second = (Cassette.record(path, ScriptedModel([text, text])) for text in ("one", "two"))
        await first.complete(PLAIN)
        await second.complete(PLAIN)
        await second.complete(FULL)
        await first.aclose()
        await second.aclose()

    asyncio.run(work())
    assert played(path, PLAIN, FULL) == [Response("one"), Response("two")]


def test_nothing_new_leaves_the_file_as_it_is(path):
    recorded(path, ScriptedModel(["one"]), PLAIN)
    before = (path.read_bytes(), path.stat().st_ino)
    recorded(path, ScriptedModel([]), PLAIN)
    assert (path.read_bytes(), path.stat().st_ino) == before


def test_the_order_of_asking_does_not_show_in_the_file(path, tmp_path):
    other = tmp_path / "other.jsonl"
    recorded(path, ScriptedModel(lambda request: request.messages[0].content), PLAIN, FULL)
    recorded(other, ScriptedModel(lambda request: request.messages[0].content), FULL, PLAIN)
    assert path.read_bytes() == other.read_bytes()


def test_several_callers_at_once_ask_the_model_once_for_each_request(path):
    class Slow(ScriptedModel):
        async def complete(self, request):
            response = await super().complete(request)
            await asyncio.sleep(0)
            return response

    model = Slow(lambda request: f"{request.messages[0].content} {len(model.requests)}")
    requests = [Request((Message("user", str(number)),)) for number in range(5)]

    async def work():
        async with Cassette.record(path, model) as recorder:
            return await asyncio.gather(*(recorder.complete(request) for request in requests * 4))

    async def play():
        cassette = Cassette(path)
        return await asyncio.gather(*(cassette.complete(request) for request in requests * 4))

    assert asyncio.run(work()) == asyncio.run(play()) == [Response(f"{n} {n + 1}") for n in range(5)] * 4
    assert model.requests == requests


def test_an_error_of_the_model_is_passed_on_and_not_recorded(path):
    async def work():
        async with Cassette.record(path, ScriptedModel([ModelUnavailableError("away"), "hello"])) as recorder:
            first, second = await asyncio.gather(
                recorder.complete(PLAIN), recorder.complete(PLAIN), return_exceptions=True
            )
            return first, second

    first, second = asyncio.run(work())
    assert isinstance(first, ModelUnavailableError)
    assert second == Response("hello")
    assert played(path, PLAIN) == [Response("hello")]


def test_what_was_recorded_before_an_error_is_written(path):
    with pytest.raises(ModelUnavailableError, match="script_ended"):
        recorded(path, ScriptedModel(["hello"]), PLAIN, FULL)
    assert played(path, PLAIN) == [Response("hello")]


def test_a_request_that_cannot_be_written_is_refused_while_recording(path):
    model = ScriptedModel(["hello"])
    with pytest.raises(ModelUnavailableError, match="model_request_invalid"):
        recorded(path, model, Request((Message("user", "\ud800"),)))
    assert model.requests == []


def test_an_answer_that_cannot_be_written_is_kept_in_a_form_that_can(path):
    assert recorded(path, ScriptedModel(["a\ud800b"]), PLAIN) == [Response("a?b")] == played(path, PLAIN)


def test_the_model_is_closed_with_the_recorder_and_with_the_cassette(path):
    model = Other(["hello"])
    recorded(path, model, PLAIN)
    assert model.closed == 1
    played(path, PLAIN, model=model)
    assert model.closed == 2


def test_named_secrets_and_keys_of_known_forms_do_not_get_into_the_file(path):
    known = [
        "sk-" + "a1B2" * 6,
        "sk-ant-" + "a1B2" * 6,
        "ghp_" + "a1" * 15,
        "AKIA" + "A1B2C3D4E5F6G7H8",
        "AIza" + "b" * 35,
        "hf_" + "c" * 30,
    ]
    text = f"{KEY} {known} Authorization: Bearer abcdefgh12345678== end"
    request = Request(
        (Message("user", text),), output_schema={"enum": [KEY], KEY: 1}, tools=(Tool("keep", KEY, {"title": KEY}),)
    )
    model = Other([Response(f"you said {text}", tool_name=KEY)], note=KEY)
    (answer,) = recorded(path, model, request, secrets=["", "opal", KEY])
    stored = path.read_text(encoding="utf-8")
    for secret in (KEY, "abcdefgh12345678", *known):
        assert secret not in stored
    assert answer.text.startswith(f"you said {MARK} [")
    assert answer.text.endswith("end")
    # The same request still finds its answer, and the answer is the one that was given while it was recorded.
    assert played(path, request) == [answer]


def test_what_holds_no_secret_stays_as_it_is(path):
    text = "risk-assessment-of-everything, sk-8, Bearer of news, hf_ and AKIA"
    recorded(path, ScriptedModel([text]), Request((Message("user", text),)), secrets=[KEY])
    assert MARK not in path.read_text(encoding="utf-8")


def test_only_its_owner_can_read_the_file(path):
    mask = os.umask(0)
    try:
        recorded(path, ScriptedModel(["one"]), PLAIN)
        path.chmod(0o644)
        recorded(path, ScriptedModel(["two"]), FULL)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_link_stays_a_link(path, tmp_path):
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    recorded(link, ScriptedModel(["one"]), PLAIN)
    assert link.is_symlink()
    assert played(path, PLAIN) == [Response("one")]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(path, monkeypatch):
    def refuse(_descriptor):
        raise OSError(28, "No space left on device")

    recorded(path, ScriptedModel(["one"]), PLAIN)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", refuse)
    model = Other(["two"])
    model.own_settings = {"adapter": "scripted"}
    with pytest.raises(InputError) as caught:
        recorded(path, model, FULL)
    assert (caught.value.code, caught.value.remedy) == ("unwritable_output", "no space left on device; make room")
    assert model.closed == 1
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_missing_cassette_is_told(path):
    with pytest.raises(InputError, match="unreadable_file"):
        Cassette(path)


def test_a_cassette_is_json_that_people_can_read(path):
    recorded(path, ScriptedModel([ANSWER]), PLAIN)
    head, line = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert head == {"cassette": 1, "settings": {"adapter": "scripted"}}
    assert line["request"]["messages"] == [{"role": "user", "content": "first"}]
    assert line["response"]["text"] == '{"n": 1}'
    assert line["response"]["usage"]["cost_usd"] == 0.0012


def lines_of(path):
    recorded(path, ScriptedModel([ANSWER]), Request((Message("user", SECRET),)))
    return path.read_text(encoding="utf-8").splitlines()


def changed(line, *places, to=None):
    value = json.loads(line)
    target = value
    for place in places[:-1]:
        target = target[place]
    if to is None:
        del target[places[-1]]
    else:
        target[places[-1]] = to
    return json.dumps(value)


@pytest.mark.parametrize(
    ("damage", "line", "code"),
    [
        pytest.param(lambda head, _: [head, '{"digest": "' + SECRET], 2, "invalid_json", id="cut"),
        pytest.param(lambda head, line: [head, line, line], 3, "invalid_cassette", id="the same digest twice"),
        pytest.param(lambda _, line: [line], 1, "invalid_cassette", id="no settings"),
        pytest.param(lambda _, __: [SECRET], 1, "invalid_json", id="another text"),
        pytest.param(lambda _, __: ["[]"], 1, "not_an_object", id="another value"),
        pytest.param(lambda _, __: [], None, "invalid_cassette", id="empty"),
        pytest.param(
            lambda head, line: [changed(head, "cassette", to=2), line], 1, "invalid_cassette", id="another version"
        ),
        *(
            pytest.param(
                lambda head, line, places=places, to=to: [head, changed(line, *places, to=to)],
                2,
                "invalid_cassette",
                id=f"{'/'.join(places)} {to}",
            )
            for places, to in (
                (("request", "output_name"), SECRET),
                (("digest",), "sha256:00"),
                (("digest",), 1),
                (("response",), None),
                (("response",), 1),
                (("response", "text"), 1),
                (("response", "finish"), SECRET),
                (("response", "finish"), []),
                (("response", "tool_name"), False),
                (("response", "usage"), []),
                (("response", "usage", "requests"), True),
                (("response", "usage", "requests"), -1),
                (("response", "usage", "input_tokens"), "7"),
                (("response", "usage", "cost_usd"), "7"),
                (("response", "usage", "cost_usd"), -0.5),
                (("redacted",), 1),
                (("more",), 1),
            )
        ),
    ],
)
def test_a_damaged_cassette_is_told_with_its_line_and_without_its_text(path, damage, line, code):
    path.write_text("".join(f"{text}\n" for text in damage(*lines_of(path))), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        Cassette(path)
    error = caught.value
    assert error.code == code
    assert str(path) in error.where
    if line:
        assert f"{path}:{line}" in error.where
    assert error.__context__ is None
    frames = [frame.f_locals for frame, _ in traceback.walk_tb(error.__traceback__)][1:]
    assert SECRET not in f"{error} {error!r} {frames}"
