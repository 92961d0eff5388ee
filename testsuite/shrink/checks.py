"""Which rows break a CHECK: asked of SQLite itself, so affinity and NULL are its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from testsuite.schema import quote
from testsuite.suite.stack import Value


def failing_rows(columns: Sequence[tuple[str, str, Sequence[Value]]], checks: Sequence[str]) -> NDArray[np.int64]:
    """Numbers of the rows that break any of the checks. Checks that SQLite cannot evaluate are ignored.

    Args:
        columns: name, declared type and cells of each column.
        checks: CHECK expressions over these columns.
    """
    connection = sqlite3.connect(":memory:")
    try:
        names = ", ".join(f"{quote(name)} {declared}" for name, declared, _ in columns)
        connection.execute(f"CREATE TABLE t ({names})")
        marks = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO t VALUES ({marks})", list(zip(*(c[2] for c in columns), strict=True)))
        failing: set[int] = set()
        for check in checks:
            try:
                rows = connection.execute(f"SELECT rowid FROM t WHERE ({check}) IS FALSE").fetchall()
            except sqlite3.Error:
                continue
            failing.update(row[0] - 1 for row in rows)
        return np.array(sorted(failing), dtype=np.int64)
    finally:
        connection.close()
