"""Rows of a store in a file, looked at past the product."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def rows_of(path: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table, in the order in which they were added."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY rowid")]  # noqa: S608 - ours
