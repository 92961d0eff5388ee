"""Real SQLite as the referee: is a query valid, and what does it answer on single instances.

Query text is untrusted. Databases live in memory; an authorizer lets a statement read and nothing else; every run
has a deadline, a budget of SQLite's virtual machine steps and caps on rows and bytes.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from testsuite.compare.answer import Answer
from testsuite.compare.canonical import cells_from_python
from testsuite.engine.database import LAYOUTS, empty_database, filled_database, trimmed, why_invalid
from testsuite.errors import EngineError
from testsuite.query.lift import KEY_PREFIX, Lifted, NotLiftable, lift
from testsuite.query.order import ordered_text
from testsuite.query.parse import Unparsed, parse
from testsuite.query.text import render
from testsuite.suite.stack import Row, Stack

TIMEOUT = "timeout"
TOO_LARGE = "too large"

_STEP = 10_000
_CHUNK = 1_000
_LIFTS = 1_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one run on one instance.

    Steps, rows and text are the same on every machine and come first: SQLite does 20 to 170 million steps a second,
    so that its steps are used up before the clock is. Only a step that lasts (see ``testsuite.score.guard``), a
    machine with much else to do, and the budget for all instances together are decided by the clock.

    Attributes:
        seconds: wall time.
        steps: virtual machine instructions of SQLite.
        rows: rows of the answer.
        text: characters and bytes of the answer's text and blob cells, in all.
    """

    seconds: float = 30.0
    steps: int = 500_000_000
    rows: int = 200_000
    text: int = 50_000_000


class RunStoppedError(EngineError):
    """A run on the referee hit one of its limits; the message is ``TIMEOUT`` or ``TOO_LARGE``."""


