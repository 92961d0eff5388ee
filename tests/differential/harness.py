"""An oracle of its own: what SQLite answers to a query's text, against what the stacked engine answers.

It shares no comparison code with the project: the rows of SQLite, as they came, must be rows the stacked answer
allows, in an order that it allows.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
from sqlglot import exp

from testsuite.compare.answer import Answer, Kind
from testsuite.compare.canonical import cells_from_python
from testsuite.dialect import Refused, translate
from testsuite.engine.session import Session, SessionError
from testsuite.engine.stacked import answer_stacked
from testsuite.query.choices import choices
from testsuite.query.clock import freeze
from testsuite.query.lift import Lifted, NotLiftable, lift
from testsuite.query.parse import Unparsed, parse
from testsuite.query.text import render
from testsuite.schema.model import empty_ddl, quote
from testsuite.suite.stack import Stack

NOW = datetime(2024, 2, 29, 13, 5, 7, 250000, tzinfo=UTC)

Cell = tuple[int, int, float]
"""Code, kind and number of one cell (see ``Cells``)."""


@dataclass(frozen=True, slots=True)
class Found:
    """What became of one query.

    ``state``: agree, refused (not translated or not planned), invalid (SQLite refuses the text), slow (SQLite was
    stopped), partial (some instances were handed back), forced (an open choice that no
    reading can decide), reading (SQLite fails on the text of a low or high reading),
    DISAGREE.
    """

    state: str
    detail: str = ""
    instances: int = 0
    handed_back: int = 0
    seconds: float = 0.0
    reading: str = "text"


def database(stack: Stack, instance: int) -> sqlite3.Connection:
    """One instance in SQLite, through its own CREATE TABLE and INSERT."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in empty_ddl(stack.schema):
        connection.execute(statement)
    connection.execute("BEGIN")
    for name, rows in stack.rows(instance).items():
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {quote(name)} VALUES ({marks})", rows)
    connection.execute("COMMIT")
    return connection


class Bench:
    """One stack in both engines."""

    def __init__(self, stack: Stack, session: Session, steps: int = 500_000) -> None:
        self.stack = stack
        self.steps = steps
        session.load(stack)
        self.session = session
        self.databases = [database(stack, i) for i in range(stack.count)]

    def close(self) -> None:
        for connection in self.databases:
            connection.close()

    def rows(self, sql: str, instance: int) -> list[tuple[object, ...]] | str:
        """SQLite's rows, or its error; "interrupted" after too many steps."""
        connection = self.databases[instance]
        connection.set_progress_handler(lambda: 1, self.steps)
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.Error as error:
            return str(error)
        finally:
            connection.set_progress_handler(None, 0)

    def check(self, sql: str) -> Found:
        """Compare both engines on every instance that runs stacked, in every reading of the query."""
        started = time.perf_counter()
        try:
            self.databases[0].execute(f"EXPLAIN {sql}").fetchall()
        except sqlite3.Error as error:
            return Found("invalid", str(error))
        try:
            read = parse(sql)
            tree = freeze(read, NOW)
            assert isinstance(tree, exp.Query)
            lifted = lift(tree, self.stack.schema)
        except (Unparsed, NotLiftable) as error:
            return Found("refused", f"{type(error).__name__}: {error}")
        opened = choices(lifted.core, self.stack.schema)
        readings = [("text", lifted, render(tree) if tree is not read else sql)]
        if opened is not None and opened.forced:
            return Found("forced", ", ".join(opened.constructs))
        if opened is not None:
            pair = (("low", opened.low), ("high", opened.high))
            readings = [(name, replace(lifted, core=core), "") for name, core in pair]
            try:
                for form in [form for forms in opened.probes for form in forms]:
                    readings.append(("probe", lift(form.query, self.stack.schema), render(form.query)))
            except NotLiftable as error:
                return Found("forced", f"probe: {error}")
        best = Found("refused", "nothing ran")
        handed_back = 0
        for reading, variant, text in readings:
            found = self._reading(variant, text or _lowered(variant), reading)
            if found.state in ("DISAGREE", "reading", "refused", "slow"):
                return found
            handed_back = max(handed_back, found.handed_back)
            best = found
        state = "partial" if handed_back else "agree"
        return Found(state, best.detail, best.instances, handed_back, time.perf_counter() - started)

    def _reading(self, lifted: Lifted, text: str, reading: str) -> Found:
        try:
            translation = translate(lifted.core, self.stack.schema, self.stack.storage, NOW)
        except Refused as error:
            return Found("refused", str(error), reading=reading)
        dirty: set[int] = set()
        for column in translation.touched:
            dirty |= self.stack.dirty_instances.get(column, frozenset())
        asked = [i for i in range(self.stack.count) if i not in dirty]
        if not asked:
            return Found("partial", "dirty cells", handed_back=len(dirty), reading=reading)
        whole = len(asked) == self.stack.count
        try:
            result = answer_stacked(self.session, lifted, translation, None if whole else asked, timeout=30.0)
        except (Refused, SessionError) as error:
            return Found("refused", f"engine: {type(error).__name__}: {str(error)[:200]}", reading=reading)
        kept = [i for n, i in enumerate(asked) if n not in set(result.failed)]
        place = {i: n for n, i in enumerate(kept)}
        for instance in kept:
            rows = self.rows(text, instance)
            if rows == "interrupted":
                return Found("slow", reading=reading)
            wrong = difference(result.answer, place[instance], rows)
            if wrong and reading != "text" and isinstance(rows, str):
                # SQLite refuses the text of a reading: nothing is known of the stacked answer.
                return Found("reading", f"instance {instance}: {wrong}", len(kept), reading=reading)
            if wrong:
                return Found("DISAGREE", f"instance {instance}: {wrong}", len(kept), reading=reading)
        failed = len(asked) - len(kept)
        return Found("ok", "", len(kept), len(dirty) + failed, reading=reading)


