"""No regular expression that reads a question, an answer or evidence has super-linear cost.

Each compiled pattern of these packages is found, with the ways in which the code uses it, and is given a mebibyte of
hostile text in each of these ways; a new one is found by itself.  A search between two places that are given looks
at a few characters only, and is given no more.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest

PACKAGES = ("language", "gates", "grounding", "answers")
METHODS = frozenset(["search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"])
#: At the beginning of a text alone.
ANCHORED = frozenset(["match", "fullmatch"])
#: What a string has, too: of a name that is no pattern this tells nothing.
OF_STRINGS = frozenset(["split"])
WINDOWED = "windowed"
PIECES = (
    " ", "\n", "\t", "\u00a0", "1", ".", ",", "a", "A", "\u00e4", '"', "[", "(", "{", "<", "=", "|", "-", "_",
    "/", "\\", "'", "#", "@", "%", "1.", "1,", "1 ", "1/", "1e", "10^", "\u00d710", "a-", "a.", "a ", "Ab ",
    "a, ", '"a ', "[a", "a: ", "|a|\n", "1,234.5 ", "-20 \u00b0C to ", "per ", "of the ", "a and ", "not ",
    "the evidence ", "i do not ", "no information about ", "ist nicht ", "http://",
)  # fmt: skip
#: Two of these lengths are enough to see what grows faster than the text, before it takes minutes.
LENGTHS = (24, 200, 2_000, 20_000)
MEBIBYTE = 1 << 20
SLOW_S = 0.25
MEBIBYTE_S = 3.0


def modules() -> Iterator[ModuleType]:
    for name in PACKAGES:
        package = importlib.import_module(f"veracord.{name}")
        for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(info.name)


@cache
def tree_of(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def patterns_in(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from (found for part in value.items() for one in part for found in patterns_in(one))
    elif isinstance(value, (tuple, list, set, frozenset)):
        yield from (found for one in value for found in patterns_in(one))


def calls_in(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield each name on which a method of patterns is called, and how."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            name = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            is_windowed = len(node.args) > 2 and node.func.attr not in ("sub", "subn")
            yield name, WINDOWED if is_windowed else node.func.attr


@cache
def uses() -> dict[tuple[str, re.Pattern[Any]], set[str]]:
    """Return the ways in which each pattern is used, by the first name that it has."""
    names: dict[re.Pattern[Any], str] = {}
    found: dict[tuple[str, re.Pattern[Any]], set[str]] = {}
    for module in modules():
        calls = list(calls_in(module))
        loose = {how for name, how in calls if not hasattr(module, name)} - OF_STRINGS
        for name, value in vars(module).items():
            for at, pattern in enumerate(patterns_in(value)):
                known = names.setdefault(pattern, f"{module.__name__}.{name}[{at}]")
                direct = {how for called, how in calls if called == name}
                found.setdefault((known, pattern), set()).update(direct or loose)
    return found


CASES = [pytest.param(pattern, frozenset(how), id=name) for (name, pattern), how in uses().items()]


def texts(how: str, pattern: re.Pattern[Any]) -> Iterator[tuple[str, float]]:
    """Yield hostile texts, each with the time that it may take; the last ones make a mebibyte together, or each."""
    for piece in PIECES:
        for length in LENGTHS:
            yield (piece * length)[:length] + "\0", SLOW_S
        if how in ANCHORED and (found := pattern.match((piece * LENGTHS[-1])[: LENGTHS[-1]])) and found.end() > 2:
            yield (piece * MEBIBYTE)[:MEBIBYTE] + "\0", MEBIBYTE_S
    yield "\0".join((piece * LENGTHS[-1])[: LENGTHS[-1]] for piece in PIECES), MEBIBYTE_S


def run(pattern: re.Pattern[Any], how: str, text: str) -> None:
    if how in ("sub", "subn"):
        getattr(pattern, how)("", text)
    elif how == "finditer":
        for _ in pattern.finditer(text):
            pass
    else:
        getattr(pattern, how)(text)


@pytest.mark.parametrize(("pattern", "ways"), CASES)
def test_a_mebibyte_of_hostile_text_takes_a_moment(pattern, ways):
    assert ways, "how is it used?"
    for how in sorted(ways - {WINDOWED}):
        for text, most_s in texts(how, pattern):
            began = time.process_time()
            run(pattern, how, text)
            took = time.process_time() - began
            assert took < most_s, f"{how} of {len(text)} times {text[:12]!r} took {took:.2f} s"


def test_every_pattern_is_a_constant_of_its_module():
    """One that is made within a function would not be found."""
    assert len(CASES) > 100
    for module in modules():
        for function in ast.walk(tree_of(module)):
            if isinstance(function, ast.FunctionDef):
                inside = [
                    node.func.attr
                    for node in ast.walk(function)
                    if isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and isinstance(node.func.value, ast.Name)
                    and node.func.value.id == "re"
                ]
                assert set(inside) <= {"escape"}, f"{module.__name__}.{function.name}"


def test_it_sees_what_grows_faster_than_the_text():
    with pytest.raises(AssertionError, match="took"):
        test_a_mebibyte_of_hostile_text_takes_a_moment(re.compile(r"\s+x"), frozenset(["search"]))
