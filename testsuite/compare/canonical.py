"""From engine values to canonical cells: one 64-bit code per value, the same from Arrow and from Python.

Codes are what comparison hashes, so two cells are equal exactly where their codes are:

* numbers go by the bits of their float64 value (-0.0 as 0.0, one NaN), whatever type they came in;
* integers that no float64 holds exactly go by themselves, so 2**53 and 2**53 + 1 stay apart;
* text and blobs go by a 64-bit BLAKE2b digest, each under its own key;
* NULL has one code of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from hashlib import blake2b

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from testsuite.compare.answer import Cells, Kind
from testsuite.compare.hashing import U64, mix

NULL_CODE = 0x5B1CE4D9A7F03E61
_INTEGER_SALT = 0xC2B2AE3D27D4EB4F
_NAN_BITS = 0x7FF8000000000000
_INT64 = range(-(2**63), 2**63)
_DIGEST_MEMO = 1 << 17
# What SQLite's numeric affinity takes for a number: https://sqlite.org/datatype3.html, section 3.
_NUMERIC_TEXT = re.compile(rb"[ \t\n\r\f\v]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\f\v]*")

_Entry = tuple[int, float, int]


def real_codes(values: NDArray[np.float64]) -> U64:
    """Codes of float64 numbers."""
    bits = (values + 0.0).view(np.uint64)  # adding 0.0 turns -0.0 into 0.0
    unequal = values != values
    if unequal.any():
        bits = np.where(unequal, np.uint64(_NAN_BITS), bits)
    return mix(bits)


def integer_codes(values: NDArray[np.int64]) -> U64:
    """Codes of int64 numbers: those of the equal float64 where there is one."""
    near = values.astype(np.float64)
    codes = real_codes(near)
    big = np.flatnonzero((values > 2**53) | (values < -(2**53)))
    if len(big):
        inside = near[big] < 2.0**63
        back = np.where(inside, near[big], 0.0).astype(np.int64)
        odd = big[~inside | (back != values[big])]
        codes[odd] = mix(values[odd].view(np.uint64) ^ np.uint64(_INTEGER_SALT))
    return codes


def cells_from_arrow(array: pa.Array | pa.ChunkedArray) -> Cells:
    """One column of an engine's Arrow result as cells.

    Args:
        array: integers, decimals (whole ones count as INTEGER), floats, booleans (as 0 and 1), text, blobs or
            the null type.

    Raises:
        TypeError: for types that have no counterpart in SQLite, such as dates.
    """
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
        if isinstance(array, pa.ChunkedArray):  # older Arrow keeps one chunk around
            array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    kind = array.type
    if pa.types.is_null(kind):
        return _nulls(len(array))
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        return _from_integers(array)
    if pa.types.is_floating(kind):
        return _from_reals(array)
    if pa.types.is_decimal(kind):
        return _from_decimals(array)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _from_bytes(array.cast(pa.large_binary()), _text_entry)
    if kind == pa.string_view():
        return _from_bytes(array.cast(pa.string()).cast(pa.large_binary()), _text_entry)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return _from_bytes(array.cast(pa.large_binary()), _blob_entry)
    if kind == pa.binary_view():
        return _from_bytes(array.cast(pa.binary()).cast(pa.large_binary()), _blob_entry)
    raise TypeError(f"a column of Arrow type {kind} has no counterpart in SQLite")


def cells_from_python(values: Sequence[object]) -> Cells:
    """One column of SQLite rows (int, float, str, bytes, None; also bool and Decimal) as cells.

    Raises:
        TypeError: for values of any other type.
    """
    types = set(map(type, values))
    if types == {int}:
        try:
            return _integers(np.array(values, dtype=np.int64))
        except OverflowError:
            pass
    if types == {float}:
        return _reals(np.array(values, dtype=np.float64))
    memo: dict[tuple[type, object], _Entry] = {}
    entries = []
    for value in values:
        key = (type(value), value)
        entry = memo.get(key)
        if entry is None:
            entry = memo[key] = _entry(value)
        entries.append(entry)
    return Cells(
        np.array([e[0] for e in entries], dtype=np.uint8),
        np.array([e[1] for e in entries], dtype=np.float64),
        np.array([e[2] for e in entries], dtype=np.uint64),
    )


def plain_numbers(cells: Cells) -> Cells:
    """The cells with text that spells a number taken for that number ('2019' as 2019)."""
    spelled = (cells.kind == Kind.TEXT) & (cells.number == cells.number)
    if not spelled.any():
        return cells
    whole = np.where(cells.number == np.floor(cells.number), np.uint8(Kind.INTEGER), np.uint8(Kind.REAL))
    return Cells(
        np.where(spelled, whole, cells.kind),
        cells.number,
        np.where(spelled, real_codes(cells.number), cells.code),
    )


def _nulls(count: int) -> Cells:
    return Cells(
        np.zeros(count, dtype=np.uint8),
        np.zeros(count, dtype=np.float64),
        np.full(count, NULL_CODE, dtype=np.uint64),
    )


def _integers(values: NDArray[np.int64], missing: NDArray[np.bool_] | None = None) -> Cells:
    return _numbers(Kind.INTEGER, values.astype(np.float64), integer_codes(values), missing)


def _reals(values: NDArray[np.float64], missing: NDArray[np.bool_] | None = None) -> Cells:
    return _numbers(Kind.REAL, values, real_codes(values), missing)


def _numbers(kind: Kind, numbers: NDArray[np.float64], codes: U64, missing: NDArray[np.bool_] | None) -> Cells:
    kinds = np.full(len(numbers), kind, dtype=np.uint8)
    if missing is not None:
        kinds[missing] = Kind.NULL
        numbers = np.where(missing, 0.0, numbers)
        codes = np.where(missing, np.uint64(NULL_CODE), codes)
    return Cells(kinds, numbers, codes)


def _missing(array: pa.Array) -> NDArray[np.bool_] | None:
    if not array.null_count:
        return None
    missing: NDArray[np.bool_] = array.is_null().to_numpy(zero_copy_only=False)
    return missing


def _from_integers(array: pa.Array) -> Cells:
    missing = _missing(array)
    try:
        whole = array.cast(pa.int64())
    except pa.ArrowInvalid:  # unsigned and beyond int64
        return cells_from_python(array.to_pylist())
    if missing is not None:
        whole = whole.fill_null(0)
    return _integers(whole.to_numpy(zero_copy_only=False), missing)


def _from_reals(array: pa.Array) -> Cells:
    missing = _missing(array)
    real = array.cast(pa.float64())
    if missing is not None:
        real = real.fill_null(0.0)
    return _reals(real.to_numpy(zero_copy_only=False), missing)


def _from_decimals(array: pa.Array) -> Cells:
    if array.type.scale == 0:
        try:
            return _from_integers(array.cast(pa.int64()))
        except pa.ArrowInvalid:  # beyond int64
            return cells_from_python([None if v is None else int(v) for v in array.to_pylist()])
    # Python rounds a decimal to the nearest float64; Arrow's own cast may be one bit off.
    values = [None if v is None else float(v) for v in array.to_pylist()]
    return _from_reals(pa.array(values, type=pa.float64()))


def _from_bytes(array: pa.Array, entry: Callable[[bytes], _Entry]) -> Cells:
    """Text (as UTF-8) or blobs; each distinct value is digested once."""
    encoded = array.dictionary_encode()
    entries = [entry(value) for value in encoded.dictionary.to_pylist()]
    entries.append((int(Kind.NULL), 0.0, NULL_CODE))
    index = encoded.indices
    if index.null_count:
        index = index.fill_null(len(entries) - 1)
    place = index.to_numpy(zero_copy_only=False)
    return Cells(
        np.array([e[0] for e in entries], dtype=np.uint8)[place],
        np.array([e[1] for e in entries], dtype=np.float64)[place],
        np.array([e[2] for e in entries], dtype=np.uint64)[place],
    )


def _entry(value: object) -> _Entry:
    """Kind, number and code of one Python value."""
    if value is None:
        return (int(Kind.NULL), 0.0, NULL_CODE)
    if isinstance(value, str):
        return _text_entry(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, int):
        return _integer_entry(int(value))
    if isinstance(value, float):
        return _real_entry(Kind.REAL, value)
    if isinstance(value, bytes | bytearray | memoryview):
        return _blob_entry(bytes(value))
    if isinstance(value, Decimal):
        whole = value.is_finite() and value.as_tuple().exponent == 0
        return _integer_entry(int(value)) if whole else _real_entry(Kind.REAL, float(value))
    raise TypeError(f"a value of type {type(value).__name__} has no counterpart in SQLite")


def _real_entry(kind: Kind, value: float) -> _Entry:
    return (int(kind), value, int(real_codes(np.array([value], dtype=np.float64))[0]))


def _integer_entry(value: int) -> _Entry:
    if value in _INT64:
        code = int(integer_codes(np.array([value], dtype=np.int64))[0])
        return (int(Kind.INTEGER), float(value), code)
    try:
        near = float(value)
    except OverflowError:
        near = float("inf") if value > 0 else float("-inf")
    if near not in (float("inf"), float("-inf")) and int(near) == value:
        return _real_entry(Kind.INTEGER, near)
    return (int(Kind.INTEGER), near, hash_bytes(b"int", str(value).encode()))


@lru_cache(maxsize=_DIGEST_MEMO)
def _text_entry(utf8: bytes) -> _Entry:
    number = float("nan")
    if len(utf8) <= 40 and _NUMERIC_TEXT.fullmatch(utf8):
        number = float(utf8)
        # A whole number that no float64 holds would be taken for its neighbour.
        if abs(number) > 2**53:
            number = float("nan")
    return (int(Kind.TEXT), number, hash_bytes(b"text", utf8))


@lru_cache(maxsize=_DIGEST_MEMO)
def _blob_entry(blob: bytes) -> _Entry:
    return (int(Kind.BLOB), 0.0, hash_bytes(b"blob", blob))


def hash_bytes(key: bytes, content: bytes) -> int:
    """A stable 64-bit digest of bytes; contents of different keys never share a digest but by accident."""
    return int.from_bytes(blake2b(content, digest_size=8, key=key).digest(), "little")
