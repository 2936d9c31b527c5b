"""The application: all routes over one set of services, behind one guard."""

from functools import partial
from typing import Final

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from veracord import __version__
from veracord.bootstrap.serving import ServedParts
from veracord.errors import InputError, VeracordError
from veracord.web import (
    api_access,
    api_audit,
    api_composing,
    api_decisions,
    api_health,
    api_records,
    api_runs,
    api_suggestions,
    openapi,
)
from veracord.web.answering import answer_problem
from veracord.web.guards import Guard
from veracord.web.page_routes import page_routers
from veracord.web.problems import bad_request, problem_of
from veracord.web.protections import check_query, protect

_API: Final = (
    openapi,
    api_health,
    api_composing,
    api_records,
    api_suggestions,
    api_decisions,
    api_audit,
    api_runs,
    api_access,
)
#: What the framework refuses by itself, in our words.
_CODES: Final = {404: "not_found", 405: "method_not_allowed"}
_WORDS: Final = {404: "there is nothing here", 405: "this is not done here"}


def make_app(parts: ServedParts) -> FastAPI:
    """Return the application over some services."""
    app = FastAPI(
        title="Veracord",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(check_query), Depends(protect)],
        redirect_slashes=False,
    )
    app.state.parts = parts
    app.add_exception_handler(VeracordError, _tell_error)
    app.add_exception_handler(RequestValidationError, _tell_parameters)
    app.add_exception_handler(HTTPException, _tell_framework)
    for router in (*(module.router for module in _API), *page_routers()):
        app.include_router(router)
    app.openapi = partial(openapi.openapi_of, app)  # type: ignore[method-assign]  # as the framework tells to
    app.add_middleware(Guard, parts=parts)
    return app


def _tell_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, VeracordError)  # noqa: S101 - it is registered for nothing else
    return answer_problem(request, problem_of(error))


def _tell_parameters(request: Request, error: Exception) -> Response:
    """Tell which parameter cannot be used; never what it was."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - as above
    first = error.errors()[0] if error.errors() else {"loc": ()}
    place = ".".join(str(part) for part in first["loc"][:2])
    refused = InputError(
        "a parameter is missing or cannot be used", where=place, remedy="see /openapi.json", code="invalid_parameter"
    )
    return answer_problem(request, problem_of(refused))


def _tell_framework(request: Request, error: Exception) -> Response:
    """Tell what the framework refused before a route was found."""
    assert isinstance(error, HTTPException)  # noqa: S101 - as above
    code = _CODES.get(error.status_code, "bad_request")
    refused = bad_request(_WORDS.get(error.status_code, "this is no request that is understood"), code=code)
    if error.headers and "allow" in {name.lower() for name in error.headers}:
        allowed = next(value for name, value in error.headers.items() if name.lower() == "allow")
        refused = InputError(refused.what, code=code, details={"allow": allowed})
    return answer_problem(request, problem_of(refused))
