"""What a type checker must accept: nothing in this file is an error."""

from collections.abc import Sequence

from pydantic import BaseModel

from veracord.pipeline import (
    SINGLE_RESPONSE_V1,
    Attempt,
    Candidate,
    Defect,
    Disposition,
    Findings,
    Pipeline,
    Policy,
    Producer,
    ProducerBinding,
    Unit,
    ValidatorBinding,
    Verdict,
)
from veracord.promptkit import Message, StructuredOutput, StructuredProducer
from veracord.records.schemas import Schema
from veracord.records.values import JsonValue
from veracord.testing import ScriptedModel


class Person(BaseModel):
    """A value."""

    age: int


class Employee(Person):
    """A value of a narrower type."""

    number: int


class People:
    """A producer of persons that declares nothing but what it is."""

    correction_protocol: str | None = SINGLE_RESPONSE_V1

    async def produce(self, attempt: Attempt) -> Candidate[Person]:
        """Make one."""
        return attempt.candidate(Person(age=1), controlling_response="text")


class Employees:
    """A producer of employees that cannot be corrected."""

    correction_protocol = None

    async def produce(self, attempt: Attempt) -> Candidate[Employee]:
        """Make one."""
        return attempt.candidate(Employee(age=1, number=2))


def returns_nothing(person: Person) -> None:
    """Pass."""


def returns_defects(person: Person) -> list[Defect]:
    """Tell defects."""
    return [Defect("negative", "/age", "an age is not negative")] if person.age < 0 else []


def returns_texts(person: Person) -> list[str]:
    """Tell texts."""
    return ["no"] if person.age < 0 else []


def returns_some(person: Person) -> Sequence[Defect] | None:
    """Tell defects, or nothing."""
    return None if person.age else [Defect("c", "", "no")]


def returns_verdict(person: Person) -> Verdict:
    """Tell a verdict."""
    return Verdict.rejected(["no"]) if person.age else Verdict.passed()


def returns_findings(person: Person, unit: Unit) -> Findings:
    """Look at the unit, too."""
    return [unit.key] if person.age else None


async def returns_later(person: Person) -> list[Defect]:
    """Tell defects in time."""
    return returns_defects(person)


class Checker:
    """An object that is called."""

    def __call__(self, person: Person, /) -> Verdict:
        """Tell a verdict."""
        return returns_verdict(person)


def takes_anything(value: object) -> None:
    """Pass."""


def takes_json(value: JsonValue) -> list[str]:
    """Check JSON."""
    return [] if value else ["no"]


def bind_all(schema: Schema) -> Pipeline:
    """Bind every kind of validator to a producer of its type."""
    people: Producer[Person] = People()
    validators: list[ValidatorBinding[Person]] = [
        ValidatorBinding("nothing", returns_nothing),
        ValidatorBinding("defects", returns_defects),
        ValidatorBinding("texts", returns_texts),
        ValidatorBinding("some", returns_some),
        ValidatorBinding("verdict", returns_verdict),
        ValidatorBinding("findings", returns_findings),
        ValidatorBinding("later", returns_later, timeout_s=1.5),
        ValidatorBinding("object", Checker()),
        ValidatorBinding("anything", takes_anything),
        ValidatorBinding("model", Person),
        ValidatorBinding("schema", schema),
        ValidatorBinding("plain schema", {"properties": {"age": {"minimum": 0}}}),
    ]
    first = ProducerBinding("people", people, validators, policy=Policy(rejection=Disposition.WARN_CONTINUE))
    # A validator of the wider type sees a value of the narrower one.
    second = ProducerBinding("employees", Employees(), [ValidatorBinding("defects", returns_defects)])
    return Pipeline([first, second], policy=Policy(refusal=Disposition.FAIL_RUN))


def bind_structured() -> ProducerBinding[Person]:
    """Bind a structured producer of a model."""
    output = StructuredOutput.of_model(Person)
    producer = StructuredProducer(ScriptedModel([]), lambda _: [Message("user", "ask")], output)
    return ProducerBinding("p", producer, [ValidatorBinding("v", returns_defects)], retries=2)


def bind_json() -> ProducerBinding[JsonValue]:
    """Bind a structured producer of JSON."""
    producer = StructuredProducer(
        ScriptedModel([]), lambda _: [Message("user", "ask")], StructuredOutput.of_schema({"type": "object"})
    )
    return ProducerBinding("p", producer, [ValidatorBinding("v", takes_json), ValidatorBinding("w", takes_anything)])
