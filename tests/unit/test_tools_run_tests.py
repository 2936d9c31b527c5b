"""Which tests `make test` runs together, and how that ends."""

import pytest

from tools.run_tests import MEMORY, ends_as, parts_of


@pytest.mark.parametrize("arguments", [[], ["-k", "name"], ["-m", "not slow", "--durations=5"]])
def test_memory_is_searched_apart_from_all_other_tests(arguments):
    assert parts_of(arguments) == [[*arguments, f"--ignore={MEMORY}"], [*arguments, MEMORY]]


@pytest.mark.parametrize("path", ["tests/unit", f"{MEMORY}/test_canaries.py", "tests/conftest.py::test_x"])
def test_what_is_named_is_run_at_once(path):
    assert parts_of(["-k", "name", path]) == [["-k", "name", path]]


@pytest.mark.parametrize(
    ("codes", "code"), [([0, 0], 0), ([1, 0], 1), ([0, 1], 1), ([5, 0], 0), ([0, 5], 0), ([5, 5], 5), ([5, 2], 2)]
)
def test_it_fails_where_a_part_fails_and_not_where_one_has_no_test_that_is_meant(codes, code):
    assert ends_as(codes) == code
