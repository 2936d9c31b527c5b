"""What decides the value of a step, as two keys: what was asked, and what the answer was checked by.

Parts are taken from the request object itself, field by field, so that none is forgotten.  Credentials, concurrency,
time limits, the id of the run and paths are no parts.  A step with a part that is no JSON has no keys, and its value is
never reused.
"""

import hmac
from dataclasses import dataclass
from typing import Any

import msgspec

from veracord.pipeline.attempts import Turn
from veracord.pipeline.candidates import Attempt
from veracord.records.profiles import Profile
from veracord.records.schemas import Schema
from veracord.records.values import canonical, digest


@dataclass(frozen=True, slots=True)
class StepKeys:
    """The keys of one step of one unit, made with the salt of a store.

    Attributes:
        request: Of the request, its model included.
        result: Of the same, the validators and the policy.
    """

    request: str
    result: str


def step_keys(turn: Turn, attempt: Attempt, salt: bytes) -> StepKeys | None:
    """Return the keys of a step; None where its value cannot be told by what it was made from."""
    fingerprint = getattr(turn.binding.producer, "fingerprint", None)
    parts = fingerprint(attempt) if fingerprint is not None else None
    if parts is None:
        return None
    try:
        request = _key(salt, {"producer": turn.binding.id, "protocol": _protocol(turn), "asked": parts})
        result = _key(salt, {"request": request, "checks": _checks(turn), "policy": turn.policy.to_dict()})
    except (TypeError, ValueError, msgspec.MsgspecError):
        return None
    return StepKeys(request, result)


def _protocol(turn: Turn) -> str | None:
    return turn.binding.producer.correction_protocol if turn.binding.can_be_corrected else None


def _checks(turn: Turn) -> list[Any]:
    return [
        {"id": validator.id, "version": validator.version, "content": content_digest(validator.check)}
        for validator in turn.binding.validators
    ]


def content_digest(check: object) -> str:
    """Return a digest of what a check says, where it is data; a callable is known by its declared version alone."""
    if isinstance(check, Schema):
        return digest(canonical(check.content))
    if isinstance(check, Profile):
        return f"{check.digest} {check.schema_digest}"
    return digest(canonical(check)) if isinstance(check, dict) else ""


def _key(salt: bytes, parts: object) -> str:
    return hmac.new(salt, canonical(parts), "sha256").hexdigest()  # type: ignore[arg-type]  # what is no JSON is told by msgspec
