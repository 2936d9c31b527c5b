"""What people see of the audit log."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from veracord.apps.rendering import Look, Sheet
from veracord.apps.wording import count

if TYPE_CHECKING:
    from veracord.audit.signatures import Rotation

Row = dict[str, Any]


def verification_text(report: Row, look: Look) -> str:
    """Return what was found in a log."""
    sheet = Sheet(look)
    for statement in report["statements"]:
        sheet.line(statement, is_whole=True)
    return sheet.text()


def checkpoint_text(report: Row, look: Look) -> str:
    """Return a checkpoint as the JSON that it is kept as, or where it was written."""
    from veracord.records.writing import write_json

    sheet = Sheet(look)
    signed = report["checkpoint"]
    if report["out"] is None:
        sheet.line(write_json(signed).decode(), is_whole=True)
    else:
        sheet.line(f"events 1 to {signed['seq']} are under a checkpoint; keep it out of reach of this machine")
    return sheet.text()


def rotation_report(rotation: "Rotation", new_file: Path, old_file: Path) -> Row:
    """Return a change of keys for programs."""
    return {
        "rotation": rotation.to_object(),
        "key_file": str(new_file),
        "public_key_file": f"{new_file}.pub",
        "old_key_file": str(old_file),
    }


def rotation_text(report: Row, look: Look) -> str:
    """Return a change of keys for people."""
    sheet = Sheet(look)
    sheet.line(f"from now on {report['rotation']['new_key_id']} signs: {report['key_file']}", is_whole=True)
    sheet.line(f"give whoever verifies {report['public_key_file']}", is_whole=True)
    sheet.line(f"the key before, {report['rotation']['key_id']}, is in {report['old_key_file']}", is_whole=True)
    return sheet.text()


def replay_text(report: Row, look: Look) -> str:
    """Return what a replay gave."""
    sheet = Sheet(look)
    rows = [
        (row["record_id"], str(row.get("revision", "")), row.get("digest", ""), _compared(row))
        for row in report["records"]
    ]
    sheet.table("Records", ("id", "revision", "digest of the text", "the store has"), rows)
    others = [(row["id"], row["record_id"] or "", _compared(row)) for row in report["suggestions"]]
    sheet.table("Suggestions that are not what the log gives", ("id", "record", "the store has"), others)
    if report["ok"]:
        compared = "the same as in the store" if report["compared"] else "not compared with a store"
        sheet.line(f"{count(len(rows), 'record')} made anew from the log, {compared}.")
    else:
        place = f" at {report['where']}" if report["where"] else ""
        sheet.line(f"broken{place}: {report['why']}")
    return sheet.text()


#: What the store has where it differs.
_DIFFERENCES: Final[Mapping[str, str]] = {
    "missing": "no such one",
    "unknown": "it, and the log knows nothing of it",
    "first_person": "another first person",
    "origins": "other origins",
    "declarations": "other documents, pages or quotes of declared values",
}


def _compared(row: Row) -> str:
    if "differs" not in row:
        return ""
    return "; ".join(_DIFFERENCES.get(one, f"another {one}") for one in row["differs"]) or "the same"
