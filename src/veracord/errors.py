"""Every error that Veracord raises on purpose.

::

    VeracordError
    ├── ConfigurationError          a profile, schema, setting or option cannot be used as it is
    ├── InputError                  a record, evidence or result cannot be read or is not what it must be
    ├── ModelError                  a model gave no answer that can be used
    │   ├── ModelUnavailableError   it could not be reached, refused the key, or broke the exchange
    │   │   └── ModelRateLimitedError   it asked to wait longer than the time that was left
    │   ├── ModelRefusedError       it refused to answer
    │   ├── ModelTruncatedError     its answer ended at the token limit
    │   ├── ModelOutputError        its answer did not have the form that was asked for
    │   └── ModelCeilingError       the next request could pass the limit on cost
    ├── RecordGenerationError       no record could be built in which every leaf is grounded
    ├── PipelineError               a run did not come to its end
    │   ├── RunFailedError          the policy ended it
    │   └── RunInterruptedError     something outside the pipeline ended it
    ├── DecisionError               a decision was refused; nothing has changed, and the log tells of it
    │   └── AccessError             who asked may not do this
    └── StorageError                a store cannot be used, or could not keep what it was given

Expected outcomes (a violation, a conflict, a value no source states, a rejected candidate) are values,
never exceptions.  A message says what is wrong, where, and what to do; it never holds record content,
nor anything that a model, a validator or a server said.
"""

import errno
from collections.abc import Mapping
from typing import ClassVar


