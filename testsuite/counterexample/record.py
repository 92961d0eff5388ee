"""A content as it is shown: statements that make it, and what queries answer on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from testsuite.query.parse import Unparsed, parse
from testsuite.schema import Schema, Table, quote
from testsuite.shrink import Content
from testsuite.suite.export import constrained_ddl
from testsuite.suite.stack import Row, Value

Gold = Literal["either", "a", "b"]


@dataclass(frozen=True, slots=True)
class Shown:
    """What SQLite answers: names of the columns, rows in its order."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first row on which two answers differ; None stands for no such row.

    Attributes:
        row: its number from 0 where order counts, None where rows are a bag.
        a: the row of A's answer; where rows are a bag, the first that B's has not (or fewer times).
        b: the same of B's.
    """

    row: int | None
    a: Row | None
    b: Row | None

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data."""
        sides = {"a": self.a, "b": self.b}
        return {"row": self.row, **{name: None if row is None else plain_row(row) for name, row in sides.items()}}


def literal(value: Value) -> str:
    """A value as SQLite reads it back."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "9e999" if value > 0 else "-9e999"
    return repr(value)


def plain_row(row: Row) -> list[object]:
    return [literal(value) if isinstance(value, bytes) else value for value in row]


def parents_first(schema: Schema) -> list[str]:
    """Table names, those referred to before those that refer; a cycle stays in the schema's order."""
    waiting = {
        table.name: {key.parent.lower() for key in table.foreign_keys} - {table.name.lower()} for table in schema.tables
    }
    ordered: list[str] = []
    while waiting:
        left = {name.lower() for name in waiting}
        free = next((name for name, parents in waiting.items() if not parents & left), next(iter(waiting)))
        ordered.append(free)
        del waiting[free]
    return ordered


def script_of(schema: Schema, content: Content) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """CREATE TABLE statements, and INSERT statements, one per row, rows referred to before rows that refer to them."""
    return (
        tuple(f"{constrained_ddl(table)};" for table in schema.tables),
        tuple(
            f"INSERT INTO {quote(name)} VALUES ({', '.join(map(literal, row))});"
            for name in parents_first(schema)
            for row in content[name]
        ),
    )


def needed_tables(schema: Schema, queries: Sequence[str]) -> tuple[Table, ...]:
    """The tables that queries read, and all that these refer to.

    Args:
        schema: the whole schema.
        queries: SQLite texts; one that can't be read needs all tables.
    """
    needed: set[str] = set()
    for sql in queries:
        try:
            needed |= {table.name.lower() for table in parse(sql).find_all(exp.Table)}
        except Unparsed:
            needed |= {table.name.lower() for table in schema.tables}
    waiting = [name for name in needed if name in schema]
    while waiting:
        for foreign in schema.table(waiting.pop()).foreign_keys:
            parent = foreign.parent.lower()
            if parent not in needed and parent in schema:
                needed.add(parent)
                waiting.append(parent)
    # A schema without tables can't be told from one that nothing is known of.
    return tuple(table for table in schema.tables if table.name.lower() in needed) or schema.tables[:1]
