"""Repair: exact values from same-product structured evidence for what violates, and nothing else.

Values are looked up, never generated.  A repair goes in passes: each lists the violations of the record as it
stands, matches the sources, plans one candidate for each leaf (`veracord.composer.planning`) and judges the
candidates together (`veracord.composer.judging`, which states the search it does and its bound).  Identity members
are filled first, each in a pass of its own: once one is known, other sources may be out.  A repair ends with a pass
that fills nothing, so repairing a repaired record changes nothing; each other pass fills at least one leaf that was
violating or missing, so it does end.

Source: ADR 0011; records.md sections 1 to 4.
"""

from collections.abc import Mapping
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
from veracord.errors import InputError
from veracord.records.evidence import EvidencePack
from veracord.records.intake import from_python
from veracord.records.matching import EvidenceIndex, Match
from veracord.records.pointers import Tokens
from veracord.records.profiles import Profile
from veracord.records.reading import Document
from veracord.records.values import JsonObject
from veracord.records.violations import Finding

#: What results name as their maker.
TOOL: Final = f"veracord {__version__}"


@dataclass(slots=True)
class _Repair:
    """A repair under way."""

    profile: Profile
    record: JsonObject
    findings: list[Finding]
    match: Match
    filled: dict[Tokens, Unit] = field(default_factory=dict)
    plan: Plan | None = None
    statuses: Statuses = field(default_factory=Statuses)
    beyond_bound: int = 0
    identity_changed: bool = False
    unfinished: frozenset[Tokens] = frozenset()

    def run(self, index: EvidenceIndex) -> None:
        """Do passes until one fills nothing."""
        while (self.findings or self.unfinished) and self.match.key is not None and self._pass():
            if self.identity_changed:
                self.match = index.match(self.record, [f.tokens for f in self.findings])

    def _pass(self) -> bool:
        """Do one pass; return whether it filled anything."""
        plan = Planner(self.profile, self.record, self.findings, self.match, self.unfinished).plan()
        panel = Panel(self.profile, self.record, self.findings, plan.targets)
        self.plan, self.statuses, self.beyond_bound = plan, plan.statuses, 0
        for units, is_identity in unit_groups(self.profile, plan.units):
            judgement = panel.judge(units)
            self.statuses.merge(judgement.statuses)
            self.beyond_bound = judgement.beyond_bound
            if judgement.units:
                self._accept(judgement, identity_changed=is_identity)
                return True
        return False

    def _accept(self, judgement: Judgement, *, identity_changed: bool) -> None:
        """Take over what a pass filled."""
        self.identity_changed = identity_changed
        # The rest of an object that an identity member began is filled by a later pass, from what then matches.
        self.unfinished = (
            (self.unfinished | objects_begun(self.record, judgement.units)) if identity_changed else frozenset()
        )
        self.record = judgement.record
        self.findings = judgement.findings
        self.filled |= judgement.units


def repair_record(
    profile: Profile,
    document: Document,
    evidence: EvidencePack | EvidenceIndex,
    origins: Mapping[str, str] | None = None,
) -> RepairResult:
    """Fill what violates from evidence about the same product, exactly, and say why the rest stays.

    Args:
        profile: What the record must be.
        document: The record.  It is not changed.
        evidence: The evidence, or its index.
        origins: Origins of the record's leaves, by pointer, as they came with it.

    Returns:
        The repaired record with its fills, and every violation that stays with its outcome.  Nobody was asked for
        suggestions: `suggestions_status` is ``none_needed`` or ``no_model``.
    """
    index = evidence if isinstance(evidence, EvidenceIndex) else EvidenceIndex.of(evidence, profile.identity)
    findings = profile.findings(document.value)
    state = _Repair(profile, document.value, findings, index.match(document.value, [f.tokens for f in findings]))
    state.run(index)
    reporter = Reporter(findings, state.findings, state.filled, Judge(profile, document.value, findings))
    return RepairResult(
        profile=profile.label,
        profile_digest=profile.digest,
        schema_digest=profile.schema_digest,
        tool=TOOL,
        document=document,
        record=state.record,
        conforms=not state.findings,
        fills=reporter.fills(state.match),
        unresolved=reporter.unresolved(profile, state.record, state.match, state.plan, state.statuses),
        sources=index.rows(state.match),
        suggestions_status="no_model" if state.findings else "none_needed",
        suppressed={"search_bound": state.beyond_bound} if state.beyond_bound else {},
        filled=tuple(state.filled),
        input_origins=dict(origins or {}),
        findings=tuple(state.findings),
    )


def document_of(record: JsonObject | Document) -> Document:
    """Return a record that may come as Python objects as a document, checked; a document as it is.

    Raises:
        InputError: The record is no JSON object, or beyond the limits of the strict reader.
    """
    if isinstance(record, Document):
        return record
    value = from_python(record, where="the record")
    if not isinstance(value, dict):
        raise InputError("the record is not a JSON object", remedy="a record is one object", code="not_an_object")
    return Document(value, b"", "")
