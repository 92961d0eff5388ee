"""SQLite files opened so that no query can change, create or keep anything."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from time import monotonic
from types import TracebackType

from testsuite.official.answers import Row

MAX_OPEN = 200
"""Connections kept open at a time; the one not used for longest is closed first."""
_STEPS = 5_000
_LENGTH = 50_000_000
# Reading only. A PRAGMA would outlive the query that gives it, ATTACH and VACUUM INTO create files.
_ALLOWED = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE))


class QueryFailed(Exception):  # noqa: N818 - an outcome, not a fault
    """SQLite does not run the query; the message is SQLite's."""


class QueryTimeout(Exception):  # noqa: N818 - an outcome, not a fault
    """The query was still running at its deadline."""


Guard = Callable[[bool, float], AbstractContextManager[None]]


class ReadOnlyFiles:
    """One read-only connection per SQLite file; a context manager that closes them. For one thread.

    Args:
        strict_text: whether text with undecodable bytes makes a query fail; else the bytes are dropped.
        guard: put around the runs of a pair's two queries: whether it is the gold, and the seconds that are left.
    """

    def __init__(self, strict_text: bool = False, guard: Guard | None = None) -> None:
        self._strict_text = strict_text
        self.guard: Guard = guard or (lambda gold, seconds: nullcontext())
        self._open: OrderedDict[Path, sqlite3.Connection] = OrderedDict()
        self._deadline = 0.0

    def __enter__(self) -> ReadOnlyFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections."""
        while self._open:
            self._open.popitem()[1].close()

    def rows(self, path: Path, sql: str, deadline: float, at_most: int | None = None) -> list[Row]:
        """Answer of `sql` on the file.

        deadline: when to give up, on the clock of `time.monotonic`.
        at_most: rows to fetch; None for all.
        Raises QueryFailed, QueryTimeout.
        """
        self._deadline = deadline
        cursor = None
        try:
            cursor = self._connection(path).execute(sql)
            return cursor.fetchall() if at_most is None else cursor.fetchmany(at_most)
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError, MemoryError) as error:
            if isinstance(error, sqlite3.OperationalError) and monotonic() > deadline:
                raise QueryTimeout(str(error)) from None
            raise QueryFailed(str(error)) from None
        finally:
            if cursor is not None:
                cursor.close()

    def _connection(self, path: Path) -> sqlite3.Connection:
        connection = self._open.pop(path, None)
        if connection is None:
            while len(self._open) >= MAX_OPEN:
                self._open.popitem(last=False)[1].close()
            connection = _opened(path, self._late, self._strict_text)
        self._open[path] = connection
        return connection

    def _late(self) -> bool:
        return monotonic() > self._deadline


def _opened(path: Path, late: Callable[[], bool], strict_text: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    connection.text_factory = str if strict_text else lambda raw: raw.decode(errors="ignore")
    connection.execute("PRAGMA temp_store = memory")
    # Making these the first time takes rights that queries do not have.
    for name in ("json_each", "json_tree"):
        with suppress(sqlite3.OperationalError):
            connection.execute(f"SELECT 1 FROM {name}('[]')").fetchall()
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LENGTH)
    connection.set_authorizer(_allowed)
    connection.set_progress_handler(late, _STEPS)
    return connection


def _allowed(action: int, *_: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
