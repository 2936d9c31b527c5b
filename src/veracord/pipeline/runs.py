"""What a run is to a store: its identity, its lease, and what is handed over when a unit ends.

Source: ADR-0014 (checkpoint safety); runs.md of the project's design.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from veracord.errors import PipelineError
from veracord.pipeline.outcomes import Outcome, Receipt, UnitResult
from veracord.records.values import JsonObject, canonical, digest

_ID_LENGTH = 16


@dataclass(frozen=True, slots=True)
class RunSpec:
    """What makes a run this run, beside the content of its input.

    Attributes:
        name: Its name.
        input: The path of its input, as it was written.
        parts: The version or digest of everything that decides results: file, prompts, schemas, validators.
        facts: What the manifest tells of it: resolved policy with origins, versions, model settings.
    """

    name: str
    input: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    facts: JsonObject = field(default_factory=dict)

    @property
    def spec_digest(self) -> str:
        """``sha256:<hex>`` of the parts."""
        return digest(canonical(dict(self.parts)))

    @property
    def run_id(self) -> str:
        """The identity of the run: 16 hexadecimal digits of its name, parts and input path."""
        own = digest(canonical([self.name, self.spec_digest, self.input]))
        return own.removeprefix("sha256:")[:_ID_LENGTH]


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a run, until somebody else has it.

    Attributes:
        run_id: Of which run.
        epoch: The number of this start, from 1.
        salt: The key under which this store makes digests of requests.
        is_resumed: Whether the run had been started before.
        is_planned: Whether all its units are known.
    """

    run_id: str
    epoch: int
    salt: bytes = field(default=b"", repr=False)
    is_resumed: bool = False
    is_planned: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to settle one unit.

    Attributes:
        position: Which unit.
        fence: Grows with every claim of the unit; only the latest may settle it.
    """

    position: int
    fence: int


@dataclass(frozen=True, slots=True)
class StepRecord:
    """The accepted value of one producer, with what it was made from.

    Attributes:
        producer_id: Whose.
        request_key: What the request was, its model included.
        result_key: The same, and what it was checked by.
        value: The value, as JSON.
    """

    producer_id: str
    request_key: str
    result_key: str
    value: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Settlement:
    """Everything that is kept of a unit when it ends, in one transaction.

    Attributes:
        result: How it ended.
        receipts: What happened in each attempt that is not kept yet.
        records: The accepted values that are not kept yet; none of a step at or behind one that is incomplete.
    """

    result: UnitResult[Any]
    receipts: Sequence[Receipt] = ()
    records: Sequence[StepRecord] = ()


def lease_lost() -> PipelineError:
    """Return the error of a process whose run somebody else works on."""
    return PipelineError(
        "another process works on this run", remedy="look at it with `veracord runs show`", code="lease_lost"
    )


#: What a resumed run does again, besides what it never did.
DONE_AGAIN = (Outcome.ACCEPTED_INCOMPLETE, Outcome.CANCELLED)