def _lowered(lifted: Lifted) -> str:
    """SQLite text of a reading, with the lifted order and limit put back."""
    text = render(lifted.core)
    if lifted.ordered:
        width = len(lifted.core.selects)
        terms = [
            f"{width - lifted.keys + n + 1} {'DESC' if down else 'ASC'} NULLS {'FIRST' if first else 'LAST'}"
            for n, (down, first) in enumerate(zip(lifted.descending, lifted.nulls_first, strict=True))
        ]
        text = f"SELECT * FROM ({text}) ORDER BY {', '.join(terms)}"
    if lifted.limit is not None or lifted.offset:
        limit = -1 if lifted.limit is None else lifted.limit
        text = f"SELECT * FROM ({text}) LIMIT {limit} OFFSET {lifted.offset}"
    return text


def _rows(answer: Answer, place: int) -> tuple[list[tuple[Cell, ...]], list[int]]:
    chosen = np.flatnonzero(answer.instance == place)
    columns = [
        list(zip(c.code[chosen].tolist(), c.kind[chosen].tolist(), c.number[chosen].tolist(), strict=True))
        for c in answer.columns
    ]
    ranks = answer.rank[chosen].tolist() if answer.rank is not None else [1] * len(chosen)
    rows = list(zip(*columns, strict=True)) if columns else [() for _ in chosen]
    return rows, ranks


def _close(one: tuple[Cell, ...], other: tuple[Cell, ...]) -> bool:
    for (code, kind, number), (code_, kind_, number_) in zip(one, other, strict=True):
        if code == code_:
            continue
        numbers = {int(Kind.INTEGER), int(Kind.REAL)}
        if kind not in numbers or kind_ not in numbers:
            return False
        if not math.isclose(number, number_, rel_tol=1e-9, abs_tol=1e-9):
            return False
    return True


def _missing(rows: Sequence[tuple[Cell, ...]], among: Sequence[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """Rows that have no partner of their own in ``among``, numbers being equal within 1e-9."""
    left = Counter(tuple(cell[0] for cell in row) for row in among)
    rest = []
    for row in rows:
        code = tuple(cell[0] for cell in row)
        if left[code] > 0:
            left[code] -= 1
        else:
            rest.append(row)
    if not rest:
        return []
    pool = []
    for row in among:
        code = tuple(cell[0] for cell in row)
        if left[code] > 0:
            left[code] -= 1
            pool.append(row)
    lost = []
    for row in rest:
        for n, other in enumerate(pool):
            if _close(row, other):
                del pool[n]
                break
        else:
            lost.append(row)
    return lost


def difference(answer: Answer, place: int, rows: list[tuple[object, ...]] | str) -> str:
    """Why SQLite's rows are none the stacked answer allows; empty where they are."""
    if place in answer.errors:
        return f"stacked error {answer.errors[place]!r}, SQLite {rows!r:.200}"
    if isinstance(rows, str):
        return f"SQLite fails: {rows}"
    ours, ranks = _rows(answer, place)
    if rows:
        shown = len(answer.columns)
        if len(rows[0]) < shown:
            return f"{len(rows[0])} columns in SQLite, {shown} stacked"
        columns = [cells_from_python([row[n] for row in rows]) for n in range(shown)]
        theirs = list(
            zip(
                *(list(zip(c.code.tolist(), c.kind.tolist(), c.number.tolist(), strict=True)) for c in columns),
                strict=True,
            )
        )
    else:
        theirs = []
    order = sorted(range(len(ours)), key=lambda n: ranks[n])
    groups: dict[int, list[tuple[Cell, ...]]] = {}
    for n in order:
        groups.setdefault(ranks[n], []).append(ours[n])
    start, stop = answer.offset, math.inf if answer.limit is None else answer.offset + answer.limit
    expected = 0
    used = 0
    position = 0
    for rank, group in groups.items():
        if rank != position + 1:
            return f"rank {rank} where {position + 1} rows stand before"
        low, high = max(position, start), min(position + len(group), stop)
        position += len(group)
        if high <= low:
            continue
        wanted = int(high - low)
        expected += wanted
        part = theirs[used : used + wanted]
        used += wanted
        if len(part) < wanted:
            break
        lost = _missing(part, group)
        if lost:
            values = rows[used - wanted : used]
            return f"SQLite rows {values!r:.300} not among the stacked rows of rank {rank}: {_show(group)}"
    if len(theirs) != expected:
        return f"{len(theirs)} rows in SQLite {rows!r:.200}, {expected} stacked {_show(ours)}"
    return ""


def _show(rows: Sequence[tuple[Cell, ...]]) -> str:
    def cell(code: int, kind: int, number: float) -> str:
        if kind == Kind.NULL:
            return "NULL"
        return f"{number:.12g}" if kind in (Kind.INTEGER, Kind.REAL) else f"text#{code % 10000}"

    return "; ".join("(" + ", ".join(cell(*c) for c in row) + ")" for row in rows[:8])
