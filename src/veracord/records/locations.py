"""Where in a record a validator's error stands.

The validator reports member names as text that was read back: "" disappears and "0" becomes an index.
Here a reported path is walked against the record; where it could mean several places, the validator's
slower evaluation, which keeps names as they are, decides.

Source: observed behaviour of jsonschema-rs 0.61.
"""

from collections.abc import Callable, Sequence
from typing import Any

from veracord.records.pointers import Tokens, get, split
from veracord.records.schemas import Schema
from veracord.records.values import MISSING, JsonValue, Missing, equal


class Locator:
    """Finds the true places of the errors of one record."""

    def __init__(self, schema: Schema, record: JsonValue) -> None:
        """Remember what is validated; nothing is done before the first question."""
        self._schema = schema
        self._record = record
        self._exact: dict[tuple[Any, ...], list[Tokens]] | None = None

    def locate(self, error: Any) -> Tokens:  # noqa: ANN401 - the library's error class has no stable type
        """Return the tokens of the place that an error is about."""
        reported = error.instance_path
        tokens = _walk(self._record, reported)
        if tokens is not None:
            return tokens
        return self._locate_exactly(error, reported, lambda value: equal(value, error.instance))

    def locate_object(self, error: Any) -> Tokens:  # noqa: ANN401 - as above
        """Return the place of the object of which an error refuses every member; the error holds one of them."""
        reported = error.instance_path
        tokens = _walk(self._record, reported)
        return (
            tokens if tokens is not None else self._locate_exactly(error, reported, lambda value: type(value) is dict)
        )

    def members(self, tokens: Tokens) -> list[str]:
        """Return the names of the members of an object of the record."""
        found = get(self._record, tokens)
        return list(found) if type(found) is dict else []

    def _locate_exactly(
        self,
        error: Any,  # noqa: ANN401 - as above
        reported: Sequence[str | int],
        fits: Callable[[JsonValue | Missing], bool],
    ) -> Tokens:
        if self._exact is None:
            self._exact = {}
            for entry in self._schema.evaluation_errors(self._record):
                place = split(entry["instanceLocation"])
                keyword = entry["schemaLocation"].rpartition("/")[2]
                self._exact.setdefault((*_mangled(place), keyword), []).append(place)
        keyword = str(error.schema_path[-1]) if error.schema_path else ""
        known = self._exact.get((*reported, keyword), [])
        fitting = [place for place in known if fits(get(self._record, place))]
        if len(fitting) > 1:
            known.remove(fitting[0])  # the next error of this kind is about the next place
            return fitting[0]
        possible = fitting or [place for place, value in _readings(self._record, list(reported)) if fits(value)]
        return possible[0] if possible else tuple(map(str, reported))


def _walk(record: JsonValue, reported: Sequence[str | int]) -> Tokens | None:
    """Follow a reported path; None where a name may have been changed by the report."""
    node: JsonValue | Missing = record
    tokens: list[str] = []
    for part in reported:
        if isinstance(node, list) and isinstance(part, int):
            node = node[part]
        elif isinstance(node, dict) and isinstance(part, str) and "" not in node:
            node = node.get(part, MISSING)
        else:
            node = MISSING
        if node is MISSING:
            return None
        tokens.append(str(part))
    if type(node) is dict and "" in node:
        return None
    return tuple(tokens)


def _mangled(place: Tokens) -> list[str | int]:
    """Return a path as the validator reports it."""
    return [int(token) if _reads_as_index(token) else token for token in place if token]


def _reads_as_index(token: str) -> bool:
    digits = token.removeprefix("+")
    return digits.isascii() and digits.isdigit()


def _readings(node: JsonValue, reported: list[str | int]) -> list[tuple[Tokens, JsonValue]]:
    """Return every place, with its value, that may be meant by a reported path."""
    found: list[tuple[Tokens, JsonValue]] = []
    if not reported:
        found.append(((), node))
    if type(node) is dict:
        if "" in node:
            found += [(("", *rest), value) for rest, value in _readings(node[""], reported)]
        for name, item in node.items():
            if reported and name and _mangled((name,)) == [reported[0]]:
                found += [((name, *rest), value) for rest, value in _readings(item, reported[1:])]
    elif type(node) is list and reported and type(reported[0]) is int and reported[0] < len(node):
        index = reported[0]
        found += [((str(index), *rest), value) for rest, value in _readings(node[index], reported[1:])]
    return found
