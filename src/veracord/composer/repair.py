"""Repair: exact values from same-product structured evidence for what violates, and nothing else.

Values are looked up, never generated.  A repair goes in passes: each lists the violations of the record as it
stands, matches the sources, plans one candidate for each leaf (`veracord.composer.planning`) and judges the
candidates together (`veracord.composer.judging`, which states the search it does and its bound).  Identity members
are filled first, each in a pass of its own: once one is known, other sources may be out.  A repair ends with a pass
that fills nothing, so repairing a repaired record changes nothing; each other pass fills at least one leaf that was
violating or missing, so it does end.

Source: ADR 0011; records.md sections 1 to 4.
"""

from dataclasses import dataclass, field
from typing import Final

from veracord import __version__
from veracord.composer.judging import Judgement, Panel
from veracord.composer.masking import Judge
from veracord.composer.outcomes import Statuses
from veracord.composer.planning import Plan, Planner, objects_begun, unit_groups
from veracord.composer.reporting import Reporter
from veracord.composer.results import RepairResult
from veracord.composer.units import Unit
from veracord.errors import ConfigurationError, InputError
from veracord.records.evidence import EvidencePack
from veracord.records.intake import from_python
from veracord.records.matching import EvidenceIndex, Match
from veracord.records.pointers import Tokens
from veracord.records.profiles import Profile
from veracord.records.reading import Document
from veracord.records.values import JsonObject
from veracord.records.violations import Finding

_TOOL: Final = f"veracord {__version__}"


@dataclass(slots=True)
class _Repair:
    """A repair under way."""

    record: JsonObject
    findings: list[Finding]
    match: Match
    filled: dict[Tokens, Unit] = field(default_factory=dict)
    plan: Plan | None = None
    statuses: Statuses = field(default_factory=Statuses)
    beyond_bound: int = 0
    identity_changed: bool = False
    unfinished: frozenset[Tokens] = frozenset()

    def accept(self, judgement: Judgement, *, identity_changed: bool) -> None:
        """Take over what a pass filled."""
        self.identity_changed = identity_changed
        # The rest of an object that an identity member began is filled by a later pass, from what then matches.
        self.unfinished = (
            (self.unfinished | objects_begun(self.record, judgement.units)) if identity_changed else frozenset()
        )
        self.record = judgement.record
        self.findings = judgement.findings
        self.filled |= judgement.units


class RecordComposer:
    """Completes records of one profile."""

    def __init__(self, profile: Profile, model: None = None) -> None:
        """Remember the profile.

        Args:
            profile: What the records must be.
            model: None: this version has no model adapters, and repair needs none.

        Raises:
            ConfigurationError: A model was given.
        """
        if model is not None:
            raise ConfigurationError(
                "this version takes no model", remedy="leave model out; repair needs none", code="no_model_adapter"
            )
        self.profile = profile

    def repair(
        self,
        record: JsonObject | Document,
        pack: EvidencePack,
        *,
        suggest_from_training: bool = True,
        origins: dict[str, str] | None = None,
    ) -> RepairResult:
        """Fill what violates from evidence about the same product, exactly, and say why the rest stays.

        Args:
            record: The record; numbers may be int, float or Decimal.  It is not changed.  A `Document` keeps the
                text it was read from.
            pack: The evidence.
            suggest_from_training: Whether a model may propose values for what stays; without a model nothing does.
            origins: Origins of the record's leaves, by pointer, as they came with it.

        Returns:
            The repaired record with its fills, and every violation that stays with its outcome.

        Raises:
            InputError: The record is no JSON object, or beyond the limits of the strict reader.
        """
        document = record if isinstance(record, Document) else _document(record)
        index = EvidenceIndex.of(pack, self.profile.identity)
        findings = self.profile.findings(document.value)
        state = _Repair(document.value, findings, index.match(document.value, [f.tokens for f in findings]))
        while (state.findings or state.unfinished) and state.match.key is not None and self._pass(state):
            if state.identity_changed:
                state.match = index.match(state.record, [f.tokens for f in state.findings])
        reporter = Reporter(findings, state.findings, state.filled, Judge(self.profile, document.value, findings))
        status = "none_needed" if not state.findings else "no_model"
        return RepairResult(
            profile=self.profile.label,
            profile_digest=self.profile.digest,
            schema_digest=self.profile.schema_digest,
            tool=_TOOL,
            document=document,
            record=state.record,
            conforms=not state.findings,
            fills=reporter.fills(state.match),
            unresolved=reporter.unresolved(self.profile, state.record, state.match, state.plan, state.statuses),
            sources=index.rows(state.match),
            suggestions_status=status if suggest_from_training else "off",
            suppressed={"search_bound": state.beyond_bound} if state.beyond_bound else {},
            filled=tuple(state.filled),
            input_origins=dict(origins or {}),
        )

    def _pass(self, state: _Repair) -> bool:
        """Do one pass; return whether it filled anything."""
        plan = Planner(self.profile, state.record, state.findings, state.match, state.unfinished).plan()
        panel = Panel(self.profile, state.record, state.findings, plan.targets)
        state.plan, state.statuses, state.beyond_bound = plan, plan.statuses, 0
        for units, is_identity in unit_groups(self.profile, plan.units):
            judgement = panel.judge(units)
            state.statuses.merge(judgement.statuses)
            state.beyond_bound = judgement.beyond_bound
            if judgement.units:
                state.accept(judgement, identity_changed=is_identity)
                return True
        return False


def _document(record: JsonObject) -> Document:
    value = from_python(record, where="the record")
    if not isinstance(value, dict):
        raise InputError("the record is not a JSON object", remedy="a record is one object", code="not_an_object")
    return Document(value, b"", "")
