"""What was said in an attempt never leaves it: secrets in every text, every outcome, and a search everywhere.

See `canaries` for what is searched and how the test's own texts are told from leaks.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import count, cycle
from typing import Any, Self

import pydantic
import pytest

from tests.contract.model_server import (
    Answer,
    Drop,
    HalfBody,
    Hang,
    ModelServer,
    Raw,
    Received,
    Status,
    Step,
    ToolCalls,
)
from tests.integration.pipelines import GENEROUS_S, GOOD, SCHEMA, FunctionModel, Waiting, producer_of, results_of
from tests.memory.canaries import Canaries, Watch, caught_records
from veracord.errors import (
    ModelCeilingError,
    ModelError,
    ModelUnavailableError,
    RunFailedError,
    RunInterruptedError,
    VeracordError,
)
from veracord.models.anthropic import AnthropicModel
from veracord.models.chat_completions import ChatCompletionsModel
from veracord.models.transport import TransportOptions
from veracord.pipeline import (
    Attempt,
    Candidate,
    Correction,
    Defect,
    Disposition,
    Outcome,
    Pipeline,
    Policy,
    ProducerBinding,
    Unit,
    UnitResult,
    ValidatorBinding,
)
from veracord.promptkit import Finish, Message, Prompt, Request, Response, StructuredOutput, StructuredProducer, Tool
from veracord.testing import FixedClock, MemoryStore

WARN = Policy(**{item.name: Disposition.WARN_CONTINUE for item in fields(Policy)})
FAIL = Policy(**{item.name: Disposition.FAIL_RUN for item in fields(Policy)})

Make = Callable[[Canaries], Any]


class SpillError(Exception):
    """Holds a secret in every place that an exception has."""

    def __init__(self, secret: str) -> None:
        super().__init__(secret)
        self.body = {"inner": [secret.encode()]}
        self.add_note(secret)


class SpillExit(BaseException):
    """Asks for the end in a way of its own."""


def spill(secret: str, error: type[BaseException] = SpillError) -> None:
    """Raise an error with a secret in it, in its cause, and among the locals of its frames."""
    local = [secret]
    try:
        raise KeyError(local[0])  # noqa: TRY301 - the chain is what is wanted
    except KeyError as cause:
        raise error(local[0]) from cause


def _raising(name: str, error: type[BaseException] = SpillError) -> Make:
    return lambda canaries: spill(canaries[name], error)


def _unreachable(canaries: Canaries) -> None:
    try:
        spill(canaries["body of an error"])
    except SpillError as error:
        raise ModelUnavailableError("the server cannot be reached", details={"requests": 3}) from error


def _too_dear(canaries: Canaries) -> None:
    try:
        spill(canaries["body of an error"])
    except SpillError as error:
        raise ModelCeilingError("the limit is reached") from error


def _good(canaries: Canaries) -> str:
    return f'{{"name": "{canaries["accepted"]}", "age": 36}}'


def _bad(canaries: Canaries) -> str:
    return f'{{"name": "{canaries["rejected"]}", "age": -1}}'


def _broken(canaries: Canaries) -> str:
    return f'Surely: {{"name": "{canaries["broken"]}", '


def _misfit(canaries: Canaries) -> str:
    return f'{{"name": 5, "{canaries["key"]}": "{canaries["misfit"]}"}}'


def _cut(canaries: Canaries) -> Response:
    return Response(canaries["cut off"], Finish.LENGTH)


def _refusing(canaries: Canaries) -> Response:
    return Response(canaries["refusal"], Finish.REFUSAL)


def _tool(canaries: Canaries) -> Response:
    return Response(f'{{"{canaries["argument"]}": "{canaries["argument value"]}"}}', tool_name=canaries["tool"])


def age(canaries: Canaries) -> Callable[[Any], list[Defect]]:
    """Return a validator whose defects hold secrets, but for their codes."""
    return lambda value: (
        [Defect("negative", f"/{canaries['path']}", canaries["fact"], canaries["guidance"])] if value["age"] < 0 else []
    )


def _crash(error: type[BaseException] = SpillError) -> Make:
    return lambda canaries: lambda value: spill(f"{canaries['error of a validator']} {value}", error)


def _async_crash(canaries: Canaries) -> Any:
    async def crash(value: Any) -> None:
        await asyncio.sleep(0)
        spill(f"{canaries['error of a validator']} {value}")

    return crash


def isolated_crash(value: Any) -> None:
    """Quote the value in an exception, in a child process."""
    spill(f"isolated {value}")


class _Crashing:
    """A producer that fails in a way of its own."""

    correction_protocol = None

    def __init__(self, canaries: Canaries) -> None:
        self._canaries = canaries

    async def produce(self, attempt: Attempt) -> Any:
        spill(f"{self._canaries['error of a producer']} {attempt.unit.value}")


@dataclass(frozen=True)
class Case:
    """What a model says, what validators do, and how it ends.

    Attributes:
        says: The model's answers, over and over again.
        warned: The outcome where the policy goes on.
        failed: The outcome where the policy ends the run; as `warned` where None.
        raises: What every run raises instead, whatever the policy.
        validators: Beside the one that rejects a negative age.
        retries: Attempts after the first.
        output: Further arguments for the form.
    """

    says: tuple[Make, ...]
    warned: Outcome = Outcome.ACCEPTED
    failed: Outcome | None = None
    raises: type[BaseException] | None = None
    validators: tuple[Any, ...] = ()
    retries: int = 1
    output: tuple[tuple[str, Any], ...] = ()


CASES = {
    "accepted": Case((_good,)),
    "accepted after repairs and corrections": Case((_broken, _bad, _misfit, _bad, _good), retries=2),
    "rejected": Case((_bad,), Outcome.REJECTED, retries=2),
    "rejected, never corrected": Case((_bad,), Outcome.REJECTED, retries=0),
    "no form": Case((_broken, _misfit), Outcome.STRUCTURAL_FAILURE),
    "no form of a tool": Case((_tool,), Outcome.STRUCTURAL_FAILURE, output=(("via", "tool"),)),
    "an unexpected tool": Case((_tool,), Outcome.STRUCTURAL_FAILURE),
    "cut off": Case((_bad, _cut), Outcome.TRUNCATED),
    "refused": Case((_bad, _refusing), Outcome.REFUSED),
    "unreachable": Case((_bad, _unreachable), Outcome.TRANSPORT_FAILURE),
    "a model that crashes": Case((_bad, _raising("error of a model")), Outcome.STRUCTURAL_FAILURE),
    "a validator that crashes": Case(
        (_bad, _good), Outcome.ACCEPTED_INCOMPLETE, Outcome.VALIDATION_UNAVAILABLE, validators=(_crash(),)
    ),
    "a validator in a thread that crashes": Case(
        (_good,), Outcome.ACCEPTED_INCOMPLETE, Outcome.VALIDATION_UNAVAILABLE, validators=((_crash(), 60.0),)
    ),
    "a coroutine that crashes": Case(
        (_good,), Outcome.ACCEPTED_INCOMPLETE, Outcome.VALIDATION_UNAVAILABLE, validators=(_async_crash,)
    ),
    "an isolated validator that crashes": Case(
        (_good,), Outcome.ACCEPTED_INCOMPLETE, Outcome.VALIDATION_UNAVAILABLE, validators=(isolated_crash,)
    ),
    "a validator that exits": Case((_bad, _good), raises=SystemExit, validators=(_crash(SystemExit),)),
    "a validator that is interrupted": Case(
        (_good,), raises=KeyboardInterrupt, validators=(_crash(KeyboardInterrupt),)
    ),
    "a validator in a thread that exits": Case((_good,), raises=SystemExit, validators=((_crash(SystemExit), 60.0),)),
    "a validator that ends it otherwise": Case((_good,), raises=RunInterruptedError, validators=(_crash(SpillExit),)),
    "a model that exits": Case((_bad, _raising("error of a model", SystemExit)), raises=SystemExit),
    "a model that ends it otherwise": Case((_bad, _raising("error of a model", SpillExit)), raises=RunInterruptedError),
    "the limit on cost": Case((_bad, _too_dear), raises=RunInterruptedError),
}


PLANTED = {
    "accepted",
    "argument",
    "argument value",
    "body of an error",
    "broken",
    "cut off",
    "error of a model",
    "error of a validator",
    "fact",
    "guidance",
    "key",
    "misfit",
    "path",
    "prompt",
    "refusal",
    "rejected",
    "tool",
    "unit",
}


def _bindings(case: Case, canaries: Canaries) -> Iterator[ValidatorBinding[Any]]:
    yield ValidatorBinding("age", age(canaries))
    for number, validator in enumerate(case.validators):
        if validator is isolated_crash:
            yield ValidatorBinding(f"v{number}", validator, isolate=True, execution_retries=0)
        elif isinstance(validator, tuple):
            yield ValidatorBinding(f"v{number}", validator[0](canaries), timeout_s=validator[1])
        else:
            yield ValidatorBinding(f"v{number}", validator(canaries))


class Trial:
    """A pipeline with secrets everywhere, its runs, and what was found after them.

    Attributes:
        found: What was found.
    """

    def __init__(
        self, canaries: Canaries, producer: Any, validators: list[ValidatorBinding[Any]], retries: int
    ) -> None:
        self.found: list[str] = []
        self._canaries = canaries
        self._bindings = [ProducerBinding("p", producer, validators, retries=retries)]
        self.units = [Unit(f"u{position}", {"text": canaries["unit"]}, position) for position in range(2)]
        canaries.keep(self._bindings, self.units)

    def put_first(self, binding: ProducerBinding[Any]) -> None:
        self._bindings.insert(0, binding)
        self._canaries.keep(binding)

    def pipeline(self, policy: Policy) -> Pipeline:
        return Pipeline(self._bindings, policy=policy)

    def ended(self, call: Callable[[], Any]) -> Any:
        """Return what a call returns, or the exception that it raises, searched."""
        try:
            ended = call()
        except BaseException as error:  # noqa: BLE001 - every exception is searched
            self.found += self._canaries.in_exception(error)
            return error.with_traceback(None)
        self._search(ended)
        return ended

    def search_store(self, store: MemoryStore, *, is_kept: bool = True) -> list[UnitResult[Any]]:
        """Search what was stored, and return the results without their values.

        The values that were accepted, by the pipeline or by one of its steps, may be there, but in no receipt.
        """
        assert bool(store.receipts) is is_kept
        self.found += self._canaries.in_object(store.receipts)
        found = self._canaries.in_object(store)
        self.found += [hit for hit in found if not hit.partition(" at ")[0].endswith("accepted")]
        results = results_of(store)
        for result in results:
            self._search(result)
        return [replace(result, value=None) for result in results]

    def _search(self, ended: Any) -> None:
        self.found += self._canaries.in_text(f"{ended} {ended!r}")
        if not isinstance(ended, UnitResult):
            self.found += self._canaries.in_object(ended)
            return
        if not ended.outcome.advances:
            assert ended.value is None
        self.found += self._canaries.in_object(replace(ended, value=None))


def _loud(work: Callable[[], Any]) -> Any:
    """Run a coroutine on a loop that logs each of its steps."""

    async def main() -> Any:
        asyncio.get_running_loop().slow_callback_duration = 0.0
        return await work()

    return asyncio.run(main(), debug=True)


def _run(trial: Trial, policy: Policy, *, plain: bool) -> tuple[Any, list[Any], list[UnitResult[Any]]]:
    """Run two units together and one alone; return how both ended, and what was stored."""
    store = MemoryStore()
    pipeline = trial.pipeline(policy)
    if plain:
        together = trial.ended(lambda: pipeline.run(trial.units, store=store, concurrency=1))
        alone = trial.ended(lambda: pipeline.run_unit(trial.units[0]))
        pipeline.close()
    else:
        together = trial.ended(lambda: _loud(lambda: pipeline.aio.run(trial.units, store=store, concurrency=1)))
        alone = trial.ended(lambda: _loud(lambda: pipeline.aio.run_unit(trial.units[0])))
    if isinstance(alone, UnitResult):
        alone = replace(alone, value=None)
    return together, alone, trial.search_store(store)


def _case_runs(case: Case, canaries: Canaries, *, plain: bool) -> Trial:
    """Run a case under both policies; the trial that is returned holds the pipeline's parts, and what was found."""
    says = cycle(())
    model = FunctionModel(lambda _: next(says)(canaries))
    producer = producer_of(model, prompt=f"{canaries['prompt']} {{{{ input }}}}", **dict(case.output))
    trial = Trial(canaries, producer, list(_bindings(case, canaries)), case.retries)
    for policy, outcome in ((WARN, case.warned), (FAIL, case.failed or case.warned)):
        says = cycle(case.says)
        _assert_ended(case, outcome, policy, _run(trial, policy, plain=plain))
    return trial


