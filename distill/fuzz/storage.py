"""What each column of a suite holds, decided once per schema from the shipped content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from testsuite.schema import Affinity, Column, Schema, Storage
from testsuite.suite.stack import Row, choose_storage


def _without_content(column: Column) -> Storage:
    name = column.declared_type.upper()
    if column.affinity is Affinity.NUMERIC:
        if "DATE" in name or "TIME" in name:
            return Storage.TEXT
        if "DEC" in name or "NUM" in name:
            return Storage.NUMBER
    return choose_storage(column.affinity, ())


def suite_storage(
    schema: Schema, shipped_rows: Mapping[str, Sequence[Row]] | None = None
) -> dict[tuple[str, str], Storage]:
    """The storage of every column of a suite, by (table, column) in lower case.

    Args:
        schema: the schema of the suite.
        shipped_rows: the shipped content by table name (cells as SQLite holds them), None without any.
            A column without a non-NULL cell is decided from its declared type: dates are text.
    """
    storage = {}
    for table in schema.tables:
        rows = shipped_rows.get(table.name, ()) if shipped_rows else ()
        for i, column in enumerate(table.columns):
            cells = [row[i] for row in rows if row[i] is not None]
            storage[table.name.lower(), column.name.lower()] = (
                choose_storage(column.affinity, cells) if cells else _without_content(column)
            )
    return storage
