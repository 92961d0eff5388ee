"""The part of an answer that its LIMIT and OFFSET leave, as tie groups with the places they can take.

An answer stands for a family of sequences: tie groups follow one another, the rows inside each may come in any
order, and the window keeps the places ``offset .. offset + limit - 1``. A group that reaches over an end of the
window is *cut*: any of its rows may be among those kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from testsuite.compare.answer import Answer
from testsuite.compare.hashing import U64

_FAR = 1 << 62
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Window:
    """The tie groups that have a place in the window, ordered by instance and place.

    Attributes:
        rows: which rows of the answer are in these groups, group after group.
        group: for each of ``rows``, the number of its group.
        within: for each of ``rows``, its position inside its group.
        instance: per group.
        start: per group, its first place, counted from the window's start.
        taken: per group, how many places of the window it fills.
        size: per group, how many rows it has to fill them. More than ``taken`` where it is cut.
        uniform: per group, whether all its rows are the same.
    """

    rows: Index
    group: Index
    within: Index
    instance: Index
    start: Index
    taken: Index
    size: Index
    uniform: Mask

    @property
    def cut(self) -> Mask:
        """Per group: whether which of its rows are kept is left open."""
        return self.taken < self.size

    def lengths(self, instances: int) -> Index:
        """Rows kept, per instance."""
        return np.bincount(self.instance, weights=self.taken, minlength=instances).astype(np.int64)


def is_plain(answer: Answer) -> bool:
    """Whether the answer is one bag per instance: no order, no limit."""
    return answer.rank is None and answer.limit is None and answer.offset <= 0


def window(answer: Answer, hashes: U64) -> Window:
    """The window of an answer.

    Args:
        answer: any answer.
        hashes: one per row of it, equal exactly where rows are.
    """
    instance = answer.instance.astype(np.int64)
    rank = np.ones(len(instance), dtype=np.int64) if answer.rank is None else answer.rank
    rows = np.arange(len(instance))
    step = np.diff(instance)
    if ((step < 0) | ((step == 0) & (np.diff(rank) < 0))).any():
        rows = np.lexsort((rank, instance))
        instance, rank, hashes = instance[rows], rank[rows], hashes[rows]
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (instance[1:] != instance[:-1]) | (rank[1:] != rank[:-1])
    first = np.flatnonzero(fresh)
    size = np.diff(np.append(first, len(rows)))
    begin = rank[first] - 1
    low = max(answer.offset, 0)
    high = _FAR if answer.limit is None else min(low + max(answer.limit, 0), _FAR)
    taken = np.maximum(np.minimum(begin + size, high) - np.maximum(begin, low), 0)
    start = np.maximum(begin, low) - low
    group = np.cumsum(fresh) - 1
    within = np.arange(len(rows)) - first[group]
    uniform = np.ones(len(first), dtype=bool)
    if len(rows):
        uniform = np.minimum.reduceat(hashes, first) == np.maximum.reduceat(hashes, first)
    # A cut group of equal rows leaves nothing open: it is as good as a group of the right size.
    size = np.where(uniform, taken, size)
    kept = taken > 0
    keep_row = kept[group] & (within < size[group])
    renumbered = np.cumsum(kept) - 1
    return Window(
        rows[keep_row],
        renumbered[group[keep_row]],
        within[keep_row],
        instance[first[kept]],
        start[kept],
        taken[kept],
        size[kept],
        uniform[kept],
    )