@pytest.mark.parametrize("plain", [False, True], ids=["aio", "plain"])
@pytest.mark.parametrize("name", CASES)
def test_nothing_that_was_said_leaves_the_attempt(name, plain, capfd, monkeypatch):
    monkeypatch.setenv("PYTHONASYNCIODEBUG", "1")
    canaries = Canaries()
    with Watch(canaries, capfd) as watch:
        trial = _case_runs(CASES[name], canaries, plain=plain)
    assert trial.found + watch.found + watch.warned == []
    assert watch.records > 0


@pytest.mark.parametrize("plain", [False, True], ids=["aio", "plain"])
def test_nothing_that_was_said_outlives_its_unit(plain, monkeypatch):
    """Every case, and then one search through all that is alive, pipelines and models included."""
    monkeypatch.setenv("PYTHONASYNCIODEBUG", "1")
    canaries = Canaries()
    kept = []
    with caught_records():
        for name, case in CASES.items():
            kept.append(_case_runs(case, canaries.within(f"{name}: "), plain=plain))
    assert canaries.in_live_objects() == []
    assert len(kept) == len(CASES)
    # The cases are worth nothing where a model never came to say its secret.
    assert {name.partition(": ")[2] for name in canaries.planted} == PLANTED


def _assert_ended(case: Case, outcome: Outcome, policy: Policy, ended: tuple[Any, Any, list[UnitResult[Any]]]) -> None:
    together, alone, results = ended
    if case.raises is not None:
        assert type(together) is type(alone) is case.raises
        assert [result.outcome for result in results] == [Outcome.CANCELLED]
        return
    assert alone.outcome is outcome
    assert {result.outcome for result in results} == {outcome}
    if policy is FAIL and outcome is not Outcome.ACCEPTED:
        assert isinstance(together, RunFailedError)
        assert together.details["outcome"] == outcome.value
    else:
        assert together.outcomes == {outcome: 2}


