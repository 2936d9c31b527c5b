"""What a benchmark hands back: figures, each beside its target, as a table and as JSON."""

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import veracord


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure.

    Attributes:
        name: What was measured.
        value: What came out; None where it could not be measured.
        unit: The unit of value and target.
        at_most: The target, where less is better.
        at_least: The target, where more is better.
        detail: How it came about, in a few words.
        data: The series behind it, for the JSON file.
    """

    name: str
    value: float | None
    unit: str = ""
    at_most: float | None = None
    at_least: float | None = None
    detail: str = ""
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def target(self) -> str:
        """The target as it stands in the table."""
        for sign, bound in (("<=", self.at_most), (">=", self.at_least)):
            if bound is not None:
                return f"{sign} {bound:.4g}"
        return ""

    @property
    def verdict(self) -> str:
        """PASS or MISS; empty where there is no target or nothing was measured."""
        if self.value is None or not self.target:
            return ""
        is_low_enough = self.at_most is None or self.value <= self.at_most
        is_high_enough = self.at_least is None or self.value >= self.at_least
        return "PASS" if is_low_enough and is_high_enough else "MISS"

    def row(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        shown = "-" if self.value is None else f"{self.value:.3g} {self.unit}".strip()
        return (self.name, shown, self.target, self.verdict, self.detail)

    def to_dict(self) -> dict[str, Any]:
        """Return the figure for the JSON file."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "target": self.target,
            "verdict": self.verdict,
            "detail": self.detail,
            **self.data,
        }


class WrongResultError(Exception):
    """What was timed did not do what it should: its speed says nothing."""


def expect(*, holds: bool, what: str) -> None:
    """Check the result of what is timed.

    Raises:
        WrongResultError: It does not hold.
    """
    if not holds:
        raise WrongResultError(what)


def table(figures: Iterable[Figure]) -> str:
    """Return the figures as one table, the details as its last column."""
    rows = [("figure", "measured", "target", "", "how"), *(figure.row() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]]) for row in rows
    ]
    lines.insert(1, "-" * min(max(map(len, lines)), 120))
    return "\n".join(line.rstrip() for line in lines)


def surroundings() -> dict[str, Any]:
    """Return what the figures depend on besides the code."""
    return {
        "veracord": veracord.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def write_json(path: Path, figures: Iterable[Figure], around: dict[str, Any]) -> None:
    """Write the figures and their surroundings to a file."""
    content = {"surroundings": around, "figures": [figure.to_dict() for figure in figures]}
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
