"""The quantities of a claim beside those of the statement that it is bound to, compared once for three gates."""

import re
from functools import lru_cache
from typing import Final

from veracord.gates.mentions import Mention
from veracord.gates.statements import Binding, BoundEvidence
from veracord.language.comparing import compare_quantities
from veracord.language.quantities import Quantity

_LEADING_ZERO: Final = re.compile(r"0[0-9]")


def quantity_outcomes(bound: BoundEvidence) -> list[str]:
    """Return the outcome for each pair of quantities.

    Returns:
        Outcomes of `veracord.language.comparing`, and beside them "value_added" and "value_left_out" where one side
        has no value, and "place_differs" where equal numbers of values stand at other words.
    """
    return list(_outcomes_of(bound.binding)) if bound.binding is not None else []


@lru_cache(maxsize=64)
def _outcomes_of(binding: Binding) -> tuple[str, ...]:
    """Compare the quantities of a binding; three gates ask for the same one after another."""
    outcomes = [compare_mentions(said, held) for said, held in binding.pairs("quantity")]
    # A lone value may stand in front of its words or behind them; of several each belongs to its own.
    if len(binding.said) > 1:
        said = [(mention.kind, place) for mention, place in binding.said if mention.kind != "identifier"]
        held = [(mention.kind, place) for mention, place in binding.held if mention.kind != "identifier"]
        if len(said) > 1 and len(said) == len(held) and said != held:
            outcomes.append("place_differs")
    return tuple(outcomes)


def compare_mentions(said: Mention | None, held: Mention | None) -> str:
    """Return the outcome for a quantity of a claim and one of a statement."""
    if held is None:
        return "value_added"
    if said is None:
        return "value_left_out"
    if _LEADING_ZERO.match(said.text) or _LEADING_ZERO.match(held.text):
        # A number counts with no leading zero; one that has it is a code.
        return "same" if said.text == held.text else "number_differs"
    if isinstance(said.value, Quantity) and isinstance(held.value, Quantity):
        outcome = str(compare_quantities(said.value, held.value).outcome)
        same_digits = said.value.value is not None and said.value.value == held.value.value
        # 36 mJ of 36 MJ: what is wrong is the unit.
        return "unit_differs" if outcome == "number_differs" and same_digits else outcome
    # An ambiguous reading can only be repeated as it was written.
    return "same" if said.text == held.text else "undecided"
