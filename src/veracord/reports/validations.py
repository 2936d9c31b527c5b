"""What programs get to see of a validation, and of a synthesis that was refused."""

from typing import Any

from veracord import __version__
from veracord.errors import VeracordError
from veracord.records.pointers import get, split
from veracord.records.profiles import Profile
from veracord.records.reading import Document
from veracord.records.values import MISSING, canonical, digest

Row = dict[str, Any]


def validation_report(profile: Profile, document: Document, *, with_values: bool) -> Row:
    """Return everything that is wrong with a record.

    Args:
        profile: What the record must be.
        document: The record.
        with_values: Whether the violating values are shown, to the owner of the record.
    """
    rows = []
    for violation in profile.validate(document.value):
        row: Row = {"path": violation.path, "rule": violation.rule, "message": violation.message}
        value = get(document.value, split(violation.path)) if with_values else MISSING
        if value is not MISSING:
            row["value"] = value
        rows.append(row)
    return {
        "schema_version": 1,
        "tool": f"veracord {__version__}",
        "profile": f"{profile.name}@{profile.version}",
        "digests": {
            "profile": profile.digest,
            "schema": profile.schema_digest,
            "record": digest(canonical(document.value)),
        },
        "conforms": not rows,
        "violations": rows,
    }


def refusal_row(error: VeracordError) -> Row:
    """Return why there is no record: every path with its reason."""
    return {
        "schema_version": 1,
        "tool": f"veracord {__version__}",
        "error": {"code": error.code, "message": str(error).removeprefix(f"{error.code}: ")},
        "violations": error.details.get("violations", []),  # none of a model that gave no answer
    }