@pytest.mark.parametrize("plain", [False, True], ids=["aio", "plain"])
def test_nothing_that_a_producer_raised_leaves_the_attempt(plain, capfd):
    canaries = Canaries()
    with Watch(canaries, capfd) as watch:
        trial = Trial(canaries, _Crashing(canaries), [], 1)
        together, alone, _ = _run(trial, WARN, plain=plain)
        assert together.outcomes == {Outcome.STRUCTURAL_FAILURE: 2}
        assert alone.code == "producer_raised:SpillError"
        alive = canaries.in_live_objects()
    assert trial.found + watch.found + alive + watch.warned == []


@pytest.mark.parametrize("where", ["request", "validator"])
def test_nothing_leaves_an_attempt_that_is_cancelled(where, capfd):
    canaries = Canaries()

    async def main(trial: Trial, waiting: Waiting, *, alone: bool) -> Any:
        asyncio.get_running_loop().slow_callback_duration = 0.0
        pipeline, store = trial.pipeline(WARN), MemoryStore()
        work = pipeline.aio.run_unit(trial.units[0]) if alone else pipeline.aio.run(trial.units, store=store)
        task = asyncio.create_task(work)
        await waiting.until(1 if alone else 2)
        task.cancel(canaries["prompt"])
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        trial.found += canaries.in_exception(caught.value)
        assert alone or {result.outcome for result in trial.search_store(store)} == {Outcome.CANCELLED}

    with Watch(canaries, capfd) as watch:
        waiting = Waiting()

        async def says(request: Any) -> str:
            if where == "request" and len(request.messages) > 2:
                await waiting.wait()
            return _bad(canaries)

        async def check(_: Any) -> None:
            if where == "validator":
                await waiting.wait()

        producer = producer_of(FunctionModel(says), prompt=f"{canaries['prompt']} {{{{ input }}}}")
        trial = Trial(canaries, producer, [ValidatorBinding("age", age(canaries)), ValidatorBinding("wait", check)], 1)
        for alone in (False, True):
            asyncio.run(main(trial, waiting, alone=alone), debug=True)
            waiting = Waiting()
        alive = canaries.in_live_objects()
    assert trial.found + watch.found + alive + watch.warned == []


