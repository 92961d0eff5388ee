"""Schema and rows of an SQL script, by running it in an in-memory SQLite database."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from testsuite.errors import InputError
from testsuite.schema.model import Schema
from testsuite.schema.sqlite_file import Cell, rows_of, schema_of


def read_sql_schema(text: str, db_id: str) -> Schema:
    """The schema that a script of CREATE TABLE (and any other) statements makes.

    Raises:
        InputError: SQLite refuses a statement, or the script makes no table.
    """
    return read_sql_script(text, db_id)[0]


def read_sql_script(text: str, db_id: str) -> tuple[Schema, dict[str, list[tuple[Cell, ...]]]]:
    """Schema and rows that a script makes; the rows by table name, empty lists where it inserts none.

    Raises:
        InputError: SQLite refuses a statement, or the script makes no table.
    """
    with closing(sqlite3.connect(":memory:")) as connection:
        # Neither ATTACH nor VACUUM INTO: a script must not touch files.
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        for line, statement in statements_of(text):
            try:
                connection.execute(statement)
            except (sqlite3.Error, sqlite3.Warning) as error:
                raise InputError(f"{db_id}: SQLite refuses the statement at line {line}: {error}") from error
        schema = schema_of(connection, db_id)
        if not schema.tables:
            raise InputError(f"{db_id}: the SQL text makes no table; it needs CREATE TABLE statements")
        return schema, rows_of(connection, schema, db_id)


def statements_of(text: str) -> list[tuple[int, str]]:
    """The statements of a script, each with the line it starts on (from 1)."""
    found: list[tuple[int, str]] = []
    start, line = 0, 1
    position = text.find(";")
    while position >= 0:
        part = text[start : position + 1]
        # SQLite's own tokeniser tells whether that semicolon stands in a string, a comment or a trigger.
        if sqlite3.complete_statement(part):
            found.append((line + _blank_lines(part), part))
            line += part.count("\n")
            start = position + 1
        position = text.find(";", position + 1)
    if text[start:].strip():
        found.append((line + _blank_lines(text[start:]), text[start:]))
    return found


def _blank_lines(part: str) -> int:
    return part[: len(part) - len(part.lstrip())].count("\n")


__all__ = ["read_sql_schema", "read_sql_script", "statements_of"]
