"""Prompts are files: a head between lines of ``---``, then the text with ``{{ name }}`` where a value goes.

A value enters as JSON data in a block whose end it cannot write, so that nothing in it can pass for an instruction of
ours.  What does not fit together is refused when a prompt is loaded, before anything is sent.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from veracord.errors import ConfigurationError, system_remedy
from veracord.records.values import JsonValue, digest
from veracord.records.writing import write_json

_FENCE: Final = "---"
_FIELDS: Final = ("id", "version", "purpose", "variables")
_OPENING: Final = "{{"
_PLACEHOLDER: Final = re.compile(r"\{\{ *([A-Za-z_][A-Za-z0-9_]*) *\}\}")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, checked when it is made.

    Attributes:
        id: Its name.
        version: Its version, a whole number.
        purpose: What it is for.
        variables: The names that its text uses.
        text: The text.
        digest: ``sha256:<hex>`` of the file, or of the text where there is none.
        where: What errors call it.
    """

    id: str
    version: int
    purpose: str
    variables: tuple[str, ...]
    text: str = field(repr=False)
    digest: str = ""
    where: str = ""

    def __post_init__(self) -> None:
        """Check that the text uses its variables and no others.

        Raises:
            ConfigurationError: A variable is missing or not used, or braces are no placeholder.
        """
        used = _PLACEHOLDER.findall(self.text)
        if len(used) != self.text.count(_OPENING):
            raise _refused("'{{' begins no placeholder", self.where, "write {{ name }}, or leave the braces out")
        missing = sorted({name for name in used if name not in self.variables})
        if missing:
            raise _refused(f"the text uses {missing[0]}, which is no variable", self.where, "add it to variables")
        unused = sorted({name for name in self.variables if name not in used})
        if unused:
            raise _refused(f"the text does not use the variable {unused[0]}", self.where, "use it, or take it out")
        if not self.digest:
            object.__setattr__(self, "digest", digest(self.text.encode()))

    @classmethod
    def load(cls, path: str | Path) -> "Prompt":
        """Read a prompt file.

        Raises:
            ConfigurationError: It cannot be read, its head is not what it must be, or its variables do not fit.
        """
        where = str(path)
        try:
            data = Path(path).read_bytes()
            text = data.decode("utf-8-sig")
        except OSError as error:
            remedy = system_remedy(error)
            raise ConfigurationError(
                "the prompt file cannot be read", where=where, remedy=remedy, code="unreadable_file"
            ) from None
        except UnicodeDecodeError:
            raise _refused("the prompt file is not UTF-8", where, "save it as UTF-8") from None
        head, body = _split(text.replace("\r\n", "\n"), where)
        return cls(
            id=_text(head, "id", where),
            version=_version(head, where),
            purpose=_text(head, "purpose", where),
            variables=_variables(head, where),
            text=body.strip("\n"),
            digest=digest(data),
            where=where,
        )

    def render(self, values: Mapping[str, JsonValue]) -> str:
        """Return the text with its values.

        Args:
            values: One for each variable; others are ignored.

        Raises:
            ConfigurationError: A value is missing.
        """
        missing = [name for name in self.variables if name not in values]
        if missing:
            raise _refused(f"there is no value for the variable {missing[0]}", self.where, "take it out")
        return _PLACEHOLDER.sub(lambda found: _block(found[1], values[found[1]]), self.text)


@cache
def bundled_prompt(name: str) -> Prompt:
    """Return a prompt that comes with the package; read once.

    Raises:
        ConfigurationError: There is none of this name.
    """
    file = f"{name}.md"
    # Errors and fingerprints name the file, not where this machine keeps it.
    return replace(Prompt.load(Path(str(files("veracord") / "bundled" / "prompts" / file))), where=file)


def _block(name: str, value: JsonValue) -> str:
    """Return a value as JSON between tags; "<" is escaped in it, so that it cannot hold a tag."""
    data = write_json(value).decode().replace("<", "\\u003c")
    return f"<{name}>\n{data}\n</{name}>"


def _split(text: str, where: str) -> tuple[dict[str, str], str]:
    lines = text.split("\n")
    ends = [number for number, line in enumerate(lines) if line.rstrip() == _FENCE]
    if len(ends) < 2 or ends[0] != 0:  # noqa: PLR2004 - a line above the head and one below it
        raise _refused("the prompt has no head", where, "begin with a line ---, the fields, and a line ---")
    head: dict[str, str] = {}
    for number, line in enumerate(lines[1 : ends[1]], 2):
        name, colon, value = line.partition(":")
        name = name.strip()
        if not line.strip():
            continue
        if not colon or name not in _FIELDS or name in head:
            what = "stands twice" if name in head else "is unknown"
            raise _refused(f"the field {name} of the head {what}", f"{where}:{number}", f"use {', '.join(_FIELDS)}")
        head[name] = value.strip()
    return head, "\n".join(lines[ends[1] + 1 :])


def _text(head: Mapping[str, str], name: str, where: str) -> str:
    value = head.get(name, "")
    for quote in ('"', "'"):
        if len(value) > 1 and value.startswith(quote) and value.endswith(quote):
            value = value[1:-1]
    if not value:
        raise _refused(f"the head has no {name}", where, f"add a line {name}: ...")
    return value


def _version(head: Mapping[str, str], where: str) -> int:
    value = _text(head, "version", where)
    if not (value.isascii() and value.isdigit()) or len(value) > 9:  # noqa: PLR2004 - no prompt has a billion versions
        raise _refused("the version is no whole number", where, "write it like version: 1")
    return int(value)


def _variables(head: Mapping[str, str], where: str) -> tuple[str, ...]:
    value = head.get("variables", "[]")
    if not (value.startswith("[") and value.endswith("]")):
        raise _refused("variables is no list", where, "write it like variables: [input]")
    names = [name.strip() for name in value[1:-1].split(",") if name.strip()]
    wrong = next((name for name in names if not _NAME.fullmatch(name) or names.count(name) > 1), None)
    if wrong is not None:
        raise _refused("a variable is no name, or stands twice", where, "write it like variables: [input]")
    return tuple(names)


def _refused(what: str, where: str, remedy: str) -> ConfigurationError:
    return ConfigurationError(what, where=where, remedy=remedy, code="invalid_prompt")
