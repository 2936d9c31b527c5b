"""Laws of the pipeline: what is sent after rejections, budgets that do not touch, what advances, what is summed."""

import asyncio
import json
from copy import deepcopy
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from veracord.errors import ModelUnavailableError
from veracord.pipeline import (
    SINGLE_RESPONSE_V1,
    AsyncPipeline,
    Defect,
    Disposition,
    Outcome,
    Policy,
    ProducerBinding,
    Unit,
    ValidatorBinding,
)
from veracord.promptkit import Finish, Message, Response, StructuredOutput, StructuredProducer, Usage
from veracord.testing import MemoryStore, ScriptedModel

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
}
VIAS = ("schema", "tool", "prompt")
WARN = Policy(
    structural_failure=Disposition.WARN_CONTINUE,
    rejection=Disposition.WARN_CONTINUE,
    refusal=Disposition.WARN_CONTINUE,
    truncation=Disposition.WARN_CONTINUE,
    transport_failure=Disposition.WARN_CONTINUE,
)


def run(bindings, **options):
    """Run one unit and return its result, the receipts, and the report."""
    store = MemoryStore()

    async def results():
        report = await AsyncPipeline(bindings, **options).run([Unit("key", {"text": "input"})], store=store)
        return report, [result async for result in store.results()]

    report, (result,) = asyncio.run(results())
    return result, store.receipts, report


# What is sent after rejections


def not_negative(value):
    return [Defect("negative", "/age", "an age is not negative", "give it in years")] if value["age"] < 0 else None


def serialised(messages):
    return json.dumps([[message.role, message.content] for message in messages]).encode()


def answer_text(number, size=0):
    # Two digits, so that all are of one size; blanks, so that the canonical form is another one.
    return json.dumps({"name": "x" * size, "age": number})


def answer_of(number, via, size=0):
    text = answer_text(number, size)
    return Response(text, tool_name="answer" if via == "tool" else None)


def reject(rejections, base, via="schema", size=0):
    """Let so many answers be rejected, and return the result and the requests."""
    answers = [answer_of(-10 - number, via, size) for number in range(rejections)]
    model = ScriptedModel([*answers, answer_of(36, via, size)])
    producer = StructuredProducer(model, lambda _: base, StructuredOutput.of_schema(SCHEMA, via=via))
    binding = ProducerBinding("p", producer, [ValidatorBinding("age", not_negative)], retries=rejections)
    result, receipts, _ = run([binding])
    assert [receipt.is_correction for receipt in receipts] == [False] + [True] * rejections
    return result, model.requests


MESSAGES = st.lists(
    st.builds(Message, st.sampled_from(["system", "user", "assistant"]), st.text(max_size=60)), min_size=1, max_size=5
)


@given(st.integers(1, 20), MESSAGES, st.sampled_from(VIAS), st.integers(0, 300))
def test_each_request_after_a_rejection_is_the_first_one_plus_two_messages(rejections, base, via, size):
    before, same = deepcopy(base), list(base)
    result, requests = reject(rejections, base, via, size)
    assert result.outcome is Outcome.ACCEPTED
    assert result.value["age"] == 36
    assert len(requests) == result.attempts == rejections + 1
    assert requests[0].messages == tuple(before)
    for number, request in enumerate(requests[1:]):
        assert len(request.messages) == len(base) + 2
        assert serialised(request.messages[: len(base)]) == serialised(before)
        response, correction = request.messages[len(base) :]
        assert (response.role, correction.role) == ("assistant", "user")
        text = answer_text(-10 - number, size)
        canonical = json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
        assert response.content == (canonical if via == "tool" else text)
        assert correction.content == requests[1].messages[-1].content
        # Everything else of the request stays, the tools among it.
        assert (request.tools, request.required_tool) == (requests[0].tools, requests[0].required_tool)
        assert (request.output_schema, request.output_name) == (requests[0].output_schema, requests[0].output_name)
    assert len(requests[0].tools) == (via == "tool")
    # The caller's list is the same list of the same messages.
    assert base == before
    assert all(one is other for one, other in zip(base, same, strict=True))


