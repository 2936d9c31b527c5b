"""Reading profiles and schemas from the files that a caller names, and no others."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from veracord.errors import ConfigurationError, InputError, system_remedy
from veracord.records.intake import from_python
from veracord.records.reading import MAX_BYTES, read_value, to_utf8
from veracord.records.schemas import SchemaFile
from veracord.records.values import JsonObject, JsonValue, canonical, digest


def read_profile(path: Path) -> JsonObject:
    """Return the tables of a profile file; floats as the decimals they are written as.

    Raises:
        ConfigurationError: The file cannot be read or is no TOML.
    """
    data = read_file(path)
    try:
        table: Any = tomllib.loads(to_utf8(data).decode(), parse_float=_decimal)
    except (tomllib.TOMLDecodeError, InputError) as error:
        detail = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "wrong encoding"
        raise ConfigurationError(
            f"the profile is not TOML ({detail})", where=str(path), remedy="correct it there", code="invalid_toml"
        ) from None
    try:
        value = from_python(table, where=str(path))
    except InputError as error:
        raise ConfigurationError(
            "the profile holds a value that no profile can hold (such as a date)",
            where=str(path),
            remedy="write it as text",
            code=error.code,
        ) from None
    assert isinstance(value, dict)  # noqa: S101 - a TOML document is a table
    return value


def read_schemas(paths: Sequence[Path], max_bytes: int | None = None) -> tuple[list[SchemaFile], str]:
    """Return schema files, the main one first, and the digest of their canonical forms.

    Raises:
        ConfigurationError: A file cannot be read or is no strict JSON.
    """
    found: list[SchemaFile] = []
    for path in paths:
        try:
            content = read_value(read_file(path), where=str(path), max_bytes=max_bytes or MAX_BYTES)
        except InputError as error:
            raise ConfigurationError(
                f"the schema cannot be used: {error.what}", where=error.where, remedy=error.remedy, code=error.code
            ) from None
        found.append(SchemaFile(path.name, content, str(path)))
    return found, schemas_digest(found)


def schemas_digest(files: Sequence[SchemaFile]) -> str:
    """Return the digest of the canonical forms of schemas."""
    whole: list[JsonValue] = [file.content for file in files]
    return digest(canonical(whole[0] if len(whole) == 1 else whole))


def read_file(path: Path) -> bytes:
    """Return the bytes of a configuration file.

    Raises:
        ConfigurationError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            "the file cannot be read",
            where=str(path),
            remedy=system_remedy(error),
            code="unreadable_file",
        ) from None


def _decimal(text: str) -> Any:  # noqa: ANN401 - tomllib takes any type for its floats
    from decimal import Decimal  # noqa: PLC0415 - used for TOML floats only

    return Decimal(text.replace("_", ""))
