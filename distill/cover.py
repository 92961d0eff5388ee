"""Choose the instances to keep: the fewest on which every requirement is met often enough. Pure numpy.

A requirement is a row of a boolean matrix (a gold and its neighbour, separated or not on each instance; or a gold,
informative or not), with the number of instances that must meet it. This is set multicover, which is NP-hard. Greedy
is within a factor ln(rows) of the best (Dobson 1982); local search with weights on the rows that stay unmet (the idea
of Gao et al. 2015 for set cover) comes near the bound of the linear relaxation on matrices of real suites.

Requirements that another one implies are left out first: most near-misses are easy, and what the hard ones need meets
them too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.bool_]
Counts = NDArray[np.int64]

STEPS = 4000
_TABU = 3


def cover(
    matrix: Matrix,
    need: Counts,
    cost: NDArray[np.float64],
    forced: Sequence[int] = (),
    rng: np.random.Generator | None = None,
    steps: int = STEPS,
) -> list[int]:
    """Columns that together meet every row as often as possible up to its need: few, and cheap among as few.

    Args:
        matrix: bool, requirements x instances.
        need: int, how often each row should be met; capped at what all columns together give.
        cost: float per column (its rows, say); decides between choices of the same number of columns.
        forced: columns that are kept in any case; they count.
        rng: the only source of chance of the local search; without it the search follows the order of the columns.
        steps: changes that the local search tries.

    Returns:
        The chosen columns: the forced ones first, the others ascending. No column but the forced ones is redundant.
    """
    pinned = list(dict.fromkeys(int(c) for c in forced))
    target = np.minimum(need, matrix.sum(axis=1)).astype(np.int64)
    hard = essential(matrix, target)
    matrix, target = matrix[hard], target[hard]
    chosen = _greedy(matrix, target, cost, pinned)
    chosen = _without_redundant(matrix, target, cost, chosen, pinned)
    chosen = _fewer(matrix, target, cost, chosen, pinned, rng or np.random.default_rng(0), steps)
    chosen = _cheaper(matrix, target, cost, chosen, pinned)
    return [*pinned, *sorted(chosen - set(pinned))]


def essential(matrix: Matrix, target: Counts) -> NDArray[np.int64]:
    """Rows that no other row implies, ascending.

    A row is implied by one that is met on a part of its columns and must be met at least as often.
    """
    wanted = np.flatnonzero(target > 0)
    if not len(wanted):
        return wanted
    both = np.column_stack([matrix[wanted], target[wanted]])
    _, first = np.unique(both, axis=0, return_index=True)
    rows = wanted[np.sort(first)]
    # Few columns first, of equals the most wanted: those imply, and are never implied by a row that comes later.
    rows = rows[np.lexsort((rows, -target[rows], matrix[rows].sum(axis=1)))]
    dense = matrix[rows].astype(np.float32)
    sizes = dense.sum(axis=1)
    left = np.ones(len(rows), dtype=bool)
    for number in range(len(rows)):
        if not left[number]:
            continue
        inside = dense[number + 1 :] @ dense[number] >= sizes[number]
        left[number + 1 :] &= ~(inside & (target[rows[number + 1 :]] <= target[rows[number]]))
    kept: NDArray[np.int64] = np.sort(rows[left])
    return kept


def _greedy(matrix: Matrix, target: Counts, cost: NDArray[np.float64], pinned: Sequence[int]) -> set[int]:
    """The column that meets most rows still unmet, again and again; the cheaper, then the first, of equals."""
    chosen = set(pinned)
    left = target - matrix[:, pinned].sum(axis=1)
    dense = matrix.astype(np.float64)
    while np.any(left > 0):
        gain = (left > 0).astype(np.float64) @ dense
        gain[sorted(chosen)] = -1.0
        best = int(np.lexsort((cost, -gain))[0])
        chosen.add(best)
        left = left - matrix[:, best]
    return chosen


def _without_redundant(
    matrix: Matrix, target: Counts, cost: NDArray[np.float64], chosen: set[int], pinned: Sequence[int]
) -> set[int]:
    kept = set(chosen)
    met = matrix[:, sorted(kept)].sum(axis=1)
    for column in sorted(kept - set(pinned), key=lambda c: (-cost[c], c)):
        if np.all(met - matrix[:, column] >= target):
            kept.discard(column)
            met = met - matrix[:, column]
    return kept


def _fewer(
    matrix: Matrix,
    target: Counts,
    cost: NDArray[np.float64],
    chosen: set[int],
    pinned: Sequence[int],
    rng: np.random.Generator,
    steps: int,
) -> set[int]:
    """Local search for a cover with fewer columns; at worst the one given.

    A cover is made one column too small; then columns are exchanged, one out and one in. Rows that stay unmet gain
    weight until some exchange serves them.
    """
    columns = matrix.shape[1]
    fixed = np.zeros(columns, dtype=bool)
    fixed[list(pinned)] = True
    dense = matrix.astype(np.float64)
    weight = np.ones(len(target))
    used = np.zeros(columns, dtype=bool)
    used[sorted(chosen)] = True
    met = matrix[:, used].sum(axis=1)
    rest_until = np.zeros(columns, dtype=np.int64)
    best = used.copy()
    # Chance decides between equals only: less than any difference of weights.
    chance = rng.random(columns) * 0.5

    def out(column: int) -> None:
        used[column] = False
        np.subtract(met, matrix[:, column], out=met)

    def cheapest_loss(step: int) -> int:
        lost: NDArray[np.float64] = (weight * (met <= target)) @ dense + chance
        lost[~used | fixed] = np.inf
        free = np.where(rest_until > step, np.inf, lost)
        return int(np.argmin(free if np.isfinite(free).any() else lost))

    for step in range(steps):
        while np.all(met >= target):
            best = used.copy()
            if not (used & ~fixed).any():
                return set(np.flatnonzero(best).tolist())
            out(cheapest_loss(step))
        if not (used & ~fixed).any():
            break
        gone = cheapest_loss(step)
        out(gone)
        rest_until[gone] = step + _TABU
        unmet = np.flatnonzero(met < target)
        row = int(unmet[rng.integers(len(unmet))])
        gain = (weight * (met < target)) @ dense + chance
        gain[used | ~matrix[row]] = -np.inf
        waiting = gain.copy()
        waiting[rest_until > step] = -np.inf
        coming = int(np.argmax(waiting if np.isfinite(waiting).any() else gain))
        used[coming] = True
        np.add(met, matrix[:, coming], out=met)
        rest_until[coming] = step + _TABU
        weight[met < target] += 1.0
    return _without_redundant(matrix, target, cost, set(np.flatnonzero(best).tolist()), pinned)


def _cheaper(
    matrix: Matrix, target: Counts, cost: NDArray[np.float64], chosen: set[int], pinned: Sequence[int]
) -> set[int]:
    """Exchange single columns for cheaper ones while every row stays met."""
    kept = set(chosen)
    met = matrix[:, sorted(kept)].sum(axis=1)
    changed = True
    while changed:
        changed = False
        for column in sorted(kept - set(pinned), key=lambda c: (-cost[c], c)):
            without = met - matrix[:, column]
            open_rows = without < target
            fit = np.all(matrix[open_rows], axis=0) & (cost < cost[column])
            fit[sorted(kept)] = False
            if fit.any():
                place = int(np.argmin(np.where(fit, cost, np.inf)))
                kept = (kept - {column}) | {place}
                met = without + matrix[:, place]
                changed = True
    return kept
