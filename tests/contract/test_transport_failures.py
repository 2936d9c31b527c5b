"""What a model over HTTP makes of each failure, and that nothing said or asked leaves with the error."""

import asyncio
import gc
import logging
import pickle
import random
import warnings
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime
from typing import Any

import pytest

from tests.contract.canaries import assert_clean, assert_no_canary
from tests.contract.model_server import (
    Answer,
    Drop,
    HalfBody,
    Hang,
    HugeBody,
    ModelServer,
    Raw,
    Received,
    Status,
    Step,
)
from veracord.errors import (
    ConfigurationError,
    ModelCeilingError,
    ModelError,
    ModelRateLimitedError,
    ModelUnavailableError,
)
from veracord.models.anthropic import AnthropicModel
from veracord.models.chat_completions import ChatCompletionsModel, ChatDialect
from veracord.models.connections import endpoint_url
from veracord.models.exchanges import Sampling
from veracord.models.keys import ApiKey
from veracord.models.limits import Limits
from veracord.models.transport import TransportOptions
from veracord.ports import Message, Request, Response, Usage
from veracord.testing import FixedClock

KEY = "CANARY-KEY-1f0c"
PROMPT = "CANARY-PROMPT-77ab"
SCHEMA_TEXT = "CANARY-SCHEMA-c31d"
BODY = "CANARY-BODY-9e52"
HEADER = "CANARY-HEADER-04fe"
CANARIES = (KEY, PROMPT, SCHEMA_TEXT, BODY, HEADER)
REQUEST = Request((Message("user", PROMPT),), output_schema={"description": SCHEMA_TEXT})
START = datetime(2026, 1, 1, tzinfo=UTC)

ADAPTERS = {
    "chat_completions": lambda server, options: ChatCompletionsModel(
        server.chat_url, "m", api_key=KEY, transport=options
    ),
    "anthropic": lambda server, options: AnthropicModel("m", base_url=server.url, api_key=KEY, transport=options),
}


class FullJitter(random.Random):
    """Always the longest wait that is allowed."""

    def uniform(self, a: float, b: float) -> float:
        assert a == 0.0
        return b


@dataclass
class Result:
    outcome: Response | ModelError
    requests: list[Received]
    slept: list[float]
    records: list[logging.LogRecord] = field(default_factory=list)

    @property
    def error(self) -> ModelError:
        assert isinstance(self.outcome, ModelError)
        return self.outcome


def _ask(adapter: str, *script: Step, **options: Any) -> Result:
    clock = FixedClock(START)

    async def go(server: ModelServer) -> Response | ModelError:
        model = ADAPTERS[adapter](server, TransportOptions(clock=clock, jitter=FullJitter(), **options))
        try:
            return await model.complete(REQUEST)
        except ModelError as error:
            return error
        finally:
            await model.aclose()

    with ModelServer(*script, default=script[-1]) as server:
        return Result(asyncio.run(go(server)), list(server.requests), clock.slept)


@pytest.fixture(params=list(ADAPTERS))
def adapter(request) -> str:
    return request.param


# What is sent again


@pytest.mark.parametrize(
    "step",
    [
        *(pytest.param(Status(status), id=str(status)) for status in (408, 429, 500, 502, 503, 504, 529)),
        pytest.param(HalfBody(), id="half a body"),
        pytest.param(Drop(), id="dropped after it was read"),
        pytest.param(Drop(read=False), id="reset before it was read"),
        pytest.param(Raw(b"HTTP/1.1 200 OK\r\nContent-Ty"), id="half a head"),
    ],
)
def test_what_may_pass_is_sent_again(adapter, step):
    result = _ask(adapter, step, step, "at last")
    assert result.outcome == Response("at last", usage=Usage(3, 7, 3, unmetered=2))
    assert result.slept == [0.5, 1.0]


@pytest.mark.parametrize(
    ("step", "code", "status"),
    [
        (Status(408), "model_http_status", 408),
        (Status(429), "model_rate_limited", 429),
        (Status(500), "model_http_status", 500),
        (Status(503), "model_http_status", 503),
        (HalfBody(), "model_connection_lost", None),
        (Drop(), "model_connection_lost", None),
    ],
)
def test_it_is_given_up_when_the_retries_are_spent(adapter, step, code, status):
    result = _ask(adapter, step, retries=2)
    assert isinstance(result.error, ModelUnavailableError)
    assert (result.error.code, result.error.details.get("status")) == (code, status)
    assert result.error.details["requests"] == len(result.requests) == 3
    assert result.slept == [0.5, 1.0]


