"""Veracord completes structured records so that no guess ever passes for a fact.

The public names are listed in ``__all__``; everything else is private.  They are imported on first
use, because a command that only prints its help must not pay for the validator.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veracord.answers.codes import AbstentionCode
    from veracord.answers.results import Abstention, AnswerClaim, Citation, GroundedAnswer
    from veracord.answers.settings import AnswerSettings
    from veracord.composer.record_composer import RecordComposer
    from veracord.composer.results import Fill, RepairResult, Unresolved
    from veracord.composer.suggestions import Suggestion
    from veracord.composer.synthesis_results import SynthesisResult
    from veracord.errors import (
        ConfigurationError,
        InputError,
        ModelCeilingError,
        ModelError,
        ModelOutputError,
        ModelRateLimitedError,
        ModelRefusedError,
        ModelTruncatedError,
        ModelUnavailableError,
        PipelineError,
        RecordGenerationError,
        RunFailedError,
        RunInterruptedError,
        VeracordError,
    )
    from veracord.records.evidence import EvidenceItem, EvidencePack
    from veracord.records.matching import SourceRow
    from veracord.records.profiles import Profile
    from veracord.records.reading import Document, read_record
    from veracord.records.violations import Violation

__version__ = "0.1.0"

__all__ = [
    "Abstention",
    "AbstentionCode",
    "AnswerClaim",
    "AnswerSettings",
    "Citation",
    "ConfigurationError",
    "Document",
    "EvidenceItem",
    "EvidencePack",
    "Fill",
    "GroundedAnswer",
    "InputError",
    "ModelCeilingError",
    "ModelError",
    "ModelOutputError",
    "ModelRateLimitedError",
    "ModelRefusedError",
    "ModelTruncatedError",
    "ModelUnavailableError",
    "PipelineError",
    "Profile",
    "RecordComposer",
    "RecordGenerationError",
    "RepairResult",
    "RunFailedError",
    "RunInterruptedError",
    "SourceRow",
    "Suggestion",
    "SynthesisResult",
    "Unresolved",
    "VeracordError",
    "Violation",
    "read_record",
]

_HOMES = {
    "Abstention": "veracord.answers.results",
    "AbstentionCode": "veracord.answers.codes",
    "AnswerClaim": "veracord.answers.results",
    "AnswerSettings": "veracord.answers.settings",
    "Citation": "veracord.answers.results",
    "ConfigurationError": "veracord.errors",
    "Document": "veracord.records.reading",
    "EvidenceItem": "veracord.records.evidence",
    "EvidencePack": "veracord.records.evidence",
    "Fill": "veracord.composer.results",
    "GroundedAnswer": "veracord.answers.results",
    "InputError": "veracord.errors",
    "ModelCeilingError": "veracord.errors",
    "ModelError": "veracord.errors",
    "ModelOutputError": "veracord.errors",
    "ModelRateLimitedError": "veracord.errors",
    "ModelRefusedError": "veracord.errors",
    "ModelTruncatedError": "veracord.errors",
    "ModelUnavailableError": "veracord.errors",
    "PipelineError": "veracord.errors",
    "Profile": "veracord.records.profiles",
    "RecordComposer": "veracord.composer.record_composer",
    "RecordGenerationError": "veracord.errors",
    "RepairResult": "veracord.composer.results",
    "RunFailedError": "veracord.errors",
    "RunInterruptedError": "veracord.errors",
    "SourceRow": "veracord.records.matching",
    "Suggestion": "veracord.composer.suggestions",
    "SynthesisResult": "veracord.composer.synthesis_results",
    "Unresolved": "veracord.composer.results",
    "VeracordError": "veracord.errors",
    "Violation": "veracord.records.violations",
    "read_record": "veracord.records.reading",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - PEP 562: the value is whatever the name stands for
    """Import a public name on first use (PEP 562)."""
    home = _HOMES.get(name)
    if home is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted([*__all__, "__version__"])
