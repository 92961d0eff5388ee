"""Which values of a column meet a condition: asked of SQLite itself, so affinity, LIKE and NULL are its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from testsuite.schema import quote
from testsuite.suite.stack import Value


class Oracle:
    """Keeps one in-memory table per list of values.

    Not safe to share between threads. ``close`` it, or use it as a context manager.
    """

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:")
        self._known: dict[int, int] = {}

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Drop all tables."""
        self._connection.close()

    def add(self, key: int, name: str, declared_type: str, values: Sequence[Value]) -> None:
        """Remember the values of a column under ``key``; conditions call the column ``name``."""
        run = self._connection.execute
        run(f"CREATE TABLE d{key} ({quote(name)} {declared_type})")
        self._connection.executemany(f"INSERT INTO d{key} VALUES (?)", [(v,) for v in values])
        self._known[key] = len(values)

    def holds(self, key: int, condition: str) -> NDArray[np.bool_] | None:
        """Per value whether the condition is true; None where SQLite cannot evaluate it."""
        return self._mask(key, f"({condition}) IS TRUE")

    def passes(self, key: int, condition: str) -> NDArray[np.bool_] | None:
        """Per value whether the condition is true or NULL, as for a CHECK."""
        return self._mask(key, f"({condition}) IS NOT FALSE")

    def _mask(self, key: int, test: str) -> NDArray[np.bool_] | None:
        mask = np.zeros(self._known[key], dtype=np.bool_)
        try:
            rows = self._connection.execute(f"SELECT rowid FROM d{key} WHERE {test}").fetchall()
        except sqlite3.Error:
            return None
        mask[[row[0] - 1 for row in rows]] = True
        return mask
