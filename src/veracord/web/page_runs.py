"""Runs for the page: how far each is, what came of its units, and what it was made of."""

from collections.abc import Mapping
from typing import Any, Final

from veracord.records.writing import write_json
from veracord.web.page_texts import shortened, time_text, visible

Row = Mapping[str, Any]

_MOST_TEXT: Final = 300


def run_row(row: Row) -> dict[str, Any]:
    """Return a run of a list."""
    return {
        "run_id": visible(row["run_id"]),
        "name": visible(row["name"]),
        "made": time_text(row["created_at"]),
        "done": done_text(row["done"], row["units"]),
        **state(row),
    }


def run_head(manifest: Row) -> dict[str, Any]:
    """Return what stands above a run."""
    done = sum(number for name, number in manifest["outcomes"].items() if name != "cancelled")
    return run_row({**manifest, "done": done})


def state(row: Row) -> dict[str, str]:
    """Return how a run stands, in a word and its colour."""
    if row["running"]:
        return {"state": "running", "tone": "said"}
    return {"state": "complete", "tone": "good"} if row["complete"] else {"state": "unfinished", "tone": "guess"}


def done_text(done: int, units: int | None) -> str:
    """Return how many units are done, of how many."""
    return f"{done:,} of {'?' if units is None else f'{units:,}'}"


def run_facts(manifest: Row) -> list[tuple[str, str]]:
    """Return what a run was made of."""
    facts: list[tuple[str, Any]] = [("input", manifest["input"])]
    for name in ("model", "versions", "parts", "attempts", "usage"):
        told = manifest.get(name) or {}
        facts += [(f"{name}: {key}", value) for key, value in told.items() if value not in (None, 0, {}, [])]
    return [(visible(name.replace("_", " ")), _text(value)) for name, value in facts]


def start_rows(manifest: Row) -> list[str]:
    """Return when a run was started, and what ended each start."""
    rows: list[str] = []
    for row in manifest["starts"]:
        end = row["ended_by"]
        if end is None:
            ended = "running" if manifest["running"] else "ended without a word"
        else:
            ended = f"ended {_moment(row['ended_at'])}, by {end or 'its end'}"
        rows.append(visible(f"Start {row['epoch']}: {_moment(row['started_at'])} UTC, {ended}"))
    return rows


def _moment(at: str | None) -> str:
    return f"{at[:10]} {at[11:19]}" if at else "?"


def _text(value: object) -> str:
    return shortened(visible(value if isinstance(value, str) else write_json(value).decode()), _MOST_TEXT)
