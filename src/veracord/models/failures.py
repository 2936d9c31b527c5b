"""Failed exchanges as values, and the errors made from them.

A failure holds codes and numbers only: what a server, a library or a prompt said never gets into it, so that it
cannot get out of it.
"""

from dataclasses import dataclass
from typing import Final

from veracord.errors import ModelCeilingError, ModelError, ModelRateLimitedError, ModelUnavailableError

_TOO_MANY_REQUESTS: Final = 429
_REQUEST_TIMEOUT: Final = 408
_FIRST_SERVER_ERROR: Final = 500
_NOT_FOUND: Final = 404


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer.

    Attributes:
        code: As in the error.
        status: The HTTP status, where an answer had one.
        passing: Whether the same request may succeed when it is sent again.
        unbilled: Whether the server certainly did no work for it.
        retry_after_s: How long the server asked to wait.
        cause: The name of the class of the exception behind it.
    """

    code: str
    status: int | None = None
    passing: bool = False
    unbilled: bool = False
    retry_after_s: float | None = None
    cause: str | None = None


def status_failure(status: int, retry_after_s: float | None = None) -> Failure:
    """Tell what a status other than success means."""
    if status in (401, 403):
        return Failure("model_key_refused", status, unbilled=True)
    if status == _TOO_MANY_REQUESTS:
        return Failure("model_rate_limited", status, passing=True, unbilled=True, retry_after_s=retry_after_s)
    if status == _REQUEST_TIMEOUT or status >= _FIRST_SERVER_ERROR:
        return Failure("model_http_status", status, passing=True, retry_after_s=retry_after_s)
    if 300 <= status < 400:  # noqa: PLR2004 - the redirects
        return Failure("model_redirect", status, unbilled=True)
    return Failure("model_http_status", status, unbilled=True)


#: What is said of each code, and what to do about it.
_TEXTS: Final[dict[str, tuple[str, str]]] = {
    "model_unreachable": ("the model's server cannot be reached", "check base_url and that the server runs"),
    "model_connection_lost": ("the model's server broke the connection", "look into the server's own log"),
    "model_timeout": ("the model's server did not answer in time", "raise timeout_s or total_time_s"),
    "model_tls": ("the model's server has no valid certificate", "check base_url and the server's certificate"),
    "model_http_status": ("the model's server answered with an error", "try later, or look into the server's own log"),
    "model_redirect": ("the model's server redirects, which is not followed", "set base_url to the final address"),
    "model_key_refused": ("the model's server refused the key", "check the API key and what it may use"),
    "model_rate_limited": ("the model's server asks to slow down", "lower concurrency or set requests_per_minute"),
    "model_bad_body": ("the answer is not what this kind of server sends", "check base_url and the adapter"),
    "model_body_too_large": ("the answer is larger than allowed", "raise max_response_bytes or lower max_tokens"),
    "model_request_invalid": ("the request cannot be written as JSON", "look for lone surrogates in its texts"),
    "model_closed": ("the model was closed while it was asked", "close it after its last answer"),
    "model_exchange_broken": ("the exchange with the model's server failed", "report this with the code and details"),
    "cost_ceiling": ("the next request could pass max_cost_usd, so it was not sent", "raise it, or lower max_tokens"),
}

_CLASSES: Final[dict[str, type[ModelError]]] = {
    "model_rate_limited": ModelRateLimitedError,
    "cost_ceiling": ModelCeilingError,
}


def failure_error(failure: Failure, *, where: str, requests: int) -> ModelError:
    """Make the error that tells of a failure.

    Args:
        failure: What happened last.
        where: Host and port of the server.
        requests: How often the request was sent.
    """
    what, remedy = _TEXTS[failure.code]
    details: dict[str, object] = {"requests": requests}
    if failure.status is not None:
        what = f"{what} (HTTP {failure.status})"
        details["status"] = failure.status
        if failure.code == "model_http_status" and not failure.passing:
            remedy = (
                "check base_url and the model's name"
                if failure.status == _NOT_FOUND
                else "check the model's name, its sampling options and structured"
            )
    if failure.retry_after_s is not None:
        details["retry_after_s"] = failure.retry_after_s
    if failure.cause is not None:
        details["cause"] = failure.cause
    error = _CLASSES.get(failure.code, ModelUnavailableError)
    return error(what, where=where, remedy=remedy, code=failure.code, details=details)
