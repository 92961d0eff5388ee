"""What each instance is like: sizes, widths of domains, skew, NULLs, repeats. One array per trait."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from distill.fuzz.policies import Policies

# Mostly small (mean about 10 rows before planting): small instances separate most near-misses and run fastest.
SIZES = np.array([1, 2, 3, 5, 8, 12, 20, 40, 100])
SIZE_RATES = np.array([0.10, 0.13, 0.12, 0.19, 0.17, 0.14, 0.10, 0.04, 0.01])
WIDTHS = np.array([1, 2, 3, 5, 10, 32])
WIDTH_RATES = np.array([0.05, 0.13, 0.16, 0.22, 0.22, 0.22])


@dataclass(frozen=True)
class Profile:
    """Traits of ``count`` instances (arrays of that length, or count x tables).

    Attributes:
        sizes: rows per instance and table before planting, int64.
        plain_keys: keys count 1, 2, 3 ... where True, else they are drawn from the pool.
        skew: exponent of draws from a domain or of parents; 1 is even, 4 gives few values most rows.
        coverage: share of parents that may have children at all.
        null_rate: share of NULLs in columns of this instance that may hold NULL.
        repeats: share of rows that repeat an earlier one, keys apart.
        ties: whether some rows take the largest or the smallest value of their column.
        narrow: whether every column has one value only.
        constants: whether columns hold only constants of queries and their near neighbours, where there are any.
    """

    count: int
    sizes: NDArray[np.int64]
    plain_keys: NDArray[np.bool_]
    skew: NDArray[np.float64]
    coverage: NDArray[np.float64]
    null_rate: NDArray[np.float64]
    repeats: NDArray[np.float64]
    ties: NDArray[np.bool_]
    narrow: NDArray[np.bool_]
    constants: NDArray[np.bool_]


def draw_profile(count: int, tables: int, policies: Policies, rng: np.random.Generator) -> Profile:
    """Traits for ``count`` instances of ``tables`` tables."""
    sizes = rng.choice(SIZES, (count, tables), p=SIZE_RATES)
    # In a third of the instances all tables are about equally large.
    level = rng.random(count) < 0.33
    jitter = rng.integers(0, 3, (count, tables))
    sizes = np.where(level[:, None], np.minimum(sizes[:, :1], 40) + jitter, sizes)
    sizes[rng.random((count, tables)) < policies.empty_tables] = 0
    nulls = rng.choice([0.0, 0.08, 0.25, 0.6, 1.0], count, p=[0.4, 0.2, 0.25, 0.13, 0.02])
    repeats = rng.choice([0.15, 0.4, 0.8], count, p=[0.5, 0.35, 0.15])
    return Profile(
        count=count,
        sizes=sizes.astype(np.int64),
        plain_keys=rng.random(count) < 0.5,
        skew=rng.choice([1.0, 2.0, 4.0], count, p=[0.5, 0.3, 0.2]),
        coverage=rng.choice([1.0, 0.7, 0.4, 0.15], count, p=[0.4, 0.3, 0.2, 0.1]),
        null_rate=nulls,
        repeats=np.where(rng.random(count) < policies.duplicates, repeats, 0.0),
        ties=rng.random(count) < 0.35,
        narrow=rng.random(count) < 0.02,
        constants=rng.random(count) < 0.15,
    )
