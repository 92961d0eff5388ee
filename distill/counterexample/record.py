"""What is found: a content, what the two queries answer on it, and how much that says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from distill.shrink import Content, row_count
from testsuite.schema import Schema, quote
from testsuite.suite.export import constrained_ddl
from testsuite.suite.stack import Row, Value

Gold = Literal["either", "a", "b"]
Label = Literal["content-plausible", "schema-legal"]


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
        return {"row": self.row, **{name: None if row is None else _plain(row) for name, row in sides.items()}}


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A legal content on which two queries differ, verified on SQLite.

    Attributes:
        schema: the tables that the queries read, and those that these refer to.
        content: rows by table name.
        a: what SQLite answers to query A.
        b: what SQLite answers to query B.
        gold: which query's reading shows the difference when it is the gold: "both", "a" or "b".
        only_open: the difference hangs on what SQL leaves open (ties, rows without ORDER BY, bare columns): one
            query can give an answer that the other can't, though SQLite may answer alike.
        label: ``content-plausible``: NULL stands only where the shipped content has it, or where there is no
            content to look at; ``schema-legal``: NULL stands where only the schema allows it.
        difference: the first differing row; None where the answers that SQLite happened to give look alike.
        source: where the content was found, before shrinking.
    """

    schema: Schema
    content: Content
    a: Shown
    b: Shown
    gold: Literal["both", "a", "b"]
    only_open: bool
    label: Label
    difference: Difference | None
    source: str

    @property
    def rows(self) -> int:
        """Rows of the content, over all tables."""
        return row_count(self.content)

    @property
    def ddl(self) -> tuple[str, ...]:
        """CREATE TABLE statements, with the keys that the content keeps."""
        return tuple(f"{constrained_ddl(table)};" for table in self.schema.tables)

    @property
    def inserts(self) -> tuple[str, ...]:
        """INSERT statements, one per row, rows referred to before rows that refer to them."""
        return tuple(
            f"INSERT INTO {quote(name)} VALUES ({', '.join(map(literal, row))});"
            for name in parents_first(self.schema)
            for row in self.content[name]
        )

    @property
    def script(self) -> str:
        """DDL and INSERTs as one SQLite script."""
        return "\n".join((*self.ddl, *self.inserts)) + "\n"

    def to_dict(self) -> dict[str, object]:
        """Plain JSON data. Bytes stand as SQL literals."""
        return {
            "label": self.label,
            "gold": self.gold,
            "only_open": self.only_open,
            "source": self.source,
            "rows": self.rows,
            "ddl": list(self.ddl),
            "inserts": list(self.inserts),
            "content": {name: list(map(_plain, rows)) for name, rows in self.content.items()},
            "a": {"columns": list(self.a.columns), "rows": list(map(_plain, self.a.rows))},
            "b": {"columns": list(self.b.columns), "rows": list(map(_plain, self.b.rows))},
            "difference": None if self.difference is None else self.difference.to_dict(),
        }


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


def _plain(row: Row) -> list[object]:
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
