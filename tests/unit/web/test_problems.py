"""One table gives every error of the tree its status: none is without one, and none has an odd one."""

from http import HTTPStatus

import pytest

from veracord.errors import (
    EXIT_CODES,
    HTTP_STATUS,
    HTTP_STATUS_OF_CODES,
    AccessError,
    ConfigurationError,
    DecisionError,
    InputError,
    ModelError,
    ModelUnavailableError,
    RecordGenerationError,
    RunInterruptedError,
    StorageError,
    VeracordError,
    exit_code,
    http_status,
)
from veracord.records.values import MISSING
from veracord.review.seeing import Change
from veracord.web.problems import fault, problem_of


def subclasses(cls=VeracordError):
    yield cls
    for sub in cls.__subclasses__():
        yield from subclasses(sub)


@pytest.mark.parametrize("cls", sorted(set(subclasses()), key=lambda cls: cls.__name__), ids=lambda cls: cls.__name__)
def test_every_class_has_a_status_and_an_exit_code(cls):
    error = cls("x")
    status = http_status(error)
    assert HTTPStatus(status).phrase
    assert 400 <= status < 600
    assert exit_code(error) in (1, 2, 4, 5, 70)
    # What is our fault on the command line is our fault over HTTP.
    assert (exit_code(error) == 70) == (status == 500)
    problem = problem_of(error).to_dict()
    assert problem["status"] == status
    assert problem["code"] == cls.default_code
    assert problem["detail"] == "x"


def test_both_tables_name_classes_of_the_tree():
    tree = set(subclasses())
    assert set(HTTP_STATUS) <= tree
    assert set(EXIT_CODES) <= tree
    assert VeracordError in HTTP_STATUS


def test_every_status_is_one():
    assert all(HTTPStatus(status) for status in {*HTTP_STATUS.values(), *HTTP_STATUS_OF_CODES.values()})


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InputError("x", code="invalid_json"), 422),
        (InputError("x", code="too_large"), 413),
        (InputError("x", code="unknown_profile"), 422),
        (ConfigurationError("x", code="unknown_run"), 404),
        (DecisionError("x", code="unknown_record"), 404),
        (DecisionError("x", code="changed_underneath"), 409),
        (DecisionError("x", code="already_decided"), 409),
        (DecisionError("x", code="reason_missing"), 422),
        (AccessError("x", code="not_a_person"), 403),
        (AccessError("x", code="not_signed_in"), 401),
        (AccessError("x", code="slowed_down"), 429),
        (ModelError("x"), 502),
        (ModelUnavailableError("x"), 503),
        (RecordGenerationError("x"), 422),
        (RunInterruptedError("x"), 503),
        (StorageError("x"), 503),
        (StorageError("x", code="store_damaged"), 500),
    ],
    ids=lambda value: getattr(value, "code", value),
)
def test_a_status(error, status):
    assert http_status(error) == status


def test_what_changed_is_told_and_nothing_else_of_the_details():
    error = DecisionError("x", code="changed_underneath", details={"secret": 1, "revision": 3})
    error.change = Change(MISSING, [1], 3)
    told = problem_of(error).to_dict()
    assert told["change"] == {"then": {"stands": False}, "now": {"stands": True, "value": [1]}, "revision": 3}
    assert "secret" not in told


def test_waiting_is_told_in_a_header():
    problem = problem_of(AccessError("x", code="slowed_down", details={"retry_after_s": 4}))
    assert problem.headers["Retry-After"] == "4"
    assert problem.to_dict()["retry_after_s"] == 4


def test_who_is_not_signed_in_is_told_how():
    assert problem_of(AccessError("x", code="not_signed_in")).headers["WWW-Authenticate"].startswith("Bearer")


def test_what_was_not_foreseen_tells_nothing_but_how_to_name_it():
    told = fault("abc").to_dict()
    assert told["status"] == 500
    assert told["request_id"] == "abc"
    assert told["code"] == "internal"
