"""What answers are made from."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from veracord.answers.settings import AnswerSettings
from veracord.grounding.packs import Labels
from veracord.records.evidence import EvidencePack
from veracord.records.profiles import Profile

#: Gives the evidence for a question about a product; who keeps a ledger marks guesses in it.
Marking: TypeAlias = Callable[[EvidencePack], Awaitable[EvidencePack]]


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
