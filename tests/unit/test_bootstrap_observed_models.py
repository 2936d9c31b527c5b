"""What a model tells the attempt on whose behalf it is asked."""

import asyncio

import pytest

from veracord.bootstrap.observed_models import ObservedModel
from veracord.errors import ModelCeilingError, ModelUnavailableError
from veracord.pipeline import Attempt, Unit
from veracord.ports import Message, Request, Response, Usage, cancelled_after
from veracord.testing import ScriptedModel

REQUEST = Request((Message("user", "what?"),))


def attempt(**facts):
    return Attempt(Unit("k", {}), "p", **facts)


class Texts:
    def __init__(self):
        self.rows = []

    def add(self, asked, answered):
        self.rows.append((asked, answered))


def ask(answer, made):
    model = ObservedModel(ScriptedModel([answer]))

    async def work():
        with model.working_on(made):
            return await asyncio.create_task(model.complete(REQUEST))

    return asyncio.run(work())


def test_an_answer_is_counted_and_written_down_where_that_was_asked_for():
    texts = Texts()
    made = attempt(transcript=texts)
    ask(Response("so", usage=Usage(2, 5, 3)), made)
    assert made.meter.usage == Usage(2, 5, 3)
    assert texts.rows == [([{"role": "user", "content": "what?"}], "so")]


@pytest.mark.parametrize(
    ("error", "requests"),
    [
        (ModelUnavailableError("down", details={"requests": 5}), 5),
        (ModelUnavailableError("down"), 1),
        (ModelCeilingError("dear"), 0),
    ],
)
def test_a_failure_is_counted_by_the_requests_that_were_sent(error, requests):
    made = attempt()
    with pytest.raises(type(error)):
        ask(error, made)
    assert made.meter.usage == Usage(requests, unmetered=requests)


def test_a_cancellation_is_counted_too():
    class Slow(ScriptedModel):
        async def complete(self, _request):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError as stop:
                raise cancelled_after(3, stop) from None
            raise AssertionError

    model, made = ObservedModel(Slow([])), attempt()

    async def work():
        with model.working_on(made):
            task = asyncio.create_task(model.complete(REQUEST))
            await asyncio.sleep(0)
            assert made.meter.usage == Usage(1, unmetered=1)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(work())
    assert made.meter.usage == Usage(3, unmetered=3)


def test_units_at_once_are_counted_apart():
    model = ObservedModel(ScriptedModel(lambda request: Response("x", usage=Usage(1, len(request.messages), 0))))
    made = [attempt() for _ in range(5)]

    async def one(number):
        with model.working_on(made[number]):
            await asyncio.sleep(0)
            await model.complete(Request((Message("user", "?"),) * (number + 1)))

    async def work():
        await asyncio.gather(*(one(number) for number in range(5)))
        await model.complete(REQUEST)

    asyncio.run(work())
    assert [one.meter.usage.input_tokens for one in made] == [1, 2, 3, 4, 5]