class _Failing(MemoryStore):
    """A store that raises in one of its methods, at some call of it."""

    def __init__(self, method: str, nth: int, error: BaseException) -> None:
        super().__init__()
        if hasattr(MemoryStore, method):
            vars(self)[method] = self._failing(getattr(self, method), nth, error)

    @staticmethod
    def _failing(keep: Callable[..., Any], nth: int, error: BaseException) -> Callable[..., Any]:
        calls = count(1)

        async def call(*arguments: Any, **options: Any) -> Any:
            if next(calls) == nth:
                raise error
            return await keep(*arguments, **options)

        return call


@pytest.mark.parametrize("plain", [False, True], ids=["aio", "plain"])
@pytest.mark.parametrize(
    ("where", "nth", "is_kept"),
    [
        ("open_run", 1, False),
        ("plan", 1, False),
        ("finish_plan", 1, False),
        # Of the second unit: what became of the first one was kept.
        ("claim", 2, True),
        ("find_record", 3, True),
        ("find_record", 4, True),
        ("add_record", 2, True),
        ("settle", 2, True),
        ("close_run", 1, True),
        ("on_settled", 1, True),
        ("units", 1, False),
        ("transcripts", 1, False),
    ],
)
def test_the_error_of_a_store_or_a_caller_brings_nothing_along(where, nth, is_kept, plain, capfd):
    canaries = Canaries()
    failure = OSError("no space left")

    def fail(*_: object) -> Any:
        raise failure

    def units(trial: Trial) -> Iterator[Unit]:
        yield from trial.units
        if where == "units":
            fail()

    with Watch(canaries, capfd) as watch:
        says = cycle((_bad,))
        producer = producer_of(FunctionModel(lambda _: next(says)(canaries)))
        trial = Trial(canaries, producer, [ValidatorBinding("age", age(canaries))], 2)
        # Its value is kept before the second one is asked; it was accepted, so it is no secret.
        trial.put_first(ProducerBinding("first", producer_of(FunctionModel(lambda _: GOOD))))
        pipeline = Pipeline(trial._bindings, policy=WARN, transcripts=fail if where == "transcripts" else None)  # noqa: SLF001 - the test's own
        store = _Failing(where, nth, failure)
        asked = {"store": store, "concurrency": 1, "on_settled": fail if where == "on_settled" else None}
        if plain:
            ended = trial.ended(lambda: pipeline.run(units(trial), **asked))
        else:
            ended = trial.ended(lambda: _loud(lambda: pipeline.aio.run(units(trial), **asked)))
        pipeline.close()
        assert ended is failure
        trial.search_store(store, is_kept=is_kept)
    assert trial.found + watch.found + watch.warned == []


