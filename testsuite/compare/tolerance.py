"""Equality of reals within a tolerance, made exact again: near values get one code.

Values of one instance are sorted and cut into clusters no wider than the tolerance; all values of a cluster get
one code. So whatever is called equal is within the tolerance. Two values within it may still fall into two
clusters where many values lie close together; a first try with a much smaller tolerance (see ``levels``) makes
that a matter of rounding noise meeting a cluster's edge.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from testsuite.compare.answer import Cells, Kind
from testsuite.compare.hashing import U64
from testsuite.compare.window import Index, Mask

_NOISE = 1e-4
_EXACT = 2.0**53


def levels(relative: float, absolute: float) -> list[tuple[float, float]]:
    """The tolerances to try, narrow first."""
    if relative <= 0 and absolute <= 0:
        return []
    return [(relative * _NOISE, absolute * _NOISE), (relative, absolute)]


def soft(cells: Cells) -> Mask:
    """Cells that a tolerance applies to: reals with a fraction, or too large to have one."""
    number = cells.number
    with np.errstate(invalid="ignore"):
        loose = (number != np.floor(number)) | (np.abs(number) >= _EXACT)
    found: Mask = (cells.kind == Kind.REAL) & loose & np.isfinite(number)
    return found


def hard(cells: Cells) -> Mask:
    """Numbers that only equal themselves, but that a soft one may be near to."""
    number = cells.number
    kind = (cells.kind == Kind.REAL) | (cells.kind == Kind.INTEGER)
    found: Mask = kind & (np.abs(number) < _EXACT) & (number == np.floor(number))
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    side: int
    column: int
    rows: Index


def snap(
    sides: Sequence[tuple[Sequence[Cells], NDArray[np.int32], U64]],
    among: Mask,
    columns: Collection[int],
    tolerances: Sequence[tuple[float, float]],
) -> list[list[U64]]:
    """Codes under which numbers within a tolerance are equal.

    Args:
        sides: for each answer its columns, the instance of each row, and the codes, shape (columns, rows).
        among: the instances to do this for; codes of others stay.
        columns: the columns to do this for; codes of others stay.
        tolerances: pairs of a part of the greater magnitude and a distance.

    Returns:
        For each tolerance new codes for each side.
    """
    places: list[_Place] = []
    numbers, instances, codes, firm = [], [], [], []
    for side, (cells_of, instance, code) in enumerate(sides):
        chosen = among[instance]
        for position in columns:
            cells = cells_of[position]
            is_hard = hard(cells)
            rows = np.flatnonzero(chosen & (is_hard | soft(cells)))
            places.append(_Place(side, position, rows))
            numbers.append(cells.number[rows])
            instances.append(instance[rows])
            codes.append(code[position][rows])
            firm.append(is_hard[rows])
    number, owner = np.concatenate(numbers), np.concatenate(instances)
    order = np.argsort(number)
    order = order[np.argsort(owner[order], kind="stable")]
    sorted_input = number[order], owner[order], np.concatenate(codes)[order], np.concatenate(firm)[order]
    results = []
    for relative, absolute in tolerances:
        flat = np.empty(len(order), dtype=np.uint64)
        flat[order] = _cluster(*sorted_input, relative, absolute)
        result = [code.copy() for _, _, code in sides]
        begin = 0
        for place in places:
            end = begin + len(place.rows)
            result[place.side][place.column, place.rows] = flat[begin:end]
            begin = end
        results.append(result)
    return results


def _cluster(
    number: NDArray[np.float64],
    instance: NDArray[np.int32],
    codes: U64,
    firm: Mask,
    relative: float,
    absolute: float,
) -> U64:
    """The code of each number's cluster; numbers sorted by instance and value."""
    codes = codes.copy()
    if not len(number):
        return codes
    reach = np.maximum(np.abs(number) * relative, absolute)
    fresh = np.ones(len(number), dtype=bool)
    near = (number[1:] - number[:-1]) <= np.maximum(reach[1:], reach[:-1])
    fresh[1:] = (instance[1:] != instance[:-1]) | ~near
    first = np.flatnonzero(fresh)
    last = np.append(first[1:], len(number)) - 1
    with_soft = np.logical_or.reduceat(~firm, first) & (number[first] != number[last])
    width = number[last] - number[first]
    low_firm = np.minimum.reduceat(np.where(firm, number, np.inf), first)
    high_firm = np.maximum.reduceat(np.where(firm, number, -np.inf), first)
    wide = with_soft & ((width > np.maximum(reach[first], reach[last])) | (low_firm < high_firm))
    simple = with_soft & ~wide
    group = np.cumsum(fresh) - 1
    codes = np.where(simple[group], codes[first[group]], codes)
    for c in np.flatnonzero(wide):
        _split(int(first[c]), int(last[c]) + 1, number, codes, firm, relative, absolute)
    return codes


def _split(
    begin: int,
    end: int,
    number: NDArray[np.float64],
    codes: U64,
    firm: Mask,
    relative: float,
    absolute: float,
) -> None:
    """Cut a chain of near values, from the lowest on, into clusters with at most one whole number; codes in place."""
    values, whole = number[begin:end].tolist(), firm[begin:end].tolist()
    at = 0
    while at < len(values):
        base, seen = values[at], values[at] if whole[at] else None
        stop = at + 1
        while stop < len(values):
            value = values[stop]
            if value - base > max(relative * max(abs(base), abs(value)), absolute):
                break
            if whole[stop]:
                if seen is not None and seen != value:
                    break
                seen = value
            stop += 1
        codes[begin + at : begin + stop] = codes[begin + at]
        at = stop
