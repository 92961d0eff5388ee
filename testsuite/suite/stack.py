"""Many instances of one schema, stacked: every table once, with an instance number before its columns.

Pure data (numpy and Arrow); engines read it, the generator writes it, suite files hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from testsuite.schema import Affinity, Schema, Storage, Table

Value = int | float | str | bytes | None
Row = tuple[Value, ...]

ARROW_TYPES: Mapping[Storage, pa.DataType] = {
    Storage.INTEGER: pa.int64(),
    Storage.REAL: pa.float64(),
    Storage.NUMBER: pa.float64(),
    Storage.TEXT: pa.string(),
}


@dataclass(frozen=True)
class StackedTable:
    """The rows of one table in all instances, grouped by instance, in row order inside each.

    ``instance`` is int32 and ascending; ``columns`` follow the table's columns, typed by their storage.
    """

    table: Table
    instance: NDArray[np.int32]
    columns: tuple[pa.Array, ...]

    @cached_property
    def starts(self) -> dict[int, tuple[int, int]]:
        """First row and row after the last of each instance that has rows."""
        ids, first, counts = np.unique(self.instance, return_index=True, return_counts=True)
        return {int(i): (int(s), int(s + c)) for i, s, c in zip(ids, first, counts, strict=True)}


@dataclass(frozen=True, slots=True)
class DirtyCell:
    """A cell that does not fit its column's storage; the stacked table holds NULL there.

    ``row`` counts inside the instance, from 0.
    """

    table: str
    column: str
    instance: int
    row: int
    value: int | float | str | bytes


@dataclass(frozen=True)
class Stack:
    """All instances of one schema.

    Attributes:
        schema: the schema all instances follow.
        storage: what each column holds, by (table, column) in lower case.
        count: number of instances; they are numbered 0 .. count - 1.
        tables: one per table of the schema, in its order.
        dirty: cells kept beside the tables because they break their column's storage.
    """

    schema: Schema
    storage: Mapping[tuple[str, str], Storage]
    count: int
    tables: tuple[StackedTable, ...]
    dirty: tuple[DirtyCell, ...] = ()

    @cached_property
    def dirty_instances(self) -> dict[tuple[str, str], frozenset[int]]:
        """Instances in which a column is dirty, by (table, column) in lower case."""
        found: dict[tuple[str, str], set[int]] = {}
        for cell in self.dirty:
            found.setdefault((cell.table.lower(), cell.column.lower()), set()).add(cell.instance)
        return {key: frozenset(value) for key, value in found.items()}

    @cached_property
    def _dirty_cells(self) -> dict[tuple[str, int], list[DirtyCell]]:
        found: dict[tuple[str, int], list[DirtyCell]] = {}
        for cell in self.dirty:
            found.setdefault((cell.table.lower(), cell.instance), []).append(cell)
        return found

    @cached_property
    def row_counts(self) -> NDArray[np.int64]:
        """Rows over all tables, per instance."""
        counts = np.zeros(self.count, dtype=np.int64)
        for stacked in self.tables:
            counts += np.bincount(stacked.instance, minlength=self.count)
        # One array is everyone's.
        counts.setflags(write=False)
        return counts

    def rows(self, instance: int) -> dict[str, list[Row]]:
        """The rows of one instance by table name, exactly as SQLite would hold them."""
        content: dict[str, list[Row]] = {}
        for stacked in self.tables:
            start, stop = stacked.starts.get(instance, (0, 0))
            columns = [column.slice(start, stop - start).to_pylist() for column in stacked.columns]
            for place, column in enumerate(stacked.table.columns):
                if self.storage[stacked.table.name.lower(), column.name.lower()] is Storage.NUMBER:
                    columns[place] = [int(v) if v is not None and v.is_integer() else v for v in columns[place]]
            for cell in self._dirty_cells.get((stacked.table.name.lower(), instance), ()):
                position = [c.name.lower() for c in stacked.table.columns].index(cell.column.lower())
                columns[position][cell.row] = cell.value
            content[stacked.table.name] = list(zip(*columns, strict=True))
        return content

    def take(self, instances: Sequence[int]) -> Stack:
        """The stack of the given instances, renumbered 0 .. in the given order (no repeats)."""
        wanted = np.asarray(instances, dtype=np.int64)
        place = np.full(self.count, -1, dtype=np.int64)
        place[wanted] = np.arange(len(wanted))
        tables = []
        for stacked in self.tables:
            target = place[stacked.instance]
            chosen = np.flatnonzero(target >= 0)
            chosen = chosen[np.argsort(target[chosen], kind="stable")]
            index = pa.array(chosen)
            tables.append(
                StackedTable(
                    stacked.table,
                    target[chosen].astype(np.int32),
                    tuple(column.take(index) for column in stacked.columns),
                )
            )
        dirty = tuple(
            DirtyCell(c.table, c.column, int(place[c.instance]), c.row, c.value)
            for c in self.dirty
            if place[c.instance] >= 0
        )
        return Stack(self.schema, self.storage, len(wanted), tuple(tables), dirty)


def concat(stacks: Sequence[Stack]) -> Stack:
    """One stack holding the instances of all, in order. All must share schema and storage."""
    first = stacks[0]
    offsets = np.cumsum([0] + [s.count for s in stacks])
    tables = []
    for position, stacked in enumerate(first.tables):
        parts = [s.tables[position] for s in stacks]
        tables.append(
            StackedTable(
                stacked.table,
                np.concatenate([p.instance + np.int32(o) for p, o in zip(parts, offsets, strict=False)]).astype(
                    np.int32
                ),
                tuple(pa.concat_arrays(list(columns)) for columns in zip(*(p.columns for p in parts), strict=True)),
            )
        )
    dirty = tuple(
        DirtyCell(c.table, c.column, c.instance + int(offset), c.row, c.value)
        for stack, offset in zip(stacks, offsets, strict=False)
        for c in stack.dirty
    )
    return Stack(first.schema, first.storage, int(offsets[-1]), tuple(tables), dirty)


def looks_numeric(text: str) -> bool:
    """Whether SQLite would turn this text into a number when it is stored under numeric affinity.

    https://sqlite.org/datatype3.html, section 3: well-formed integer or real literals, blanks around allowed.
    """
    stripped = text.strip(" \t\n\r\f\v")
    if not stripped or not stripped.isascii() or not (stripped[0].isdigit() or stripped[0] in "+-."):
        return False
    if "_" in stripped or stripped.lower().lstrip("+-")[:1].isalpha():
        return False
    try:
        float(stripped)
    except ValueError:
        return False
    return True


def fits(storage: Storage, affinity: Affinity, value: Value) -> bool:
    """Whether a cell as SQLite holds it can stand in a stacked column of that storage without loss."""
    if value is None:
        return True
    if storage is Storage.INTEGER:
        return isinstance(value, int)
    if storage is Storage.REAL:
        return isinstance(value, float)
    if storage is Storage.NUMBER:
        # An integral REAL would read as INTEGER; SQLite's numeric affinity never leaves one.
        return (isinstance(value, int) and abs(value) <= 2**53) or (isinstance(value, float) and not value.is_integer())
    if not isinstance(value, str) or "\x00" in value or any("\ud800" <= ch <= "\udfff" for ch in value):
        return False
    return affinity in (Affinity.TEXT, Affinity.BLOB) or not looks_numeric(value)


def choose_storage(affinity: Affinity, values: Iterable[Value]) -> Storage:
    """The storage under which the most of the given cells fit; the affinity's own where there are none."""
    natural = {
        Affinity.INTEGER: Storage.INTEGER,
        Affinity.TEXT: Storage.TEXT,
        Affinity.REAL: Storage.REAL,
        Affinity.NUMERIC: Storage.INTEGER,
        Affinity.BLOB: Storage.TEXT,
    }[affinity]
    order = [natural, Storage.INTEGER, Storage.NUMBER, Storage.REAL, Storage.TEXT]
    counts = dict.fromkeys(order, 0)
    for value in values:
        if value is None:
            continue
        for storage in counts:
            counts[storage] += fits(storage, affinity, value)
    return max(counts, key=lambda storage: counts[storage])


