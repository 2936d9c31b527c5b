"""Producers that merge, assemble or repair, what bindings refuse, and who said what in a policy."""

import asyncio
from dataclasses import fields

import pydantic
import pytest

from veracord.errors import ConfigurationError, ModelCeilingError, ModelOutputError, RunFailedError, RunInterruptedError
from veracord.pipeline import (
    SINGLE_RESPONSE_V1,
    AsyncPipeline,
    Candidate,
    Defect,
    Disposition,
    Outcome,
    Pipeline,
    Policy,
    ProducerBinding,
    Unit,
    ValidatorBinding,
    Verdict,
)
from veracord.pipeline.policies import DEFAULTS, UNSET, Unset, resolve_policy
from veracord.pipeline.verdicts import Status
from veracord.promptkit import Message, StructuredOutput, StructuredProducer
from veracord.records.schemas import Schema, SchemaFile
from veracord.testing import MemoryStore, ScriptedModel

FAIL, WARN = Disposition.FAIL_RUN, Disposition.WARN_CONTINUE
FORM = StructuredOutput.of_schema(
    {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}, structure_repairs=1
)


class Aged(pydantic.BaseModel):
    age: int


class Parts:
    """Asks a model several times and puts one value together; how is told by a function."""

    correction_protocol = SINGLE_RESPONSE_V1

    def __init__(self, answers, assemble):
        self.model = ScriptedModel(answers)
        self.assemble = assemble
        self.attempts = []

    async def produce(self, attempt):
        self.attempts.append(attempt)
        return await self.assemble(self.model, attempt)


class Plain:
    """Returns what it is told to, one after the other, and the last one ever after."""

    correction_protocol = SINGLE_RESPONSE_V1

    def __init__(self, *made):
        self.made = made
        self.attempts = []

    async def produce(self, attempt):
        self.attempts.append(attempt)
        made = self.made[min(attempt.number, len(self.made)) - 1]
        if isinstance(made, Exception):
            raise made
        return made(attempt) if callable(made) else made


class Incapable(Plain):
    correction_protocol = None


def said(text="text", value=None):
    return lambda attempt: attempt.candidate(value, controlling_response=text)


def negative(value):
    return [Defect("negative", "/age", "an age is not negative")] if value["age"] < 0 else None


def settle(binding, *more, policy=None):
    """Run one unit, and return its result and receipts."""
    store = MemoryStore()

    async def run():
        pipeline = AsyncPipeline([binding, *more], policy=policy)
        try:
            await pipeline.run([Unit("key", {"text": "input"})], store=store)
        except RunFailedError as error:
            assert error.details["key"] == "key"  # noqa: PT017 - that a run fails is part of what is looked at below
        return [result async for result in store.results()]

    (result,) = asyncio.run(run())
    return result, store.receipts


# Producers whose candidate no single response controls