@pytest.mark.parametrize("via", VIAS)
@pytest.mark.parametrize("count", [1, 3])
def test_the_bytes_of_a_run_are_linear_in_the_number_of_rejections(via, count):
    base = [Message("user", f"part {number} of the question") for number in range(count)]
    totals, calls = [], []
    for rejections in range(1, 21):
        _, requests = reject(rejections, base, via, 400)
        totals.append(sum(len(serialised(request.messages)) for request in requests))
        calls.append(len(requests))
    steps = [after - before for before, after in pairwise(totals)]
    assert calls == list(range(2, 22))
    assert {after - before for before, after in pairwise(steps)} == {0}
    # One correction costs less than two messages of the answer's own size and the base.
    assert steps[0] < len(serialised(base)) + 2 * (400 + 200)


@given(st.integers(1, 8), st.integers(0, 8))
def test_the_budget_of_retries_and_no_other_bounds_the_corrections(rejections, retries):
    model = ScriptedModel([*(answer_text(-10 - number) for number in range(rejections)), *[answer_text(36)] * 9])
    producer = StructuredProducer(model, lambda _: [Message("user", "ask")], StructuredOutput.of_schema(SCHEMA))
    binding = ProducerBinding("p", producer, [ValidatorBinding("age", not_negative)], retries=retries, policy=WARN)
    result, _, _ = run([binding])
    assert len(model.requests) == min(rejections, retries) + 1
    assert result.outcome is (Outcome.ACCEPTED if rejections <= retries else Outcome.REJECTED)


# Three budgets that do not touch


@dataclass
class Scripts:
    """What is to happen: an event for each request, and for each validator one for each of its executions.

    An event that is not given is a value, or a pass.
    """

    requests: list
    executions: list
    retries: int
    repairs: int
    execution_retries: list


@dataclass
class Spent:
    """What is spent: the kind of each request, and how often each validator is executed."""

    requests: list = field(default_factory=list)
    executions: list = field(default_factory=list)
    outcome: str = ""


ENDS = {"truncated": "truncated", "refused": "refused", "unavailable": "transport_failure"}


def simulate(scripts):
    """The oracle, written from sections 2 to 4 of the specification."""
    spent = Spent(executions=[0] * len(scripts.executions))
    events = iter(scripts.requests)
    runs = [iter(events) for events in scripts.executions]
    corrects = False
    for retries_left in range(scripts.retries, -1, -1):
        ended = ask(scripts, spent, events, "correction" if corrects else "ordinary")
        corrects = False
        if ended in ENDS:
            spent.outcome = ENDS[ended]
            return spent
        if ended == "malformed":
            if retries_left:
                continue
            spent.outcome = "structural_failure"
            return spent
        verdicts = [execute(scripts, spent, number, runs[number]) for number in range(len(runs))]
        if "R" in verdicts and retries_left:
            corrects = True
            continue
        spent.outcome = "rejected" if "R" in verdicts else "accepted_incomplete" if "F" in verdicts else "accepted"
        return spent
    raise AssertionError


def ask(scripts, spent, events, kind):
    """One attempt's requests, and how they end."""
    event = ""
    for _ in range(scripts.repairs + 1):
        spent.requests.append(kind)
        kind = "repair"
        event = next(events, "value")
        if event != "malformed":
            return event
    return event


def execute(scripts, spent, number, run_events):
    """One validator's executions on one candidate, and what it says in the end."""
    said = ""
    for _ in range(scripts.execution_retries[number] + 1):
        spent.executions[number] += 1
        said = next(run_events, "P")
        if said != "F":
            break
    return said


MALFORMED = ("", "no", "[1]", '{"name": "A"}', '{"name": "A", "age": "1"}', '{"name": "A", "age": NaN}', "{}")


