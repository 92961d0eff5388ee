"""What a family of values is: it knows fresh values like those seen, and near neighbours of a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from testsuite.schema import Column, Storage

Scalar = int | float | str


class Family(Protocol):
    """Values of one kind. Modules of this package are the families; they follow this protocol."""

    @staticmethod
    def suits(column: Column, storage: Storage, examples: Sequence[Scalar]) -> bool:
        """Whether the column's values are of this family. ``examples`` are distinct and may be empty."""
        ...

    @staticmethod
    def near(value: Scalar) -> list[Scalar]:
        """Values that are easily mistaken for ``value``: just below, just above, other case ..."""
        ...

    @staticmethod
    def fresh(column: Column, examples: Sequence[Scalar], count: int, rng: np.random.Generator) -> list[Scalar]:
        """About ``count`` values shaped like the examples (repeats are possible)."""
        ...