async def merge(model, attempt):
    """The mean of two answers: no single response controls it."""
    one = await FORM.ask(model, [Message("user", "first")])
    two = await FORM.ask(model, [Message("user", "second")])
    return attempt.candidate({"age": (one.value["age"] + two.value["age"]) // 2})


async def assemble(model, attempt):
    """A record put together by code, around one answer."""
    answer = await FORM.ask(model, [Message("user", "part")])
    return Candidate({"age": answer.value["age"], "made_by": "code"}, None, attempt.producer_id, attempt.number)


async def repair_form(model, attempt):
    """One answer, after a repair of its form: the repaired response controls it."""
    answer = await FORM.ask(model, [Message("user", "all")])
    return attempt.candidate(answer.value, controlling_response=answer.response)


@pytest.mark.parametrize(
    ("how", "answers"),
    [(merge, ['{"age": -4}', '{"age": -2}']), (assemble, ['{"age": -4}'])],
)
@pytest.mark.parametrize("disposition", [FAIL, WARN])
def test_a_candidate_that_no_response_controls_is_not_corrected(how, answers, disposition):
    producer = Parts(answers, how)
    binding = ProducerBinding(
        "p", producer, [ValidatorBinding("age", negative)], retries=3, policy=Policy(rejection=disposition)
    )
    result, receipts = settle(binding)
    assert result.outcome is Outcome.REJECTED
    assert result.disposition is disposition
    assert result.value is None
    assert result.rejected_by == {"age": ("negative",)}
    assert len(producer.attempts) == len(receipts) == 1
    assert all(len(request.messages) == 1 for request in producer.model.requests)


def test_after_a_structural_repair_the_repaired_response_is_corrected():
    producer = Parts(["no JSON", '{"age": -4}', '{"age": 4}'], repair_form)
    result, receipts = settle(ProducerBinding("p", producer, [ValidatorBinding("age", negative)]))
    assert result.outcome is Outcome.ACCEPTED
    assert producer.attempts[1].correction.response == '{"age": -4}'
    assert [receipt.is_correction for receipt in receipts] == [False, True]


def test_the_own_producer_hands_over_the_repaired_response():
    model = ScriptedModel(["no JSON", '{"age": -4}', '{"age": 4}'])
    producer = StructuredProducer(model, lambda _: [Message("user", "ask")], FORM)
    result, receipts = settle(ProducerBinding("p", producer, [ValidatorBinding("age", negative)]))
    assert result.outcome is Outcome.ACCEPTED
    assert [len(request.messages) for request in model.requests] == [1, 3, 3]
    assert model.requests[1].messages[1].content == "no JSON"
    assert model.requests[2].messages[1].content == '{"age": -4}'
    assert [receipt.structure_repairs for receipt in receipts] == [1, 0]


def test_evidence_is_the_candidates_from_attempt_to_attempt():
    """The first candidate names its response, the second does not: one correction, then policy."""
    producer = Plain(said("first"), said(None))
    binding = ProducerBinding("p", producer, [ValidatorBinding("v", lambda _: ["no"])], retries=5)
    result, receipts = settle(binding)
    assert result.outcome is Outcome.REJECTED
    assert [receipt.is_correction for receipt in receipts] == [False, True]


def test_an_empty_response_is_a_response():
    producer = Plain(said(""))
    settle(ProducerBinding("p", producer, [ValidatorBinding("v", lambda _: ["no"])]))
    assert [attempt.correction and attempt.correction.response for attempt in producer.attempts] == [None, ""]


# Capability


def test_a_correction_cannot_be_required_of_an_incapable_producer():
    producer = Incapable(said())
    with pytest.raises(ConfigurationError, match="declares single_response_v1") as caught:
        ProducerBinding("maker", producer, correction="required")
    assert caught.value.code == "incapable_producer"
    assert caught.value.where == "maker"
    assert producer.attempts == []


class Silent:
    """Declares nothing at all."""

    async def produce(self, attempt):
        return attempt.candidate(None, controlling_response="text")


@pytest.mark.parametrize("producer", [Incapable(said()), Silent()])
def test_an_incapable_producer_is_not_corrected(producer):
    binding = ProducerBinding("p", producer, [ValidatorBinding("v", lambda _: ["no"])], retries=5)
    result, _ = settle(binding)
    assert result.outcome is Outcome.REJECTED
    assert result.attempts == 1


def test_required_is_auto_for_a_capable_producer():
    producer = Plain(said(value={"age": -1}), said(value={"age": 1}))
    result, _ = settle(ProducerBinding("p", producer, [ValidatorBinding("v", negative)], correction="required"))
    assert result.value == {"age": 1}


def test_a_declaration_may_stand_on_the_class_or_the_object():
    producer = Incapable(said(value={"age": -1}), said(value={"age": 1}))
    producer.correction_protocol = "single_response_v1"
    result, _ = settle(ProducerBinding("p", producer, [ValidatorBinding("v", negative)]))
    assert result.outcome is Outcome.ACCEPTED


# Attempts without a candidate


@pytest.mark.parametrize("made", [None, {"age": 1}, "text", (), Candidate])
def test_what_is_no_candidate_is_a_structural_failure(made):
    producer = Plain(lambda _: made)
    result, receipts = settle(ProducerBinding("p", producer, [ValidatorBinding("v", negative)], retries=2))
    assert result.outcome is Outcome.STRUCTURAL_FAILURE
    assert result.code == "not_a_candidate"
    assert [receipt.outcome for receipt in receipts] == [Outcome.STRUCTURAL_FAILURE] * 3
    assert all(receipt.checks == () for receipt in receipts)


def test_after_a_structural_failure_comes_the_ordinary_request():
    """A correction, no form, the ordinary request again; both spend the one budget of retries."""
    model = ScriptedModel(['{"age": -1}', "?", "??", '{"age": 1}'])
    producer = StructuredProducer(model, lambda _: [Message("user", "ask")], FORM)
    result, receipts = settle(ProducerBinding("p", producer, [ValidatorBinding("v", negative)], retries=2))
    assert result.outcome is Outcome.ACCEPTED
    assert [len(request.messages) for request in model.requests] == [1, 3, 3, 1]
    assert [receipt.is_correction for receipt in receipts] == [False, True, False]
    assert [receipt.outcome.value for receipt in receipts] == ["rejected", "structural_failure", "accepted"]


def test_a_foreign_exception_is_told_by_its_type_alone():
    producer = Plain(LookupError("SECRET"))
    result, receipts = settle(ProducerBinding("p", producer, retries=0))
    assert result.code == receipts[0].code == "producer_raised:LookupError"
    assert "SECRET" not in repr((result, receipts))


def test_an_error_of_ours_is_told_by_its_code():
    result, _ = settle(ProducerBinding("p", Plain(ModelOutputError("no", code="odd_form")), retries=0))
    assert (result.outcome, result.code) == (Outcome.STRUCTURAL_FAILURE, "odd_form")


def test_a_ceiling_ends_the_run_and_its_request_is_not_counted():
    model = ScriptedModel([ModelCeilingError("too dear")])
    producer = StructuredProducer(model, lambda _: [Message("user", "ask")], FORM)
    store = MemoryStore()
    pipeline = AsyncPipeline([ProducerBinding("p", producer, retries=5)])
    with pytest.raises(RunInterruptedError) as caught:
        asyncio.run(pipeline.run([Unit("key", 1)], store=store))
    assert caught.value.code == "cost_ceiling"
    (receipt,) = store.receipts
    assert receipt.outcome is Outcome.CANCELLED
    # It was not sent.
    assert receipt.usage.requests == receipt.usage.unmetered == 0


# Stop when stuck


def stuck(*made, validators=None, **options):
    producer = Plain(*made)
    validators = validators or [ValidatorBinding("v", negative)]
    binding = ProducerBinding("p", producer, validators, retries=9, stop_when_stuck=True, **options)
    return settle(binding)


def test_the_same_response_with_the_same_defects_ends_the_attempts():
    result, receipts = stuck(said("same", {"age": -1}))
    assert (result.outcome, result.code) == (Outcome.REJECTED, "no_progress")
    assert result.disposition is FAIL
    assert len(receipts) == 2
    assert result.rejected_by == {"v": ("negative",)}
    warned, _ = stuck(said("same", {"age": -1}), policy=Policy(rejection=WARN))
    assert (warned.code, warned.disposition, warned.value) == ("no_progress", WARN, None)


def test_it_is_off_where_nobody_asked_for_it():
    producer = Plain(said("same", {"age": -1}))
    result, _ = settle(ProducerBinding("p", producer, [ValidatorBinding("v", negative)], retries=9))
    assert (result.attempts, result.code) == (10, "")


def test_another_response_or_other_defects_are_progress():
    found = iter(["one", "two", "three", "four"])
    result, _ = stuck(said("same"), validators=[ValidatorBinding("v", lambda _: [next(found, "last")])])
    assert result.attempts == 6
    result, _ = stuck(said("a", {"age": -1}), said("b", {"age": -1}), said("a", {"age": -1}))
    assert result.attempts == 4


def test_twice_in_a_row_means_with_nothing_between():
    result, _ = stuck(said("same", {"age": -1}), ModelOutputError("no form"), said("same", {"age": -1}))
    assert (result.attempts, result.code) == (4, "no_progress")


def test_a_check_that_could_not_be_run_is_no_progress():
    """The same response has the same defects; that another validator crashed once does not count."""
    crashes = iter([True, True])

    def crash(_value):
        if next(crashes, False):
            raise OSError

    validators = [ValidatorBinding("v", negative), ValidatorBinding("w", crash)]
    result, _ = stuck(said("same", {"age": -1}), validators=validators)
    assert (result.attempts, result.code) == (2, "no_progress")


# What bindings and pipelines refuse


class Unknown:
    correction_protocol = "single_response_v2"

    async def produce(self, attempt):
        return attempt.candidate(None)


def ok(_value):
    return None


@pytest.mark.parametrize(
    ("make", "code", "says"),
    [
        (lambda: Pipeline([]), "invalid_pipeline", "no producer"),
        (lambda: Pipeline([ProducerBinding("p", Silent())] * 2), "invalid_pipeline", "id p"),
        (lambda: ProducerBinding("", Silent()), "invalid_producer", "no id"),
        (lambda: ProducerBinding("p", Silent(), retries=-1), "invalid_producer", "retries"),
        (lambda: ProducerBinding("p", Silent(), correction="always"), "invalid_producer", "correction"),
        (lambda: ProducerBinding("p", Unknown()), "invalid_producer", "protocol"),
        (lambda: ProducerBinding("p", Silent(), [ValidatorBinding("v", ok)] * 2), "invalid_producer", "id v"),
        (lambda: ValidatorBinding("", ok), "invalid_validator", "no id"),
        (lambda: ValidatorBinding("v", ok, execution_retries=-1), "invalid_validator", "execution_retries"),
        (lambda: ValidatorBinding("v", ok, timeout_s=0), "invalid_validator", "timeout_s"),
        (lambda: ValidatorBinding("v", ok, timeout_s=-1.5), "invalid_validator", "timeout_s"),
        (lambda: ValidatorBinding("v", ok, timeout_s=float("nan")), "invalid_validator", "timeout_s"),
        (lambda: ValidatorBinding("v", ok, timeout_s=float("inf")), "invalid_validator", "timeout_s"),
        (lambda: StructuredOutput.of_schema({}, structure_repairs=-1), "invalid_producer", "structure_repairs"),
        (
            lambda: Pipeline([ProducerBinding("p", Silent(), [ValidatorBinding("v", 5)])]),
            "invalid_validator",
            "callable",
        ),
        (
            lambda: Pipeline([ProducerBinding("p", Silent(), [ValidatorBinding("v", {"type": "objekt"})])]),
            "invalid_schema",
            "type",
        ),
        (
            lambda: Pipeline([ProducerBinding("p", Silent(), [ValidatorBinding("v", lambda _: None, isolate=True)])]),
            "invalid_validator",
            "child process",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_before_the_first_call(make, code, says):
    with pytest.raises(ConfigurationError) as caught:
        make()
    assert caught.value.code == code
    assert says in str(caught.value)
    assert caught.value.remedy


def test_fewer_than_one_unit_at_a_time_is_refused():
    pipeline = AsyncPipeline([ProducerBinding("p", Silent())])
    with pytest.raises(ConfigurationError, match="concurrency"):
        asyncio.run(pipeline.run([], concurrency=0))


def test_no_retries_mean_none():
    producer = Plain(said(value={"age": -1}))
    runs = []

    def crash(_value):
        runs.append(1)
        raise OSError

    validators = [ValidatorBinding("v", negative), ValidatorBinding("w", crash, execution_retries=0)]
    result, _ = settle(ProducerBinding("p", producer, validators, retries=0))
    assert (result.attempts, len(runs)) == (1, 1)
    assert result.incomplete == ("p/w",)


@pytest.mark.parametrize("form", ["schema", "model"])
def test_each_budget_is_one_where_nobody_says_otherwise(form):
    schema = {"type": "object", "required": ["age"]}
    output = StructuredOutput.of_schema(schema) if form == "schema" else StructuredOutput.of_model(Aged)
    model = ScriptedModel(lambda _: "no form")
    result, _ = settle(ProducerBinding("p", StructuredProducer(model, lambda _: [Message("user", "ask")], output)))
    assert (result.attempts, len(model.requests)) == (2, 4)
    runs = []

    def crash(_value):
        runs.append(1)
        raise OSError

    result, _ = settle(ProducerBinding("p", Plain(said()), [ValidatorBinding("v", crash)]))
    assert (result.attempts, len(runs)) == (1, 2)


# Policy


NAMES = [item.name for item in fields(Policy)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [None, "fail_run", True, 0])
def test_a_policy_takes_dispositions_alone(name, value):
    with pytest.raises(ConfigurationError, match=name) as caught:
        Policy(**{name: value})
    assert caught.value.code == "invalid_policy"


def test_an_unknown_field_of_a_policy_is_refused():
    with pytest.raises(TypeError):
        Policy(rejections=FAIL)


def test_unset_is_a_thing_of_its_own():
    assert isinstance(UNSET, Unset)
    assert UNSET is not None
    assert all(getattr(Policy(), name) is UNSET for name in NAMES)
    assert Policy(rejection=UNSET) == Policy()
    assert Policy(rejection=FAIL) != Policy()


def test_the_defaults_are_those_of_the_specification():
    assert {name: getattr(DEFAULTS, name).value for name in NAMES} == {
        "structural_failure": "fail_run",
        "rejection": "fail_run",
        "validator_execution_failure": "warn_continue",
        "refusal": "fail_run",
        "truncation": "fail_run",
        "transport_failure": "fail_run",
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_policy_is_overridden_field_by_field_and_tells_each_origin(name):
    """A field of the producer over that of the pipeline over the default; the other fields stay."""
    default = getattr(DEFAULTS, name)
    other = WARN if default is FAIL else FAIL
    for pipeline, producer, expected, origin in [
        (UNSET, UNSET, default, "default"),
        (other, UNSET, other, "pipeline"),
        (UNSET, other, other, "producer"),
        (other, default, default, "producer"),
        (default, UNSET, default, "pipeline"),
        (other, other, other, "producer"),
    ]:
        resolved = resolve_policy(Policy(**{name: pipeline}), Policy(**{name: producer}))
        assert getattr(resolved, name) is expected
        assert resolved.origins == dict.fromkeys(NAMES, "default") | {name: origin}
        assert resolved.to_dict()[name] == {"disposition": expected.value, "origin": origin}
        assert all(getattr(resolved, rest) is getattr(DEFAULTS, rest) for rest in NAMES if rest != name)


def test_a_pipeline_tells_the_policy_of_each_of_its_producers():
    first = ProducerBinding("a", Silent(), policy=Policy(rejection=WARN))
    pipeline = Pipeline([first, ProducerBinding("b", Silent())], policy=Policy(refusal=WARN))
    told = {name: policy.to_dict() for name, policy in pipeline.policies.items()}
    assert told["a"]["rejection"] == {"disposition": "warn_continue", "origin": "producer"}
    assert told["a"]["refusal"] == told["b"]["refusal"] == {"disposition": "warn_continue", "origin": "pipeline"}
    assert told["b"]["rejection"] == {"disposition": "fail_run", "origin": "default"}
    assert list(told["a"]) == NAMES


def test_each_producer_follows_its_own_policy():
    rejects = [ValidatorBinding("v", lambda _: ["no"])]
    binding = ProducerBinding("a", Incapable(said()), rejects, policy=Policy(rejection=WARN))
    result, _ = settle(binding, policy=Policy(rejection=FAIL))
    assert result.disposition is WARN
    result, _ = settle(ProducerBinding("b", Silent()), ProducerBinding("a", Incapable(said()), rejects))
    assert (result.disposition, result.producer_id) == (FAIL, "a")


# Verdicts made by hand


MANY = tuple(Defect("c", f"/{199 - number:03}", "wrong") for number in range(200))


def test_a_verdict_made_by_hand_keeps_the_bounds():
    producer = Plain(said())
    validators = [ValidatorBinding("v", lambda _: Verdict(Status.REJECTED, MANY))]
    settle(ProducerBinding("p", producer, validators))
    correction = producer.attempts[1].correction
    assert [defect.path for defect in correction.defects] == [f"/{number:03}" for number in range(50)]
    assert correction.more == 150


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(Status.REJECTED),
        Verdict(Status.REJECTED, (1,)),
        Verdict(Status.REJECTED, 5),
        Verdict("rejected"),
        Verdict.execution_failed("mine"),
    ],
)
def test_a_verdict_that_is_none_could_not_check(verdict):
    producer = Plain(said())
    result, receipts = settle(ProducerBinding("p", producer, [ValidatorBinding("v", lambda _: verdict)], retries=3))
    assert result.outcome is Outcome.ACCEPTED_INCOMPLETE
    assert result.incomplete == ("p/v",)
    assert receipts[0].checks[0].status == "execution_failed"
    assert "mine" not in repr(receipts)


# Validators of other kinds see the values of a pydantic model


PLAIN_SCHEMA = {"properties": {"age": {"minimum": 5}}}


@pytest.mark.parametrize("schema", [PLAIN_SCHEMA, Schema([SchemaFile("s.json", PLAIN_SCHEMA, "s")])])
def test_a_schema_checks_an_instance_of_a_model(schema):
    for age, outcome in ((1, Outcome.REJECTED), (9, Outcome.ACCEPTED)):
        producer = Plain(said(None, Aged(age=age)))
        result, _ = settle(ProducerBinding("p", producer, [ValidatorBinding("v", schema)]))
        assert result.outcome is outcome


def test_a_function_that_returns_an_awaitable_is_awaited():
    async def check(value):
        return negative(value)

    def begin(value):
        return check(value)

    producer = Plain(said(None, {"age": -1}))
    result, _ = settle(ProducerBinding("p", producer, [ValidatorBinding("v", begin)]))
    assert result.rejected_by == {"v": ("negative",)}