class VeracordError(Exception):
    """An error with a stable code.

    Attributes:
        code: A short name that stays the same between versions, such as ``invalid_json``.
        what: What is wrong, without any content of a record.
        where: A file with line and column, a pointer, or "" where there is no place.
        remedy: What the user can do.
        retryable: Whether the same call may succeed later.
        details: Values that may be logged.
    """

    default_code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        remedy: str = "",
        code: str | None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        """Keep the parts of the message; ``str()`` joins them into one line."""
        super().__init__(what)
        self.code = code or self.default_code
        self.what = what
        self.where = where
        self.remedy = remedy
        self.details = dict(details or {})

    def __str__(self) -> str:
        """Return ``CODE: what, where, remedy`` on one line."""
        parts = (part for part in (self.what, self.where, self.remedy) if part)
        line = f"{self.code}: {', '.join(parts)}"
        return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in line)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all parts, so that an error crosses a process boundary whole."""
        return (_rebuild, (type(self), self.what, self.where, self.remedy, self.code, self.details))


class ConfigurationError(VeracordError):
    """A profile, schema, setting or option cannot be used as it is."""

    default_code = "configuration"


class InputError(VeracordError):
    """A record, evidence or result cannot be read, or is not what it must be."""

    default_code = "input"


class ModelError(VeracordError):
    """A model gave no answer that can be used."""

    default_code = "model"


class ModelUnavailableError(ModelError):
    """A model could not be reached, refused the key, or broke the exchange."""

    default_code = "model_unavailable"
    retryable = True


class ModelRateLimitedError(ModelUnavailableError):
    """A model asked to wait longer than the time that was left."""

    default_code = "model_rate_limited"


class ModelRefusedError(ModelError):
    """A model refused to answer."""

    default_code = "model_refused"


class ModelTruncatedError(ModelError):
    """An answer ended at the token limit; it is never completed by us."""

    default_code = "model_truncated"


class ModelOutputError(ModelError):
    """An answer did not have the form that was asked for, also after its repairs."""

    default_code = "model_output"


class ModelCeilingError(ModelError):
    """The next request could pass the limit on cost, so it was not sent."""

    default_code = "cost_ceiling"


class RecordGenerationError(VeracordError):
    """No record could be built in which every leaf is grounded; there are no template values.

    Its `details` hold `violations`: a list of ``{"path", "rule", "message"}`` with every reason, by path.
    """

    default_code = "not_grounded"


class PipelineError(VeracordError):
    """A run did not come to its end; what it settled is in its store."""

    default_code = "pipeline"


class RunFailedError(PipelineError):
    """The policy ended the run."""

    default_code = "run_failed"


class RunInterruptedError(PipelineError):
    """Something outside the pipeline ended the run: an interruption, an exit, a limit on cost."""

    default_code = "run_interrupted"
    retryable = True


class DecisionError(VeracordError):
    """A decision was refused; nothing has changed, and the log tells of it.

    Attributes:
        change: For ``changed_underneath``: what stood there and what stands there now, for whoever asked; it is in no
            message and in no detail.
    """

    default_code = "decision_refused"
    change: object = None


class AccessError(DecisionError):
    """Who asked may not do this."""

    default_code = "access_denied"


class StorageError(VeracordError):
    """A store cannot be used, or could not keep what it was given."""

    default_code = "storage"


#: The exit code of each class; a class without an entry takes the one of its nearest parent.
EXIT_CODES: dict[type[VeracordError], int] = {
    VeracordError: 70,
    ConfigurationError: 2,
    InputError: 2,
    ModelError: 1,
    ModelUnavailableError: 5,
    RecordGenerationError: 1,
    PipelineError: 4,
    DecisionError: 2,
    StorageError: 4,
}


#: The HTTP status of each class; a class without an entry takes the one of its nearest parent.
HTTP_STATUS: dict[type[VeracordError], int] = {
    VeracordError: 500,
    ConfigurationError: 422,
    InputError: 422,
    ModelError: 502,
    ModelUnavailableError: 503,
    ModelCeilingError: 503,
    RecordGenerationError: 422,
    PipelineError: 503,
    DecisionError: 422,
    AccessError: 403,
    StorageError: 503,
}

#: Codes that have a status of their own, whatever their class.
HTTP_STATUS_OF_CODES: dict[str, int] = {
    "key_in_url": 400,
    "bad_request": 400,
    "wrong_host": 400,
    "two_lengths": 400,
    "not_signed_in": 401,
    "sign_in_refused": 401,
    "link_refused": 401,
    "key_refused": 401,
    "not_found": 404,
    "unknown_record": 404,
    "unknown_suggestion": 404,
    "unknown_event": 404,
    "unknown_run": 404,
    "unknown_user": 404,
    "unknown_key": 404,
    "unknown_unit": 404,
    "unresolved_reference": 404,
    "method_not_allowed": 405,
    "too_slow": 408,
    "changed_underneath": 409,
    "already_decided": 409,
    "cannot_undo": 409,
    "drops_decisions": 409,
    "other_product": 409,
    "profile_changed": 409,
    "run_ended": 409,
    "too_large": 413,
    "unsupported_media_type": 415,
    "slowed_down": 429,
    "store_damaged": 500,
    "evidence_damaged": 500,
    "busy": 503,
    "ending": 503,
}


#: What to do about an error of the system, by its number.
_ADVICE: dict[int, str] = {
    errno.EISDIR: "name a file",
    errno.EACCES: "check its permissions",
    errno.EPERM: "check its permissions",
    errno.EROFS: "name a place that can be written",
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room",
    errno.EFBIG: "make room",
    errno.ENAMETOOLONG: "use a shorter name",
    errno.EMFILE: "raise the limit on open files",
}


def system_remedy(error: OSError) -> str:
    """Return what to do about an error of the system, behind what the system calls it."""
    name = (error.strerror or type(error).__name__).lower()
    return f"{name}; {_ADVICE.get(error.errno or 0, 'check the path')}"


def exit_code(error: VeracordError) -> int:
    """Return the exit code of the command line for an error."""
    return next(EXIT_CODES[cls] for cls in type(error).__mro__ if cls in EXIT_CODES)


def http_status(error: VeracordError) -> int:
    """Return the status of an HTTP answer for an error."""
    own = HTTP_STATUS_OF_CODES.get(error.code)
    return own or next(HTTP_STATUS[cls] for cls in type(error).__mro__ if cls in HTTP_STATUS)


def _rebuild(
    cls: type[VeracordError],
    what: str,
    where: str,
    remedy: str,
    code: str,
    details: Mapping[str, object],
) -> VeracordError:
    return cls(what, where=where, remedy=remedy, code=code, details=details)
