"""What a call of a model goes through: our whole stack, and the least that anybody could do instead.

Both ask the same server for the same visitor and hold the answer to the same rule: the age is not negative.
"""

import http.client
import json
from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel, Field, ValidationError

from veracord.models.chat_completions import ChatCompletionsModel
from veracord.pipeline import Defect, Pipeline, ProducerBinding, Unit, ValidatorBinding
from veracord.promptkit import Message, Prompt, StructuredOutput, StructuredProducer
from veracord.promptkit.system_prompts import system_message
from veracord.records.values import JsonObject

NAME: Final = "some-model"
#: Keys look like this one; the server does not care.
_KEY: Final = "not-a-secret-of-anybody"
NOTE: Final = "Mira rang at nine. She is forty-one and came about the boiler."
_PROMPT: Final = Prompt("visitor", 1, "reads a note", ("input",), "Who rang, and how old are they?\n{{ input }}")
_FORM: Final[JsonObject] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "notes": {"type": "string"}},
    "required": ["name", "age"],
}

Messages = list[dict[str, str]]


class Visitor(BaseModel):
    """The validator of our stack that is a pydantic model."""

    name: str
    age: int
    notes: str = ""


class RuledVisitor(Visitor):
    """All that the floor checks, in one model."""

    age: int = Field(ge=0)


def find_negative_age(visitor: dict[str, Any]) -> list[Defect] | None:
    """Be the validator of our stack that is a function."""
    if visitor["age"] >= 0:
        return None
    return [Defect("negative_age", "/age", "the age must not be negative")]


def build_model(url: str) -> ChatCompletionsModel:
    """Return the model behind a server."""
    return ChatCompletionsModel(f"{url}/v1", NAME, api_key=_KEY)


def build_pipeline(
    model: ChatCompletionsModel,
    *,
    retries: int = 3,
    timeout_s: float | None = None,
    further: Sequence[ValidatorBinding[Any]] = (),
) -> Pipeline:
    """Return our whole stack.

    Args:
        model: Who is asked.
        retries: The budget of corrections.
        timeout_s: The limit of each validator; with one, it runs in a thread.
        further: Validators that look on.
    """
    validators = [
        ValidatorBinding("form", Visitor, timeout_s=timeout_s),
        ValidatorBinding("rule", find_negative_age, timeout_s=timeout_s),
        *further,
    ]
    producer = StructuredProducer(model, _PROMPT, StructuredOutput.of_schema(_FORM, name="visitor"))
    return Pipeline([ProducerBinding("visitor", producer, validators, retries=retries)])


def unit(number: int = 0) -> Unit:
    """Return an input; all are alike but for their key."""
    return Unit(f"note-{number}", NOTE, number)


def base_messages() -> Messages:
    """Return the ordinary request of our stack, for others to send."""
    prompt = Message("user", _PROMPT.render({"input": NOTE}))
    return [{"role": asked.role, "content": asked.content} for asked in (system_message(_FORM), prompt)]


class Floor:
    """The standard library's client and one pydantic model; no schema is sent, nothing is read strictly or timed."""

    def __init__(self, port: int) -> None:
        """Prepare one connection, which is kept."""
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._base = base_messages()
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {_KEY}"}

    def call(self) -> RuledVisitor:
        """Ask once."""
        return RuledVisitor.model_validate_json(self._answer(self._base))

    def call_with_corrections(self, most: int) -> RuledVisitor | None:
        """Ask again, with the latest answer and what pydantic says of it, until it fits or the budget is spent."""
        messages = self._base
        for _ in range(most + 1):
            answer = self._answer(messages)
            try:
                return RuledVisitor.model_validate_json(answer)
            except ValidationError as error:
                said = [f"- {row['loc'][0]}: {row['msg']}" for row in error.errors(include_url=False)]
            told = "\n".join(["Correct these and send the whole object:", *said])
            added = [{"role": "assistant", "content": answer}, {"role": "user", "content": told}]
            messages = self._base + added
        return None

    def _answer(self, messages: Messages) -> str:
        body = json.dumps({"model": NAME, "messages": messages})
        self._connection.request("POST", "/v1/chat/completions", body, self._headers)
        envelope = json.loads(self._connection.getresponse().read())
        content: str = envelope["choices"][0]["message"]["content"]
        return content

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
