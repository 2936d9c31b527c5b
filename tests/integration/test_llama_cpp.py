"""llama.cpp in this process, with a real model: what it answers, how it is stopped, and what it keeps to itself."""

import asyncio
import gc
import os
import subprocess
import sys
import textwrap
import threading
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from tests.integration.small_model import watch_engine
from veracord.errors import ConfigurationError, ModelUnavailableError
from veracord.models import llama_cpp
from veracord.models.llama_cpp import LlamaCppModel, read_answer
from veracord.models.llama_engine import Failure
from veracord.ports import Finish, Message, Request, Response, Tool, Usage
from veracord.records.reading import read_value

SECRET = "zebra-kumquat-7431"
SCHEMA = {
    "type": "object",
    "properties": {"value": {"type": "integer"}},
    "required": ["value"],
    "additionalProperties": False,
}
YES = {"const": "yes"}
ROOT = Path(__file__).resolve().parents[2]
#: Pieces: progress with the prompt, the start of the answer, then a token each.
SEVERAL = 8
#: Longer than any test waits.
ENDLESS = "Write a very long story about a river, with all its fishes, boats and bridges, in a hundred chapters."


def asked(text: str, **parts) -> Request:
    return Request((Message("system", "You are brief."), Message("user", text)), **parts)


def in_process(code: str, *arguments: str, timeout_s: float = 30) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code), *arguments],
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
        cwd=ROOT,
    )


@pytest.fixture
def began(request, monkeypatch) -> threading.Event:
    """Set when a part of an answer has come; its parameter tells how many pieces that takes."""
    monkeypatch.setattr(llama_cpp, "start_server", llama_cpp.start_server)
    return watch_engine(getattr(request, "param", SEVERAL))


async def until(event: threading.Event) -> None:
    assert await asyncio.to_thread(event.wait, 20)


@pytest.fixture(scope="module")
def small_model(small_model_path: Path) -> Iterator[LlamaCppModel]:
    model = LlamaCppModel(small_model_path, context_tokens=2048, temperature=0, max_tokens=24, seed=1)
    yield model
    asyncio.run(model.aclose())


def test_it_answers_and_tells_what_that_cost(small_model):
    response = asyncio.run(small_model.complete(asked("Say hello.")))
    assert response.text.strip()
    assert response.tool_name is None
    assert response.usage.requests == 1
    assert response.usage.unmetered == 0
    assert 10 < response.usage.input_tokens < 60
    assert 1 <= response.usage.output_tokens <= 24


def test_an_answer_has_the_schema_that_was_asked_for(small_model):
    response = asyncio.run(small_model.complete(asked("The number is 5. Copy it.", output_schema=SCHEMA)))
    value = read_value(response.text.encode())
    assert response.finish is Finish.STOP
    assert set(value) == {"value"}
    assert type(value["value"]) is int


def test_a_required_tool_is_called_with_arguments_that_fit(small_model):
    tool = Tool("keep", "Keeps a number.", SCHEMA)
    request = asked("The number is 5. Keep it.", tools=(tool,), required_tool="keep")
    response = asyncio.run(small_model.complete(request))
    assert response.tool_name == "keep"
    assert type(read_value(response.text.encode())["value"]) is int


def test_an_answer_that_is_cut_off_is_told_as_such(small_model):
    response = asyncio.run(small_model.complete(asked(ENDLESS)))
    assert response.finish is Finish.LENGTH
    assert response.usage.output_tokens == 24


def test_the_same_request_gives_the_same_answer_whatever_was_asked_between(small_model):
    async def ask() -> list[Response]:
        first = await small_model.complete(asked("Name a colour of the rainbow."))
        others = [small_model.complete(asked(f"Name a colour of the {thing}.")) for thing in ("sky", "rainbow")]
        return [first, *await asyncio.gather(*others), await small_model.complete(asked("Name a colour of the sky."))]

    first, sky, again, sky_again = asyncio.run(ask())
    assert (first, sky) == (again, sky_again)


def test_settings_name_the_file_without_its_folder_and_only_what_is_set(small_model_path):
    name = small_model_path.name
    plain, full = (
        LlamaCppModel(small_model_path),
        LlamaCppModel(small_model_path, context_tokens=512, threads=2, temperature=0.25, max_tokens=5, seed=3),
    )
    assert plain.settings == {"adapter": "llama_cpp", "name": name, "context_tokens": 4096}
    assert full.settings == {
        "adapter": "llama_cpp",
        "name": name,
        "context_tokens": 512,
        "temperature": Decimal("0.25"),
        "max_tokens": 5,
        "seed": 3,
    }


@pytest.mark.parametrize(
    ("request_", "code", "requests"),
    [
        pytest.param(asked(f"{SECRET} " * 400), "context_exceeded", 1, id="longer than the context"),
        pytest.param(
            asked(SECRET, output_schema={"$ref": f"#/{SECRET}"}), "request_not_taken", 1, id="a schema without grammar"
        ),
        pytest.param(asked(f"{SECRET} \ud800"), "model_request_invalid", 0, id="half a surrogate pair"),
    ],
)
def test_an_error_tells_nothing_that_was_asked(small_model, request_, code, requests):
    with pytest.raises(ModelUnavailableError) as caught:
        asyncio.run(small_model.complete(request_))
    error = caught.value
    assert (error.code, error.details) == (code, {"requests": requests, "retryable": False})
    assert error.__cause__ is None
    assert error.__context__ is None
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if "/models/" in frame.f_code.co_filename]
    assert frames
    assert SECRET not in f"{error} {error!r} {error.args} {[frame.f_locals for frame in frames]}"


