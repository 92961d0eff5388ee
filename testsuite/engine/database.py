"""In-memory SQLite databases that let untrusted text read and nothing else."""

from __future__ import annotations

import re
import sqlite3
from contextlib import suppress

from testsuite.schema import Schema, empty_ddl, quote
from testsuite.suite.stack import Stack

_READING = frozenset((sqlite3.SQLITE_READ, sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE))
_FORBIDDEN_FUNCTIONS = frozenset(("load_extension", "fts3_tokenizer", "edit", "readfile", "writefile"))
# Blanks and comments as SQLite's tokenizer knows them; a comment may be left open at the end.
_BLANK = re.compile(r"(?:[ \t\n\f\r]+|--[^\n]*(?:\n|\Z)|/\*.*?(?:\*/|\Z))+", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]+")


def empty_database(schema: Schema) -> sqlite3.Connection:
    """An empty, guarded in-memory database of the schema."""
    connection = _database(schema)
    _guard(connection)
    return connection


LAYOUTS = 3
"""In how many ways ``filled_database`` lays rows out."""


def filled_database(stack: Stack, instance: int, layout: int = 0) -> sqlite3.Connection:
    """A guarded in-memory database holding one instance.

    Args:
        stack: the instances.
        instance: which one.
        layout: 0 as the rows stand; 1 read backwards wherever no order is asked for; 2 stored and read in another
            order. No answer that SQL determines depends on it.
    """
    connection = _database(stack.schema)
    if layout == 1:
        connection.execute("PRAGMA reverse_unordered_selects = 1")
    for table, rows in stack.rows(instance).items():
        if layout == 2:
            middle = (len(rows) + 1) // 2
            rows = rows[middle:] + rows[:middle]
        if not rows:
            continue
        place = f"INSERT INTO {quote(table)} VALUES"
        try:
            connection.executemany(f"{place} ({', '.join('?' * len(rows[0]))})", rows)
        except UnicodeEncodeError:
            # Bytes that are not UTF-8 came in as lone surrogates; SQLite holds them as text all the same.
            connection.execute(f"DELETE FROM {quote(table)}")
            for row in rows:
                marks = ", ".join("CAST(? AS TEXT)" if isinstance(cell, str) else "?" for cell in row)
                cells = [cell.encode("utf-8", "surrogateescape") if isinstance(cell, str) else cell for cell in row]
                connection.execute(f"{place} ({marks})", cells)
    connection.commit()
    _guard(connection, layout)
    return connection


def trimmed(sql: str) -> str:
    """The text without blanks and comments before it and blanks and semicolons around it.

    Python's sqlite3 takes ``SELECT 1;`` but not ``SELECT 1;;``; SQLite itself takes both.
    """
    sql = sql.lstrip("; \t\n\f\r")
    while start := _BLANK.match(sql):
        sql = sql[start.end() :].lstrip(";")
    return sql.rstrip("; \t\n\f\r")


def why_invalid(connection: sqlite3.Connection, sql: str) -> str | None:
    """None where the text is one read-only query that SQLite compiles on this database, else the reason."""
    body = trimmed(sql)
    if not body:
        return "empty"
    word = _WORD.match(body)
    if word is None or word.group().upper() not in ("SELECT", "WITH", "VALUES"):
        return "not a query"
    try:
        connection.execute("EXPLAIN " + body).close()
    except UnicodeEncodeError:
        return "not valid text"
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
        return str(error)
    return None


def _database(schema: Schema) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.text_factory = _text
    # What a large sort needs beyond its cache goes to memory, never to a file beside.
    connection.execute("PRAGMA temp_store = MEMORY")
    for statement in empty_ddl(schema):
        connection.execute(statement)
    return connection


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _guard(connection: sqlite3.Connection, chance: int = 0) -> None:
    # The JSON table functions declare themselves on first use, which the authorizer would take for a change.
    with suppress(sqlite3.OperationalError):
        connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')").close()
    # A query that asks for chance gets the same answer on every run, so a verdict does too.
    connection.create_function("random", 0, lambda: chance)
    connection.create_function("randomblob", 1, lambda length: bytes(max(1, min(int(length), 1_000_000))))
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 10_000_000)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, 1_000_000)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0)
    connection.set_authorizer(_authorize)


def _authorize(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
    if action not in _READING:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FORBIDDEN_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK
