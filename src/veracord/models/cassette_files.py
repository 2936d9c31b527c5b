"""The file of a cassette: JSON Lines, the settings of the model first, then the answers in the order of their digests.

A file is replaced whole or not at all, and an answer that stands in it is never replaced.
"""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Final

from veracord.errors import ConfigurationError, InputError, system_remedy
from veracord.ports import Finish, Request, Response, Usage
from veracord.records.lines import read_lines
from veracord.records.reading import read_record
from veracord.records.values import JsonObject, JsonValue, canonical, digest, equal
from veracord.records.writing import write_json

_VERSION: Final = 1
_MAX_LINE_BYTES: Final = 64 * 1024 * 1024
_OWNER_ONLY: Final = 0o600
#: How much of a file's name its temporary neighbour carries; the name as a whole must stay short.
_NAME_PART: Final = 60

_FINISHES: Final = {finish.value: finish for finish in Finish}
_RESPONSE: Final = {"text", "finish", "tool_name", "usage"}
_USAGE: Final = {"requests", "input_tokens", "output_tokens", "cost_usd", "unmetered"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A request as it is written down, and its answer.

    Attributes:
        request: See `request_value`.
        response: What was answered.
        is_redacted: Whether something was taken out of the request, so that it no longer has the digest.
    """

    request: JsonObject = field(repr=False)
    response: Response
    is_redacted: bool = False


@dataclass(slots=True)
class Tape:
    """What a cassette holds.

    Attributes:
        settings: Those of the model that answered.
        entries: By the digest of the request.
    """

    settings: JsonObject
    entries: dict[str, Entry] = field(default_factory=dict, repr=False)


def request_value(request: Request) -> JsonObject:
    """Return a request as JSON, every part of it."""
    return {
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "output_schema": request.output_schema,
        "output_name": request.output_name,
        "tools": [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in request.tools
        ],
        "required_tool": request.required_tool,
    }


def request_digest(request: JsonObject, settings: Mapping[str, JsonValue]) -> str | None:
    """Return the digest by which an answer is found, or None for a request that cannot be written as JSON."""
    try:
        return digest(canonical({"request": request, "settings": dict(settings)}))
    except (TypeError, ValueError, RecursionError):
        return None


def check_settings(tape: Tape, settings: Mapping[str, JsonValue], path: Path) -> None:
    """Refuse a tape of another model, or of one with other settings.

    Raises:
        ConfigurationError: As the name says.
    """
    if not equal(tape.settings, dict(settings)):
        raise ConfigurationError(
            "the cassette was recorded with another model, or with other settings",
            where=str(path),
            remedy="name another file, or set the model as it was then",
            code="cassette_mismatch",
        )


def is_there(path: Path) -> bool:
    """Whether there is a file to add to; a link to nothing is none."""
    return os.path.lexists(os.path.realpath(path))


def read_tape(path: Path) -> Tape:
    """Read a cassette.

    Raises:
        InputError: The file cannot be read, or a line is not what it must be; the line is named, not quoted.
    """
    tape = _tape_or_error(path)
    if isinstance(tape, InputError):
        raise tape
    return tape


def write_tape(path: Path, tape: Tape) -> None:
    """Write a cassette; what another recorder wrote since it was read stays as it is.

    Raises:
        InputError: The file cannot be written, or is no cassette any more.
        ConfigurationError: It now holds answers of another model.
    """
    if is_there(path):
        there = read_tape(path)
        check_settings(there, tape.settings, path)
        tape.entries.update(there.entries)
    # A link stays a link: what it points to is replaced.
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name[:_NAME_PART]}.{secrets.token_hex(6)}.tmp")
    problem = _replace(target, temporary, _text(tape))
    if problem:
        raise InputError("the cassette cannot be written", where=str(path), remedy=problem, code="unwritable_output")


def _tape_or_error(path: Path) -> Tape | InputError:
    """Return the tape, or a new error: the frames of the one that was raised hold the text of the file."""
    try:
        return _tape(path)
    except InputError as error:
        return InputError(error.what, where=error.where, remedy=error.remedy, code=error.code)


def _tape(path: Path) -> Tape:
    tape: Tape | None = None
    for line in read_lines(path, _MAX_LINE_BYTES):
        value = read_record(line.checked(), where=line.where, max_bytes=_MAX_LINE_BYTES).value
        if tape is None:
            settings = _settings(value)
            if settings is None:
                raise _invalid(line.where)
            tape = Tape(settings)
            continue
        entry = _entry(value)
        key = value.get("digest")
        if entry is None or type(key) is not str or key in tape.entries:
            raise _invalid(line.where)
        if not entry.is_redacted and key != request_digest(entry.request, tape.settings):
            raise _invalid(line.where)
        tape.entries[key] = entry
    if tape is None:
        raise _invalid(str(path))
    return tape


def _replace(target: Path, temporary: Path, data: bytes) -> str:
    """Put a file in its place; return what the system says against it, or ""."""
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        return system_remedy(error)
    return ""


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _text(tape: Tape) -> bytes:
    lines: list[JsonObject] = [{"cassette": _VERSION, "settings": tape.settings}]
    for key, entry in sorted(tape.entries.items()):
        response = entry.response
        line: JsonObject = {"digest": key, "request": entry.request}
        if entry.is_redacted:
            line["redacted"] = True
        line["response"] = {
            "text": response.text,
            "finish": response.finish.value,
            "tool_name": response.tool_name,
            "usage": response.usage.to_dict(),
        }
        lines.append(line)
    return b"".join(write_json(line) + b"\n" for line in lines)


def _settings(value: JsonObject) -> JsonObject | None:
    settings = value.get("settings")
    if set(value) != {"cassette", "settings"} or value["cassette"] != _VERSION or type(settings) is not dict:
        return None
    return settings


def _entry(value: JsonObject) -> Entry | None:
    request, response = value.get("request"), _response(value.get("response"))
    is_redacted = value.get("redacted", False)
    if set(value) - {"redacted"} != {"digest", "request", "response"} or type(is_redacted) is not bool:
        return None
    return Entry(request, response, is_redacted) if type(request) is dict and response else None


def _response(value: JsonValue) -> Response | None:
    if type(value) is not dict or set(value) != _RESPONSE:
        return None
    text, finish, tool_name = value["text"], value["finish"], value["tool_name"]
    usage = _usage(value["usage"])
    if type(text) is not str or type(finish) is not str or not (tool_name is None or type(tool_name) is str):
        return None
    return Response(text, _FINISHES[finish], tool_name, usage) if finish in _FINISHES and usage else None


def _usage(value: JsonValue) -> Usage | None:
    if type(value) is not dict or set(value) != _USAGE:
        return None
    requests, unmetered = value["requests"], value["unmetered"]
    tokens_in, tokens_out, cost = value["input_tokens"], value["output_tokens"], value["cost_usd"]
    if type(requests) is not int or type(unmetered) is not int or not _are_counts(requests, unmetered):
        return None
    if not (tokens_in is None or type(tokens_in) is int) or not (tokens_out is None or type(tokens_out) is int):
        return None
    if not (cost is None or type(cost) is int or type(cost) is Decimal) or not _are_counts(tokens_in, tokens_out, cost):
        return None
    return Usage(requests, tokens_in, tokens_out, None if cost is None else Decimal(cost), unmetered)


def _are_counts(*numbers: int | Decimal | None) -> bool:
    return all(number is None or number >= 0 for number in numbers)


def _invalid(where: str) -> InputError:
    return InputError(
        "the text is not that of a cassette", where=where, remedy="record it anew", code="invalid_cassette"
    )