def stack_rows(
    schema: Schema,
    contents: Sequence[Mapping[str, Sequence[Row]]],
    storage: Mapping[tuple[str, str], Storage] | None = None,
) -> Stack:
    """Stack instances given as rows by table name (cells as SQLite holds them).

    Args:
        schema: the schema of all of them.
        contents: one mapping per instance; tables that are absent are empty.
        storage: what columns hold; chosen from the given cells where None.
    """
    by_table: dict[str, list[list[Row]]] = {}
    for table in schema.tables:
        by_table[table.name] = [list(content.get(table.name, ())) for content in contents]
    chosen = storage or {
        (table.name.lower(), column.name.lower()): choose_storage(
            column.affinity, (row[i] for rows in by_table[table.name] for row in rows)
        )
        for table in schema.tables
        for i, column in enumerate(table.columns)
    }
    tables, dirty = [], []
    for table in schema.tables:
        groups = by_table[table.name]
        instance = np.repeat(np.arange(len(groups), dtype=np.int32), [len(g) for g in groups])
        arrays = []
        for i, column in enumerate(table.columns):
            kind = chosen[table.name.lower(), column.name.lower()]
            cells: list[Value] = []
            for number, rows in enumerate(groups):
                for place, row in enumerate(rows):
                    value = row[i]
                    if value is not None and not fits(kind, column.affinity, value):
                        dirty.append(DirtyCell(table.name, column.name, number, place, value))
                        value = None
                    cells.append(value)
            arrays.append(pa.array(cells, type=ARROW_TYPES[kind]))
        tables.append(StackedTable(table, instance, tuple(arrays)))
    return Stack(schema, chosen, len(contents), tuple(tables), tuple(dirty))
