"""One synthesis: a seed with its evidence, what can be put together from it, and everything a record is held to.

Source: ADR 0011; records.md section 6.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from veracord.composer.assembly import Assembly, assemble
from veracord.composer.leaving_out import left_out
from veracord.composer.repair import TOOL
from veracord.composer.seeds import identity_problems, seed_leaves, seed_problems, survival_problems
from veracord.composer.support import Grounding, ground
from veracord.composer.synthesis_results import REQUEST_SEED, Method, SynthesisResult
from veracord.pipeline.verdicts import Defect
from veracord.records.matching import EvidenceIndex, Match
from veracord.records.pointers import get, join
from veracord.records.profiles import Profile
from veracord.records.reading import Document
from veracord.records.values import JsonObject, canonical, digest, equal
from veracord.records.violations import Finding

NO_IDENTITY: Final = "no_identity"

#: The one origin of a seed's leaf that says more than that the seed holds it.
DECLARED: Final = "declared"


@dataclass(frozen=True)
class SynthesisCase:
    """A seed and the evidence that a record is built from.

    Attributes:
        profile: What the record must be.
        index: The evidence.
        seed: What is known of the record.
        origins: Origins of the seed's leaves, by pointer.
    """

    profile: Profile
    index: EvidenceIndex
    seed: Document
    origins: Mapping[str, str] = field(default_factory=dict)
    _grounded: list[tuple[JsonObject, Grounding]] = field(default_factory=list, init=False, repr=False, compare=False)

    @cached_property
    def findings(self) -> list[Finding]:
        """The violations of the seed."""
        return self.profile.findings(self.seed.value)

    @cached_property
    def refusals(self) -> list[Defect]:
        """Why no record can come of the seed, whatever anybody writes; empty where one may."""
        problems = seed_problems(self.profile, self.seed.value, self.findings)
        if problems:
            return defects_of(problems)
        if not self.findings:
            return []
        if self._match.key is not None:
            return []
        why = f" ({self._match.detail})" if self._match.detail else ""
        fact = f"the seed does not say in full which product it is about{why}: "
        return [Defect(NO_IDENTITY, defect.path, fact + defect.fact) for defect in defects_of(self.findings)]

    @cached_property
    def assembly(self) -> Assembly:
        """What can be put together without a model."""
        return assemble(self.profile, self.seed.value, self.index, self.findings, self._match)

    @cached_property
    def _match(self) -> Match:
        """The evidence about the product that the seed names; none of its members counts as absent."""
        return self.index.match(self.seed.value, ())

    def grounding(self, record: JsonObject) -> Grounding:
        """Return what stands behind a record; see `veracord.composer.support.ground`."""
        for known, grounding in self._grounded:
            # The very object that was asked about last; nobody changes a record that was made.
            if known is record:
                return grounding
        basis = self.assembly.basis
        # What may be added depends on the seed, the evidence and the identity alone, whoever wrote the record.
        says_the_same = all(
            equal(get(record, member.tokens), get(basis.record, member.tokens))
            for member in self.profile.identity.all_members
        )
        used = basis if says_the_same else None
        grounding = ground(self.profile, self.seed.value, self.index, record, self.origins, basis=used)
        self._grounded[:] = [(record, grounding)]
        return grounding

    def result(self, record: JsonObject, grounding: Grounding, method: Method) -> SynthesisResult:
        """Return the result that a record is, if it is accepted."""
        return SynthesisResult(
            profile=self.profile.label,
            profile_digest=self.profile.digest,
            schema_digest=self.profile.schema_digest,
            tool=TOOL,
            seed=self.seed,
            seed_digest=self.seed_digest,
            record=record,
            support=grounding.rows,
            sources=self.index.rows(grounding.match),
            origins=self._origins(record, grounding),
            method=method,
            left_out=left_out(self.profile, self.assembly.basis, record),
        )

    @cached_property
    def seed_digest(self) -> str:
        """``sha256:<hex>`` of the canonical form of the seed."""
        return digest(canonical(self.seed.value))

    def conformance_problems(self, record: JsonObject) -> list[Defect]:
        """Return the violations of a record."""
        if record is self.assembly.record:
            # The very object that was judged; see `grounding`.
            return defects_of(self.assembly.findings)
        return [] if self.profile.conforms(record) else defects_of(self.profile.findings(record))

    def seed_losses(self, record: JsonObject) -> list[Defect]:
        """Return what of the seed a record lacks or says otherwise."""
        return [
            *survival_problems(self.profile, self.seed.value, record),
            *identity_problems(self.profile, self.seed.value, record),
        ]

    def _origins(self, record: JsonObject, grounding: Grounding) -> dict[str, str]:
        told = {row.path: "seed" if row.evidence_id == REQUEST_SEED else "evidence" for row in grounding.rows}
        if DECLARED in self.origins.values():
            for leaf in seed_leaves(self.profile, self.seed.value, record):
                is_declared = self.origins.get(join(leaf.place)) == DECLARED
                if is_declared and leaf.found_at is not None and told.get(join(leaf.found_at)) == "seed":
                    told[join(leaf.found_at)] = DECLARED
        return told


def defects_of(findings: list[Finding]) -> list[Defect]:
    """Return violations as defects."""
    return [Defect(finding.violation.rule, finding.violation.path, finding.violation.message) for finding in findings]
