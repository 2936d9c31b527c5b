"""What may be chosen about answers."""

from dataclasses import dataclass
from typing import Final

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