def test_no_retries_are_none(adapter):
    result = _ask(adapter, Status(503), retries=0)
    assert (len(result.requests), result.slept) == (1, [])


def test_by_default_there_are_four_retries_and_waits_grow_to_a_cap(adapter):
    assert _ask(adapter, Status(503)).slept == [0.5, 1.0, 2.0, 4.0]
    assert _ask(adapter, Status(503), retries=9).slept == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]


def test_waits_are_spread(adapter):
    clock = FixedClock()

    async def go(server: ModelServer) -> None:
        model = ADAPTERS[adapter](server, TransportOptions(clock=clock, jitter=random.Random(1)))
        with pytest.raises(ModelUnavailableError):
            await model.complete(REQUEST)
        await model.aclose()

    with ModelServer(default=Status(500)) as server:
        asyncio.run(go(server))
    assert all(0 < slept < longest for slept, longest in zip(clock.slept, (0.5, 1.0, 2.0, 4.0), strict=True))


def test_the_total_time_ends_the_tries(adapter):
    result = _ask(adapter, Status(500), retries=1000, total_time_s=3.0)
    assert result.slept == [0.5, 1.0]
    assert (result.error.code, result.error.details) == ("model_http_status", {"requests": 3, "status": 500})


@pytest.mark.parametrize("step", [Hang(), Hang(headers=True)])
def test_a_try_that_takes_too_long_is_sent_again(adapter, step):
    result = _ask(adapter, step, "at last", timeout_s=0.05)
    assert result.outcome == Response("at last", usage=Usage(2, 7, 3, unmetered=1))
    result = _ask(adapter, step, timeout_s=0.05, retries=1)
    assert (result.error.code, result.error.details["requests"], len(result.requests)) == ("model_timeout", 2, 2)


def test_no_try_outlasts_the_total_time(adapter):
    result = _ask(adapter, Hang(), timeout_s=60.0, total_time_s=0.05, retries=0)
    assert result.error.code == "model_timeout"


def test_a_server_that_is_not_there(adapter):
    with ModelServer() as server:
        gone = server
    clock = FixedClock()

    async def go() -> ModelError:
        model = ADAPTERS[adapter](gone, TransportOptions(clock=clock, jitter=FullJitter(), retries=2))
        with pytest.raises(ModelUnavailableError) as caught:
            await model.complete(REQUEST)
        await model.aclose()
        return caught.value

    error = asyncio.run(go())
    assert (error.code, error.where, error.details["requests"]) == ("model_unreachable", gone.where, 3)
    assert clock.slept == [0.5, 1.0]


# Retry-After


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("value", "waited"),
    [
        ("7", 7.0),
        ("0", 0.0),
        (" 12 ", 12.0),
        (format_datetime(START + timedelta(seconds=20), usegmt=True), 20.0),
        (format_datetime(START - timedelta(seconds=20), usegmt=True), 0.0),
        ("soon", 0.5),
        ("-3", 0.5),
        ("1.5", 0.5),
        ("", 0.5),
        ("\u00b2", 0.5),
    ],
)
def test_a_wait_that_is_asked_for_is_kept(status, value, waited):
    result = _ask("chat_completions", Status(status, headers={"Retry-After": value}), "at last")
    assert isinstance(result.outcome, Response)
    assert result.slept == [waited]


@pytest.mark.parametrize(
    "value",
    ["601", "9" * 5000, format_datetime(START + timedelta(hours=1), usegmt=True), "Fri, 31 Dec 9999 23:59:59 GMT"],
)
def test_a_wait_that_is_too_long_is_not_begun(adapter, value):
    result = _ask(adapter, Status(429, headers={"Retry-After": value}))
    assert isinstance(result.error, ModelRateLimitedError)
    assert (result.error.code, result.error.details["requests"]) == ("model_rate_limited", 1)
    assert result.slept == []


# What is not sent again


