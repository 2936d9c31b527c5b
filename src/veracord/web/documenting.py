"""What the OpenAPI says of each route: its body, its answer, and every status that can come."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import Response

from veracord.web.problems import MEDIA_TYPE
from veracord.web.replies import JSON, LINES

#: Of every route: a host or address that is refused, nobody signed in, not allowed, a parameter, a fault, too busy.
_ALWAYS: Final = (400, 401, 403, 422, 500, 503)
_WITH_BODY: Final = (408, 413, 415)


def describe(
    answer: str | None,
    *,
    form: str | None = None,
    status: int = 200,
    refusals: Sequence[int] = (),
    lines: str | None = None,
    answers_lines: bool = False,
) -> dict[str, Any]:
    """Return what a route's decorator is given beside its path.

    Args:
        answer: The name of the answer's form; None for an empty answer or text.
        form: The name of the body's form.
        status: The status of the answer.
        refusals: Further statuses of problems.
        lines: The name of the form of each line, where a body of lines is taken, too.
        answers_lines: Whether a line of JSON for each item may be answered.
    """
    expected = (*_ALWAYS, *refusals, *(_WITH_BODY if form else ()))
    responses: dict[int | str, Any] = {code: _problem(code) for code in sorted(set(expected))}
    responses[status] = {"description": HTTPStatus(status).phrase}
    content: dict[str, Any] = {} if answer is None else {JSON: {"schema": _ref(answer)}}
    if answers_lines:
        content[LINES] = {"schema": {"type": "string"}}
    if content:
        responses[status]["content"] = content
    told: dict[str, Any] = {"status_code": status, "response_class": Response, "responses": responses}
    if form is not None:
        taken: dict[str, Any] = {JSON: {"schema": _ref(form)}}
        if lines is not None:
            taken[LINES] = {"schema": {"type": "string", "description": f"The first line: {lines}; JSON a line."}}
        told["openapi_extra"] = {"requestBody": {"required": True, "content": taken}}
    return told


def _problem(status: int) -> dict[str, Any]:
    return {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: {"schema": _ref("Problem")}}}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
