"""Produce, validate, correct, decide: a typed pipeline in which validators report facts and the pipeline decides.

The public names are listed in ``__all__``; everything else is private.
"""

from veracord.pipeline.bindings import ProducerBinding
from veracord.pipeline.candidates import SINGLE_RESPONSE_V1, Attempt, Candidate, Correction, Producer, Unit
from veracord.pipeline.outcomes import Check, Outcome, Receipt, UnitResult
from veracord.pipeline.policies import Disposition, Policy, ResolvedPolicy
from veracord.pipeline.runner import AsyncPipeline, Pipeline
from veracord.pipeline.runs import RunSpec
from veracord.pipeline.stores import Store, StoredRun
from veracord.pipeline.validators import Findings, UnitValidator, Validator, ValidatorBinding
from veracord.pipeline.verdicts import Defect, Verdict
from veracord.pipeline.workers import RunReport

__all__ = [
    "SINGLE_RESPONSE_V1",
    "AsyncPipeline",
    "Attempt",
    "Candidate",
    "Check",
    "Correction",
    "Defect",
    "Disposition",
    "Findings",
    "Outcome",
    "Pipeline",
    "Policy",
    "Producer",
    "ProducerBinding",
    "Receipt",
    "ResolvedPolicy",
    "RunReport",
    "RunSpec",
    "Store",
    "StoredRun",
    "Unit",
    "UnitResult",
    "UnitValidator",
    "Validator",
    "ValidatorBinding",
    "Verdict",
]
