"""One form for every kind of check: a function from a value and its unit to a verdict.

A callable gets a copy of a JSON value, so that nothing it does to it reaches anybody else.
"""

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from veracord.errors import ConfigurationError
from veracord.pipeline.candidates import Unit
from veracord.pipeline.verdicts import Defect, Status, Verdict
from veracord.records.pointers import join
from veracord.records.profiles import Profile
from veracord.records.reading import read_value
from veracord.records.schemas import Schema, SchemaFile
from veracord.records.values import JsonValue, copy
from veracord.records.violations import Violation, first_findings
from veracord.records.writing import write_json

Check = Callable[[object, Unit], object]

Reader = TypeVar("Reader", bound=Callable[..., object])

#: The code of a validator whose answer is no verdict, such as a disposition or False.
NOT_A_VERDICT: Final = "not_a_verdict"

_UNIT: Final = "unit"
_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
#: What pydantic writes before the text of an error that a validator of the model raised.
_RAISED: Final = ("Value error, ", "Assertion failed, ")


def check_of(kind: object) -> Check:
    """Return a check of anything that may be one: a schema, a profile, a pydantic model or a callable.

    Raises:
        ConfigurationError: It is none of them, or a schema that is not valid.
    """
    if isinstance(kind, Schema | dict):
        schema = kind if isinstance(kind, Schema) else Schema([SchemaFile("validator.schema.json", kind)])
        return _SchemaCheck(schema)
    if isinstance(kind, Profile):
        return _ProfileCheck(kind)
    if isinstance(kind, type) and hasattr(kind, "model_validate_json"):
        return _ModelCheck(kind)
    if callable(kind):
        return _CallableCheck(kind)
    raise ConfigurationError(
        f"a validator is neither a schema, a profile nor callable ({type(kind).__name__})",
        remedy="give a function of the value",
        code="invalid_validator",
    )


def reads_only(check: Reader) -> Reader:
    """Mark a check of our own that changes nothing of what it is given, so that it needs no copy."""
    check.reads_only = True  # type: ignore[attr-defined]  # a function may have it
    return check


def is_async(kind: object) -> bool:
    """Whether a check is a coroutine function, or an object that is called like one."""
    return inspect.iscoroutinefunction(kind) or inspect.iscoroutinefunction(getattr(kind, "__call__", None))  # noqa: B004 - its kind is asked for, not whether it is callable


def verdict_of(found: object) -> Verdict:
    """Return the verdict that the findings of a validator stand for, also where it made a verdict by hand.

    Raises:
        TypeError: There is something other than a defect or a text among the defects.
        ValueError: It is a rejection without a defect.
    """
    if found is None or found is True:
        return Verdict.passed()
    if isinstance(found, Verdict):
        if found.status is Status.REJECTED:
            bounded = Verdict.rejected(found.defects)
            return replace(bounded, more=bounded.more + max(0, found.more))
        return Verdict.passed() if found.status is Status.PASSED else Verdict.execution_failed(NOT_A_VERDICT)
    if isinstance(found, list | tuple):
        return Verdict.rejected(found) if found else Verdict.passed()
    return Verdict.execution_failed(NOT_A_VERDICT)


class _CallableCheck:
    """A function of the value, or of the value and the unit."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._takes_unit = _takes_unit(function)
        self._reads_only = getattr(function, "reads_only", False) is True

    def __call__(self, value: object, unit: Unit) -> object:
        if self._reads_only:
            return self._function(value, unit) if self._takes_unit else self._function(value)
        own = _own(value)
        if self._takes_unit:
            return self._function(own, Unit(unit.key, copy(unit.value), unit.position))
        return self._function(own)


class _SchemaCheck:
    """A JSON Schema: each violation is a defect."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def __call__(self, value: object, _unit: Unit) -> object:
        record = _as_json(value)
        if self._schema.is_valid(record):
            return None
        found, more = first_findings(self._schema, record)
        verdict = Verdict.rejected(_defect(finding.violation) for finding in found)
        return replace(verdict, more=verdict.more + more)


class _ProfileCheck:
    """A profile: its schema and its rules."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def __call__(self, value: object, _unit: Unit) -> object:
        record = _as_json(value)
        return [_defect(violation) for violation in self._profile.validate(record)]


class _ModelCheck:
    """A pydantic model, strict: what only fits after a conversion does not fit."""

    def __init__(self, model: type[Any]) -> None:
        self._model = model

    def __call__(self, value: object, _unit: Unit) -> object:
        from pydantic import ValidationError  # noqa: PLC0415 - only who gives a model needs pydantic

        dump = getattr(value, "model_dump_json", None)
        try:
            self._model.model_validate_json(dump() if dump else write_json(value), strict=True)
        except ValidationError as error:
            return defects_of(error)
        return None


def defects_of(error: Any) -> list[Defect]:  # noqa: ANN401 - a ValidationError, of a library that only some have
    """Return the defects that a pydantic ValidationError tells; it must not be kept, for it holds the input."""
    rows = error.errors(include_url=False, include_context=False, include_input=False)
    return [_defect_of_row(row["type"], row["loc"], row["msg"]) for row in rows]


def _defect(violation: Violation) -> Defect:
    return Defect(violation.rule, violation.path, violation.message)


def _defect_of_row(kind: str, place: tuple[int | str, ...], message: str) -> Defect:
    for words in _RAISED:
        message = message.removeprefix(words)
    return Defect(kind, join(place), message)


def _as_json(value: object) -> JsonValue:
    """Return a value as JSON; an instance of a pydantic model tells its own."""
    dump = getattr(value, "model_dump_json", None)
    return cast("JsonValue", value) if dump is None else read_value(dump().encode(), keeps_names=False)


def _own(value: object) -> object:
    """Return a copy of a JSON container or of an instance of a pydantic model; others are their maker's to protect."""
    if type(value) in (dict, list):
        return copy(cast("JsonValue", value))
    deep = getattr(value, "model_copy", None)
    return value if deep is None else deep(deep=True)


def _takes_unit(function: Callable[..., object]) -> bool:
    """Whether a function asks for the unit: a second parameter that must be given, or that is called so."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        # Some functions of extensions do not tell their parameters.
        return False
    positional = [item for item in parameters if item.kind in _POSITIONAL]
    second = positional[1:2]
    takes_unit = any(item.default is inspect.Parameter.empty or item.name == _UNIT for item in second)
    try:
        inspect.signature(function).bind(*(["value", _UNIT] if takes_unit else ["value"]))
    except TypeError:
        raise ConfigurationError(
            "a validator cannot be called with a value",
            remedy="give it one parameter, and a second one for the unit if it wants it",
            code="invalid_validator",
        ) from None
    return takes_unit