@st.composite
def all_scripts(draw):
    # An end cuts a script short, so it is rare: budgets meet only in long ones.
    often = st.sampled_from(["malformed"] * 5 + ["value"] * 7 + list(ENDS))
    validators = draw(st.integers(0, 3))
    return Scripts(
        requests=draw(st.lists(often, max_size=12)),
        executions=[draw(st.lists(st.sampled_from("PRRFF"), max_size=12)) for _ in range(validators)],
        retries=draw(st.sampled_from((0, 1, 1, 2, 3, 4))),
        repairs=draw(st.sampled_from((0, 1, 1, 2, 3))),
        execution_retries=[draw(st.integers(0, 3)) for _ in range(validators)],
    )


class Played:
    """A pipeline that does what scripts say."""

    def __init__(self, scripts):
        self.executions = [0] * len(scripts.executions)
        self.order = []
        self._requests = iter(scripts.requests)
        self._scripts = scripts
        self._malformed = 0
        self.model = ScriptedModel(self.answer)
        output = StructuredOutput.of_schema(SCHEMA, structure_repairs=scripts.repairs)
        self.binding = ProducerBinding(
            "p",
            StructuredProducer(self.model, lambda _: [Message("system", "be brief"), Message("user", "ask")], output),
            [
                ValidatorBinding(f"v{number}", self.validator(number), execution_retries=retries)
                for number, retries in enumerate(scripts.execution_retries)
            ],
            retries=scripts.retries,
            policy=WARN,
        )

    def answer(self, _request):
        match next(self._requests, "value"):
            case "malformed":
                self._malformed += 1
                return MALFORMED[self._malformed % len(MALFORMED)]
            case "truncated":
                return Response('{"name": "A", "age": 1}', Finish.LENGTH)
            case "refused":
                return Response("", Finish.REFUSAL)
            case "unavailable":
                return ModelUnavailableError("scripted")
        return answer_text(11)

    def validator(self, number):
        events = iter(self._scripts.executions[number])

        def check(_value):
            self.executions[number] += 1
            self.order.append(number)
            match next(events, "P"):
                case "R":
                    return [Defect(f"code{number}", "/age", f"validator {number} says no")]
                case "F":
                    message = f"SECRET-{number}"
                    raise ValueError(message)
            return None

        return check

    def kinds(self):
        """Tell of each request what it is: the pipeline's own texts tell a repair from a correction."""
        kinds = []
        for request in self.model.requests:
            assert len(request.messages) in (2, 4)
            text = request.messages[-1].content
            says = "correction" if "validator " in text else "repair"
            kinds.append("ordinary" if len(request.messages) == 2 else says)
        return kinds


@settings(max_examples=300)
@example(Scripts(["malformed"], [["R"]], 1, 1, [1]))
@example(Scripts(["value", "malformed"], [["F", "R", "R"]], 2, 1, [1]))
@example(Scripts(["malformed", "malformed"], [["R"]], 2, 1, [0]))
@given(all_scripts())
def test_three_budgets_are_spent_as_the_oracle_says(scripts):
    expected, played = simulate(scripts), Played(scripts)
    result, receipts, report = run([played.binding])
    assert played.kinds() == expected.requests
    assert played.executions == expected.executions
    assert result.outcome.value == expected.outcome
    assert report.outcomes == {result.outcome: 1}
    assert len(played.model.requests) <= (1 + scripts.retries) * (1 + scripts.repairs)
    assert result.attempts == len(receipts) <= 1 + scripts.retries
    assert sum(receipt.structure_repairs for receipt in receipts) == expected.requests.count("repair")
    retried = sum(check.execution_retries for receipt in receipts for check in receipt.checks)
    assert retried == sum(played.executions) - sum(len(receipt.checks) for receipt in receipts)
    assert result.usage.requests == len(played.model.requests)
    # No budget is spent where it is 0.
    assert scripts.retries or result.attempts == 1
    assert scripts.repairs or "repair" not in played.kinds()
    for number, budget in enumerate(scripts.execution_retries):
        assert budget or played.executions[number] == sum(bool(receipt.checks) for receipt in receipts)