def test_structured_output_by_itself_raises_errors_without_texts(capfd):
    canaries = Canaries()
    output = StructuredOutput.of_schema(SCHEMA)
    says = [_broken, _misfit, _cut, _refusing, _unreachable, _too_dear, _tool]
    found = []
    with Watch(canaries, capfd) as watch:
        for say in says:
            model = FunctionModel(lambda _, say=say: say(canaries))
            with pytest.raises(ModelError) as caught:
                # No text of these is the test's own: `ask` must not hold on to what it was given, either.
                asyncio.run(
                    output.ask(
                        model,
                        [Message("user", canaries["prompt"])],
                        added=[Message("assistant", canaries["rejected"]), Message("user", canaries["fact"])],
                    ),
                    debug=True,
                )
            found += canaries.in_exception(caught.value)
        del caught
        alive = canaries.in_live_objects()
    assert found + watch.found + alive + watch.warned == []


def test_structured_output_by_itself_that_is_cancelled_holds_nothing():
    canaries = Canaries()
    messages = [Message("user", canaries["prompt"])]

    async def main() -> list[str]:
        waiting = Waiting()

        async def says(request: Request) -> str:
            if len(request.messages) > 1:
                await waiting.wait()
            return _broken(canaries)

        # Through no frame of the test: what those hold is the test's own.
        work = StructuredOutput.of_schema(SCHEMA).ask(FunctionModel(says), messages)
        task = asyncio.create_task(work)
        await waiting.until(1)
        task.cancel()
        await asyncio.wait([task])
        with pytest.raises(asyncio.CancelledError) as caught:
            task.result()
        return canaries.in_exception(caught.value)

    canaries.keep(messages)
    assert asyncio.run(main()) == []