@pytest.mark.parametrize(
    ("step", "code", "status"),
    [
        (Status(400), "model_http_status", 400),
        (Status(404), "model_http_status", 404),
        (Status(413), "model_http_status", 413),
        (Status(422), "model_http_status", 422),
        (Status(401), "model_key_refused", 401),
        (Status(403), "model_key_refused", 403),
        *((Status(s, headers={"Location": "/elsewhere"}), "model_redirect", s) for s in (301, 302, 307, 308)),
        (Status(200, b'{"choices": [{"message": {}, "finish_reason": "abort"}]}'), "model_bad_body", 200),
        (Status(200, b'{"choices": [{"message": {}, "finish_reason": "something_new"}]}'), "model_bad_body", 200),
        (Status(200, b'{"choices": [{"message": {}, "finish_reason": 7}]}'), "model_bad_body", 200),
        (Status(200, b"<html>Welcome</html>", content_type="text/html"), "model_bad_body", 200),
        (Status(200, b"\x00\xff garbage"), "model_bad_body", 200),
        (Status(200, b""), "model_bad_body", 200),
        (Status(204, b""), "model_bad_body", 200),
        (Status(200, b"[]"), "model_bad_body", 200),
        (Status(200, b"{}"), "model_bad_body", 200),
        (Status(200, b'{"choices": [], "content": {}}'), "model_bad_body", 200),
        (Status(200, b'{"choices": [{"message": {"content": 5}}], "content": [5]}'), "model_bad_body", 200),
        (Status(200, b'{"choices": ' + b"[" * 100_000), "model_bad_body", 200),
        (Status(200, b'{"error": {"message": "upstream"}, "type": "error"}'), "model_bad_body", 200),
        (Raw(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "model_bad_body", None),
    ],
)  # fmt: skip
def test_what_will_not_pass_is_not_sent_again(adapter, step, code, status):
    result = _ask(adapter, step)
    assert type(result.error) is ModelUnavailableError
    assert (result.error.code, result.error.details.get("status")) == (code, status)
    assert result.error.details["requests"] == len(result.requests) == 1
    assert result.slept == []


def test_a_body_is_read_up_to_its_limit(adapter):
    result = _ask(adapter, HugeBody(50_000_000), max_response_bytes=100_000)
    assert (result.error.code, len(result.requests)) == ("model_body_too_large", 1)


def test_a_request_that_is_no_text_is_not_sent(adapter):
    async def go(server: ModelServer) -> ModelError:
        model = ADAPTERS[adapter](server, TransportOptions())
        with pytest.raises(ModelUnavailableError) as caught:
            await model.complete(Request((Message("user", "\ud800"),)))
        await model.aclose()
        return caught.value

    with ModelServer() as server:
        error = asyncio.run(go(server))
        assert (error.code, error.details, server.requests) == ("model_request_invalid", {"requests": 0}, [])


def test_closing_ends_what_is_in_flight(adapter):
    async def go(server: ModelServer) -> ModelError:
        model = ADAPTERS[adapter](server, TransportOptions())
        task = asyncio.create_task(model.complete(REQUEST))
        await asyncio.to_thread(server.wait_for_requests, 1)
        await model.aclose()
        with pytest.raises(ModelUnavailableError) as caught:
            await task
        return caught.value

    with ModelServer(default=Hang()) as server:
        assert asyncio.run(go(server)).code == "model_closed"


class Waiting(FixedClock):
    """A clock whose sleep never ends, and that tells when it begins."""

    def __init__(self) -> None:
        super().__init__()
        self.asleep = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.asleep.set()
        await asyncio.Event().wait()


def test_cancelling_a_wait_stops_at_once(adapter):
    async def go(server: ModelServer) -> None:
        clock = Waiting()
        model = ADAPTERS[adapter](server, TransportOptions(clock=clock))
        task = asyncio.create_task(model.complete(REQUEST))
        await clock.asleep.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await model.aclose()

    with ModelServer(default=Status(503)) as server:
        asyncio.run(go(server))
        assert len(server.requests) == 1


# Limits


def test_a_request_that_could_pass_the_limit_on_cost_is_not_sent(adapter):
    limits = Limits(max_cost_usd="0.001", price_per_mtok_in=1, price_per_mtok_out=1)

    async def go(server: ModelServer) -> ModelError:
        options, sampling = TransportOptions(limits=limits), Sampling(max_tokens=900)
        if adapter == "anthropic":
            model: Any = AnthropicModel("m", base_url=server.url, sampling=sampling, transport=options)
        else:
            model = ChatCompletionsModel(server.chat_url, "m", sampling=sampling, transport=options)
        request = Request((Message("user", "x"),))
        # Costs 10 tokens: what is left does not hold another worst case of 900 tokens and the request.
        assert (await model.complete(request)).usage.cost_usd == Decimal("0.00001")
        await model.complete(request)
        with pytest.raises(ModelCeilingError) as caught:
            await model.complete(Request((Message("user", "x" * 90),)))
        await model.aclose()
        return caught.value

    with ModelServer() as server:
        error = asyncio.run(go(server))
        assert len(server.requests) == 2
    assert (error.code, error.details) == ("cost_ceiling", {"requests": 0})


@pytest.mark.parametrize(
    ("step", "worst"),
    [(Status(401), False), (Status(429), False), (Status(500), True), (Drop(), True), (Status(200, b"{}"), True)],
)
def test_unknown_usage_counts_with_its_worst_case(step, worst):
    limits = Limits(price_per_mtok_in=1, price_per_mtok_out=1)
    result = _ask("anthropic", step, retries=0, limits=limits)
    expected = len(result.requests[0].body) + 1024 if worst else 0
    assert limits.committed_usd == Decimal(expected).scaleb(-6)


def test_requests_that_are_sent_again_keep_to_the_limit_on_requests():
    clock = FixedClock()
    limits = Limits(requests_per_minute=2, clock=clock)

    async def go(server: ModelServer) -> Response:
        options = TransportOptions(clock=clock, jitter=FullJitter(), limits=limits, total_time_s=10.0)
        model = ADAPTERS["anthropic"](server, options)
        response = await model.complete(REQUEST)
        await model.aclose()
        return response

    with ModelServer(Status(500), Status(500), "at last") as server:
        response = asyncio.run(go(server))
    # The wait for the limit is not part of the total time.
    assert (response.text, clock.monotonic()) == ("at last", 60.0)


def test_a_limit_on_cost_needs_a_limit_on_the_answer():
    limits = Limits(max_cost_usd=1, price_per_mtok_in=1, price_per_mtok_out=1)
    with pytest.raises(ConfigurationError, match="max_tokens"):
        ChatCompletionsModel("http://localhost/v1", "m", transport=TransportOptions(limits=limits))
    AnthropicModel("m", transport=TransportOptions(limits=limits))


# Settings that cannot be used


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "localhost:8080/v1",
        "ftp://host/v1",
        "http://",
        "http://user:secret@host/v1",
        "http://host/v1#part",
        "http://[::1/v1",
        "http://host:99999/v1",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_and_not_repeated(base_url):
    with pytest.raises(ConfigurationError) as caught:
        ChatCompletionsModel(base_url, "m")
    assert caught.value.code == "base_url_invalid"
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("base_url", "url", "where"),
    [
        ("http://host:8080/v1", "http://host:8080/v1/x", "host:8080"),
        ("https://host/v1/", "https://host/v1/x", "host:443"),
        ("http://[::1]", "http://[::1]/x", "[::1]:80"),
        ("https://host/v1?api-version=1", "https://host/v1/x?api-version=1", "host:443"),
    ],
)
def test_a_path_is_put_below_the_base(base_url, url, where):
    assert endpoint_url(base_url, "/x") == (url, where)


