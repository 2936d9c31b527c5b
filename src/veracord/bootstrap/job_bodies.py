"""What a run that a caller asks for is made of, as it is kept, and the pipeline that it becomes."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from veracord import __version__
from veracord.bootstrap.budgets import ANSWER, REPAIR
from veracord.bootstrap.composing import Composing, ProfileWish
from veracord.bootstrap.record_kinds import pack_digest, record_binding
from veracord.bootstrap.record_steps import LedgerSlot, RecordParts
from veracord.bootstrap.unit_files import unit_key
from veracord.errors import InputError
from veracord.pipeline import Disposition, Pipeline, Policy
from veracord.pipeline.candidates import Unit
from veracord.pipeline.policies import resolve_policy
from veracord.pipeline.runs import RunSpec
from veracord.records.evidence import EvidencePack
from veracord.records.pointers import get, split
from veracord.records.profiles import Profile
from veracord.records.reading import MAX_DEPTH, read_value
from veracord.records.values import JsonObject, JsonValue, digest
from veracord.records.writing import write_json

_INPUT: Final = "HTTP"
_MOST_BYTES: Final = 1024 * 1024 * 1024
_LEVELS: Final = MAX_DEPTH + 6
#: One record that cannot be done ends no run of many.
_POLICY: Final = Policy(
    structural_failure=Disposition.WARN_CONTINUE,
    rejection=Disposition.WARN_CONTINUE,
    validator_execution_failure=Disposition.WARN_CONTINUE,
    refusal=Disposition.WARN_CONTINUE,
    truncation=Disposition.WARN_CONTINUE,
    transport_failure=Disposition.WARN_CONTINUE,
)


@dataclass(frozen=True, slots=True)
class JobBody:
    """What a run is made of.

    Attributes:
        nonce: Tells it from another one of the same content.
        wanted: What the caller asked for.
        parts: What else decides results, by name, as it was when it was asked for.
        facts: What the manifest tells.
    """

    nonce: str
    wanted: Mapping[str, Any] = field(repr=False)
    parts: Mapping[str, str]
    facts: JsonObject

    @classmethod
    def of(cls, wanted: Mapping[str, Any], composing: Composing, nonce: str) -> "JobBody":
        """Check what a caller asks for.

        Raises:
            InputError: Its profile, its evidence or the key of a unit cannot be used.
        """
        model = composing.model
        facts: JsonObject = {
            "policy": {wanted["kind"]: _policy_of(wanted["kind"])},
            "model": dict(model.settings) if model is not None else None,
            "versions": {"veracord": __version__, "python": platform.python_version()},
        }
        parts = {**_parts(wanted, composing), "request": digest(write_json([nonce, dict(wanted)]))}
        found = cls(nonce, wanted, parts, facts)
        found.units()
        return found

    @classmethod
    def read(cls, text: str) -> "JobBody":
        """Read what `to_text` gave."""
        members: Any = read_value(text.encode(), max_bytes=_MOST_BYTES, max_levels=_LEVELS)
        return cls(**members)

    def to_text(self) -> str:
        """Return what a store keeps."""
        told = {"nonce": self.nonce, "wanted": self.wanted, "parts": self.parts, "facts": self.facts}
        return write_json(told).decode()

    @property
    def spec(self) -> RunSpec:
        """What makes the run this run."""
        return RunSpec(str(self.wanted.get("name") or self.wanted["kind"]), _INPUT, self.parts, self.facts)

    def stands(self, composing: Composing) -> bool:
        """Whether its profile is what it was when the run was asked for."""
        return {**_parts(self.wanted, composing), "request": self.parts["request"]} == dict(self.parts)

    def units(self) -> list[Unit]:
        """Return the units of the run.

        Raises:
            InputError: A unit has no key (``no_key``), or two have the same (``duplicate_key``).
        """
        pointer = self.wanted.get("key")
        found: dict[str, Unit] = {}
        for number, record in enumerate(self.wanted["records"]):
            where = f"records/{number}"
            key = (
                str(number + 1)
                if pointer is None
                else unit_key(get(record, split(pointer)), where, "correct it, or key")
            )
            if key in found:
                raise InputError(
                    "two units have the same key", where=where, remedy="name another", code="duplicate_key"
                )
            found[key] = Unit(key, record, number, where)
        return list(found.values())

    def wired(self, composing: Composing) -> tuple[Pipeline, list[Unit]]:
        """Return the pipeline and its units."""
        kind = self.wanted["kind"]
        pack = EvidencePack.from_items(self.wanted.get("evidence", ()))
        profile = _profile(self.wanted, composing)
        parts = RecordParts(profile, pack, composing.model, LedgerSlot(composing.ledger), is_first=True)
        suggests = bool(self.wanted.get("suggest", True)) and composing.asks
        binding = record_binding(kind, kind, parts, suggests=suggests, answers=composing.answering)
        return Pipeline([binding], policy=_POLICY), self.units()


def _policy_of(kind: str) -> JsonValue:
    """Return what holds for a kind; what could not be checked is never accepted where something is claimed."""
    own = Policy() if kind == REPAIR else Policy(validator_execution_failure=Disposition.FAIL_RUN)
    return {name: dict(row) for name, row in resolve_policy(_POLICY, own).to_dict().items()}


def _parts(wanted: Mapping[str, Any], composing: Composing) -> dict[str, str]:
    profile = _profile(wanted, composing)
    kind = wanted["kind"]
    return {
        f"profile of {kind}": digest(f"{profile.digest} {profile.schema_digest}".encode()),
        f"evidence of {kind}": pack_digest(EvidencePack.from_items(wanted.get("evidence", ()))),
    }


def _profile(wanted: Mapping[str, Any], composing: Composing) -> Profile:
    if wanted["kind"] == ANSWER and wanted.get("profile") is None:
        return Profile.of_anything()
    return composing.profiles.find(ProfileWish(wanted.get("profile")))
