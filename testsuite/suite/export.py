"""Instances of a suite as SQLite files, in the layout of the published suites."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from testsuite.errors import InputError
from testsuite.schema import Schema, Table, empty_ddl, quote
from testsuite.suite.stack import Row
from testsuite.suite.store import Suite


def export_sqlite(suite: Suite, directory: Path) -> list[Path]:
    """Write ``directory/<db_id>/<db_id>.sqlite`` for the shipped instance and ``<db_id>_0001.sqlite`` .. for others.

    Columns have their declared types. A table has its keys and constraints too, unless the content breaks them.

    Returns:
        The files, in the order of the suite's instances.

    Raises:
        InputError: SQLite files stand there already, or nothing can be written there.
    """
    db_id, paths, number = suite.db_id, [], 0
    folder = directory / db_id
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(".sqlite" in path.name for path in folder.iterdir()):
            raise InputError(f"{folder}: holds .sqlite files already, which would be mixed; choose another directory")
        for instance in range(suite.stack.count):
            name = f"{db_id}.sqlite"
            if instance != suite.manifest.shipped:
                number += 1
                name = f"{db_id}_{number:04d}.sqlite"
            path = folder / name
            part = folder / (path.stem + ".part")
            part.unlink(missing_ok=True)
            _write(part, suite.stack.schema, suite.stack.rows(instance))
            part.replace(path)
            paths.append(path)
    except (OSError, sqlite3.Error) as error:
        raise InputError(f"{folder}: the instances can't be written here: {error}") from error
    return paths


def _write(path: Path, schema: Schema, content: dict[str, list[Row]]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.text_factory = _text
        connection.execute("BEGIN")
        for table, plain in zip(schema.tables, empty_ddl(schema), strict=True):
            rows = content[table.name]
            if not _filled(connection, table, constrained_ddl(table), rows):
                with suppress(sqlite3.OperationalError):
                    connection.execute(f"DROP TABLE {quote(table.name)}")
                connection.execute(plain)
                _insert(connection, table, rows)
        connection.execute("COMMIT")


def constrained_ddl(table: Table) -> str:
    """CREATE TABLE with the keys and constraints that the schema knows of."""

    def listed(names: Sequence[str]) -> str:
        return "(" + ", ".join(map(quote, names)) + ")"

    parts = [column.definition + (" NOT NULL" if column.not_null else "") for column in table.columns]
    if table.primary_key:
        parts.append(f"PRIMARY KEY {listed(table.primary_key)}")
    parts += [f"UNIQUE {listed(names)}" for names in table.uniques]
    parts += [
        f"FOREIGN KEY {listed(key.columns)} REFERENCES {quote(key.parent)} {listed(key.parent_columns)}"
        for key in table.foreign_keys
    ]
    parts += [f"CHECK ({check})" for check in table.checks]
    return f"CREATE TABLE {quote(table.name)} ({', '.join(parts)})"


def _filled(connection: sqlite3.Connection, table: Table, ddl: str, rows: list[Row]) -> bool:
    """Whether the table could be made so and holds exactly these rows (SQLite numbers a NULL in a rowid key)."""
    try:
        connection.execute(ddl)
        _insert(connection, table, rows)
    except sqlite3.DatabaseError:
        return False
    return Counter(connection.execute(f"SELECT * FROM {quote(table.name)}").fetchall()) == Counter(rows)


def _insert(connection: sqlite3.Connection, table: Table, rows: list[Row]) -> None:
    # Bytes that are not UTF-8 are lone surrogates here; SQLite holds them as text all the same.
    for row in rows:
        marks = ", ".join("CAST(? AS TEXT)" if isinstance(cell, str) else "?" for cell in row)
        cells = [cell.encode("utf-8", "surrogateescape") if isinstance(cell, str) else cell for cell in row]
        connection.execute(f"INSERT INTO {quote(table.name)} VALUES ({marks})", cells)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
