"""Assembly: a whole record from its seed and what sources about the same product agree on, without any model.

Identity members come first, each in a pass of its own, because once one is known other sources may be out; then all
the rest is planned at once and judged together, as in a repair.  There is one such pass: what a second one could add
would go into rows that the first one took whole from one source.

Source: ADR 0011; records.md section 6.
"""

from dataclasses import dataclass, field

from veracord.composer.judging import Panel
from veracord.composer.kept_plans import whole_plan
from veracord.composer.outcomes import Statuses
from veracord.composer.planning import Plan, unit_groups
from veracord.composer.synthesis_results import REQUEST_SEED
from veracord.composer.units import Unit
from veracord.errors import InputError
from veracord.records.matching import EvidenceIndex, Match
from veracord.records.pointers import Tokens
from veracord.records.profiles import Profile
from veracord.records.values import JsonObject
from veracord.records.violations import Finding


@dataclass(frozen=True, slots=True)
class Basis:
    """What a record may be built from.

    Attributes:
        record: The seed with the identity members that evidence adds.
        match: The sources that are about its product.
        plan: All that they add.
        identity: The units that added identity members.
    """

    record: JsonObject
    match: Match
    plan: Plan
    identity: dict[Tokens, Unit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Assembly:
    """A record as far as it could be put together.

    Attributes:
        record: It; shares with the seed what was not changed.
        findings: Its violations.
        filled: What was added, by place.
        basis: What it was built from.
    """

    record: JsonObject
    findings: list[Finding]
    filled: dict[Tokens, Unit]
    basis: Basis

    @property
    def conforms(self) -> bool:
        """Whether it has no violation."""
        return not self.findings


def basis_of(profile: Profile, record: JsonObject, index: EvidenceIndex, match: Match | None = None) -> Basis:
    """Return what a record may be built from, as far as its identity is known.

    Args:
        profile: What the record must be.
        record: It.
        index: The evidence.
        match: What of it is about the product of the record, where that is known already.

    Raises:
        InputError: A source has the id that stands for the seed.
    """
    # Nothing of a seed counts as absent because it violates: one that does is refused before.
    match = index.match(record, ()) if match is None else match
    if any(source.evidence_id == REQUEST_SEED for source in match.sources):
        raise InputError(
            f"an evidence item has the id {REQUEST_SEED}, which stands for the seed",
            remedy="give it another id",
            code="reserved_evidence_id",
        )
    if match.key is None or not match.sources:
        return Basis(record, match, Plan((), {}, Statuses()))
    return Basis(record, match, whole_plan(profile, record, index, match))


def assemble(
    profile: Profile, seed: JsonObject, index: EvidenceIndex, findings: list[Finding], match: Match | None = None
) -> Assembly:
    """Put together what a seed and the evidence about its product say.

    Args:
        profile: What the record must be.
        seed: What is known of it; it is not changed.
        index: The evidence.
        findings: The violations of the seed.
        match: What of the evidence is about its product, where that is known already.
    """
    basis = basis_of(profile, seed, index, match)
    while True:
        panel = Panel(profile, basis.record, findings, ())
        for units, is_identity in unit_groups(profile, basis.plan.units):
            judgement = panel.judge(units)
            basis.plan.statuses.merge(judgement.statuses)
            if is_identity and judgement.units:
                findings, known = judgement.findings, basis.identity | judgement.units
                found = basis_of(profile, judgement.record, index)
                basis = Basis(found.record, found.match, found.plan, known)
                break
            if not is_identity:
                filled = basis.identity | judgement.units
                return Assembly(judgement.record, judgement.findings, filled, basis)
        else:
            return Assembly(basis.record, findings, basis.identity, basis)
