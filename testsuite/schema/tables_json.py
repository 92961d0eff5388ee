"""Schemas in Spider's ``tables.json`` layout, and their union with what the database file declares.

The layout (https://github.com/taoyds/spider, "Tables"): a list of objects with ``db_id``,
``table_names_original``, ``column_names_original`` ([table number, name], the first being [-1, "*"]),
``column_types`` (text, number, time, boolean, others), ``primary_keys`` (column numbers; BIRD nests composite
keys in lists) and ``foreign_keys`` (pairs of column numbers, child first).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from testsuite.errors import InputError
from testsuite.schema.model import Column, ForeignKey, Schema, Table, affinity_of

# Declared types that stand for the layout's type words when there is no database file to ask.
DECLARED = {"text": "TEXT", "number": "NUMERIC", "time": "TEXT", "boolean": "BOOLEAN", "others": "TEXT"}


def read_tables_json(path: str | Path) -> dict[str, Schema]:
    """All schemas of a ``tables.json`` by db_id, in file order.

    Raises:
        InputError: the file is missing or malformed; the message names the entry and what to do.
    """
    file = Path(path)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 text at byte {error.start}; save it as UTF-8") from error
    except json.JSONDecodeError as error:
        raise InputError(f"{file}: not valid JSON at line {error.lineno}: {error.msg}") from error
    if not isinstance(data, list):
        raise InputError(f"{file}: expected a list of schemas, one object per database")
    schemas: dict[str, Schema] = {}
    for number, entry in enumerate(data):
        name = entry.get("db_id") if isinstance(entry, dict) else None
        if not isinstance(name, str) or not name:
            raise InputError(f"{file}: entry {number} (from 0) has no db_id; give it one")
        if name in schemas:
            raise InputError(f"{file}: entry {number} repeats db_id {name}; remove one of the two")
        schemas[name] = _Entry(f"{file}: entry {number} ({name})", entry).schema(name)
    return schemas


class _Entry:
    """One schema object; every complaint starts with where it stands."""

    def __init__(self, where: str, entry: dict[str, object]) -> None:
        self.where = where
        self.entry = entry

    def fail(self, what: str) -> InputError:
        return InputError(f"{self.where}: {what}")

    def items(self, field: str) -> list[object]:
        value = self.entry.get(field)
        if not isinstance(value, list):
            raise self.fail(f"field {field} is missing or no list; add it as Spider's layout asks")
        return value

    def schema(self, db_id: str) -> Schema:
        names = self.items("table_names_original")
        if not names or not all(isinstance(name, str) and name for name in names):
            raise self.fail("table_names_original must list at least one table name")
        owners, columns = self._columns(len(names))
        keys = self._primary_keys(owners, columns)
        references = self._foreign_keys(owners, columns, names)
        tables = []
        for number, name in enumerate(names):
            if str(name).lower().startswith("sqlite_"):
                continue  # SQLite's own bookkeeping, which some exports list and nobody can create.
            own = [column for owner, column in zip(owners, columns, strict=True) if owner == number and column]
            self._distinct([column.name for column in own], f"table {name} names a column twice")
            if not own:
                raise self.fail(f"table {name} has no columns")
            key = keys.get(number, ())
            if len(key) == 1:
                # Every primary key of one column is taken as never NULL: the layout declares no NOT NULL.
                own = [replace(column, not_null=True) if column.name == key[0] else column for column in own]
            tables.append(Table(str(name), tuple(own), key, (), tuple(references.get(number, ()))))
        self._distinct([table.name for table in tables], "a table is named twice")
        return Schema(db_id, tuple(tables))

    def _distinct(self, names: Sequence[str], complaint: str) -> None:
        seen: set[str] = set()
        for name in names:
            if name.lower() in seen:
                raise self.fail(f"{complaint} ({name}; SQLite ignores case)")
            seen.add(name.lower())

    def _columns(self, tables: int) -> tuple[list[int], list[Column | None]]:
        named, types = self.items("column_names_original"), self.items("column_types")
        if len(named) != len(types):
            raise self.fail(f"column_types has {len(types)} words for {len(named)} entries of column_names_original")
        owners: list[int] = []
        columns: list[Column | None] = []
        for number, (pair, kind) in enumerate(zip(named, types, strict=True)):
            match pair:
                case [bool(), _]:
                    raise self.fail(f"column {number} is no [table number, name] pair")
                case [int(owner), str(name)] if -1 <= owner < tables and name:
                    pass
                case _:
                    raise self.fail(f"column {number} is no [table number, name] pair of a listed table: {pair!r}")
            owners.append(owner)
            if owner < 0:
                columns.append(None)
                continue
            declared = DECLARED.get(str(kind), "TEXT")
            columns.append(Column(name, declared, affinity_of(declared), kind=str(kind)))
        return owners, columns

    def _column(self, number: object, columns: Sequence[Column | None], field: str) -> tuple[int, Column]:
        if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(columns):
            column = columns[number]
            if column is not None:
                return number, column
        raise self.fail(f"{field} names column number {number!r}, which is no column")

    def _primary_keys(self, owners: Sequence[int], columns: Sequence[Column | None]) -> dict[int, tuple[str, ...]]:
        keys: dict[int, list[str]] = {}
        for item in self.items("primary_keys"):
            for raw in item if isinstance(item, list) else [item]:
                number, column = self._column(raw, columns, "primary_keys")
                key = keys.setdefault(owners[number], [])
                if column.name not in key:
                    key.append(column.name)
        return {owner: tuple(key) for owner, key in keys.items()}

    def _foreign_keys(
        self, owners: Sequence[int], columns: Sequence[Column | None], names: Sequence[object]
    ) -> dict[int, list[ForeignKey]]:
        found: dict[int, list[ForeignKey]] = {}
        for pair in self.items("foreign_keys"):
            if not isinstance(pair, list) or len(pair) != 2:
                raise self.fail(f"foreign_keys holds {pair!r}, which is no [child, parent] pair")
            child, column = self._column(pair[0], columns, "foreign_keys")
            target, parent = self._column(pair[1], columns, "foreign_keys")
            if child == target or str(names[owners[target]]).lower().startswith("sqlite_"):
                continue  # A column that refers to itself says nothing, nor does bookkeeping.
            key = ForeignKey((column.name,), str(names[owners[target]]), (parent.name,), declared=False)
            if key not in found.setdefault(owners[child], []):
                found[owners[child]].append(key)
        return found


def merge(file_schema: Schema, json_schema: Schema) -> Schema:
    """The schema of a database file, with what only ``tables.json`` tells of it.

    Tables, columns, types and constraints are the file's. From ``tables.json`` come each column's ``kind``, a
    primary key where the file declares none, and foreign keys the file does not declare (``declared=False``);
    names are matched ignoring case. What the file does not have at all is left out.
    """
    tables = []
    for table in file_schema.tables:
        if table.name not in json_schema:
            tables.append(table)
            continue
        listed = json_schema.table(table.name)
        columns = tuple(replace(c, kind=listed.column(c.name).kind) if c.name in listed else c for c in table.columns)
        key = table.primary_key
        if not key and all(name in table for name in listed.primary_key):
            key = tuple(table.column(name).name for name in listed.primary_key)
        extra = [
            found
            for reference in listed.foreign_keys
            if (found := _respelled(reference, table, file_schema)) and not _covered(found, table.foreign_keys)
        ]
        tables.append(replace(table, columns=columns, primary_key=key, foreign_keys=(*table.foreign_keys, *extra)))
    return Schema(file_schema.db_id, tuple(tables))


def _respelled(reference: ForeignKey, table: Table, schema: Schema) -> ForeignKey | None:
    if reference.parent not in schema or not all(name in table for name in reference.columns):
        return None
    parent = schema.table(reference.parent)
    if not all(name in parent for name in reference.parent_columns):
        return None
    return ForeignKey(
        tuple(table.column(name).name for name in reference.columns),
        parent.name,
        tuple(parent.column(name).name for name in reference.parent_columns),
        declared=False,
    )


def _covered(reference: ForeignKey, declared: Sequence[ForeignKey]) -> bool:
    """Whether a declared key already ties these columns, alone or as part of a composite key."""
    pairs = set(zip(reference.columns, reference.parent_columns, strict=True))
    return any(
        key.parent == reference.parent and pairs <= set(zip(key.columns, key.parent_columns, strict=True))
        for key in declared
    )


__all__ = ["merge", "read_tables_json"]