def test_a_cancelled_request_leaves_nothing_in_its_traceback(small_model):
    async def cancel() -> BaseException:
        task = asyncio.create_task(small_model.complete(asked(f"{SECRET} {ENDLESS}")))
        await asyncio.sleep(0)
        task.cancel()
        (outcome,) = await asyncio.gather(task, return_exceptions=True)
        return outcome

    error = asyncio.run(cancel())
    assert isinstance(error, asyncio.CancelledError)
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if "/models/" in frame.f_code.co_filename]
    assert SECRET not in repr([frame.f_locals for frame in frames])


def test_the_required_tool_must_be_among_the_tools(small_model):
    with pytest.raises(ConfigurationError) as caught:
        asyncio.run(small_model.complete(asked(SECRET, required_tool="keep")))
    assert caught.value.code == "unknown_tool"


def timed(work: Callable[[], Awaitable[None]]) -> float:
    start = time.monotonic()
    asyncio.run(work())
    return time.monotonic() - start


@pytest.mark.parametrize(
    ("text", "began"),
    [
        pytest.param(ENDLESS, SEVERAL, id="while it answers"),
        pytest.param("word " * 1500, 2, id="while it reads the prompt"),
    ],
    indirect=["began"],
)
def test_a_cancelled_request_frees_the_engine_for_the_next(small_model_path, text, began):
    model = LlamaCppModel(small_model_path, context_tokens=2048, temperature=0)

    async def work() -> None:
        await model.load()
        running = asyncio.create_task(model.complete(asked(text)))
        waiting = asyncio.create_task(model.complete(asked(text)))
        await until(began)
        assert not running.done()
        start = time.monotonic()
        for task in (running, waiting):
            task.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)
        # Both callers are released at once, also the one whose request is being computed.
        assert time.monotonic() - start < 1
        answer = await model.complete(asked("Say yes.", output_schema=YES))
        assert answer.finish is Finish.STOP
        await model.aclose()

    # To the end of its context the engine would compute for 20 seconds and more.
    assert timed(work) < 8


def test_closing_ends_what_runs_and_what_waits(small_model_path, began):
    model = LlamaCppModel(small_model_path, context_tokens=2048, temperature=0)
    outcomes: list[ModelUnavailableError] = []

    async def work() -> None:
        await model.load()
        tasks = [asyncio.create_task(model.complete(asked(ENDLESS))) for _ in range(3)]
        await until(began)
        await model.aclose()
        outcomes.extend(await asyncio.gather(*tasks, return_exceptions=True))
        await model.aclose()
        outcomes.extend(await asyncio.gather(model.complete(asked("Hello")), model.load(), return_exceptions=True))

    assert timed(work) < 8
    assert {outcome.code for outcome in outcomes} == {"model_closed"}
    assert [outcome.details["requests"] for outcome in outcomes] == [1, 0, 0, 0, 0]


def test_a_model_that_is_forgotten_stops(small_model_path, began):
    async def work() -> None:
        model = LlamaCppModel(small_model_path, temperature=0)
        await model.load()
        task = asyncio.create_task(model.complete(asked(ENDLESS)))
        await until(began)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    before = set(threading.enumerate())
    asyncio.run(work())
    gc.collect()
    assert set(threading.enumerate()) == before


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param("", id="the end of the program"),
        pytest.param("sys.exit(0)", id="an exit"),
        pytest.param("await model.aclose()", id="closed"),
        pytest.param("task.cancel()", id="cancelled"),
    ],
)
def test_a_process_that_ends_while_it_generates_does_not_hang_nor_speak(small_model_path, ending):
    done = in_process(
        f"""
        import asyncio, sys
        from tests.integration.small_model import watch_engine
        from veracord.models.llama_cpp import LlamaCppModel
        from veracord.ports import Message, Request

        began = watch_engine({SEVERAL})
        model = LlamaCppModel(sys.argv[1])

        async def main():
            await model.load()
            task = asyncio.create_task(model.complete(Request((Message("user", {ENDLESS!r}),))))
            assert await asyncio.to_thread(began.wait, 20)
            {ending}
            await asyncio.sleep(0)

        asyncio.run(main())
        """,
        str(small_model_path),
        timeout_s=15,
    )
    # asyncio itself tells of a task that failed and that nobody asked; closing fails it.
    assert (done.returncode, done.stdout) == (0, "")
    assert not done.stderr or "model_closed" in done.stderr


