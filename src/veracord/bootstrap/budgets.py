"""How often a producer of a pipeline file may ask, by its kind."""

from dataclasses import dataclass
from typing import Final

from veracord.answers.settings import MOST_DECIDED
from veracord.bootstrap.pipeline_tables import ProducerTable
from veracord.pipeline.bindings import CorrectionMode

STRUCTURED: Final = "structured"
REPAIR: Final = "repair"
SYNTHESIS: Final = "synthesis"
ANSWER: Final = "answer"

#: The kinds that we make ourselves.
KINDS: Final = (STRUCTURED, REPAIR, SYNTHESIS, ANSWER)

#: Those that work on records and evidence; what they ask for is theirs alone, so their budgets are fixed.
RECORD_KINDS: Final = (REPAIR, SYNTHESIS, ANSWER)

_RETRIES: Final = 1
_REPAIRS: Final = 1


@dataclass(frozen=True, slots=True)
class Budgets:
    """What one producer may spend on one unit.

    Attributes:
        retries: How many attempts may follow the first.
        structure_repairs: How often an answer of the wrong form is asked for again, in each attempt; entry points
            have ways of their own.
        correction: Whether what is rejected is corrected.
        most_requests: The most requests to a model; those that transport sends again are not among them.
    """

    retries: int
    structure_repairs: int
    correction: CorrectionMode
    most_requests: int


def budgets_of(table: ProducerTable, *, has_model: bool) -> Budgets:
    """Return the budgets of a producer.

    Args:
        table: What the file says of it.
        has_model: Whether there is a model to ask.
    """
    if table.kind == REPAIR:
        return Budgets(0, 0, "off", int(has_model and table.suggest is not False))
    if table.kind in (SYNTHESIS, ANSWER):
        return Budgets(1, 0, "auto", 2 * (1 + _asked_of_draft(table)) * has_model)
    retries = _RETRIES if table.retries is None else table.retries
    repairs = _REPAIRS if table.structure_repairs is None else table.structure_repairs
    if table.kind != STRUCTURED:
        repairs = 0
    return Budgets(retries, repairs, table.correction or "auto", (1 + retries) * (1 + repairs))


def _asked_of_draft(table: ProducerTable) -> int:
    """Return how often a model is asked about each draft of an answer, at most."""
    chosen = table.answers
    if chosen is None:
        return 0
    return (chosen.decomposes is True) + MOST_DECIDED * (chosen.supports is True)