class Person(pydantic.BaseModel):
    """A form whose own validators quote what they were given."""

    model_config = pydantic.ConfigDict(extra="forbid")
    name: str
    age: int

    @pydantic.field_validator("name")
    @classmethod
    def _never_rejected(cls, name: str) -> str:
        if "refuse me" in name:
            raise ValueError(f"not {name}")
        return name


class Adult(pydantic.BaseModel):
    name: str
    age: int

    @pydantic.model_validator(mode="after")
    def _of_age(self) -> Self:
        if self.age < 18:
            raise ValueError(f"{self!r} is not of age")
        return self


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ((_misfit, _broken), Outcome.STRUCTURAL_FAILURE),
        ((lambda c: f'{{"name": "refuse me {c["misfit"]}", "age": 1}}',), Outcome.STRUCTURAL_FAILURE),
        ((_bad,), Outcome.REJECTED),
        ((_misfit, _bad, _good), Outcome.ACCEPTED),
    ],
)
def test_nothing_of_the_errors_of_pydantic_leaves_the_attempt(says, outcome, capfd):
    canaries = Canaries()
    with Watch(canaries, capfd) as watch:
        answers = cycle(says)
        model = FunctionModel(lambda _: next(answers)(canaries))
        prompt = Prompt("p", 1, "x", ("input",), f"{canaries['prompt']} {{{{ input }}}}")
        producer = StructuredProducer(model, prompt, StructuredOutput.of_model(Person))
        trial = Trial(canaries, producer, [ValidatorBinding("adult", Adult)], 1)
        _, alone, results = _run(trial, WARN, plain=False)
        assert {result.outcome for result in (alone, *results)} == {outcome}
        alive = canaries.in_live_objects()
    assert trial.found + watch.found + alive + watch.warned == []


def test_the_value_of_a_step_before_does_not_outlive_a_unit_that_is_rejected_later(capfd):
    canaries = Canaries()
    with Watch(canaries, capfd) as watch:
        first = producer_of(FunctionModel(lambda _: _good(canaries)))
        prompt = Prompt("p", 1, "x", ("previous",), "{{ previous }}")
        second = StructuredProducer(
            FunctionModel(lambda _: _bad(canaries)), prompt, StructuredOutput.of_schema(SCHEMA, name="second")
        )
        trial = Trial(canaries, second, [ValidatorBinding("age", age(canaries))], 1)
        trial.put_first(ProducerBinding("first", first))
        together, alone, results = _run(trial, WARN, plain=False)
        assert together.outcomes == {Outcome.REJECTED: 2}
        assert {(result.outcome, result.attempts) for result in (alone, *results)} == {(Outcome.REJECTED, 3)}
        alive = canaries.in_live_objects()
    assert trial.found + watch.found + alive + watch.warned == []


