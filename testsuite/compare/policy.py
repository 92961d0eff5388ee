"""What a comparison is asked to do, and what it found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from testsuite.errors import InputError

Columns = Literal["any", "strict", "name"]
Rows = Literal["bag", "set"]


@dataclass(frozen=True, slots=True)
class Policy:
    """When two answers count as the same.

    Attributes:
        columns: ``any``: one permutation of the prediction's columns, the same on all instances, may be needed;
            ``strict``: columns correspond by position; ``name``: by name (ASCII case ignored, equal names in order).
        rows: ``bag``: duplicates count; ``set``: neither duplicates nor order do.
        relative: reals are equal within this part of the greater magnitude. Whole numbers only equal themselves.
        absolute: reals are also equal within this distance (0: no such allowance).
        numeric_text: whether text that spells a number equals that number ('2019' = 2019).

    Raises:
        InputError: a value that is none of these.
    """

    columns: Columns = "any"
    rows: Rows = "bag"
    relative: float = 1e-9
    absolute: float = 0.0
    numeric_text: bool = False

    def __post_init__(self) -> None:
        if self.columns not in get_args(Columns):
            raise InputError(f"columns must be one of {', '.join(get_args(Columns))}, not {self.columns!r}")
        if self.rows not in get_args(Rows):
            raise InputError(f"rows must be one of {', '.join(get_args(Rows))}, not {self.rows!r}")
        if not (0 <= self.relative < 1 and 0 <= self.absolute < float("inf")):
            raise InputError("tolerances must be at least 0, the relative one below 1")


class Reason(IntEnum):
    """Why two answers are not the same on an instance."""

    SAME = 0
    GOLD_ERROR = 1
    """The gold failed there or its own answer is open: no evidence either way."""
    ERROR = 2
    """The prediction failed there."""
    COLUMNS = 3
    """Another number of columns, or other names where names decide."""
    ROWS = 4
    """Another number of rows."""
    VALUES = 5
    """As many rows, with other values."""
    ORDER = 6
    """The same rows in an order that the gold does not admit, or does not leave open."""
    TIES = 7
    """A LIMIT cuts through a tie: the two may agree, but the prediction can also give what the gold can't."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two answers, one entry per instance.

    Attributes:
        equal: bool, every answer the prediction can give there is one the gold can give. False where not usable.
        usable: bool, the gold has a determined answer there.
        informative: bool, the gold's answer there has a cell that is not NULL.
        tie_only: bool, not equal, but for some choice among ties the rows would be the same (order put aside).
        reason: uint8, a ``Reason`` per instance.
        permutation: which column of the prediction stands for each column of the gold; None where they correspond
            as they stand (or not at all).
        joint: False where some instance would be equal, but only under a permutation of columns that fails on
            more instances than the one used.
        complete: False where the search for a permutation gave up before it had tried all that could fit. Then
            ``equal`` may be False where it should be True; it is never wrongly True.
    """

    equal: NDArray[np.bool_]
    usable: NDArray[np.bool_]
    informative: NDArray[np.bool_]
    tie_only: NDArray[np.bool_]
    reason: NDArray[np.uint8]
    permutation: tuple[int, ...] | None = None
    joint: bool = True
    complete: bool = True

    @property
    def failed(self) -> NDArray[np.int64]:
        """Instances that show a difference."""
        return np.flatnonzero(self.usable & ~self.equal)
