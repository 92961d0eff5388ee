"""A suite from SQLite files of one schema, as published suites come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from testsuite.errors import InputError
from testsuite.schema import Schema, Table
from testsuite.schema.sqlite_file import read_sqlite_rows, read_sqlite_schema
from testsuite.schema.tables_json import merge
from testsuite.suite.manifest import InstanceNote, Manifest
from testsuite.suite.stack import stack_rows
from testsuite.suite.store import Suite, instance_id
from testsuite.versions import tool_versions


def read_files(
    db_id: str, files: Sequence[Path], listed: Schema | None = None, options: Mapping[str, object] | None = None
) -> Suite:
    """The suite whose instances are the given files, in their order; ``<db_id>.sqlite`` is the shipped one.

    Args:
        db_id: name of the schema.
        files: SQLite files with the same tables and columns; the schema is the first one's.
        listed: a schema with keys that the files do not declare.
        options: what the manifest says under this name.

    Raises:
        InputError: a file is damaged, or its tables are not those of the first.
    """
    schema = read_sqlite_schema(files[0], db_id)
    for path in files[1:]:
        _check_same(files[0], schema, path)
    if listed is not None:
        schema = merge(schema, listed)
    stack = stack_rows(schema, [read_sqlite_rows(path, schema) for path in files])
    sizes = [sum(len(rows) for rows in stack.rows(instance).values()) for instance in range(stack.count)]
    notes = tuple(
        InstanceNote(
            instance_id(stack, number), "shipped" if path.stem == db_id else "imported", sizes[number], kept_for=0
        )
        for number, path in enumerate(files)
    )
    manifest = Manifest(db_id, notes, options=options or {}, versions=tool_versions(), candidates=len(files))
    return Suite(stack, manifest)


def _check_same(first: Path, schema: Schema, path: Path) -> None:
    """Every file must have the first one's tables, columns and affinities: they decide what a query means."""

    def shape(table: Table) -> list[tuple[str, str]]:
        return [(column.name.lower(), column.affinity.value) for column in table.columns]

    other = read_sqlite_schema(path, schema.db_id)
    names = {table.name.lower() for table in schema.tables}
    if names != {table.name.lower() for table in other.tables}:
        raise InputError(f"{path}: its tables are not those of {first.name}; instances of one suite share a schema")
    for table in schema.tables:
        if shape(table) != shape(other.table(table.name)):
            raise InputError(
                f"{path}: the columns of table {table.name} are not those in {first.name}; "
                "instances of one suite share a schema"
            )
