"""What every model does, shown with a real one: llama.cpp in this process, and behind its own HTTP server.

The tests of the contract run here with subjects of this file; those that need a script are shown elsewhere.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.contract.test_models import (  # noqa: F401 - collected here once more, with the subjects of this file
    QUESTION,
    SCHEMA,
    Opened,
    Subject,
    test_a_request_is_not_changed,
    test_an_answer_is_a_response,
    test_closing_an_unused_model_does_no_harm,
    test_closing_twice_does_no_harm,
    test_settings_are_plain_values_and_the_same_each_time,
)
from veracord.models.cassettes import Cassette
from veracord.models.chat_completions import ChatCompletionsModel
from veracord.models.exchanges import Sampling
from veracord.models.llama_cpp import LlamaCppModel
from veracord.ports import Finish, Message, Model, Request
from veracord.records.reading import read_value

FEW_TOKENS = 24
#: Ends within these tokens, whatever the model would rather say.
AGE = {**SCHEMA, "properties": {"age": {"enum": [6, 7, 8]}}}


@pytest.fixture(params=["llama_cpp", "chat_completions"])
def subject(request) -> Subject:
    # Only the one that is asked for is started.
    source = request.getfixturevalue("small_model_path" if request.param == "llama_cpp" else "llama_server")

    def model() -> Model:
        if request.param == "llama_cpp":
            return LlamaCppModel(source, temperature=0, max_tokens=FEW_TOKENS, seed=1)
        sampling = Sampling(temperature=0, max_tokens=FEW_TOKENS, seed=1)
        return ChatCompletionsModel(source, "any", sampling=sampling)

    @contextmanager
    def opened() -> Iterator[Opened]:
        yield Opened(model())

    return Subject(request.param, opened, scripted=False)


def ask(model: Model, *requests: Request):
    async def go():
        try:
            return await asyncio.gather(*map(model.complete, requests))
        finally:
            await model.aclose()

    return asyncio.run(go())


def test_an_answer_can_be_held_to_a_schema(subject):
    question = Request((Message("user", "Ann is 7 years old. How old is Ann?"),), output_schema=AGE)
    with subject.open() as opened:
        (response,) = ask(opened.model, question)
    assert response.finish is Finish.STOP
    assert read_value(response.text.encode())["age"] in (6, 7, 8)


def test_an_answer_is_cut_off_at_the_limit_and_counted(subject):
    with subject.open() as opened:
        (response,) = ask(opened.model, Request((Message("user", "Tell a long story."),)))
    assert response.finish is Finish.LENGTH
    assert response.usage.output_tokens == FEW_TOKENS
    assert response.usage.input_tokens > 5
    assert response.usage.unmetered == 0


def test_several_callers_get_an_answer_each(subject):
    questions = [Request((Message("user", f"Say the word {word}."),)) for word in ("one", "two", "one", "two")]
    with subject.open() as opened:
        responses = ask(opened.model, *questions)
    assert responses[:2] == responses[2:]
    assert all(response.text for response in responses)


def test_what_a_real_model_said_can_be_played_without_it(subject, tmp_path):
    path = tmp_path / "answers.jsonl"
    with subject.open() as opened:
        settings = opened.model.settings
        recorded = ask(Cassette.record(path, opened.model), QUESTION)
    cassette = Cassette(path)
    assert cassette.settings == settings
    assert ask(cassette, QUESTION) == recorded