@pytest.mark.parametrize("key", ["", " \n", "a\nb", "a\x00b", "sch\u00fcssel"])
def test_a_key_that_cannot_be_sent_is_refused(key):
    with pytest.raises(ConfigurationError) as caught:
        ApiKey(key)
    assert caught.value.code == "api_key_invalid"


def test_a_key_is_hidden():
    key = ApiKey(f" {KEY}\n")
    assert key.reveal() == KEY
    assert KEY not in f"{key} {key!r}"
    with pytest.raises(TypeError):
        pickle.dumps(key)


@pytest.mark.parametrize(
    "make",
    [
        lambda: TransportOptions(timeout_s=0),
        lambda: TransportOptions(total_time_s=float("nan")),
        lambda: TransportOptions(retries=-1),
        lambda: Sampling(temperature=-1),
        lambda: Sampling(temperature=float("nan")),
        lambda: Sampling(max_tokens=0),
        lambda: ChatDialect(structured="yaml"),  # type: ignore[arg-type]  # the point of the test
        lambda: AnthropicModel("m", structured="yaml"),  # type: ignore[arg-type]  # the point of the test
        lambda: AnthropicModel("m", sampling=Sampling(seed=1)),
    ],
)
def test_a_setting_without_a_meaning_is_refused(make):
    with pytest.raises(ConfigurationError):
        make()


