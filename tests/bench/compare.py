"""How long comparisons take: python tests/bench/compare.py (processor time, best of seven)."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

from testsuite.compare import Answer, Cells, cells_from_arrow, cells_from_python, compare  # noqa: E402 - after the path

INSTANCES, ROWS = 500, 40


def column(kind: str, rng: np.random.Generator, rows: int) -> Cells:
    """Random cells: i integers, t text, f reals, b zeros and ones, c all the same."""
    if kind == "t":
        return cells_from_arrow(pa.array([f"name {v}" for v in rng.integers(0, 200, rows)]))
    if kind == "f":
        return cells_from_arrow(pa.array(rng.random(rows) * 100))
    top = {"i": 50, "b": 2, "c": 1}[kind]
    return cells_from_arrow(pa.array(rng.integers(0, top, rows)))


def make(kinds: str, instances: int = INSTANCES, rows: int = ROWS, seed: int = 0, ties: int = 0) -> Answer:
    """A random answer; ``ties``: size of its tie groups, 0 for no order."""
    rng = np.random.default_rng(seed)
    columns = tuple(column(kind, rng, instances * rows) for kind in kinds)
    rank = np.tile(np.arange(rows) // ties * ties + 1, instances).astype(np.int64) if ties else None
    instance = np.repeat(np.arange(instances, dtype=np.int32), rows)
    return Answer(instances, instance, columns, tuple(kinds), bool(ties), rank)


def turned(a: Answer, order: tuple[int, ...] | None = None, noise: float = 0.0, limit: int | None = None) -> Answer:
    """The same answer with rows shuffled inside ties, columns in another order, and noise on its reals."""
    rng = np.random.default_rng(1)
    keys = (rng.random(a.rows), a.instance) if a.rank is None else (rng.random(a.rows), a.rank, a.instance)
    rows = np.lexsort(keys)
    columns = []
    for position in order or range(len(a.columns)):
        cells = a.columns[position]
        if noise and (cells.kind == 2).any():
            cells = cells_from_arrow(pa.array(cells.number * (1 + noise)))
        columns.append(Cells(cells.kind[rows], cells.number[rows], cells.code[rows]))
    return Answer(a.instances, a.instance, tuple(columns), a.names, a.ordered, a.rank, limit)


def cut(a: Answer, limit: int) -> Answer:
    """The answer with a LIMIT."""
    return Answer(a.instances, a.instance, a.columns, a.names, a.ordered, a.rank, limit)


def best(call: object) -> float:
    """Milliseconds of the fastest of seven calls."""
    assert callable(call)
    times = []
    for _ in range(7):
        started = time.process_time()
        call()
        times.append(time.process_time() - started)
    return 1000 * min(times)


def main() -> None:
    three, six, tied = make("itf"), make("iitfib"), make("itf", ties=2)
    same12, binary12 = make("c" * 12, 1, 1000), make("b" * 12, 1, 1000)
    cases = {
        "500 x 40 x 3, equal": (three, turned(three)),
        "  columns exchanged": (three, turned(three, (2, 0, 1))),
        "  rounding noise": (three, turned(three, noise=1e-15)),
        "  both": (three, turned(three, (2, 0, 1), 1e-15)),
        "  wrong": (three, make("itf", seed=1)),
        "  ordered, ties, equal": (tied, turned(tied)),
        "  ordered, ties, wrong": (tied, make("itf", seed=1, ties=2)),
        "  order missing": (tied, make("itf")),
        "  LIMIT through a tie, equal": (cut(tied, 39), turned(tied, limit=39)),
        "  LIMIT through a tie, exchanged": (cut(tied, 39), turned(tied, (2, 0, 1), limit=39)),
        "500 x 40 x 6, exchanged": (six, turned(six, (5, 4, 3, 2, 1, 0))),
        "500 x 40 x 6, wrong": (six, make("iitfib", seed=1)),
        "1 x 1000 x 12, identical columns": (same12, same12),
        "  one differs": (same12, make("c" * 11 + "i", 1, 1000)),
        "1 x 1000 x 12, zeros and ones, exchanged": (binary12, turned(binary12, tuple(range(11, -1, -1)))),
        "1 x 1000 x 12, zeros and ones, wrong": (binary12, make("b" * 12, 1, 1000, seed=2)),
    }
    for name, (gold, prediction) in cases.items():
        found = compare(gold, prediction)
        spent = best(lambda gold=gold, prediction=prediction: compare(gold, prediction))
        print(f"{name:42} {spent:8.2f} ms   equal on {int(found.equal.sum())} of {len(found.equal)}")
    text = pa.array([f"name {i % 200}" for i in range(20_000)])
    values = text.to_pylist()
    print(f"{'20,000 texts to cells, from Arrow':42} {best(lambda: cells_from_arrow(text)):8.2f} ms")
    print(f"{'20,000 texts to cells, from Python':42} {best(lambda: cells_from_python(values)):8.2f} ms")


if __name__ == "__main__":
    main()
