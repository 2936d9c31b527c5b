"""What programs get to see of suggestions."""

from typing import Any

from veracord.review.facets import Facets
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


def facets_report(facets: Facets) -> Row:
    """Return counts of suggestions by each of what they can be filtered by."""
    return {
        name: [{"value": one.value, "count": one.count} for one in getattr(facets, name)]
        for name in ("status", "record", "pointer", "rule", "model")
    }
