"""What a pipeline file may say: its tables and fields, read and checked before anything else happens.

Unknown tables and fields are refused.  Paths are relative to the file.
"""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from veracord.errors import ConfigurationError, InputError, system_remedy
from veracord.pipeline import Disposition, Policy
from veracord.pipeline.bindings import CorrectionMode
from veracord.promptkit.structured_output import Via
from veracord.records.pointers import is_pointer

Count = Annotated[int, Meta(ge=0, le=10_000)]
Positive = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
#: No system takes a zero character in a name of a file.
FileName = Annotated[str, Meta(min_length=1, max_length=4096, pattern=r"^[^\x00]*\Z")]
#: Servers take no other names for a schema or a tool, and ids of producers become such names.
Id = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
#: Few keys look like this, so that a key in the place of a name is noticed.
Variable = Annotated[str, Meta(max_length=200, pattern=r"^[A-Za-z_][A-Za-z0-9_]*\Z")]
Disposed = Literal["fail_run", "warn_continue"]
Structured = Literal["json_schema", "json_schema_strict", "json_object", "none"]
Adapter = Literal["chat_completions", "anthropic", "llama_cpp", "cassette"]

_AT: Final = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?$", re.DOTALL)
_T = TypeVar("_T")


class _Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table whose every field is known."""


class RunTable(_Table, frozen=True):
    """What is done, and where results go.

    Attributes:
        name: A name for the run.
        input: A JSON Lines file, one unit a line.
        key: Pointer to a unit's key; without one, the number of its line.
        output: The file for results; without one they go to standard output.
        concurrency: How many units are in flight.
    """

    name: Name
    input: FileName
    key: str | None = None
    output: FileName | None = None
    concurrency: Annotated[int, Meta(ge=1, le=10_000)] = 64


class ModelTable(_Table, frozen=True):
    """Who is asked.

    Attributes:
        adapter: How it is spoken to.
        base_url: Its address; for the adapters that go over HTTP.
        name: Its name there.
        api_key_env: The name of the variable that holds the key; an absent variable: no key is sent.
        path: The model file of `llama_cpp`, or the file of `cassette`.
        temperature: Sampling; left to the model where absent, as are the others.
        max_tokens: The longest answer.
        seed: For repeatable sampling.
        structured: How a server is told the form of an answer.
        output_limit: For `chat_completions`: what the server calls the token limit.
        context_tokens: For `llama_cpp`: the room for prompt and answer.
        threads: For `llama_cpp`.
        timeout_s: The longest wait for one answer.
        total_time_s: The longest time for one request with all that is sent again.
        transport_retries: How often a request is sent again after a failure on the way.
        requests_per_minute: A limit that requests wait for.
        tokens_per_minute: The same, on tokens read and written.
        max_cost_usd: A ceiling; the run ends before the request that could pass it.
        price_per_mtok_in: Price of a million tokens read, in US dollars.
        price_per_mtok_out: Price of a million tokens written.
    """

    adapter: Adapter
    base_url: Name | None = None
    name: Name | None = None
    api_key_env: Variable | None = None
    path: FileName | None = None
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    max_tokens: Positive | None = None
    seed: int | None = None
    structured: Structured | None = None
    output_limit: Literal["max_tokens", "max_completion_tokens"] | None = None
    context_tokens: Positive | None = None
    threads: Positive | None = None
    timeout_s: Seconds | None = None
    total_time_s: Seconds | None = None
    transport_retries: Annotated[int, Meta(ge=0, le=100)] | None = None
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    max_cost_usd: Annotated[Decimal, Meta()] | None = None
    price_per_mtok_in: Decimal | None = None
    price_per_mtok_out: Decimal | None = None


class AnswersTable(_Table, frozen=True):
    """What may be chosen about answers; see `veracord.AnswerSettings`.

    Attributes:
        evidence_characters: How much evidence a model is shown.
        decomposes: Whether a model splits an answer into claims, too.
        supports: Whether a model is asked about claims that no rule decides.
    """

    evidence_characters: Annotated[int, Meta(ge=1, le=10_000_000)] | UnsetType = UNSET
    decomposes: bool | UnsetType = UNSET
    supports: bool | UnsetType = UNSET


class _AnswersFile(_Table, frozen=True):
    """A file of which only the table `answers` is looked at."""

    answers: AnswersTable


class _ModelFile(_Table, frozen=True):
    """A file of which only the table `model` is looked at."""

    model: ModelTable


class PolicyTable(_Table, frozen=True):
    """What is done about outcomes; see `veracord.pipeline.Policy`."""

    structural_failure: Disposed | UnsetType = UNSET
    rejection: Disposed | UnsetType = UNSET
    validator_execution_failure: Disposed | UnsetType = UNSET
    refusal: Disposed | UnsetType = UNSET
    truncation: Disposed | UnsetType = UNSET
    transport_failure: Disposed | UnsetType = UNSET


class ValidatorTable(_Table, frozen=True):
    """One validator; see `veracord.pipeline.ValidatorBinding`.

    Attributes:
        id: What names it.
        use: ``module:name`` beside the file, ``jsonschema:FILE``, ``profile:NAME``, ``grounding``, or the name of an
            entry point.
        evidence: Of `grounding`: files and folders; without them, the `evidence` of each unit.
        execution_retries: How often it is run again when it could not check.
        timeout_s: After how many seconds it could not.
        isolate: Whether it runs in a child process.
        version: Its version.
    """

    id: Id
    use: FileName
    evidence: FileName | tuple[FileName, ...] | None = None
    execution_retries: Count = 1
    timeout_s: Seconds | None = None
    isolate: bool = False
    version: str = ""


class ProducerTable(_Table, frozen=True):
    """One producer; see `veracord.pipeline.ProducerBinding`.

    Attributes:
        id: What names it.
        kind: ``structured``, ``repair``, ``synthesis``, ``answer``, or the name of an entry point.
        prompt: The prompt file of `structured`.
        schema: The JSON Schema file of `structured`.
        via: How the form is asked for: as an output schema, as a tool, or in the prompt alone.
        retries: How many attempts may follow the first; one where it is absent.
        structure_repairs: Of `structured`: how often an answer of the wrong form is asked for again, in each attempt;
            once where it is absent.
        correction: ``auto``, ``required`` or ``off``; ``auto`` where it is absent.
        stop_when_stuck: Whether the same answer with the same defects ends the attempts.
        settings: What an entry point is told.
        profile: Of `repair`, `synthesis` and, if need be, `answer`: a bundled name, or a ``.toml`` file.
        evidence: Of the same: files and folders.
        suggest: Of `repair`: whether the model is asked for suggestions; it is where this is absent.
        answers: Of `answer`: what may be chosen about answers.
        validators: What candidates must pass, in this order.
        policy: What overrides the policy of the file.
    """

    id: Id
    kind: Name = "structured"
    prompt: FileName | None = None
    schema: FileName | None = None
    via: Via | None = None
    retries: Count | None = None
    structure_repairs: Count | None = None
    correction: CorrectionMode | None = None
    stop_when_stuck: bool = False
    settings: dict[str, object] | None = None
    profile: FileName | None = None
    evidence: FileName | tuple[FileName, ...] | None = None
    suggest: bool | None = None
    answers: AnswersTable | None = None
    validators: tuple[ValidatorTable, ...] = ()
    policy: PolicyTable = PolicyTable()


class PipelineTable(_Table, frozen=True, kw_only=True):
    """A whole pipeline file."""

    run: RunTable
    model: ModelTable | None = None
    policy: PolicyTable = PolicyTable()
    producers: Annotated[tuple[ProducerTable, ...], Meta(min_length=1)]


def read_pipeline_file(path: Path) -> PipelineTable:
    """Read a pipeline file.

    Raises:
        ConfigurationError: It cannot be read, is no TOML, or has a field that is unknown or not what it must be; the
            error names file and field.
    """
    where = str(path)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"), parse_float=Decimal)
    except OSError as error:
        remedy = system_remedy(error)
        raise ConfigurationError(
            "the pipeline file cannot be read", where=where, remedy=remedy, code="unreadable_file"
        ) from None
    except UnicodeDecodeError:
        raise refused("the pipeline file is not UTF-8", where, "save it as UTF-8", code="invalid_toml") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at ([^)]*)\)", str(error))
        raise refused(
            "the pipeline file is not TOML",
            f"{where} {place[1] if place else ''}".strip(),
            "correct it",
            code="invalid_toml",
        ) from None
    table = _convert(document, PipelineTable, where)
    if table.run.key is not None and not is_pointer(table.run.key):
        raise refused("the key is no pointer", f"{where} run.key", 'write it like "/id"')
    return table


def read_model_table(table: object, where: str) -> ModelTable:
    """Return a table `model` that stands in another file than a pipeline file.

    Raises:
        ConfigurationError: It has a field that is unknown or not what it must be; the error names file and field.
    """
    return _convert({"model": table}, _ModelFile, where).model


def read_answers_table(table: object, where: str) -> AnswersTable:
    """Return a table `answers` that stands in another file than a pipeline file.

    Raises:
        ConfigurationError: It has a field that is unknown or not what it must be; the error names file and field.
    """
    return _convert({"answers": table}, _AnswersFile, where).answers


def _convert(document: object, kind: type[_T], where: str) -> _T:
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        message = str(error)
    found = _AT.match(message)
    what, field = (found["what"], found["where"] or "") if found else (message, "")
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL)
    missing = re.fullmatch(r"Object missing required field `(.*)`", what, re.DOTALL)
    if unknown:
        raise refused(f"unknown field {unknown[1]}", f"{where} {field}".strip(), "take it out", code="unknown_field")
    if missing:
        name = f"{field}.{missing[1]}".strip(".")
        raise refused(f"the field {missing[1]} is missing", f"{where} {name}", "add it", code="missing_field")
    kinds = {"adapter": Adapter, "correction": CorrectionMode, "via": Via, "structured": Structured}
    allowed = kinds.get(field.rpartition(".")[2], Disposed if ".policy" in f".{field}" else None)
    remedy = f"use {', '.join(get_args(allowed))}" if what.startswith("Invalid enum") and allowed else "correct it"
    raise refused(what[:1].lower() + what[1:], f"{where} {field}".strip(), remedy)


def refused(what: str, where: str, remedy: str, *, code: str = "invalid_pipeline") -> ConfigurationError:
    """Return the error for a pipeline file that cannot be used."""
    return ConfigurationError(what, where=where, remedy=remedy, code=code)


def moved(error: ConfigurationError | InputError, where: str) -> ConfigurationError:
    """Return an error about a part of a pipeline file, with the field that named the part before its own place."""
    place = f"{where}: {error.where}" if error.where else where
    return ConfigurationError(error.what, where=place, remedy=error.remedy, code=error.code, details=error.details)


@contextmanager
def about(where: str) -> Iterator[None]:
    """Tell the field that an error is about."""
    try:
        yield
    except (ConfigurationError, InputError) as error:
        raise moved(error, where) from None


def policy_of(table: PolicyTable, fixed: Policy | None = None) -> Policy:
    """Return the policy that a table states; what is fixed for a kind of producer stands over it."""
    chosen = {name: Disposition(value) for name, value in structs.asdict(table).items() if isinstance(value, str)}
    named = {} if fixed is None else {item.name: getattr(fixed, item.name) for item in fields(fixed)}
    return Policy(**chosen | {name: value for name, value in named.items() if isinstance(value, Disposition)})
