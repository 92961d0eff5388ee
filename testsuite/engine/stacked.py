"""One DuckDB query answers a SQLite query on all instances at once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from testsuite.compare.answer import Answer
from testsuite.compare.canonical import cells_from_arrow
from testsuite.dialect.translate import Translation
from testsuite.engine.session import DataError, Loaded, Session
from testsuite.query.lift import Lifted

_MOST_SPLITS = 40
_HINTED = 64


@dataclass(frozen=True)
class StackedResult:
    """What a stacked run gave.

    Attributes:
        answer: over the instances that succeeded, numbered 0 .. in the order asked.
        failed: places (in the order asked) of the instances on which the query failed; ask elsewhere.
    """

    answer: Answer
    failed: tuple[int, ...] = ()


def answer_stacked(
    session: Session,
    lifted: Lifted,
    translation: Translation,
    instances: Sequence[int] | None = None,
    timeout: float = 30.0,
) -> StackedResult:
    """Answer a query on many instances.

    Args:
        session: holds the stack of the translation's schema.
        lifted: the query, its outermost order and limit taken off.
        translation: of ``lifted.core``.
        instances: distinct instance numbers, all where None.
        timeout: seconds in all.

    Raises:
        QueryTimeout: the time ran out.
        SessionError: DuckDB cannot plan it, or it fails on more instances than are worth finding one by one.
    """
    loaded = session.loaded(translation.db_id)
    asked = np.arange(loaded.stack.count) if instances is None else np.asarray(instances, dtype=np.int64)
    deadline = time.monotonic() + timeout
    failed: list[int] = []
    tables: list[pa.Table] = []
    whole = len(asked) == loaded.stack.count
    parts = [np.arange(len(asked))]
    splits = 0
    while parts:
        part = parts.pop()
        if not len(part):
            continue
        everything = whole and len(part) == len(asked)
        sql = stacked_sql(loaded, lifted, translation, None if everything else asked[part])
        try:
            tables.append(session.query(sql, max(0.01, deadline - time.monotonic())))
        except DataError:
            splits += 1
            if splits > _MOST_SPLITS:
                raise
            if len(part) == 1:
                failed.append(int(part[0]))
                continue
            half = len(part) // 2
            parts += [part[half:], part[:half]]
    kept = np.setdiff1d(np.arange(len(asked)), failed, assume_unique=True)
    return StackedResult(_answer(lifted, translation, tables, asked[kept]), tuple(sorted(failed)))


def stacked_sql(
    loaded: Loaded, lifted: Lifted, translation: Translation, instances: Sequence[int] | np.ndarray | None = None
) -> str:
    """DuckDB text: instance number, output columns, sort keys and (where ordered) the rank."""
    outer, chosen = f"{loaded.instances} AS __outer", ""
    if instances is not None:
        chosen = f"IN ({', '.join(str(int(i)) for i in instances)})"
        outer = f"(SELECT id FROM {loaded.instances} WHERE id {chosen}) AS __outer"
        if len(instances) > _HINTED:
            chosen = ""
    core = translation.render(lambda table: loaded.relation(table, "__outer.id", chosen))
    rank, cut = "", ""
    if lifted.ordered:
        width = len(translation.names) - lifted.keys
        terms = [
            f"q.c{width + n} {'DESC' if down else 'ASC'} NULLS {'FIRST' if first else 'LAST'}"
            for n, (down, first) in enumerate(zip(lifted.descending, lifted.nulls_first, strict=True))
        ]
        rank = f", rank() OVER (PARTITION BY __outer.id ORDER BY {', '.join(terms)}) AS __rank"
        if lifted.limit is not None:
            cut = f" QUALIFY __rank <= {lifted.limit + lifted.offset}"
    return f"SELECT __outer.id AS __id, q.*{rank} FROM {outer} CROSS JOIN LATERAL ({core}) AS q{cut}"


def _answer(lifted: Lifted, translation: Translation, tables: list[pa.Table], asked: np.ndarray) -> Answer:
    width = len(translation.names) - lifted.keys
    if not tables:
        names = [f"c{n}" for n in range(len(translation.names) + 2)]
        tables = [pa.table({name: pa.nulls(0) for name in names})]
    table = pa.concat_tables(tables) if len(tables) != 1 else tables[0]
    ids = table.column(0).to_numpy().astype(np.int64)
    place = np.zeros(int(asked.max()) + 1 if len(asked) else 1, dtype=np.int32)
    place[asked] = np.arange(len(asked), dtype=np.int32)
    instance = place[ids]
    if len(instance) > 1 and bool((np.diff(instance) < 0).any()):
        order = np.argsort(instance, kind="stable")
        instance = instance[order]
        table = table.take(pa.array(order))
    return Answer(
        instances=len(asked),
        instance=instance,
        columns=tuple(cells_from_arrow(table.column(1 + n)) for n in range(width)),
        names=translation.names[:width],
        ordered=lifted.ordered,
        rank=table.column(table.num_columns - 1).to_numpy().astype(np.int64) if lifted.ordered else None,
        limit=lifted.limit,
        offset=lifted.offset,
    )
