"""What programs get to see of the results of runs."""

from typing import Any

from veracord.pipeline import UnitResult


def result_line(result: UnitResult[Any]) -> dict[str, Any]:
    """Return the line of one unit in the output of a run."""
    value = result.value
    dump = getattr(value, "model_dump", None)
    return {
        "key": result.key,
        "outcome": result.outcome.value,
        "incomplete": list(result.incomplete),
        "value": dump(mode="json") if dump is not None else value,
    }
