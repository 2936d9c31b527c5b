"""What programs get to see of suggestions."""

from typing import Any

from veracord.review.suggestions import StoredSuggestion, SuggestionPage

Row = dict[str, Any]


def suggestion_row(one: StoredSuggestion) -> Row:
    """Return a suggestion for programs."""
    return {name: value for name, value in one.to_object().items() if name != "entries"}


def list_report(page: SuggestionPage) -> Row:
    """Return a page of suggestions for programs."""
    return {
        "suggestions": [suggestion_row(one) for one in page.items],
        "total": page.total,
        "counts": dict(page.counts),
    }
