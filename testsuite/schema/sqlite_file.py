"""Schema and rows of an SQLite database file, as SQLite's own parser understands them.

Files are opened read-only and immutable: nothing is locked, created or changed, and many processes may read
one at once. Views and virtual tables are left out: no instance can be filled through them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from testsuite.errors import InputError
from testsuite.schema.constraints import checks_of
from testsuite.schema.model import Column, ForeignKey, Schema, Table, affinity_of, quote

Cell = int | float | str | bytes | None
MAGIC = b"SQLite format 3\x00"


def read_sqlite_schema(path: str | Path, db_id: str | None = None) -> Schema:
    """The schema of a database file.

    Args:
        path: the file.
        db_id: name of the schema; the file's name without ending where None.

    Raises:
        InputError: the file is missing, is no SQLite database, or holds no tables.
    """
    file = Path(path)
    with _opened(file) as connection:
        schema = schema_of(connection, db_id or file.stem)
    if not schema.tables:
        raise InputError(f"{file}: this database holds no tables; is it the right file?")
    return schema


def read_sqlite_rows(path: str | Path, schema: Schema) -> dict[str, list[tuple[Cell, ...]]]:
    """The rows of every table of ``schema``, by the schema's table names, cells as SQLite holds them.

    Text that is not valid UTF-8 keeps its bytes through Python's ``surrogateescape``:
    ``cell.encode("utf-8", "surrogateescape")`` gives them back.

    Raises:
        InputError: the file is missing or damaged, or lacks a table or column of the schema.
    """
    file = Path(path)
    with _opened(file) as connection:
        return rows_of(connection, schema, str(file))


def rows_of(connection: sqlite3.Connection, schema: Schema, where: str) -> dict[str, list[tuple[Cell, ...]]]:
    """The rows of every table, read from an open connection; ``where`` names it in messages."""
    connection.text_factory = _decode
    content: dict[str, list[tuple[Cell, ...]]] = {}
    for table in schema.tables:
        # Qualified, since SQLite reads an unknown "name" in double quotes as a string.
        columns = ", ".join(f"t.{quote(column.name)}" for column in table.columns)
        try:
            content[table.name] = connection.execute(f"SELECT {columns} FROM {quote(table.name)} AS t").fetchall()
        except sqlite3.Error as error:
            raise InputError(f"{where}: cannot read table {table.name}: {error}") from error
    return content


def schema_of(connection: sqlite3.Connection, db_id: str) -> Schema:
    """The schema of the main database of an open connection."""
    connection.text_factory = _decode
    names = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY rowid"
    ).fetchall()
    tables = [_table(connection, name, sql) for name, sql in names]
    return Schema(db_id, tuple(_with_resolved_keys(table, tables, connection) for table in tables))


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    if not file.is_file():
        raise InputError(f"{file}: there is no such file")
    for ending in ("-wal", "-journal"):
        rest = file.with_name(file.name + ending)
        # Immutable reading ignores them, which would silently show other content.
        if rest.is_file() and rest.stat().st_size:
            raise InputError(
                f"{file}: {rest.name} holds changes that are not in the file yet; open it once with"
                " sqlite3 and run 'PRAGMA journal_mode=DELETE'"
            )
    with file.open("rb") as stream:
        head = stream.read(len(MAGIC))
    if head and head != MAGIC:
        raise InputError(f"{file}: this is not an SQLite database")
    try:
        connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        with closing(connection):
            yield connection
    except sqlite3.Error as error:
        raise InputError(f"{file}: SQLite cannot read it: {error}") from error


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _table(connection: sqlite3.Connection, name: str, sql: str) -> Table:
    described = connection.execute(
        'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid', (name,)
    ).fetchall()
    key = tuple(row[0] for row in sorted((row for row in described if row[3]), key=lambda row: row[3]))
    collations = _collations(name, sql or "", [row[0] for row in described])
    columns = []
    for column, declared, not_null, place in described:
        affinity = affinity_of(declared)
        rowid = bool(place) and len(key) == 1 and declared.upper() == "INTEGER"
        collation = collations.get(column)
        columns.append(Column(column, declared, affinity, bool(not_null) or rowid, collation=collation))
    uniques = []
    for index, origin in connection.execute(
        'SELECT name, origin FROM pragma_index_list(?) WHERE "unique" AND NOT partial ORDER BY seq DESC',
        (name,),
    ).fetchall():
        parts = [row[0] for row in connection.execute("SELECT name FROM pragma_index_info(?) ORDER BY seqno", (index,))]
        # An index over an expression has parts without a name; it constrains no plain columns.
        if origin != "pk" and all(parts) and tuple(parts) not in uniques:
            uniques.append(tuple(parts))
    return Table(name, tuple(columns), key, tuple(uniques), (), checks_of(sql or ""))


def _collations(table: str, sql: str, columns: list[str]) -> dict[str, str]:
    """The declared collations of a table's columns other than BINARY.

    No pragma gives them, but an index takes over the collation of its column, and a pragma gives that.
    """
    if "collate" not in sql.lower():
        return {}
    found = {}
    with closing(sqlite3.connect(":memory:")) as connection:
        # A collation or function of the database's own application is not known here.
        with suppress(sqlite3.Error):
            connection.execute(sql)
        for column in columns:
            with suppress(sqlite3.Error):
                connection.execute(f"CREATE INDEX probe ON {quote(table)} ({quote(column)})")
                name = connection.execute("SELECT coll FROM pragma_index_xinfo('probe') WHERE key").fetchone()[0]
                connection.execute("DROP INDEX probe")
                if name.upper() in ("NOCASE", "RTRIM"):
                    found[column] = name.upper()
    return found


def _with_resolved_keys(table: Table, tables: list[Table], connection: sqlite3.Connection) -> Table:
    """The table with its foreign keys, spelled as the parent spells its columns.

    Keys to tables or columns that do not exist are left out: SQLite cannot enforce them either.
    """
    by_name = {other.name.lower(): other for other in tables}
    grouped: dict[int, list[tuple[str, str, str | None]]] = {}
    for number, parent, child, target in connection.execute(
        'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq',
        (table.name,),
    ):
        grouped.setdefault(number, []).append((parent, child, target))
    keys = []
    for parts in grouped.values():
        parent_table = by_name.get(parts[0][0].lower())
        if parent_table is None:
            continue
        targets = [target for _, _, target in parts if target is not None] or list(parent_table.primary_key)
        if len(targets) != len(parts) or not all(t in parent_table for t in targets):
            continue
        key = ForeignKey(
            tuple(table.column(child).name for _, child, _ in parts),
            parent_table.name,
            tuple(parent_table.column(target).name for target in targets),
        )
        if key not in keys:
            keys.append(key)
    return Table(table.name, table.columns, table.primary_key, table.uniques, tuple(keys), table.checks)


__all__ = ["Cell", "read_sqlite_rows", "read_sqlite_schema", "rows_of", "schema_of"]