# Containment

ERROR_BODY = f'{{"error": {{"message": "{BODY}", "type": "{BODY}"}}}}'.encode()
NOISY = {
    "X-Note": HEADER,
    "Set-Cookie": f"no name {HEADER}=1; domain={HEADER}",
    "Retry-After": HEADER,
    "Location": f"/{HEADER}",
}


@pytest.mark.parametrize(
    "step",
    [
        *(pytest.param(Status(s, ERROR_BODY, NOISY), id=str(s)) for s in (302, 400, 401, 403, 404, 429, 500)),
        pytest.param(Status(200, f"<p>{BODY}".encode(), NOISY, "text/html"), id="html"),
        pytest.param(Status(200, f'{{"{BODY}": "{BODY}"}}'.encode(), NOISY), id="unknown form"),
        pytest.param(Status(200, f'{{"choices": "{BODY}'.encode(), NOISY), id="broken JSON"),
        pytest.param(Status(200, ERROR_BODY, NOISY | {"Content-Encoding": "gzip"}), id="not what it is encoded as"),
        pytest.param(HalfBody(ERROR_BODY), id="half a body"),
        pytest.param(Raw(f"HTTP/1.1 200 {BODY}\r\n{HEADER}\x00: {BODY}\r\n\r\n".encode()), id="bad header"),
        pytest.param(Raw(f"{BODY}\r\n\r\n".encode()), id="no HTTP"),
        pytest.param(HugeBody(200_000), id="huge body"),
        pytest.param(Drop(), id="dropped"),
        pytest.param(Hang(), id="timeout"),
    ],
)
def test_an_error_holds_nothing_that_was_said_or_asked(adapter, step, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    for name in ("aiohttp", "aiohttp.client", "aiohttp.internal", "asyncio"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = _ask(adapter, step, retries=1, timeout_s=0.05, max_response_bytes=100_000)
        gc.collect()
    assert result.requests, "the canaries were sent"
    assert KEY in str(result.requests[0].headers)
    assert PROMPT.encode() in result.requests[0].body
    _assert_clean(result.error)
    assert_no_canary(CANARIES, pickle.dumps(result.error))
    for record in caplog.records:
        assert_no_canary(CANARIES, record.getMessage())
        assert_no_canary(CANARIES, repr(vars(record)))
    assert_no_canary(CANARIES, [str(warning.message) for warning in caught])
    assert_no_canary(CANARIES, "".join(capfd.readouterr()))


def test_a_cancellation_holds_nothing_that_was_said_or_asked(adapter):
    async def go(server: ModelServer) -> BaseException:
        model = ADAPTERS[adapter](server, TransportOptions())
        task = asyncio.create_task(model.complete(REQUEST))
        await asyncio.to_thread(server.wait_for_requests, 1)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError as error:
            return error
        finally:
            await model.aclose()
        raise AssertionError

    with ModelServer(default=Hang(headers=True)) as server:
        _assert_clean(asyncio.run(go(server)))


def test_the_search_for_canaries_finds_them():
    def ask(request: Request) -> None:
        raise ModelUnavailableError(f"about {len(request.messages)}")

    with pytest.raises(ModelUnavailableError) as caught:
        ask(REQUEST)
    with pytest.raises(AssertionError, match="CANARY-PROMPT"):
        assert_clean(caught.value, CANARIES)


def _assert_clean(error: BaseException) -> None:
    walked = assert_clean(error, CANARIES, ours=__file__)
    # Of the adapter, the frame that raises is the only one.
    assert walked == ["complete"]


def test_the_answers_of_the_server_are_those_of_the_test():
    assert _ask("anthropic", Answer("x", usage=None)).outcome == Response("x")


def test_halves_of_characters_reach_the_strict_reading_of_the_answer() -> None:
    async def ask(server: ModelServer) -> Response:
        model = ChatCompletionsModel(server.chat_url, "small")
        try:
            return await model.complete(Request((Message("user", "hello"),)))
        finally:
            await model.aclose()

    with ModelServer(Status(200, b'{"choices": [{"message": {"content": "\\ud800"}}]}')) as server:
        assert asyncio.run(ask(server)).text == "\ud800"
