"""Errors as programs get them over HTTP: a status and a body of `application/problem+json`.

Nothing of a record, of a model or of a foreign exception is in one.

Source: RFC 9457.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import Response

from veracord.errors import DecisionError, InputError, RecordGenerationError, VeracordError, http_status
from veracord.records.writing import write_json
from veracord.reports.changes import change_row
from veracord.review.seeing import Change

MEDIA_TYPE: Final = "application/problem+json"
_RETRY: Final = "retry_after_s"
#: What a refused synthesis tells of each place.
_VIOLATIONS: Final = "violations"
_POINTERS: Final = "pointers"
#: After these, nobody knows where the next request would begin, or whether one comes.
_CLOSING: Final = frozenset({"two_lengths", "too_slow"})
#: The code of a body that has not its form.
_BODY: Final = "invalid_body"


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a request, or with us.

    Attributes:
        status: The HTTP status.
        code: A short name that stays the same between versions.
        detail: What is wrong, in words.
        where: The place, or "".
        remedy: What to do, or "".
        more: Further members, such as what changed underneath.
        headers: Headers of the answer.
    """

    status: int
    code: str
    detail: str
    where: str = ""
    remedy: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What the status means."""
        return HTTPStatus(self.status).phrase

    def to_dict(self) -> dict[str, Any]:
        """Return the problem as JSON."""
        told = {
            "type": f"urn:veracord:problem:{self.code}",
            "title": self.title,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
        }
        told |= {name: text for name, text in (("where", self.where), ("remedy", self.remedy)) if text}
        return told | dict(self.more)


def problem_of(error: VeracordError) -> Problem:
    """Return what is told of an error of ours."""
    status = http_status(error)
    headers = {}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="veracord"'
    retry_s = error.details.get(_RETRY)
    if retry_s is not None:
        headers["Retry-After"] = str(retry_s)
    if error.code in _CLOSING:
        headers["Connection"] = "close"
    if status == HTTPStatus.METHOD_NOT_ALLOWED and "allow" in error.details:
        headers["Allow"] = str(error.details["allow"])
    return Problem(status, error.code, error.what, error.where, error.remedy, _more(error), headers)


def _more(error: VeracordError) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if isinstance(error, DecisionError) and isinstance(error.change, Change):
        more["change"] = change_row(error.change)
    if isinstance(error, RecordGenerationError) or error.code == _BODY:
        more[_VIOLATIONS] = error.details.get(_VIOLATIONS, [])
    if isinstance(error, DecisionError) and _POINTERS in error.details:
        more[_POINTERS] = error.details[_POINTERS]
    if _RETRY in error.details:
        more[_RETRY] = error.details[_RETRY]
    return more


def fault(request_id: str) -> Problem:
    """Return what is told of what we did not foresee: nothing but how to name it."""
    return Problem(
        500,
        "internal",
        "something that was not foreseen went wrong; what was not acknowledged was not done",
        remedy="try again, and report it with the request id",
        more={"request_id": request_id},
    )


def bad_request(what: str, *, where: str = "", remedy: str = "", code: str = "bad_request") -> InputError:
    """Return the error for a request that is not what it must be."""
    return InputError(what, where=where, remedy=remedy, code=code)


def problem_response(problem: Problem) -> Response:
    """Return a problem as an answer for programs."""
    return Response(write_json(problem.to_dict()), problem.status, headers=dict(problem.headers), media_type=MEDIA_TYPE)
