"""SQLite files in the layout of the published suites, ``<db_id>/<db_id>*.sqlite``, and suites: one from the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from testsuite.errors import InputError
from testsuite.schema import Schema, Table
from testsuite.schema.sqlite_file import read_sqlite_rows, read_sqlite_schema
from testsuite.schema.tables_json import merge, read_tables_json
from testsuite.suite import (
    InstanceNote,
    Manifest,
    export_sqlite,
    instance_id,
    list_suites,
    load_suite,
    save_suite,
    stack_rows,
)
from testsuite.versions import tool_versions


@dataclass(frozen=True, slots=True)
class Transfer:
    """One database that was imported or exported: where it went, and how many instances it has."""

    db_id: str
    folder: Path
    instances: int


def import_suites(directory: Path, output: Path, tables: Path | None = None) -> list[Transfer]:
    """Make a suite of every folder ``directory/<db_id>`` that holds ``<db_id>*.sqlite``.

    ``<db_id>.sqlite`` is the shipped instance and comes first, the others follow by name. The schema is that of the
    first file; a ``tables.json`` adds keys that it does not declare.

    Raises:
        InputError: there are no such files, one is damaged, or its tables are not those of the first. The suites
            made before stay.
    """
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory (expected DIR/<db_id>/<db_id>*.sqlite)")
    listed = {} if tables is None else read_tables_json(tables)
    folders = [(folder, files) for folder in sorted(directory.iterdir()) if (files := instances_of(folder))]
    if not folders:
        raise InputError(f"{directory}: holds no SQLite files (expected DIR/<db_id>/<db_id>*.sqlite)")
    return [_import(folder, files, output, listed) for folder, files in folders]


def instances_of(folder: Path) -> list[Path]:
    """The files ``<db_id>*.sqlite`` of a folder named ``<db_id>``, the shipped one first, the others by name."""
    found = [path for path in folder.glob("*.sqlite") if path.name.startswith(folder.name)] if folder.is_dir() else []
    return sorted(found, key=lambda path: (path.stem != folder.name, path.name))


def _import(folder: Path, files: list[Path], output: Path, listed: Mapping[str, Schema]) -> Transfer:
    db_id = folder.name
    schema = read_sqlite_schema(files[0], db_id)
    for path in files[1:]:
        _check_same(files[0], schema, path)
    if db_id in listed:
        schema = merge(schema, listed[db_id])
    stack = stack_rows(schema, [read_sqlite_rows(path, schema) for path in files])
    sizes = [sum(len(rows) for rows in stack.rows(instance).values()) for instance in range(stack.count)]
    notes = tuple(
        InstanceNote(
            instance_id(stack, number), "shipped" if path.stem == db_id else "imported", sizes[number], kept_for=0
        )
        for number, path in enumerate(files)
    )
    manifest = Manifest(db_id, notes, versions=tool_versions(), candidates=len(files))
    return Transfer(db_id, save_suite(output, stack, manifest), len(files))


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


def export_suites(suites: Path, output: Path) -> list[Transfer]:
    """Write every suite of a directory as SQLite files under ``output/<db_id>``.

    Raises:
        SuiteFileError: there are no suites, or one is damaged.
        InputError: there are SQLite files at the destination, or it cannot be written.
    """
    done = []
    for folder in list_suites(suites):
        suite = load_suite(folder)
        done.append(Transfer(suite.db_id, output / suite.db_id, len(export_sqlite(suite, output))))
    return done
