"""A pipeline file, wired: everything is loaded and checked before the first model is asked."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec import UnsetType, structs

from veracord.bootstrap.callables import FileCallable, known_entry_points, load_entry_point
from veracord.bootstrap.models import make_model
from veracord.bootstrap.pipeline_tables import (
    PipelineTable,
    PolicyTable,
    ProducerTable,
    ValidatorTable,
    moved,
    read_pipeline_file,
    refused,
)
from veracord.bootstrap.unit_files import UnitFile
from veracord.config import Settings
from veracord.errors import ConfigurationError, InputError
from veracord.pipeline import Disposition, Pipeline, Policy, Producer, ProducerBinding, Store, ValidatorBinding
from veracord.pipeline.attempts import Transcripts
from veracord.pipeline.checks import is_async
from veracord.ports import Model
from veracord.promptkit import Prompt, StructuredOutput, StructuredProducer
from veracord.records.profiles import Profile
from veracord.records.reading import read_value
from veracord.records.schemas import Schema, SchemaFile
from veracord.testing import MemoryStore

VALIDATORS: Final = "veracord.validators"
PRODUCERS: Final = "veracord.producers"

#: The time limit of a callable in a pipeline file that sets none; what we run ourselves comes to its end.
_CALLABLE_LIMIT_S: Final = 10.0
_KINDS: Final = ("structured",)


@dataclass(frozen=True, slots=True)
class WiredPipeline:
    """A pipeline file with all its parts.

    Attributes:
        path: The file.
        table: What it says.
        pipeline: The pipeline.
        units: Its input.
        model: Who is asked, or None.
        store: Where results are kept.
    """

    path: Path
    table: PipelineTable
    pipeline: Pipeline
    units: UnitFile
    model: Model | None
    store: Store

    @property
    def output(self) -> Path | None:
        """The file for results, or None."""
        name = self.table.run.output
        return None if name is None else self.path.parent / name

    async def open(self) -> None:
        """Get ready for the first unit: a model in this process is loaded, so that a file that is none is told now.

        Raises:
            ConfigurationError: The model cannot be loaded.
        """
        load: Callable[[], Awaitable[None]] | None = getattr(self.model, "load", None)
        if load is not None:
            try:
                await load()
            except ConfigurationError as error:
                raise moved(error, f"{self.path} model") from None

    @property
    def files_read(self) -> list[Path]:
        """The files that no output may overwrite."""
        folder = self.path.parent
        named = [self.table.run.input]
        for producer in self.table.producers:
            named += [name for name in (producer.prompt, producer.schema) if name is not None]
        return [self.path, *(folder / name for name in named)]


def load_pipeline(path: Path, settings: Settings, transcripts: Transcripts | None = None) -> WiredPipeline:
    """Wire a pipeline file.

    Raises:
        ConfigurationError: It, or anything that it names, cannot be used; the error names file and field.
    """
    table = read_pipeline_file(path)
    model = None if table.model is None else make_model(table.model, path)
    loader = _Loader(path, model, settings)
    bindings = [loader.producer(item, f"producers[{number}]") for number, item in enumerate(table.producers)]
    try:
        pipeline = Pipeline(bindings, policy=_policy(table.policy), transcripts=transcripts)
    except ConfigurationError as error:
        raise moved(error, f"{path} producers") from None
    units = UnitFile(path.parent / table.run.input, table.run.key, settings.max_record_bytes)
    return WiredPipeline(path, table, pipeline, units, model, MemoryStore())


class _Loader:
    """Loads what a pipeline file names."""

    def __init__(self, path: Path, model: Model | None, settings: Settings) -> None:
        self._path = path
        self._folder = path.parent
        self._model = model
        self._settings = settings

    def producer(self, table: ProducerTable, place: str) -> ProducerBinding[Any]:
        where = f"{self._path} {place}"
        maker = self._structured(table, where) if table.kind in _KINDS else self._foreign(table, where)
        validators = [
            self._validator(item, f"{where}.validators[{number}]") for number, item in enumerate(table.validators)
        ]
        try:
            return ProducerBinding(
                id=table.id,
                producer=maker,
                validators=validators,
                retries=table.retries,
                correction=table.correction,
                stop_when_stuck=table.stop_when_stuck,
                policy=_policy(table.policy),
            )
        except ConfigurationError as error:
            raise moved(error, where) from None

    def _structured(self, table: ProducerTable, where: str) -> Producer[Any]:
        if self._model is None:
            raise refused("a structured producer needs a model", where, "add a table [model]", code="no_model")
        if table.prompt is None or table.schema is None:
            name = "prompt" if table.prompt is None else "schema"
            raise refused(f"the field {name} is missing", f"{where}.{name}", "add it", code="missing_field")
        if table.settings is not None:
            raise refused("settings are for entry points", f"{where}.settings", "take it out")
        try:
            prompt = Prompt.load(self._folder / table.prompt)
            content = self._json(table.schema)
            if not isinstance(content, dict):
                raise refused("the schema is no object", str(self._folder / table.schema), "correct it")
            output = StructuredOutput.of_schema(
                content, name=table.id, via=table.via or "schema", structure_repairs=table.structure_repairs
            )
            return StructuredProducer(self._model, prompt, output)
        except (ConfigurationError, InputError) as error:
            raise moved(error, where) from None

    def _foreign(self, table: ProducerTable, where: str) -> Producer[Any]:
        make = load_entry_point(PRODUCERS, table.kind, f"{where}.kind")
        if make is None:
            known = ", ".join([*_KINDS, *known_entry_points(PRODUCERS)])
            raise refused(
                f"there is no producer {table.kind}", f"{where}.kind", f"use {known}", code="unknown_producer"
            )
        for name in ("prompt", "schema", "via"):
            if getattr(table, name) is not None:
                raise refused(f"{name} is for structured producers", f"{where}.{name}", "put it under settings")
        try:
            made: Producer[Any] = make(model=self._model, settings=dict(table.settings or {}), folder=self._folder)
        except ConfigurationError as error:
            raise moved(error, where) from None
        except Exception as error:  # noqa: BLE001 - a foreign factory may raise anything; its text stays out of ours
            fault = type(error).__name__
        else:
            if callable(getattr(made, "produce", None)):
                return made
            fault = "it has no produce"
        raise refused(
            f"the producer {table.kind} cannot be made ({fault})", where, "correct its settings", code="not_importable"
        )

    def _validator(self, table: ValidatorTable, where: str) -> ValidatorBinding[Any]:
        check, limit_s = self._check(table.use, f"{where}.use")
        if isinstance(check, FileCallable):
            check = self._of_file(check, where, isolate=table.isolate)
        try:
            return ValidatorBinding(
                id=table.id,
                check=check,
                execution_retries=table.execution_retries,
                timeout_s=table.timeout_s or limit_s,
                isolate=table.isolate,
                version=table.version,
            )
        except ConfigurationError as error:
            raise moved(error, where) from None

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
        try:
            if colon and kind == "jsonschema":
                return Schema([SchemaFile(name, self._json(name), str(self._folder / name))]), None
            if colon and kind == "profile":
                path = self._folder / name if name.endswith(".toml") else name
                return Profile.load(path, max_bytes=self._settings.max_record_bytes), None
        except (ConfigurationError, InputError) as error:
            raise moved(error, where) from None
        if colon:
            return self._callable(FileCallable(self._folder, use, where), where), _CALLABLE_LIMIT_S
        found = load_entry_point(VALIDATORS, use, where)
        if found is None:
            known = ", ".join(["module:name", "jsonschema:FILE", "profile:NAME", *known_entry_points(VALIDATORS)])
            raise refused(f"there is no validator {use}", where, f"use {known}", code="unknown_validator")
        return found, _CALLABLE_LIMIT_S

    def _callable(self, loaded: FileCallable, where: str) -> FileCallable:
        if not callable(loaded.target):
            raise refused("what the reference names cannot be called", where, "name a function or a pydantic model")
        return loaded

    def _json(self, name: str) -> Any:  # noqa: ANN401 - JSON
        path = self._folder / name
        try:
            data = path.read_bytes()
        except OSError as error:
            remedy = (error.strerror or "check the path").lower()
            raise ConfigurationError(
                "the file cannot be read", where=str(path), remedy=remedy, code="unreadable_file"
            ) from None
        return read_value(data, where=str(path), max_bytes=self._settings.max_record_bytes)


def _policy(table: PolicyTable) -> Policy:
    chosen: Mapping[str, str | UnsetType] = structs.asdict(table)
    return Policy(**{name: Disposition(value) for name, value in chosen.items() if isinstance(value, str)})
