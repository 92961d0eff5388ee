"""Whether a choice is open on an instance beyond what the low and the high reading show, from its probes' answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from testsuite.compare.answer import Answer
from testsuite.query.probes import Probe


def open_beyond(probes: Sequence[tuple[Probe, Sequence[Answer]]], count: int, only_cuts: bool) -> NDArray[np.bool_]:
    """The instances on which equal low and high readings do not settle the answer.

    Args:
        probes: every choice's probe with its answers (in the low and in the high reading), over the same instances.
        count: how many instances.
        only_cuts: whether nothing is open but what these probes look at; then one cut that leaves two ways is settled
            by the two readings.
    """
    wide = np.zeros(count, dtype=bool)
    narrow = np.zeros(count, dtype=np.int64)
    for probe, answers in probes:
        ways = np.ones(count, dtype=np.int64)
        for answer in answers:
            ways = np.maximum(ways, cut_ways(answer) if probe.cut else _any_row(answer))
            ways[list(answer.errors)] = 3
        wide |= (ways > 2) | ((ways == 2) & (not probe.covered))
        narrow += ways > 1
    return wide | (narrow > (1 if only_cuts else 0))


def _any_row(answer: Answer) -> NDArray[np.int64]:
    ways = np.ones(answer.instances, dtype=np.int64)
    ways[answer.instance] = 3
    return ways


def cut_ways(answer: Answer) -> NDArray[np.int64]:
    """Per instance how many bags of rows an answer's LIMIT and OFFSET allow: 1, 2, or 3 for more, or perhaps more."""
    ways = np.ones(answer.instances, dtype=np.int64)
    if not answer.rows:
        return ways
    rank = np.ones(answer.rows, dtype=np.int64) if answer.rank is None else answer.rank
    keys = [column.code for column in answer.columns]
    order = np.lexsort([*(key.view(np.int64) for key in keys), rank, answer.instance.astype(np.int64)])
    instance, rank = answer.instance[order], rank[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (instance[1:] != instance[:-1]) | (rank[1:] != rank[:-1])
    other = fresh.copy()
    for key in keys:
        sorted_key = key[order]
        other[1:] |= sorted_key[1:] != sorted_key[:-1]
    first = np.flatnonzero(fresh)
    size = np.diff(np.append(first, len(order)))
    distinct = np.add.reduceat(other.astype(np.int64), first)
    start = rank[first] - 1
    stop = start + size
    end = np.full(len(first), np.iinfo(np.int64).max)
    if answer.limit is not None:
        end[:] = answer.offset + answer.limit
    at_end = (start < end) & (end < stop)
    at_start = (start < answer.offset) & (answer.offset < stop)
    taken = end - start
    two = at_end & ~at_start & (distinct == 2) & ((taken == 1) | (taken == size - 1))
    found = np.where((at_end | at_start) & (distinct > 1), np.where(two, 2, 3), 1)
    np.maximum.at(ways, instance[first], found)
    return ways
