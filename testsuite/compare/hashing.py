"""Vectorised 64-bit hashing. All sums and products wrap around, as numpy's unsigned arrays do.

Row and bag hashes are sums of mixed codes: two different bags share a hash with a chance of about 2**-64.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

U64 = NDArray[np.uint64]
MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_M1 = 0xBF58476D1CE4E5B9
_M2 = 0x94D049BB133111EB


def mix(values: U64) -> U64:
    """splitmix64's finaliser, a bijection of 64-bit words (Steele, Lea, Flood, OOPSLA 2014)."""
    z = values + np.uint64(_GAMMA)
    z ^= z >> np.uint64(30)
    z *= np.uint64(_M1)
    z ^= z >> np.uint64(27)
    z *= np.uint64(_M2)
    z ^= z >> np.uint64(31)
    return z


def mix_int(value: int) -> int:
    """``mix`` of one Python integer."""
    z = (value + _GAMMA) & MASK
    z = ((z ^ (z >> 30)) * _M1) & MASK
    z = ((z ^ (z >> 27)) * _M2) & MASK
    return z ^ (z >> 31)


def weight(position: int) -> np.uint64:
    """An odd multiplier for the column at a position."""
    return np.uint64(mix_int(position + 1) | 1)


def row_hashes(codes: U64, order: Sequence[int] | None = None) -> U64:
    """One hash per row.

    Args:
        codes: shape (columns, rows), the codes of the cells.
        order: which column stands at each position; as they are where None.
    """
    total = np.zeros(codes.shape[1], dtype=np.uint64)
    for position, column in enumerate(range(len(codes)) if order is None else order):
        total += codes[column] * weight(position)
    return mix(total)


def segment_sums(values: U64, bounds: NDArray[np.int64]) -> U64:
    """Wrapped sums of ``values[bounds[i]:bounds[i + 1]]``; segments may be empty."""
    running = np.zeros(len(values) + 1, dtype=np.uint64)
    np.cumsum(values, out=running[1:])
    ends: U64 = running[bounds]
    return ends[1:] - ends[:-1]
