"""Choose the instances to keep: a small set in which every requirement is met often enough. Pure numpy.

A requirement is a row of a boolean matrix (a gold and its neighbour, separated or not on each instance; or a gold,
informative or not), with the number of instances that must meet it. This is set multicover, which is NP-hard;
greedy is within a factor ln(rows) of the best (Dobson 1982), and a backward pass then drops what became redundant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def greedy_cover(
    matrix: NDArray[np.bool_],
    need: NDArray[np.int64],
    cost: NDArray[np.float64],
    forced: Sequence[int] = (),
) -> list[int]:
    """Columns that together meet every row as often as possible up to its need.

    Args:
        matrix: bool, requirements x instances.
        need: int, how often each row should be met; capped at what all columns together give.
        cost: float > 0 per column (its rows, say); a column's gain is divided by it.
        forced: columns that are kept in any case; they count.

    Returns:
        The chosen columns: the forced ones first, the others ascending. Deterministic: ties go to the lower index.
    """
    rows, columns = matrix.shape
    left = np.minimum(need, matrix.sum(axis=1)).astype(np.int64)
    chosen = list(dict.fromkeys(int(c) for c in forced))
    for column in chosen:
        left = np.maximum(left - matrix[:, column], 0)
    free = np.ones(columns, dtype=bool)
    free[chosen] = False
    dense = matrix.astype(np.float32)
    while rows and left.any():
        gain = (left > 0).astype(np.float32) @ dense
        score = np.where(free, gain / cost, -1.0)
        best = int(np.argmax(score))
        if gain[best] <= 0 or not free[best]:
            break
        chosen.append(best)
        free[best] = False
        left = np.maximum(left - matrix[:, best], 0)
    kept = set(chosen)
    target = np.minimum(need, matrix.sum(axis=1))
    met = matrix[:, sorted(kept)].sum(axis=1) if kept else np.zeros(rows, dtype=np.int64)
    pinned = {int(c) for c in forced}
    for column in sorted(kept - pinned, key=lambda c: (-cost[c], c)):
        if np.all(met - matrix[:, column] >= np.minimum(target, met)):
            kept.discard(column)
            met = met - matrix[:, column]
    return [*dict.fromkeys(int(c) for c in forced), *sorted(kept - pinned)]