class Referee:
    """SQLite databases of the instances of a stack, made when first asked for.

    Args:
        stack: the instances.
        limits: bounds of every run.
        keep: how many databases stay open (least recently used are dropped).

    ``mismatches`` lists the queries whose lifted form did not agree with their own text on some instance (see
    ``answer``): each is a bug of this project worth reporting; the text's own answer was used.
    """

    def __init__(self, stack: Stack, limits: Limits | None = None, keep: int = 512) -> None:
        self.stack = stack
        self.limits = limits or Limits()
        self.mismatches: list[str] = []
        self._keep = keep
        self._open: OrderedDict[tuple[int, int], sqlite3.Connection] = OrderedDict()
        self._empty: sqlite3.Connection | None = None
        self._lifts: OrderedDict[str, Lifted | None] = OrderedDict()

    def close(self) -> None:
        """Close all databases; they are made again when asked for."""
        for connection in self._open.values():
            connection.close()
        self._open.clear()
        if self._empty is not None:
            self._empty.close()
            self._empty = None

    def valid(self, sql: str) -> str | None:
        """None where SQLite takes the text as one read-only query on this schema, else the reason.

        The query is compiled (EXPLAIN) on an empty copy of the schema, not run.
        """
        if self._empty is None:
            self._empty = empty_database(self.stack.schema)
        return why_invalid(self._empty, sql)

    def run(self, sql: str, instance: int) -> list[Row]:
        """The rows of a query on one instance, as SQLite gives them.

        Raises:
            sqlite3.Error: SQLite refused it or failed.
            RunStoppedError: the run hit a limit.
        """
        return self._run(sql, instance)[1]

    def answer(self, sql: str, instances: Sequence[int] | None = None, *, deadline: float | None = None) -> Answer:
        """The answer of a query on the given instances (all where None), in their order.

        Without an outermost ORDER BY or LIMIT the rows are the text's own. With them, the lifted query gives the
        rows with their ranks, and the text's own rows must be an admissible answer of it; where they are not,
        or where the query cannot be lifted, the text's own rows stand: already cut, each its own rank.

        Args:
            sql: the query's text (checked with ``valid`` before).
            instances: instance numbers of the stack.
            deadline: ``time.monotonic()`` after which the remaining instances fail with ``TIMEOUT``.
        """
        chosen = range(self.stack.count) if instances is None else instances
        lifted = self._lifted(sql)
        if lifted is None or lifted.chosen:
            return self._plain(sql, chosen, ordered_text(sql), deadline)
        if not lifted.ordered and lifted.limit is None and not lifted.offset:
            return self._plain(sql, chosen, False, deadline)
        answer = self._ranked(sql, lifted, chosen, deadline)
        if answer is None:
            self.mismatches.append(sql)
            return self._plain(sql, chosen, lifted.ordered, deadline)
        return answer

    def _lifted(self, sql: str) -> Lifted | None:
        if sql in self._lifts:
            return self._lifts[sql]
        lifted: Lifted | None = None
        with suppress(Unparsed, NotLiftable):
            lifted = lift(parse(sql), self.stack.schema)
        self._lifts[sql] = lifted
        if len(self._lifts) > _LIFTS:
            self._lifts.popitem(last=False)
        return lifted

    def answer_lifted(
        self, lifted: Lifted, instances: Sequence[int] | None = None, *, deadline: float | None = None
    ) -> Answer:
        """The answer of a lifted query alone, for readings of a query that have no text of their own.

        Args: as for ``answer``. There is no text to check the rows against.
        """
        chosen = range(self.stack.count) if instances is None else instances
        text, extra = ranked_text(lifted)
        collected = _Collected(len(chosen))
        for position, instance in enumerate(chosen):
            try:
                names, full = self._run(text, instance, deadline)
            except (RunStoppedError, sqlite3.Error) as error:
                collected.errors[position] = str(error)
                continue
            rows, ranks = _split_ranks(full, lifted, extra)
            collected.add(position, names[: len(names) - extra], rows, ranks)
        return collected.answer(lifted.ordered, lifted.limit, lifted.offset)

    def other_layouts(
        self, sql: str, instances: Sequence[int] | None = None, *, deadline: float | None = None
    ) -> Answer | None:
        """What the text answers where rows are stored or read in another order, for queries that cannot be lifted.

        On each instance the first answer that differs from the one of ``answer``, else that one; None where no
        instance has another. What differs is open; what does not differ may be open all the same.

        Args: as for ``answer``.
        """
        chosen = range(self.stack.count) if instances is None else instances
        ordered = ordered_text(sql)
        collected = _Collected(len(chosen))
        differ = False
        for position, instance in enumerate(chosen):
            try:
                names, rows = self._run(sql, instance, deadline)
                for layout in range(1, LAYOUTS):
                    other = self._run(sql, instance, deadline, layout)[1]
                    if other != rows and (ordered or Counter(other) != Counter(rows)):
                        differ, rows = True, other
                        break
            except (RunStoppedError, sqlite3.Error) as error:
                collected.errors[position] = str(error)
                continue
            collected.add(position, names, rows, range(1, len(rows) + 1) if ordered else None)
        return collected.answer(ordered, None, 0) if differ else None

    def _plain(self, sql: str, chosen: Sequence[int], ordered: bool, deadline: float | None) -> Answer:
        collected = _Collected(len(chosen))
        for position, instance in enumerate(chosen):
            try:
                names, rows = self._run(sql, instance, deadline)
            except (RunStoppedError, sqlite3.Error) as error:
                collected.errors[position] = str(error)
                continue
            ranks = range(1, len(rows) + 1) if ordered else None
            collected.add(position, names, rows, ranks)
        return collected.answer(ordered, None, 0)

    def _ranked(self, sql: str, lifted: Lifted, chosen: Sequence[int], deadline: float | None) -> Answer | None:
        text, extra = ranked_text(lifted)
        collected = _Collected(len(chosen))
        for position, instance in enumerate(chosen):
            try:
                names, truth = self._run(sql, instance, deadline)
            except (RunStoppedError, sqlite3.Error) as error:
                collected.errors[position] = str(error)
                continue
            try:
                _, full = self._run(text, instance, deadline)
            except RunStoppedError as error:
                collected.errors[position] = str(error)
                continue
            except sqlite3.Error:
                return None
            rows, ranks = _split_ranks(full, lifted, extra)
            if not admissible(truth, rows, ranks or [1] * len(rows), lifted.limit, lifted.offset):
                return None
            collected.add(position, names, rows, ranks)
        return collected.answer(lifted.ordered, lifted.limit, lifted.offset)

    def _connection(self, instance: int, layout: int) -> sqlite3.Connection:
        place = (instance, layout)
        connection = self._open.get(place)
        if connection is not None:
            self._open.move_to_end(place)
            return connection
        connection = filled_database(self.stack, instance, layout)
        self._open[place] = connection
        if len(self._open) > self._keep:
            self._open.popitem(last=False)[1].close()
        return connection

    def _run(
        self, sql: str, instance: int, deadline: float | None = None, layout: int = 0
    ) -> tuple[tuple[str, ...], list[Row]]:
        connection = self._connection(instance, layout)
        limits = self.limits
        end = time.monotonic() + limits.seconds
        if deadline is not None:
            end = min(end, deadline)
            if time.monotonic() >= deadline:
                raise RunStoppedError(TIMEOUT)
        left = [limits.steps // _STEP]

        def tick() -> int:
            left[0] -= 1
            return 1 if left[0] < 0 or time.monotonic() > end else 0

        connection.set_progress_handler(tick, _STEP)
        cursor = connection.cursor()
        try:
            cursor.execute(trimmed(sql))
            if cursor.description is None:
                raise sqlite3.OperationalError("not a query")
            names = tuple(column[0] for column in cursor.description)
            rows: list[Row] = []
            text = 0
            while chunk := cursor.fetchmany(_CHUNK):
                rows.extend(chunk)
                text += sum(len(cell) for row in chunk for cell in row if isinstance(cell, (str, bytes)))
                if len(rows) > limits.rows or text > limits.text:
                    raise RunStoppedError(TOO_LARGE)
            return names, rows
        except sqlite3.OperationalError as error:
            if str(error) == "interrupted":
                raise RunStoppedError(TIMEOUT) from None
            raise
        except (sqlite3.DataError, MemoryError, OverflowError) as error:
            raise RunStoppedError(TOO_LARGE) from error
        except ValueError as error:  # a NUL or a lone surrogate in the text
            raise sqlite3.ProgrammingError(str(error)) from error
        finally:
            cursor.close()
            connection.set_progress_handler(None, 0)


class _Collected:
    """Rows of several instances on their way into an ``Answer``."""

    def __init__(self, instances: int) -> None:
        self.instances = instances
        self.errors: dict[int, str] = {}
        self._names: tuple[str, ...] = ()
        self._rows: list[Row] = []
        self._ranks: list[int] = []
        self._counts = np.zeros(instances, dtype=np.int64)

    def add(self, position: int, names: tuple[str, ...], rows: list[Row], ranks: Iterable[int] | None) -> None:
        self._names = names
        self._rows.extend(rows)
        self._counts[position] = len(rows)
        if ranks is not None:
            self._ranks.extend(ranks)

    def answer(self, ordered: bool, limit: int | None, offset: int) -> Answer:
        width = len(self._names)
        columns: Sequence[Sequence[object]] = list(zip(*self._rows, strict=True)) or [()] * width
        return Answer(
            instances=self.instances,
            instance=np.repeat(np.arange(self.instances, dtype=np.int32), self._counts),
            columns=tuple(cells_from_python(column) for column in columns),
            names=self._names,
            ordered=ordered,
            rank=np.asarray(self._ranks, dtype=np.int64) if ordered else None,
            limit=limit,
            offset=offset,
            errors=self.errors,
        )


def ranked_text(lifted: Lifted) -> tuple[str, int]:
    """SQLite text of a lifted query's rows with their rank last, and how many trailing columns are not output.

    Of a cut query only the rows up to the cut and those tied with the last of them are kept.
    """
    core = render(lifted.core)
    if not lifted.ordered:
        return core, 0
    keys = ", ".join(
        f"{KEY_PREFIX}{number}{' DESC' if down else ''} NULLS {'FIRST' if first else 'LAST'}"
        for number, (down, first) in enumerate(zip(lifted.descending, lifted.nulls_first, strict=True))
    )
    text = f"SELECT *, rank() OVER (ORDER BY {keys}) AS __rank FROM ({core})"
    if lifted.limit is not None:
        text = f"SELECT * FROM ({text}) WHERE __rank <= {lifted.offset + lifted.limit}"
    return text, lifted.keys + 1


def _split_ranks(full: list[Row], lifted: Lifted, extra: int) -> tuple[list[Row], list[int] | None]:
    """The output columns of the rows of ``ranked_text``, sorted by rank, and the ranks where ordered."""
    if not lifted.ordered:
        return full, None
    full.sort(key=lambda row: row[-1])  # type: ignore[arg-type,return-value]
    return [row[:-extra] for row in full], [int(row[-1]) for row in full]  # type: ignore[arg-type]


def admissible(
    answer: Sequence[Row], rows: Sequence[Row], ranks: Sequence[int], limit: int | None, offset: int
) -> bool:
    """Whether ``answer`` is one that the cut allows: rows sorted by rank, ties in any order, then the cut.

    ``rows`` and ``ranks`` are sorted by rank; rows after the tie group that the cut goes through may be missing.
    """
    start = min(offset, len(rows))
    stop = len(rows) if limit is None else min(start + limit, len(rows))
    if len(answer) != stop - start:
        return False
    groups: dict[int, Counter[tuple[object, ...]]] = {}
    for row, rank in zip(rows, ranks, strict=True):
        groups.setdefault(rank, Counter())[row] += 1
    for place, row in enumerate(answer, start):
        group = groups[ranks[place]]
        if group[row] <= 0:
            return False
        group[row] -= 1
    return True
