"""A guess cannot be put where a sourced value is expected, nor the other way round; marked lines are errors."""

from dataclasses import replace

from veracord import Fill, RepairResult
from veracord.composer.suggestions import Suggestion


def takes_fill(fill: Fill) -> str:
    """Name the source of a fill."""
    return fill.evidence_id


def takes_suggestion(suggestion: Suggestion) -> float:
    """Tell what the model thinks of its guess."""
    return suggestion.confidence


def looks_at(result: RepairResult, suggestion: Suggestion) -> tuple[object, ...]:
    """Put the two where they belong, and where they do not."""
    fills: list[Fill] = [*result.fills]
    suggestions: list[Suggestion] = [*result.suggestions, suggestion]
    fills.extend(result.fills)
    suggestions.extend(result.suggestions)

    fills.append(suggestion)  # error: arg-type
    fills.extend(result.suggestions)  # error: arg-type
    suggestions.extend(result.fills)  # error: arg-type
    one: Fill = suggestion  # error: assignment
    other: Suggestion = result.fills[0]  # error: assignment
    all_of_them: tuple[Fill, ...] = result.suggestions  # error: assignment
    takes_fill(suggestion)  # error: arg-type
    takes_suggestion(result.fills[0])  # error: arg-type
    replace(result, fills=result.suggestions)  # error: arg-type
    replace(result, fills=(suggestion,))  # error: arg-type
    sources = (suggestion.evidence_id, suggestion.source_pointer)  # error: attr-defined
    return one, other, all_of_them, sources
