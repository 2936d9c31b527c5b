"""What answers are made from, and what may be chosen about them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from veracord.grounding.packs import Labels
from veracord.records.evidence import EvidencePack
from veracord.records.profiles import Profile

#: Gives the evidence for a question about a product; who keeps a ledger marks guesses in it.
Marking: TypeAlias = Callable[[EvidencePack], Awaitable[EvidencePack]]

#: About how many claims of one draft a model is asked; more stay undecided.
MOST_DECIDED: Final = 5


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """What may be chosen about answers.

    Attributes:
        evidence_characters: How much evidence a model is shown; about four characters are a token.
        decomposes: Whether a model splits an answer into claims, too; this can only lower a verdict.
        supports: Whether a model is asked about claims that no rule decides; it never raises one past a failed gate.
    """

    evidence_characters: int = 24_000
    decomposes: bool = False
    supports: bool = False


@dataclass(frozen=True)
class AnswerSetting:
    """What the questions of one producer are answered from.

    Attributes:
        profile: What records are; the empty one says nothing.
        pack: The evidence.
        settings: What may be chosen.
        labels: What a person calls the fields.
        marking: Marks guesses in the evidence; None marks none.
        tool: What results name as their maker.
    """

    profile: Profile
    pack: EvidencePack
    settings: AnswerSettings = field(default_factory=AnswerSettings)
    labels: Labels | None = None
    marking: Marking | None = None
    tool: str = "veracord"
