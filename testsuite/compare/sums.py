"""Sums over the cells of an instance, which rule out most wrong answers before any order of columns is tried."""

from __future__ import annotations

import numpy as np

from testsuite.compare.answer import Cells, Kind
from testsuite.compare.hashing import segment_sums
from testsuite.compare.layout import Side
from testsuite.compare.tolerance import soft

SUM_NOISE = 1e-12
"""Relative error allowed to a sum, since sums of many numbers are themselves rounded."""


class CellSums:
    """Sums over all cells of an instance; no order of rows or columns changes them.

    ``codes`` of all codes; ``rest`` of the codes of all but finite numbers, which count as one; ``total`` and
    ``size`` of the numbers and of their magnitudes; ``count`` of the numbers; ``soft``: a tolerance applies to some.
    All but the first only where ``tolerant``.
    """

    def __init__(self, side: Side, columns: tuple[Cells, ...], count: int, tolerant: bool) -> None:
        self.codes = np.zeros(count, dtype=np.uint64)
        self.rest = np.zeros(count, dtype=np.uint64)
        self.total, self.size, self.count = (np.zeros(count) for _ in range(3))
        self.soft = np.zeros(count, dtype=bool)
        rows = slice(None) if side.rows is None else side.rows
        for cells in columns:
            self.codes += segment_sums(cells.code[rows], side.bounds)
        if not tolerant:
            return
        owner = np.repeat(np.arange(count), np.diff(side.bounds))
        for cells in columns:
            kind, number, code = cells.kind[rows], cells.number[rows], cells.code[rows]
            numeric = ((kind == Kind.INTEGER) | (kind == Kind.REAL)) & np.isfinite(number)
            self.rest += segment_sums(np.where(numeric, np.uint64(1), code), side.bounds)
            number = np.where(numeric, number, 0.0)
            with np.errstate(over="ignore", invalid="ignore"):
                self.total += np.bincount(owner, weights=number, minlength=count)
                self.size += np.bincount(owner, weights=np.abs(number), minlength=count)
            self.count += np.bincount(owner, weights=numeric, minlength=count)
            loose = soft(cells)[rows]
            if loose.any():
                self.soft[owner[loose]] = True
