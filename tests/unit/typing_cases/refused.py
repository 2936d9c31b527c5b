"""What a type checker must refuse: each line with a mark is an error of that code, and no other line is one."""

from collections.abc import Generator

from pydantic import BaseModel

from veracord.pipeline import (
    Attempt,
    Candidate,
    Correction,
    Defect,
    Disposition,
    Policy,
    ProducerBinding,
    ValidatorBinding,
)
from veracord.promptkit import Message, StructuredOutput, StructuredProducer
from veracord.testing import ScriptedModel


class Person(BaseModel):
    """A value."""

    age: int


class Employee(Person):
    """A value of a narrower type."""

    number: int


class People:
    """A producer of persons."""

    correction_protocol = None

    async def produce(self, attempt: Attempt) -> Candidate[Person]:
        """Make one."""
        return attempt.candidate(Person(age=1))


def checks_text(value: str) -> list[Defect]:
    """Check a text."""
    return [Defect("c", "", value)]


def checks_employee(value: Employee) -> list[Defect]:
    """Check a narrower type."""
    return [Defect("c", "", str(value.number))]


async def checks_text_later(value: str) -> list[Defect]:
    """Check a text in time."""
    return checks_text(value)


def decides(value: Person) -> Disposition:
    """Decide, which is not a validator's to do."""
    return Disposition.FAIL_RUN if value.age else Disposition.WARN_CONTINUE


async def decides_later(value: Person) -> Disposition:
    """Decide in time."""
    return decides(value)


def decides_or_not(value: Person) -> Disposition | None:
    """Decide now and then."""
    return decides(value) if value.age else None


def decides_often(value: Person) -> list[Disposition]:
    """Decide several times."""
    return [decides(value)]


def says_whether(value: Person) -> bool:
    """Say yes or no."""
    return value.age > 0


def counts(value: Person) -> int:
    """Tell how many."""
    return value.age


def generates(value: Person) -> Generator[Defect, None, None]:
    """Tell defects one by one."""
    yield Defect("c", "", str(value.age))


def corrects(value: Person) -> Correction:
    """Write a correction."""
    return Correction(str(value.age), ())


def takes_nothing() -> None:
    """Check nothing."""


def takes_three(value: Person, first: int, second: int) -> None:
    """Ask for more than there is."""


people = People()

# Validators of another type: no type fits both.
ProducerBinding("p", people, [ValidatorBinding("v", checks_text)])  # error: misc
ProducerBinding("p", people, [ValidatorBinding("v", checks_employee)])  # error: misc
ProducerBinding("p", people, [ValidatorBinding("v", checks_text_later)])  # error: misc
text: ValidatorBinding[str] = ValidatorBinding("v", checks_text)
ProducerBinding("p", people, [text])  # error: misc
structured = StructuredProducer(ScriptedModel([]), lambda _: [Message("user", "")], StructuredOutput.of_model(Person))
ProducerBinding("p", structured, [ValidatorBinding("v", checks_text)])  # error: misc
ProducerBinding("p", structured, [text])  # error: misc

# The same where the type is told.
told: ProducerBinding[Person] = ProducerBinding("p", people, [ValidatorBinding("v", checks_text)])  # error: arg-type
items: ProducerBinding[Person] = ProducerBinding("p", people, [text])  # error: list-item
other: ProducerBinding[str] = ProducerBinding("p", people, [text])  # error: arg-type
narrow: ValidatorBinding[Person] = ValidatorBinding("v", checks_employee)  # error: arg-type

# Validators that do what is not theirs to do.
dispositions: ValidatorBinding[Person] = ValidatorBinding("v", decides)  # error: arg-type
later: ValidatorBinding[Person] = ValidatorBinding("v", decides_later)  # error: arg-type
sometimes: ValidatorBinding[Person] = ValidatorBinding("v", decides_or_not)  # error: arg-type
several: ValidatorBinding[Person] = ValidatorBinding("v", decides_often)  # error: arg-type
boolean: ValidatorBinding[Person] = ValidatorBinding("v", says_whether)  # error: arg-type
number: ValidatorBinding[Person] = ValidatorBinding("v", counts)  # error: arg-type
generator: ValidatorBinding[Person] = ValidatorBinding("v", generates)  # error: arg-type
correction: ValidatorBinding[Person] = ValidatorBinding("v", corrects)  # error: arg-type
ProducerBinding("p", people, [ValidatorBinding("v", decides)])  # error: arg-type

# Functions that are called in another way, and no functions.
no_value: ValidatorBinding[Person] = ValidatorBinding("v", takes_nothing)  # error: arg-type
three: ValidatorBinding[Person] = ValidatorBinding("v", takes_three)  # error: arg-type
nothing: ValidatorBinding[Person] = ValidatorBinding("v", None)  # error: arg-type

# Policies.
Policy(rejection="fail_run")  # error: arg-type
Policy(rejection=None)  # error: arg-type
Policy(refusal=True)  # error: arg-type
Policy(rejections=Disposition.FAIL_RUN)  # error: call-arg
ProducerBinding("p", people, policy=Disposition.FAIL_RUN)  # error: arg-type
ProducerBinding("p", people, policy=None)  # error: arg-type

# Bindings.
ProducerBinding("p", people, correction="always")  # error: arg-type
ProducerBinding("p", people, retries="1")  # error: arg-type
ProducerBinding("p", checks_text)  # error: arg-type
