"""The validators of a pipeline file: callables, schemas, profiles, entry points, and the grounding verifier."""

from pathlib import Path
from typing import Any, Final

from veracord.bootstrap.callables import FileCallable, known_entry_points, load_entry_point
from veracord.bootstrap.pipeline_tables import ValidatorTable, about, refused
from veracord.bootstrap.record_kinds import RecordKinds, about_record
from veracord.bootstrap.run_specs import validator_version
from veracord.config import Settings
from veracord.errors import ConfigurationError, system_remedy
from veracord.pipeline import ValidatorBinding
from veracord.pipeline.checks import check_of, is_async
from veracord.records.profiles import Profile
from veracord.records.reading import read_value
from veracord.records.schemas import Schema, SchemaFile
from veracord.records.values import digest

VALIDATORS: Final = "veracord.validators"

#: The verifier, as a validator of any producer.
GROUNDING: Final = "grounding"

#: The time limit of a callable in a pipeline file that sets none; what we run ourselves comes to its end.
CALLABLE_LIMIT_S: Final = 10.0


class ValidatorLoader:
    """Loads the validators that a pipeline file names.

    Attributes:
        files: The files of evidence that they read.
        told: What makes a run with this evidence this run, by name.
    """

    def __init__(self, path: Path, settings: Settings, kinds: RecordKinds) -> None:
        """Remember the pipeline file, and what its producers share."""
        self.files: list[Path] = []
        self.told: dict[str, str] = {}
        self._path = path
        self._folder = path.parent
        self._max_bytes = settings.max_record_bytes
        self._kinds = kinds

    def binding(self, table: ValidatorTable, where: str, *, is_record: bool) -> ValidatorBinding[Any]:
        """Return a validator in its place.

        Args:
            table: What the file says of it.
            where: Where that stands.
            is_record: Whether what it looks at is the result of a repair or synthesis.

        Raises:
            ConfigurationError: It cannot be used; the error names file and field.
        """
        if table.use == GROUNDING:
            check, version, files = self._kinds.grounding(table, where)
            limit_s = None
            self.files += files
            self.told[f"evidence of {where.removeprefix(str(self._path)).strip()}"] = digest(version.encode())
        elif table.evidence is not None:
            raise refused("evidence is for grounding", f"{where}.evidence", "take it out")
        else:
            check, limit_s = self._check(table.use, f"{where}.use")
            version = validator_version(self._folder, table)
        if is_record:
            check, version = about_record(check, version)
        with about(f"{where}.use"):
            check_of(check.target if isinstance(check, FileCallable) else check)
        if isinstance(check, FileCallable):
            check = self._of_file(check, where, isolate=table.isolate)
        with about(where):
            return ValidatorBinding(
                id=table.id,
                check=check,
                execution_retries=table.execution_retries,
                timeout_s=table.timeout_s or limit_s,
                isolate=table.isolate,
                version=version,
            )

    def _of_file(self, check: FileCallable, where: str, *, isolate: bool) -> Any:  # noqa: ANN401 - a check
        """Return a callable itself; one that is to be isolated as what a child process can load."""
        if not isolate:
            return check.target
        if is_async(check.target):
            raise refused("a coroutine cannot be isolated", f"{where}.isolate", "make it a plain function")
        return check

    def _check(self, use: str, where: str) -> tuple[Any, float | None]:
        """Return a check and its time limit where none is set."""
        kind, colon, name = use.partition(":")
        with about(where):
            if colon and kind == "jsonschema":
                return Schema(
                    [SchemaFile(name, read_json(self._folder / name, self._max_bytes), str(self._folder / name))]
                ), None
            if colon and kind == "profile":
                path = self._folder / name if name.endswith(".toml") else name
                return Profile.load(path, max_bytes=self._max_bytes), None
        if colon:
            return FileCallable(self._folder, use, where), CALLABLE_LIMIT_S
        found = load_entry_point(VALIDATORS, use, where)
        if found is None:
            names = ["module:name", "jsonschema:FILE", "profile:NAME", GROUNDING, *known_entry_points(VALIDATORS)]
            known = ", ".join(names)
            raise refused(f"there is no validator {use}", where, f"use {known}", code="unknown_validator")
        return found, CALLABLE_LIMIT_S


def read_json(path: Path, max_bytes: int) -> Any:  # noqa: ANN401 - JSON
    """Read a file that a pipeline file names.

    Raises:
        ConfigurationError: It cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        remedy = system_remedy(error)
        raise ConfigurationError(
            "the file cannot be read", where=str(path), remedy=remedy, code="unreadable_file"
        ) from None
    return read_value(data, where=str(path), max_bytes=max_bytes)
