"""What makes a run of a pipeline file this run: the digest of everything that the file names."""

import platform
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Final, Protocol

from veracord import __version__
from veracord.bootstrap.pipeline_tables import PipelineTable, ValidatorTable
from veracord.pipeline import Pipeline
from veracord.pipeline.runs import RunSpec
from veracord.ports import Model
from veracord.records.values import JsonObject, JsonValue, digest

#: Characters of a digest that tell one path from another.
_DIGEST: Final = 19


class Wired(Protocol):
    """A pipeline file with all its parts; see `veracord.bootstrap.pipelines.WiredPipeline`."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def table(self) -> PipelineTable:
        """What it says."""

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline."""

    @property
    def model(self) -> Model | None:
        """Who is asked, or None."""


def run_spec(wired: Wired, told: Mapping[str, str], name: str | None) -> RunSpec:
    """Return the spec of a run.

    Args:
        wired: The pipeline file with all its parts.
        told: Further parts that make the run this run, each with its digest.
        name: A name that takes the place of the one in the file.
    """
    table, model = wired.table, wired.model
    folder = wired.path.parent
    parts = {"pipeline file": _file_digest(wired.path), **told}
    for producer in table.producers:
        for kind, file in (("prompt", producer.prompt), ("schema", producer.schema)):
            if file is not None:
                parts[f"{kind} of {producer.id}"] = _file_digest(folder / file)
        for check in producer.validators:
            parts[f"validator {producer.id}/{check.id}"] = validator_version(folder, check)
    policies: JsonObject = {item: _json(policy.to_dict()) for item, policy in wired.pipeline.policies.items()}
    facts: JsonObject = {
        "policy": policies,
        "model": dict(model.settings) if model is not None else None,
        "versions": {"veracord": __version__, "python": platform.python_version()},
    }
    return RunSpec(name or table.run.name, _told_path(table.run.input), parts, facts)


def _told_path(name: str) -> str:
    """Return a path that says nothing of this machine: of one from the root, its last part and a digest."""
    path = PurePath(name)
    return f"{path.name} ({digest(name.encode())[:_DIGEST]})" if path.is_absolute() else name


def validator_version(folder: Path, check: ValidatorTable) -> str:
    """Return the declared version of a validator; where there is none, the digest of the file that it comes from."""
    if check.version:
        return check.version
    kind, _, name = check.use.partition(":")
    file = folder / name if kind in ("jsonschema", "profile") else folder.joinpath(*kind.split(".")).with_suffix(".py")
    return _file_digest(file) if file.is_file() else check.use


def _file_digest(path: Path) -> str:
    return digest(path.read_bytes())


def _json(policy: dict[str, dict[str, str]]) -> JsonValue:
    return {name: dict(row) for name, row in policy.items()}
