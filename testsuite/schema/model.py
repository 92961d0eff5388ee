"""A schema as frozen records: tables, columns, affinities and constraints. Pure data, no engine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property


class Affinity(StrEnum):
    """SQLite's column affinity (https://sqlite.org/datatype3.html, section 3.1)."""

    INTEGER = "INTEGER"
    TEXT = "TEXT"
    BLOB = "BLOB"
    REAL = "REAL"
    NUMERIC = "NUMERIC"


def affinity_of(declared_type: str) -> Affinity:
    """The affinity SQLite gives a declared column type (datatype3.html, section 3.1, rules in order)."""
    name = declared_type.upper()
    if "INT" in name:
        return Affinity.INTEGER
    if "CHAR" in name or "CLOB" in name or "TEXT" in name:
        return Affinity.TEXT
    if "BLOB" in name or not name.strip():
        return Affinity.BLOB
    if "REAL" in name or "FLOA" in name or "DOUB" in name:
        return Affinity.REAL
    return Affinity.NUMERIC


class Storage(StrEnum):
    """What one column of a stacked table physically holds in DuckDB.

    ``NUMBER`` is a DOUBLE whose integral values SQLite holds as INTEGER (a NUMERIC-affinity column with
    fractions): equal under comparison and aggregation, but not under integer division or conversion to text.
    A cell that does not fit its column's storage makes that column dirty in that instance.
    """

    INTEGER = "INTEGER"
    REAL = "REAL"
    NUMBER = "NUMBER"
    TEXT = "TEXT"

    @property
    def duckdb_type(self) -> str:
        return {"INTEGER": "BIGINT", "REAL": "DOUBLE", "NUMBER": "DOUBLE", "TEXT": "VARCHAR"}[self.value]


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``not_null`` holds what is declared, or implied by an INTEGER PRIMARY KEY.

    ``kind`` is the benchmark's own type word from tables.json (text, number, time, boolean, others); or None.
    ``collation`` is NOCASE or RTRIM where the column is declared so, None for BINARY.
    ``unique`` constraints of a single column are listed in the table's ``uniques``.
    """

    name: str
    declared_type: str
    affinity: Affinity
    not_null: bool = False
    kind: str | None = None
    collation: str | None = None

    @property
    def definition(self) -> str:
        """Name, type and collation as CREATE TABLE takes them, without constraints."""
        parts = [quote(self.name), self.declared_type, f"COLLATE {self.collation}" if self.collation else ""]
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """Columns of this table that refer to ``parent_columns`` of ``parent``.

    ``declared`` is False where only the benchmark's tables.json names it, not the database file.
    """

    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]
    declared: bool = True


@dataclass(frozen=True)
class Table:
    """One table. Names keep their case; look-ups ignore ASCII case, as SQLite does."""

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    uniques: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    checks: tuple[str, ...] = ()

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name.lower(): column for column in self.columns}

    def column(self, name: str) -> Column:
        """The column of that name; KeyError where there is none."""
        return self._by_name[name.lower()]

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._by_name


@dataclass(frozen=True)
class Schema:
    """The tables of one database."""

    db_id: str
    tables: tuple[Table, ...]

    @cached_property
    def _by_name(self) -> dict[str, Table]:
        return {table.name.lower(): table for table in self.tables}

    def table(self, name: str) -> Table:
        """The table of that name; KeyError where there is none."""
        return self._by_name[name.lower()]

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._by_name

    def columns(self) -> Iterator[tuple[Table, Column]]:
        """Every column with its table, in declaration order."""
        for table in self.tables:
            for column in table.columns:
                yield table, column

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data; ``from_dict`` reads it back."""
        tables = [asdict(table) for table in self.tables]
        for table in tables:
            for column in table["columns"]:
                # Left out where there is none, so that schemas keep the hash they had before it was read.
                if column["collation"] is None:
                    del column["collation"]
        return {"db_id": self.db_id, "tables": tables}

    @classmethod
    def from_dict(cls, data: dict[str, object]) -> Schema:
        """The schema that ``to_dict`` wrote. KeyError, TypeError or ValueError on other data."""
        tables = []
        for raw in data["tables"]:  # type: ignore[attr-defined]
            tables.append(
                Table(
                    name=raw["name"],
                    columns=tuple(Column(**{**c, "affinity": Affinity(c["affinity"])}) for c in raw["columns"]),
                    primary_key=tuple(raw["primary_key"]),
                    uniques=tuple(tuple(u) for u in raw["uniques"]),
                    foreign_keys=tuple(
                        ForeignKey(tuple(f["columns"]), f["parent"], tuple(f["parent_columns"]), f["declared"])
                        for f in raw["foreign_keys"]
                    ),
                    checks=tuple(raw["checks"]),
                )
            )
        return cls(str(data["db_id"]), tuple(tables))

    @cached_property
    def digest(self) -> str:
        """Content hash of everything that can change what a query means (hex, 16 characters)."""
        text = json.dumps(self.to_dict(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def quote(name: str) -> str:
    """An SQL identifier in double quotes, valid in SQLite and DuckDB."""
    return '"' + name.replace('"', '""') + '"'


def empty_ddl(schema: Schema) -> list[str]:
    """CREATE TABLE statements without constraints but with declared types (hence affinities) and collations.

    Used for empty copies against which SQLite checks a query, and for instances filled by this project.
    """
    statements = []
    for table in schema.tables:
        columns = ", ".join(column.definition for column in table.columns)
        statements.append(f"CREATE TABLE {quote(table.name)} ({columns})")
    return statements