def test_the_scripts_reach_every_end():
    """The generator is not idle: among fixed scripts every outcome and every kind of request is seen."""
    seen, kinds = set(), set()
    for events in ([], ["malformed"] * 6, ["truncated"], ["malformed", "refused"], ["unavailable"]):
        for runs in ("", "R", "RRR", "F", "FF", "FRFF"):
            played = Played(Scripts(events, [list(runs)], 1, 1, [1]))
            result, _, _ = run([played.binding])
            seen.add(result.outcome.value)
            kinds.update(played.kinds())
    assert kinds == {"ordinary", "repair", "correction"}
    assert seen == {
        "accepted",
        "accepted_incomplete",
        "rejected",
        "structural_failure",
        "truncated",
        "refused",
        "transport_failure",
    }


# Validators


@given(all_scripts())
def test_all_validators_run_in_their_order_whatever_the_earlier_ones_said(scripts):
    played = Played(scripts)
    _, receipts, _ = run([played.binding])
    ids = [f"v{number}" for number in range(len(scripts.executions))]
    expected = []
    for receipt in receipts:
        if receipt.outcome in (Outcome.ACCEPTED, Outcome.ACCEPTED_INCOMPLETE, Outcome.REJECTED):
            assert [check.validator_id for check in receipt.checks] == ids
        for number, check in enumerate(receipt.checks):
            expected += [number] * (1 + check.execution_retries)
    assert played.order == expected


@given(all_scripts())
def test_what_a_validator_that_crashes_says_is_never_told(scripts):
    played = Played(scripts)
    result, receipts, report = run([played.binding])
    sent = " ".join(message.content for request in played.model.requests for message in request.messages)
    for text in (sent, repr(result), repr(receipts), repr(report)):
        assert "SECRET" not in text
    # Not the type of its exception either: a model can do nothing about it.
    assert "ValueError" not in sent
    for text in ("v0", "v1", "v2"):
        assert text not in sent


# What advances


class Maker:
    """A producer that hands out values and keeps what it is given."""

    correction_protocol = SINGLE_RESPONSE_V1

    def __init__(self, name, events):
        self.name, self.events = name, events
        self.given, self.made = [], []

    async def produce(self, attempt):
        self.given.append(attempt.previous)
        if self.events[min(attempt.number, len(self.events)) - 1] == "none":
            return None
        value = {"by": self.name, "attempt": attempt.number, "of": attempt.previous}
        self.made.append(value)
        return attempt.candidate(value, controlling_response="text")

    def binding(self, validators, retries):
        def validator(number):
            def check(value):
                letter = self.events[min(value["attempt"], len(self.events)) - 1][number]
                if letter == "F":
                    raise OSError
                return ["no"] if letter == "R" else None

            return check

        bound = [ValidatorBinding(f"v{number}", validator(number), execution_retries=0) for number in range(validators)]
        return ProducerBinding(self.name, self, bound, retries=retries, policy=WARN)


STEP = st.tuples(
    st.lists(st.one_of(st.just("none"), st.text("PPRF", min_size=2, max_size=2)), min_size=1, max_size=3),
    st.integers(0, 2),
)


def last_of(events, retries):
    """Return the number of the attempt that is the last, and what happened in it."""
    for number in range(1, retries + 2):
        event = events[min(number, len(events)) - 1]
        if event != "none" and "R" not in event:
            break
    return number, event