@pytest.mark.parametrize(
    "make",
    [
        lambda text: Unit("a", text),
        lambda text: Candidate(text, text),
        lambda text: Correction(text, (Defect("a", text, text, text),)),
        lambda text: Attempt(Unit("a", text), "p", previous=text, correction=Correction(text, ())),
        lambda text: Message("user", text),
        lambda text: Tool("a", "b", {"type": text}),
        lambda text: Request((Message("user", text),), {"a": text}),
        lambda text: Response(text, tool_name=text),
        lambda text: Prompt("p", 1, "x", (), text),
        lambda text: StructuredOutput.of_schema({"const": text}),
        lambda text: UnitResult("a", 0, Outcome.ACCEPTED, text),
    ],
)
def test_what_carries_a_text_does_not_show_it(make):
    canaries = Canaries()
    value = make(canaries["a"])
    assert canaries.in_text(f"{value} {value!r} {[value]}") == []


# Over HTTP: real requests to a server on the loopback address.


def _status(status: int, **headers: str) -> Make:
    def make(canaries: Canaries) -> Step:
        body, secret = canaries[f"body of {status}"], canaries[f"header of {status}"]
        named = {name.replace("_", "-"): value.replace("SECRET", secret) for name, value in headers.items()}
        return Status(status, f'{{"error": {{"message": "{body}"}}}}'.encode(), {"x-note": secret, **named})

    return make


STEPS: dict[str, tuple[Make, Outcome]] = {
    "good": (lambda c: Answer(_good(c)), Outcome.ACCEPTED),
    "bad": (lambda c: Answer(_bad(c)), Outcome.REJECTED),
    "broken": (lambda c: Answer(_broken(c)), Outcome.STRUCTURAL_FAILURE),
    "misfit": (lambda c: Answer(_misfit(c)), Outcome.STRUCTURAL_FAILURE),
    "cut": (lambda c: Answer(c["cut off"], finish="length"), Outcome.TRUNCATED),
    "refusal": (lambda c: Answer(c["refusal"], finish="refusal"), Outcome.REFUSED),
    "tool": (lambda c: ToolCalls(((c["tool"], f'{{"{c["key"]}": "{c["argument"]}"}}'),)), Outcome.STRUCTURAL_FAILURE),
    "500": (_status(500), Outcome.TRANSPORT_FAILURE),
    "429": (_status(429, retry_after="SECRET"), Outcome.TRANSPORT_FAILURE),
    "401": (_status(401, www_authenticate="Bearer SECRET"), Outcome.TRANSPORT_FAILURE),
    "302": (_status(302, location="http://127.0.0.1:1/SECRET", set_cookie="a=SECRET"), Outcome.TRANSPORT_FAILURE),
    "html": (
        lambda c: Status(200, f"<html>{c['html']}</html>".encode(), content_type="text/html"),
        Outcome.TRANSPORT_FAILURE,
    ),
    "garbage": (lambda c: Status(200, f'{{"choices": "{c["garbage"]}"}}'.encode()), Outcome.TRANSPORT_FAILURE),
    "half": (lambda c: HalfBody(f'{{"choices": "{c["half"]}'.encode()), Outcome.TRANSPORT_FAILURE),
    "no http": (lambda c: Raw(f"{c['raw']} 200 OK\r\n\r\n".encode()), Outcome.TRANSPORT_FAILURE),
    "bad header": (
        lambda c: Raw(f"HTTP/1.1 200 OK\r\n{c['header']}\x00: {c['header']}\r\n\r\n".encode()),
        Outcome.TRANSPORT_FAILURE,
    ),
    "drop": (lambda _: Drop(), Outcome.TRANSPORT_FAILURE),
}


def _script(canaries: Canaries) -> Callable[[Received], Step]:
    """Answer each unit with the step that its value names."""

    def step(request: Received) -> Step:
        body = next(str(message) for message in request.json["messages"] if message["role"] == "user")
        name = next(name for name in STEPS if f"step {name}." in body)
        return STEPS[name][0](canaries)

    return step


def _model(server: ModelServer, wire: str, key: str) -> Any:
    options = TransportOptions(retries=2, clock=FixedClock())
    if wire == "chat":
        return ChatCompletionsModel(server.chat_url, "m", api_key=key, transport=options)
    return AnthropicModel("m", base_url=server.url, api_key=key, transport=options)


