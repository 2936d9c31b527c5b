"""The forms of requests and answers: the same files are checked against, and stand in the OpenAPI."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from veracord.records.reading import read_value
from veracord.records.schemas import Schema, SchemaFile

_FOLDER: Final = "bundled/schemas"
_REQUESTS: Final = "http/requests.schema.json"
_ANSWERS: Final = "http/answers.schema.json"
#: Results that have a file of their own, by what the OpenAPI calls them.
_RESULTS: Final = {
    "ValidationResult": "validation-result.schema.json",
    "RepairResult": "repair-result.schema.json",
    "SynthesisResult": "synthesis-result.schema.json",
    "GroundedAnswer": "grounded-answer.schema.json",
    "Manifest": "manifest.schema.json",
}
_LOCAL: Final = "#/$defs/"
_COMPONENTS: Final = "#/components/schemas/"


@cache
def request_schema(name: str) -> Schema:
    """Return the form of a body, compiled."""
    document = _read(_REQUESTS)
    return Schema([SchemaFile(f"{name}.schema.json", {"$ref": f"{_LOCAL}{name}", "$defs": document["$defs"]})])


def components() -> dict[str, Any]:
    """Return all forms as an OpenAPI has them."""
    found: dict[str, Any] = {}
    for file in (_REQUESTS, _ANSWERS):
        found |= {name: _moved(form, "") for name, form in _read(file)["$defs"].items()}
    for name, file in _RESULTS.items():
        document = _read(file)
        own = {key: form for key, form in document.items() if key not in ("$schema", "$id", "$defs")}
        found[name] = _moved(own, f"{name}-")
        found |= {f"{name}-{key}": _moved(form, f"{name}-") for key, form in document.get("$defs", {}).items()}
    return found


def load_forms() -> None:
    """Read the files of all forms now, as `load_page` does of the page."""
    for name in (_REQUESTS, _ANSWERS, *_RESULTS.values()):
        _read(name)


@cache
def _read(name: str) -> dict[str, Any]:
    value: Any = read_value((files("veracord") / _FOLDER / name).read_bytes(), where=name)
    return dict(value)


def _moved(form: Any, prefix: str) -> Any:  # noqa: ANN401 - any part of a schema
    """Return a part of a schema whose references lead into the OpenAPI."""
    if isinstance(form, Mapping):
        return {
            key: f"{_COMPONENTS}{prefix}{item.removeprefix(_LOCAL)}"
            if key == "$ref" and isinstance(item, str)
            else _moved(item, prefix)
            for key, item in form.items()
        }
    return [_moved(item, prefix) for item in form] if isinstance(form, list) else form