@given(st.lists(STEP, min_size=2, max_size=3))
def test_only_an_accepted_value_advances_and_what_could_not_be_checked_is_remembered(steps):
    makers = [Maker(f"p{number}", events) for number, (events, _) in enumerate(steps)]
    result, _, _ = run([maker.binding(2, retries) for maker, (_, retries) in zip(makers, steps, strict=True)])
    previous, incomplete, stopped = None, [], None
    for number, (maker, (events, retries)) in enumerate(zip(makers, steps, strict=True)):
        if stopped is not None:
            assert maker.given == []
            continue
        attempts, event = last_of(events, retries)
        assert len(maker.given) == attempts
        assert all(given is previous for given in maker.given)
        if event != "none":
            incomplete += [f"p{number}/v{place}" for place, letter in enumerate(event) if letter == "F"]
        if event == "none" or "R" in event:
            stopped = "structural_failure" if event == "none" else "rejected"
            ended_at = maker.name
        else:
            previous = maker.made[-1]
    assert result.incomplete == tuple(incomplete)
    if stopped is None:
        assert result.outcome is (Outcome.ACCEPTED_INCOMPLETE if incomplete else Outcome.ACCEPTED)
        assert result.value is previous
    else:
        assert result.outcome.value == stopped
        assert result.value is None
        assert result.producer_id == ended_at
        assert result.disposition is Disposition.WARN_CONTINUE


# Usage

KNOWN = st.one_of(st.none(), st.integers(0, 10**6))
USAGES = st.builds(
    Usage,
    requests=st.integers(1, 3),
    input_tokens=KNOWN,
    output_tokens=KNOWN,
    cost_usd=st.one_of(st.none(), st.decimals(0, 9, places=6)),
    unmetered=st.integers(0, 1),
)
EXCHANGES = st.tuples(st.sampled_from(["value", "rejected", "malformed", "rejected", "malformed", *ENDS]), USAGES)


def answer_to(event, usage):
    match event:
        case "unavailable":
            return ModelUnavailableError("scripted", details={"requests": usage.requests})
        case "truncated":
            return Response("{", Finish.LENGTH, usage=usage)
        case "refused":
            return Response("", Finish.REFUSAL, usage=usage)
        case "malformed":
            return Response("?", usage=usage)
    return Response(answer_text(11 if event == "value" else -11), usage=usage)


def known_sum(numbers):
    """Return the sum of what is known, None where nothing is."""
    known = [number for number in numbers if number is not None]
    return sum(known, type(known[0])(0)) if known else None


@given(st.lists(EXCHANGES, min_size=1, max_size=10), st.integers(0, 4), st.integers(0, 3))
def test_usage_is_the_sum_over_every_exchange_whatever_came_of_it(exchanges, retries, repairs):
    model = ScriptedModel([answer_to(*exchange) for exchange in exchanges])
    output = StructuredOutput.of_schema(SCHEMA, structure_repairs=repairs)
    producer = StructuredProducer(model, lambda _: [Message("user", "ask")], output)
    validators = [ValidatorBinding("age", not_negative)]
    result, receipts, report = run([ProducerBinding("p", producer, validators, retries=retries, policy=WARN)])
    # A script that has ended is an exchange that failed.
    lost = Usage(requests=1, unmetered=1)
    spent = [
        Usage(requests=usage.requests, unmetered=usage.requests) if event == "unavailable" else usage
        for event, usage in exchanges
    ][: len(model.requests)]
    spent += [lost] * (len(model.requests) - len(spent))
    expected = Usage(
        requests=sum(usage.requests for usage in spent),
        input_tokens=known_sum(usage.input_tokens for usage in spent),
        output_tokens=known_sum(usage.output_tokens for usage in spent),
        cost_usd=known_sum(usage.cost_usd for usage in spent),
        unmetered=sum(usage.unmetered for usage in spent),
    )
    assert result.usage == report.usage == expected
    assert sum((receipt.usage for receipt in receipts), Usage()) == expected


def test_unknown_is_null_and_never_nought():
    model = ScriptedModel([answer_text(11)])
    producer = StructuredProducer(model, lambda _: [Message("user", "ask")], StructuredOutput.of_schema(SCHEMA))
    result, _, _ = run([ProducerBinding("p", producer)])
    assert result.usage.to_dict() == {
        "requests": 1,
        "input_tokens": None,
        "output_tokens": None,
        "cost_usd": None,
        "unmetered": 1,
    }
    assert (Usage(input_tokens=0) + Usage()).input_tokens == 0
    assert (Usage(cost_usd=Decimal("0.1")) + Usage(cost_usd=Decimal("0.2"))).cost_usd == Decimal("0.3")
