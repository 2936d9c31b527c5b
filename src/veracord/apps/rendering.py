"""Tables for people: on a terminal in its width and colours, elsewhere plain and unwrapped."""

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from veracord.apps.escaping import visible
from veracord.apps.outputs import StandardOutput, is_terminal
from veracord.records.writing import write_json

#: Wide enough that nothing wraps where no terminal sets a width.
_UNWRAPPED: Final = 10_000

#: On a narrower terminal columns would be cut to single characters.
_NARROWEST: Final = 60


@dataclass(frozen=True, slots=True)
class Look:
    """How readable output is laid out.

    Attributes:
        on_terminal: Whether there are colours, and a width to keep.
        width: The width in characters.
    """

    on_terminal: bool = False
    width: int = _UNWRAPPED

    @classmethod
    def of_output(cls) -> "Look":
        """Return the look that fits standard output."""
        if not is_terminal():
            return cls()
        return cls(on_terminal=True, width=max(shutil.get_terminal_size().columns, _NARROWEST))


class Sheet:
    """Text in the making: headings, tables and lines. Whatever is put in is made safe to show."""

    def __init__(self, look: Look) -> None:
        self._text = StringIO()
        self._on_terminal = look.on_terminal
        self._console = Console(
            file=self._text,
            width=look.width,
            force_terminal=look.on_terminal,
            force_interactive=False,
            color_system="auto" if look.on_terminal else None,
            markup=False,
            highlight=False,
            emoji=False,
            soft_wrap=False,
        )

    def line(self, text: str = "", style: str = "", *, is_whole: bool = False) -> None:
        """Add a line; one that is to be copied stays whole, whatever the width is."""
        is_whole = is_whole or not self._on_terminal
        self._console.print(Text(visible(text), style=style), overflow="fold", soft_wrap=is_whole)

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, style: str = "") -> None:
        """Add a table with a title and a blank line behind it; nothing when it has no row."""
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        table.add_column("")
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row("", *(Text(visible(cell)) for cell in row))
        if table.row_count:
            self.line(f"{title} ({table.row_count})", style=f"bold {style}".strip())
            self._console.print(table)
            self.line()

    def text(self) -> str:
        """Return everything, without blanks at the ends of lines."""
        lines = self._text.getvalue().split("\n")
        return "\n".join(line.rstrip() for line in lines)


def show(report: dict[str, Any], as_text: Callable[[dict[str, Any], Look], str], *, as_json: bool) -> int:
    """Print a report for programs or for people, and return the exit code of a command that did its work."""
    StandardOutput().show(write_json(report) + b"\n" if as_json else as_text(report, Look.of_output()))
    return 0