def test_a_process_in_which_another_thread_waits_for_an_answer_ends(small_model_path):
    done = in_process(
        f"""
        import asyncio, sys, threading
        from tests.integration.small_model import watch_engine
        from veracord.models.llama_cpp import LlamaCppModel
        from veracord.ports import Message, Request

        began = watch_engine({SEVERAL})
        model = LlamaCppModel(sys.argv[1])
        asyncio.run(model.load())
        request = Request((Message("user", {ENDLESS!r}),))
        threading.Thread(target=lambda: asyncio.run(model.complete(request)), daemon=True).start()
        assert began.wait(20)
        """,
        str(small_model_path),
        timeout_s=15,
    )
    assert done.returncode == 0


def test_nothing_is_printed(small_model_path, capfd):
    model = LlamaCppModel(small_model_path, max_tokens=5)

    async def work() -> None:
        await model.complete(asked(SECRET))
        await asyncio.gather(
            model.complete(asked(SECRET, output_schema={"$ref": "#/nowhere"})),
            model.complete(asked(f"{SECRET} " * 3000)),
            return_exceptions=True,
        )
        await model.aclose()

    asyncio.run(work())
    assert capfd.readouterr() == ("", "")


def test_a_file_that_is_no_model_is_a_configuration_error(small_model_path, tmp_path, capfd):
    assert small_model_path
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF" + SECRET.encode() * 100)
    model = LlamaCppModel(file)
    for call in (model.load, lambda: model.complete(asked("Hello"))):
        with pytest.raises(ConfigurationError) as caught:
            asyncio.run(call())
        assert caught.value.code == "unusable_model"
        assert caught.value.__context__ is None
        assert SECRET not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"temperature": -0.5}, "sampling_invalid"),
        ({"temperature": float("nan")}, "sampling_invalid"),
        ({"max_tokens": 0}, "sampling_invalid"),
        ({"context_tokens": 0}, "model_invalid"),
        ({"threads": 0}, "model_invalid"),
    ],
    ids=str,
)
def test_settings_without_a_meaning_are_refused(small_model_path, settings, code):
    with pytest.raises(ConfigurationError) as caught:
        LlamaCppModel(small_model_path, **settings)
    assert caught.value.code == code


def test_a_missing_file_is_told_before_anything_is_asked(small_model_path, tmp_path):
    assert small_model_path
    with pytest.raises(ConfigurationError) as caught:
        LlamaCppModel(tmp_path / "model.gguf")
    assert caught.value.code == "unreadable_file"
    assert os.fspath(tmp_path) in caught.value.where
    assert caught.value.__context__ is None


def test_without_the_extra_the_command_to_install_it_is_told(tmp_path):
    file = tmp_path / "model.gguf"
    file.touch()
    done = in_process(
        """
        import sys
        sys.modules["xllamacpp"] = None
        from veracord.errors import ConfigurationError
        from veracord.models.llama_cpp import LlamaCppModel
        try:
            LlamaCppModel(sys.argv[1])
        except ConfigurationError as error:
            print(error.code, error.remedy, error.__context__)
        """,
        str(file),
    )
    assert done.stdout == "missing_extra pip install 'veracord[local]' None\n"
    assert done.stderr == ""


def piece(finish: str | None = None, **delta) -> bytes:
    from veracord.records.writing import write_json

    return write_json({"choices": [{"index": 0, "finish_reason": finish, "delta": delta}]})


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param(
            [piece(role="assistant", content=None), piece(content="a"), piece(content="b"), piece("stop")],
            Response("ab"),
            id="without usage",
        ),
        pytest.param(
            [piece("length", content="a"), b'{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}'],
            Response("a", Finish.LENGTH, usage=Usage(1, 7, 2)),
            id="cut off",
        ),
        pytest.param(
            [
                piece(tool_calls=[{"index": 0, "function": {"name": "keep", "arguments": '{"a"'}}]),
                piece(tool_calls=[{"index": 0, "function": {"arguments": ":1}"}}]),
                piece("tool_calls"),
            ],
            Response('{"a":1}', tool_name="keep"),
            id="a call in two pieces",
        ),
        pytest.param(
            [
                piece(tool_calls=[{"index": 0, "function": {"name": "keep", "arguments": "{}"}}]),
                piece(tool_calls=[{"index": 1, "function": {"name": "keep", "arguments": "{}"}}]),
                piece("tool_calls"),
            ],
            Response(""),
            id="several calls",
        ),
        pytest.param([piece(content="a")], Failure.BROKEN, id="no end"),
        pytest.param([piece("because")], Failure.BROKEN, id="an unknown end"),
        pytest.param([piece(content="a"), b'{"error":{"type":"server_error"}}'], Failure.BROKEN, id="an error"),
        pytest.param([b'{"error":{"type":"exceed_context_size_error"}}'], Failure.TOO_LONG, id="too long"),
        pytest.param([b'{"error":{"type":"invalid_request_error"}}'], Failure.NOT_TAKEN, id="not taken"),
        pytest.param([b"[]", b'{"choices":[1],"usage":3}'], Failure.BROKEN, id="not the form of an answer"),
        pytest.param([], Failure.BROKEN, id="nothing"),
    ],
)
def test_an_answer_is_put_together_of_its_pieces(pieces, expected):
    assert read_answer(pieces) == expected
