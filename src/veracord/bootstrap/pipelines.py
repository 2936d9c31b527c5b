"""A pipeline file, wired: everything is loaded and checked before the first model is asked."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from veracord.bootstrap.budgets import ANSWER, KINDS, RECORD_KINDS, STRUCTURED, budgets_of
from veracord.bootstrap.callables import call_foreign, known_entry_points, load_entry_point
from veracord.bootstrap.faults import Fault, FaultyProducer
from veracord.bootstrap.json_producers import JsonProducer
from veracord.bootstrap.models import make_model
from veracord.bootstrap.pipeline_tables import (
    PipelineTable,
    ProducerTable,
    about,
    moved,
    policy_of,
    read_pipeline_file,
    refused,
)
from veracord.bootstrap.record_kinds import RecordKinds, RecordStep, check_fields
from veracord.bootstrap.run_specs import run_spec
from veracord.bootstrap.unit_files import UnitFile
from veracord.bootstrap.validator_loading import GROUNDING, ValidatorLoader, read_json
from veracord.composer.ledgers import Ledger
from veracord.config import Settings
from veracord.errors import ConfigurationError
from veracord.pipeline import Pipeline, Policy, Producer, ProducerBinding, ValidatorBinding
from veracord.pipeline.attempts import Transcripts
from veracord.pipeline.runs import RunSpec
from veracord.ports import Model
from veracord.promptkit import Prompt, StructuredOutput, StructuredProducer

PRODUCERS: Final = "veracord.producers"


@dataclass(frozen=True, slots=True)
class WiredPipeline:
    """A pipeline file with all its parts.

    Attributes:
        path: The file.
        table: What it says.
        pipeline: The pipeline.
        units: Its input.
        model: Who is asked, or None.
        kinds: What the producers that work on records share.
        steps: Those producers.
        validators: What loaded the validators, and knows what they read.
    """

    path: Path
    table: PipelineTable
    pipeline: Pipeline
    units: UnitFile
    model: Model | None
    kinds: RecordKinds
    steps: tuple[RecordStep, ...]
    validators: ValidatorLoader

    @property
    def output(self) -> Path | None:
        """The file for results, or None."""
        name = self.table.run.output
        return None if name is None else self.path.parent / name

    @property
    def writes_as_read(self) -> bool:
        """Whether all numbers of results come from the strict reader: written, read and written again they stay."""
        return len(self.table.producers) == len(self.steps) == 1

    def spec(self, name: str | None) -> RunSpec:
        """Return what makes a run of this file this run; `name` takes the place of the name in the file."""
        parts = {part: told for step in self.steps for part, told in step.parts.items()} | self.validators.told
        return run_spec(self, parts, name)

    def remember_in(self, ledger: Ledger) -> None:
        """Let suggestions be remembered, and told apart, in the store of the run; it is open by now."""
        self.kinds.slot.ledger = ledger

    @property
    def skipped(self) -> list[str]:
        """The files in folders of evidence that are of no kind that is read."""
        return list(dict.fromkeys(file for step in self.steps for file in step.skipped))

    def check_units(self) -> int:
        """Read the whole input and return the number of units; see `UnitFile.check`.

        Raises:
            ConfigurationError: It cannot be used.
        """
        with about(f"{self.path} run.input"):
            return self.units.check()

    @property
    def counts_cost(self) -> bool:
        """Whether what was spent before matters: there is a limit on cost."""
        return self.table.model is not None and self.table.model.max_cost_usd is not None

    def count_spent(self, usd: Decimal) -> None:
        """Count what earlier starts of the run have cost towards its limit."""
        limits = getattr(self.model, "limits", None)
        if limits is not None:
            limits.count_spent(usd)

    async def open(self) -> None:
        """Get ready for the first unit: a model in this process is loaded, so that a file that is none is told now.

        Raises:
            ConfigurationError: The model cannot be loaded.
        """
        load: Callable[[], Awaitable[None]] | None = getattr(self.model, "load", None)
        if load is not None:
            with about(f"{self.path} model"):
                await load()

    @property
    def files_read(self) -> list[Path]:
        """The files that no output may overwrite."""
        named = [self.table.run.input]
        if self.table.model is not None:
            named += _present(self.table.model.path)
        for producer in self.table.producers:
            named += _present(producer.prompt, producer.schema)
            for check in producer.validators:
                kind, _, name = check.use.partition(":")
                if kind == GROUNDING:
                    continue
                named += [name] if kind in ("jsonschema", "profile") else [f"{kind.replace('.', '/')}.py"]
        own = [file for step in self.steps for file in step.files]
        return [self.path, *(self.path.parent / name for name in named), *own, *self.validators.files]


def load_pipeline(
    path: Path, settings: Settings, transcripts: Transcripts | None = None, fault: Fault | None = None
) -> WiredPipeline:
    """Wire a pipeline file; `fault` is for tests.

    Raises:
        ConfigurationError: It, or anything that it names, cannot be used; the error names file and field.
    """
    table = read_pipeline_file(path)
    model = None if table.model is None else make_model(table.model, path)
    loader = _Loader(path, model, settings, fault)
    bindings = [loader.producer(item, number) for number, item in enumerate(table.producers)]
    with about(f"{path} producers"):
        pipeline = Pipeline(bindings, policy=policy_of(table.policy), transcripts=transcripts)
    units = UnitFile(path.parent / table.run.input, table.run.key, settings.max_record_bytes)
    return WiredPipeline(path, table, pipeline, units, model, loader.kinds, tuple(loader.steps), loader.validators)


def _present(*names: str | None) -> list[str]:
    return [name for name in names if name is not None]


class _Loader:
    """Loads what a pipeline file names."""

    def __init__(self, path: Path, model: Model | None, settings: Settings, fault: Fault | None) -> None:
        self._path = path
        self._folder = path.parent
        self._model = model
        self._settings = settings
        self._fault = fault
        self.kinds = RecordKinds(path.parent, model, settings)
        self.steps: list[RecordStep] = []
        self.validators = ValidatorLoader(path, settings, self.kinds)

    def producer(self, table: ProducerTable, number: int) -> ProducerBinding[Any]:
        where = f"{self._path} producers[{number}]"
        check_fields(table, where)
        own: Sequence[ValidatorBinding[Any]] = ()
        fixed = Policy()
        if table.kind in RECORD_KINDS:
            step = self.kinds.step(table, where, is_first=number == 0)
            self.steps.append(step)
            maker, own = step.binding.producer, step.binding.validators
            fixed = step.binding.policy
        elif table.kind == STRUCTURED:
            maker = self._structured(table, where, is_first=number == 0)
        else:
            maker = self._foreign(table, where)
        if self._fault is not None:
            maker = FaultyProducer(maker, self._fault)
        is_record = table.kind in RECORD_KINDS and table.kind != ANSWER
        validators = [
            self.validators.binding(item, f"{where}.validators[{number}]", is_record=is_record)
            for number, item in enumerate(table.validators)
        ]
        budgets = budgets_of(table, has_model=self._model is not None)
        with about(where):
            return ProducerBinding(
                id=table.id,
                producer=maker,
                validators=[*own, *validators],
                retries=budgets.retries,
                correction=budgets.correction,
                stop_when_stuck=table.stop_when_stuck,
                policy=policy_of(table.policy, fixed),
            )

    def _structured(self, table: ProducerTable, where: str, *, is_first: bool) -> Producer[Any]:
        if self._model is None:
            raise refused("a structured producer needs a model", where, "add a table [model]", code="no_model")
        if table.prompt is None or table.schema is None:
            name = "prompt" if table.prompt is None else "schema"
            raise refused(f"the field {name} is missing", f"{where}.{name}", "add it", code="missing_field")
        if table.settings is not None:
            raise refused("settings are for entry points", f"{where}.settings", "take it out")
        with about(f"{where}.schema"):
            content = self._json(table.schema)
            if not isinstance(content, dict):
                raise refused("the schema is no object", str(self._folder / table.schema), "correct it")
            output = StructuredOutput.of_schema(
                content,
                name=table.id,
                via=table.via or "schema",
                structure_repairs=budgets_of(table, has_model=True).structure_repairs,
            )
        with about(f"{where}.prompt"):
            prompt = Prompt.load(self._folder / table.prompt)
            if is_first and "previous" in prompt.variables:
                raise refused(
                    "the first producer has no previous value", prompt.where, "take previous out", code="invalid_prompt"
                )
            return StructuredProducer(self._model, prompt, output)

    def _foreign(self, table: ProducerTable, where: str) -> Producer[Any]:
        make = load_entry_point(PRODUCERS, table.kind, f"{where}.kind")
        if make is None:
            known = ", ".join([*KINDS, *known_entry_points(PRODUCERS)])
            raise refused(
                f"there is no producer {table.kind}", f"{where}.kind", f"use {known}", code="unknown_producer"
            )
        for name in ("prompt", "schema", "via", "structure_repairs"):
            if getattr(table, name) is not None:
                raise refused(f"{name} is for structured producers", f"{where}.{name}", "put it under settings")
        settings = dict(table.settings or {})
        made: Producer[Any]
        made, error = call_foreign(lambda: make(model=self._model, settings=settings, folder=self._folder))
        if isinstance(error, ConfigurationError):
            raise moved(error, where)
        if error is None and callable(getattr(made, "produce", None)):
            return JsonProducer(made)
        # Its text stays out of ours.
        fault = "it has no produce" if error is None else type(error).__name__
        raise refused(
            f"the producer {table.kind} cannot be made ({fault})", where, "correct its settings", code="not_importable"
        )

    def _json(self, name: str) -> Any:  # noqa: ANN401 - JSON
        return read_json(self._folder / name, self._settings.max_record_bytes)
