"""How many instances are enough? What a number of random ones separates, and what as many chosen ones do.

The curves are pure functions of a kill matrix (neighbours x candidates); ``measure_kills`` makes one of random
candidates of one schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from distill.build import BuildOptions
from distill.neighbours import Neighbour
from testsuite.errors import InputError

Matrix = NDArray[np.bool_]


@dataclass(frozen=True)
class Kills:
    """A kill matrix with its margins.

    Attributes:
        db_id: the schema.
        golds: the distinct golds that run.
        neighbours: near-misses that are not proved equivalent, gold by gold.
        gold_of: per neighbour the number of its gold.
        matrix: bool, neighbours x candidates: separated from the gold there (seen on the fast path).
        rows: rows of each candidate.
    """

    db_id: str
    golds: tuple[str, ...]
    neighbours: tuple[Neighbour, ...]
    gold_of: tuple[int, ...]
    matrix: Matrix
    rows: NDArray[np.int64]


def random_curve(matrix: Matrix, counts: Sequence[int]) -> NDArray[np.float64]:
    """The share of rows that n columns drawn at random meet at least once, expected over all draws, for each n.

    A row met on k of N columns is missed by n of them with probability C(N - k, n) / C(N, n), so nothing is drawn.

    Args:
        matrix: bool, neighbours x candidates.
        counts: how many columns, each from 0 to their number.

    Returns:
        A share from 0 to 1 per count; the denominator is all rows, those that no column meets too.
    """
    rows, columns = matrix.shape
    hits = matrix.sum(axis=1)
    shares = []
    for n in counts:
        missed = np.ones(rows)
        for step in range(n):
            missed *= np.maximum(columns - hits - step, 0) / (columns - step)
        shares.append(1.0 - missed.mean() if rows else 0.0)
    return np.array(shares)


def chosen_curve(matrix: Matrix, counts: Sequence[int]) -> NDArray[np.float64]:
    """The same share for n columns chosen one after another, each the one that meets most rows not yet met.

    Args:
        matrix: bool, neighbours x candidates.
        counts: how many columns, each from 0 to their number.
    """
    rows, columns = matrix.shape
    met = np.zeros(rows, dtype=bool)
    used = np.zeros(columns, dtype=bool)
    shares = [0.0]
    for _ in range(max(counts, default=0)):
        gain = np.where(used, -1, matrix[~met].sum(axis=0))
        best = int(np.argmax(gain))
        used[best] = True
        met |= matrix[:, best]
        shares.append(float(met.mean()) if rows else 0.0)
    return np.array([shares[n] for n in counts])


def measure_kills(
    tables: Path | None,
    database: Path,
    golds: Sequence[Path],
    db_id: str,
    options: BuildOptions | None = None,
) -> Kills:
    """Make random candidates of one schema and run every neighbour of its golds on all of them.

    Args:
        tables: tables.json, for keys that the files don't declare; may be None.
        database: directory holding ``<db_id>/<db_id>.sqlite``.
        golds: gold files.
        db_id: the schema.
        options: as for a build; ``cover``, ``search`` and ``rows`` do nothing here. The same options, the same
            candidates and neighbours as in a build.

    Raises:
        InputError: an input is missing or wrong, or no gold of the schema runs.
    """
    from distill.assumed import assumed_schema
    from distill.build.golds import ask_golds, check_golds, distinct_golds
    from distill.build.nearness import find_neighbours
    from distill.build.options import seeded_rng
    from distill.fuzz import generate, suite_storage
    from distill.neighbours import NeighbourMaker
    from distill.run import read_tasks
    from testsuite.engine.evaluate import Evaluator
    from testsuite.engine.referee import Referee
    from testsuite.engine.session import Session
    from testsuite.score.options import ScoreOptions
    from testsuite.suite import stack_rows

    options = options or BuildOptions()
    tasks, _ = read_tasks(tables, database, golds, Path(), options, [db_id])
    task = tasks[0]
    rng = seeded_rng(options.seed, db_id)
    storage = suite_storage(task.schema, task.shipped)
    shipped = None if task.shipped is None else stack_rows(task.schema, [task.shipped], storage)
    checker = Referee(stack_rows(task.schema, [], storage))
    runnable, broken = check_golds(checker, distinct_golds(task.golds))
    checker.close()
    if not runnable:
        raise InputError(f"{db_id}: SQLite accepts none of its golds")
    stack = generate(task.schema, [g.sql for g in runnable], shipped, options.instances, rng, options.policies)
    session, referee = Session(), Referee(stack)
    try:
        session.load(stack)
        evaluator = Evaluator(stack, session, referee, ScoreOptions(now=options.now).instant)
        asked = ask_golds(evaluator, runnable, broken)
        texts = [gold.sql for gold in asked.texts]
        maker = NeighbourMaker(assumed_schema(task.schema, task.shipped, options.policies), texts)
        near = find_neighbours(evaluator, asked.answers, maker, options.neighbours, rng)
        maker.close()
    finally:
        referee.close()
        session.close()
    return Kills(
        db_id,
        tuple(texts),
        tuple(row.neighbour for row in near.rows),
        tuple(row.gold for row in near.rows),
        near.kills,
        stack.row_counts,
    )


__all__ = ["Kills", "Matrix", "chosen_curve", "measure_kills", "random_curve"]
