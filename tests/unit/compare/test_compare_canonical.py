"""Canonical cells: one code per value, the same from Arrow and from Python."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from testsuite.compare import Cells, Kind, cells_from_arrow, cells_from_python
from testsuite.compare.canonical import plain_numbers

COLUMNS = {
    "bigint": pa.array([0, -1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63), None], pa.int64()),
    "small": pa.array([1, None, 3], pa.int32()),
    "unsigned": pa.array([1, 2**64 - 1], pa.uint64()),
    "hugeint": pa.array([Decimal(3), None, Decimal(2**70 + 1)], pa.decimal128(38, 0)),
    "decimal": pa.array([Decimal("6.90"), Decimal("7.00"), None], pa.decimal128(18, 2)),
    "double": pa.array([0.0, -0.0, 1.5, float("nan"), float("inf"), 2.0**53, None], pa.float64()),
    "boolean": pa.array([True, False, None]),
    "text": pa.array(["", "a", "é", "12", None, "a"]),
    "large text": pa.array(["x", None], pa.large_string()),
    "text views": pa.array(["x", None, "a longer text than fits"], pa.string_view()),
    "dictionary": pa.array(["x", None, "x"]).dictionary_encode(),
    "blob": pa.array([b"", b"a", None], pa.binary()),
    "null": pa.nulls(3),
    "empty": pa.array([], pa.string()),
}


def same(one: Cells, other: Cells) -> bool:
    return (
        np.array_equal(one.kind, other.kind)
        and np.array_equal(one.number, other.number, equal_nan=True)
        and np.array_equal(one.code, other.code)
    )


@pytest.mark.parametrize("name", COLUMNS)
def test_arrow_and_python_agree(name: str) -> None:
    column = COLUMNS[name]
    cells = cells_from_arrow(column)
    assert same(cells, cells_from_python(column.to_pylist()))
    assert (cells.kind.dtype, cells.number.dtype, cells.code.dtype) == (np.uint8, np.float64, np.uint64)
    half = len(column) // 2
    chunked = pa.chunked_array([column[:half], column[half:]], column.type)
    assert same(cells_from_arrow(chunked), cells)


def test_no_chunks() -> None:
    assert len(cells_from_arrow(pa.chunked_array([], pa.int64())).code) == 0


def test_equal_values_share_a_code_and_others_do_not() -> None:
    groups = [
        [0, 0.0, -0.0, False, Decimal(0)],
        [1, 1.0, True, Decimal("1.00")],
        [2**53, 2.0**53],
        [2**53 + 1],
        [2**53 + 2, 2.0**53 + 2],
        [2**63 - 1],
        [2.0**63, 2**63],
        [2**70, 2.0**70],
        [2**70 + 1],
        [float("nan"), -float("nan")],
        [float("inf")],
        [-float("inf")],
        ["1"],
        [b"1"],
        [""],
        [b""],
        [None],
        ["nan"],
        ["\udce9"],
        ["é"],
        ["e\u0301"],
        ["A"],
        ["a"],
        ["a "],
    ]
    codes = [set(cells_from_python(group).code.tolist()) for group in groups]
    assert all(len(code) == 1 for code in codes)
    assert len(set.union(*codes)) == len(groups)


def test_codes_are_stable() -> None:
    # Hashes on disk may be made of codes: a change here is a change of format.
    codes = cells_from_python([None, 1, 0.5, 2**53 + 1, "a", b"a"]).code.tolist()
    assert codes == [
        0x5B1CE4D9A7F03E61,
        0x88D7C35BBBF3EDED,
        0xF456984DD1D8CE6D,
        0x88D45A53256104FE,
        0x91394DA1D6577795,
        0xB2854A6AD8C9E633,
    ]


def test_kinds() -> None:
    assert cells_from_python([None, 1, 1.0, "1", b"1"]).kind.tolist() == list(Kind)


def test_unknown_types_are_refused() -> None:
    with pytest.raises(TypeError):
        cells_from_python([object()])
    with pytest.raises(TypeError):
        cells_from_arrow(pa.array([1], pa.date32()))


def test_text_that_spells_a_number() -> None:
    cells = plain_numbers(cells_from_python(["2019", " 2.5 ", "x", "", "1e3", "0x10", "nan", "1_0", None, 7]))
    wanted = cells_from_python([2019, 2.5, "x", "", 1000, "0x10", "nan", "1_0", None, 7])
    assert np.array_equal(cells.code, wanted.code)
    assert cells.kind.tolist() == [1, 2, 3, 3, 1, 3, 3, 3, 0, 1]
