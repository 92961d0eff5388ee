"""How evaluators work today, kept plain on purpose: the yardstick that every ratio here is taken against.

One new SQLite connection per query and instance, ``fetchall``, rows compared as a Counter, instances in their order,
stop at the first difference. Official scripts do more per row (permutations of columns), so they are slower than this.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path


def rows_of(path: Path, sql: str) -> list[tuple[object, ...]] | None:
    """All rows of a query on one file, None where SQLite refuses it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = lambda raw: raw.decode("utf-8", "ignore")
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.Error:
            return None


def equal_everywhere(gold: str, prediction: str, instances: Sequence[Path]) -> bool:
    """Whether both queries give the same rows on every instance."""
    ordered = "order by" in gold.lower()
    for path in instances:
        one, other = rows_of(path, gold), rows_of(path, prediction)
        if one is None or other is None or len(one) != len(other):
            return False
        if (one != other) if ordered else (Counter(one) != Counter(other)):
            return False
    return True