@pytest.mark.parametrize("wire", ["chat", "anthropic"])
def test_nothing_that_a_server_said_leaves_the_attempt_nor_does_the_key(wire, capfd):
    canaries = Canaries()
    key = canaries["api key"]
    # Searched when the connections are closed: until then they hold the key, which they send with each request, and
    # the headers of the last answer.
    errors: list[VeracordError] = []

    async def main(model: Any) -> tuple[dict[str, Outcome], list[str]]:
        asyncio.get_running_loop().slow_callback_duration = 0.0
        store = MemoryStore()
        # A store of its own keeps the values alive; what else is alive is looked for while the connections are open.
        await trial.pipeline(WARN).aio.run(trial.units, store=store)
        outcomes = {result.key: result.outcome for result in trial.search_store(store)}
        del store
        server.requests.clear()
        alive = canaries.in_live_objects()
        for unit in trial.units:
            for work in (trial.pipeline(FAIL).aio.run([unit]), model.complete(_request(unit))):
                try:
                    await work
                except VeracordError as error:
                    errors.append(error)
        server.requests.clear()
        await model.aclose()
        await asyncio.to_thread(server.wait_until_left)
        return outcomes, alive

    with Watch(canaries, capfd) as watch, ModelServer(_script(canaries)) as server:
        model = _model(server, wire, key)
        prompt = Prompt("p", 1, "x", ("input",), f"{canaries['prompt']} {{{{ input }}}}")
        producer = StructuredProducer(model, prompt, StructuredOutput.of_schema(SCHEMA))
        trial = Trial(canaries, producer, [ValidatorBinding("age", age(canaries))], 1)
        trial.units = _step_units(canaries)
        outcomes, alive = asyncio.run(main(model), debug=True)
        trial.found += canaries.in_exception(*errors)
        alive = [hit for hit in alive if not hit.startswith(("api key", "header of"))] + canaries.in_live_objects()
    assert len(errors) > len(STEPS)
    assert outcomes == {name: outcome for name, (_, outcome) in STEPS.items()}
    assert trial.found + watch.found + alive + watch.warned == []


def _request(unit: Unit) -> Request:
    return Request((Message("user", str(unit.value)),), SCHEMA)


def test_nothing_that_a_server_said_outlives_plain_calls(capfd):
    canaries = Canaries()
    with Watch(canaries, capfd) as watch, ModelServer(_script(canaries)) as server:
        model = _model(server, "chat", canaries["api key"])
        producer = producer_of(model, prompt=f"{canaries['prompt']} {{{{ input }}}}")
        trial = Trial(canaries, producer, [ValidatorBinding("age", age(canaries))], 1)
        trial.units = _step_units(canaries)
        together, _, results = _run(trial, WARN, plain=True)
        assert together.units == len(results) == len(STEPS)
        server.wait_until_left()
        server.requests.clear()
        alive = canaries.in_live_objects()
    assert trial.found + watch.found + alive + watch.warned == []


def _step_units(canaries: Canaries) -> list[Unit]:
    units = [Unit(name, {"text": f"step {name}. {canaries['unit']}"}, position) for position, name in enumerate(STEPS)]
    canaries.keep(units)
    return units


def test_nothing_leaves_a_request_over_http_that_is_cancelled(capfd):
    canaries = Canaries()

    async def main(model: Any) -> None:
        task = asyncio.create_task(trial.pipeline(WARN).aio.run(trial.units, store=store))
        await asyncio.to_thread(server.wait_for_requests, 2, GENEROUS_S)
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        server.requests.clear()
        await model.aclose()
        await asyncio.to_thread(server.wait_until_left)
        trial.found += canaries.in_exception(caught.value)

    with Watch(canaries, capfd) as watch, ModelServer(default=Hang()) as server:
        store = MemoryStore()
        model = _model(server, "chat", canaries["api key"])
        producer = producer_of(model, prompt=f"{canaries['prompt']} {{{{ input }}}}")
        trial = Trial(canaries, producer, [], 1)
        asyncio.run(main(model), debug=True)
        assert {result.outcome for result in trial.search_store(store)} == {Outcome.CANCELLED}
        alive = canaries.in_live_objects()
    assert trial.found + watch.found + alive + watch.warned == []
