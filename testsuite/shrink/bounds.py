"""Which contents of a schema are legal, asked of one content at a time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from testsuite.schema import Schema, Storage
from testsuite.shrink.checks import failing_rows
from testsuite.shrink.rules import Columns, NullPolicy, Rules, as_key, read_rules
from testsuite.suite.stack import Row, fits

Content = dict[str, tuple[Row, ...]]
Place = tuple[int, int]
"""A row: position of its table in the schema, and its own in the table."""


# Shrinking asks about the same few values over and over; typed, for 1 and 1.0 are one key otherwise.
_fits = lru_cache(maxsize=1 << 16, typed=True)(fits)


def frozen(content: Mapping[str, Sequence[Row]], schema: Schema) -> Content:
    """The content with every table of the schema, in its order; tables that are absent are empty."""
    return {table.name: tuple(tuple(row) for row in content.get(table.name, ())) for table in schema.tables}


@dataclass(frozen=True)
class Bounds:
    """The rules a content must keep.

    Attributes:
        schema: its tables and CHECKs.
        storage: what each column holds, by (table, column) in lower case; cells that do not fit are not legal.
        rules: keys and references; only hard references bind.
        nullable: per table and column whether NULL may stand there.
        least: the fewest rows of a table.
    """

    schema: Schema
    storage: Mapping[tuple[str, str], Storage]
    rules: Rules
    nullable: tuple[tuple[bool, ...], ...]
    least: int = 0

    @classmethod
    def of(
        cls,
        schema: Schema,
        storage: Mapping[tuple[str, str], Storage],
        shipped: Mapping[str, Sequence[Row]] | None,
        nulls: NullPolicy,
        rules: Rules | None = None,
        least: int = 0,
    ) -> Bounds:
        """The rules that generated instances keep.

        Args:
            schema: the schema.
            storage: what each column holds.
            shipped: the shipped content by table name, None where there is none.
            nulls: where NULL may stand, as ``distill`` takes it.
            rules: keys and references; read from schema and content where None.
            least: the fewest rows of a table.
        """
        rules = rules or read_rules(schema, shipped)[0]
        nullable = []
        for t, table in enumerate(schema.tables):
            primary = {name.lower() for name in table.primary_key}
            if rules.has_primary[t]:
                primary |= {table.columns[c].name.lower() for c in rules.keys[t][0]}
            rows = shipped.get(table.name, ()) if shipped else ()
            nullable.append(
                tuple(
                    not column.not_null
                    and column.name.lower() not in primary
                    and nulls != "never"
                    and (nulls == "declared" or not rows or any(row[c] is None for row in rows))
                    for c, column in enumerate(table.columns)
                )
            )
        return cls(schema, storage, rules, tuple(nullable), least)

    @cached_property
    def storages(self) -> tuple[tuple[Storage, ...], ...]:
        """The storage of every column, by position."""
        return tuple(
            tuple(self.storage[table.name.lower(), column.name.lower()] for column in table.columns)
            for table in self.schema.tables
        )

    def legal(self, content: Content) -> bool:
        """Whether the content keeps every rule."""
        return not self.violation(content)

    def violation(self, content: Content) -> str:
        """The first rule that the content breaks, in words; empty where it breaks none."""
        tables = self.schema.tables
        for t, table in enumerate(tables):
            rows = content[table.name]
            if len(rows) < self.least:
                return f"{table.name} has fewer than {self.least} rows"
            wrong = self._cells(t, rows) or self._keys(t, rows)
            if wrong:
                return wrong
            if table.checks and rows:
                cells = [
                    (column.name, column.declared_type, [row[c] for row in rows])
                    for c, column in enumerate(table.columns)
                ]
                if len(failing_rows(cells, table.checks)):
                    return f"{table.name} breaks a CHECK"
        for r in self.rules.hard:
            child, parent = content[tables[r.child].name], content[tables[r.parent].name]
            known = {_key(row, r.parent_columns) for row in parent}
            if any(None not in (key := _key(row, r.columns)) and key not in known for row in child):
                return f"a row of {tables[r.child].name} has no {tables[r.parent].name}"
        return ""

    def _cells(self, t: int, rows: Sequence[Row]) -> str:
        table = self.schema.tables[t]
        for c, column in enumerate(table.columns):
            kind, nullable = self.storages[t][c], self.nullable[t][c]
            for row in rows:
                if row[c] is None:
                    if not nullable:
                        return f"{table.name}.{column.name} is NULL"
                elif not _fits(kind, column.affinity, row[c]):
                    return f"{table.name}.{column.name} holds a value that is not of its type"
        return ""

    def _keys(self, t: int, rows: Sequence[Row]) -> str:
        for at in self.rules.keys[t]:
            keys = [key for row in rows if None not in (key := tuple(row[c] for c in at))]
            if len(set(keys)) < len(keys):
                return f"{self.schema.tables[t].name} repeats a key"
        return ""

    def without(self, content: Content, gone: Collection[Place]) -> Content:
        """The content without these rows, and without the rows that only referred to rows now gone."""
        names = [table.name for table in self.schema.tables]
        dropped = set(gone)
        kept = {
            name: tuple(row for n, row in enumerate(content[name]) if (t, n) not in dropped)
            for t, name in enumerate(names)
        }
        changed = True
        while changed:
            changed = False
            for r in self.rules.hard:
                known = {_key(row, r.parent_columns) for row in kept[names[r.parent]]}
                child = kept[names[r.child]]
                left = tuple(row for row in child if None in (key := _key(row, r.columns)) or key in known)
                if len(left) < len(child):
                    kept[names[r.child]], changed = left, True
        return kept


def _key(row: Row, columns: Columns) -> tuple[object, ...]:
    return tuple(as_key(row[c]) for c in columns)
