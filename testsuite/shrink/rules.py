"""Which keys and references the instances of a schema honour, judged against the shipped content.

References are hard (every instance honours them) or soft (columns that queries join, or keys the shipped content
breaks: most children find a parent, some do not).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from testsuite.schema import Schema
from testsuite.suite.stack import Row, Value

NullPolicy = Literal["observed", "declared", "never"]
Columns = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """Columns of ``child`` that refer to columns of ``parent`` (positions in the schema)."""

    child: int
    columns: Columns
    parent: int
    parent_columns: Columns
    hard: bool = True


@dataclass(frozen=True)
class Rules:
    """The keys and references of a schema by position.

    Attributes:
        keys: per table its unique column sets; the primary key first, where there is one.
        has_primary: per table whether ``keys[0]`` is the primary key.
        references: hard ones first, each child column in at most one soft one.
    """

    keys: tuple[tuple[Columns, ...], ...]
    has_primary: tuple[bool, ...]
    references: tuple[Reference, ...]

    @property
    def hard(self) -> tuple[Reference, ...]:
        """The references that every instance honours."""
        return tuple(r for r in self.references if r.hard)


def positions(schema: Schema) -> dict[tuple[str, str], tuple[int, int]]:
    """Table and column positions by (table, column) in lower case."""
    return {
        (table.name.lower(), column.name.lower()): (t, c)
        for t, table in enumerate(schema.tables)
        for c, column in enumerate(table.columns)
    }


def as_key(value: Value) -> Value:
    """One form for the key values that SQLite finds equal between columns of different affinity."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        try:
            number = int(value)
        except ValueError:
            return value
        return number if str(number) == value else value
    return value


def broken_rows(rows: Sequence[Row], columns: Columns, parents: Sequence[Row], parent_columns: Columns) -> int:
    """How many rows refer to no parent row; a key with NULL in it refers to none and breaks nothing."""
    known = {tuple(as_key(row[c]) for c in parent_columns) for row in parents}
    keys = (tuple(as_key(row[c]) for c in columns) for row in rows)
    return sum(None not in key and key not in known for key in keys)


def read_rules(schema: Schema, shipped: Mapping[str, Sequence[Row]] | None) -> tuple[Rules, Assumptions]:
    """The rules instances keep, judged against the shipped content.

    Undeclared keys that the shipped content breaks become soft; a primary key it breaks cannot be declared and is
    dropped. Declared foreign keys are kept even where the shipped content breaks them (SQLite does not check them
    by default).
    """
    place = positions(schema)
    content = shipped or {}
    assumed, dropped, strengthened = [], [], []
    keys, has_primary = [], []
    references: list[Reference] = []
    for t, table in enumerate(schema.tables):
        rows = content.get(table.name, ())
        own: list[Columns] = []
        names = [table.primary_key] if table.primary_key else []
        for number, columns in enumerate([*names, *table.uniques]):
            at = tuple(place[table.name.lower(), c.lower()][1] for c in columns)
            values = [v for row in rows if None not in (v := tuple(row[c] for c in at))]
            if len(set(values)) < len(values):
                dropped.append(f"key {table.name}({', '.join(columns)}): the shipped content repeats it")
                if number == 0 and names:
                    names = []
            elif at not in own:
                own.append(at)
        keys.append(tuple(own))
        has_primary.append(bool(names))
        for foreign in table.foreign_keys:
            text = (
                f"foreign key {table.name}({', '.join(foreign.columns)}) to "
                f"{foreign.parent}({', '.join(foreign.parent_columns)})"
            )
            child = [place.get((table.name.lower(), c.lower())) for c in foreign.columns]
            parent = [place.get((foreign.parent.lower(), c.lower())) for c in foreign.parent_columns]
            if None in child or None in parent or len(child) != len(parent) or not child:
                dropped.append(f"{text}: it names columns that do not exist")
                continue
            columns_at = tuple(p[1] for p in child if p)
            parent_at = tuple(p[1] for p in parent if p)
            target = next(p[0] for p in parent if p)
            if target == t and columns_at == parent_at:
                continue
            reference = Reference(t, columns_at, target, parent_at)
            broken = broken_rows(rows, columns_at, content.get(schema.tables[target].name, ()), parent_at)
            if foreign.declared and broken:
                strengthened.append(f"{text}: {broken} shipped rows break it")
            elif broken:
                dropped.append(f"{text}: undeclared, and {broken} shipped rows break it")
                reference = replace(reference, hard=False)
            elif not foreign.declared:
                assumed.append(text)
            same = [r for r in references if replace(r, hard=True) == replace(reference, hard=True)]
            if not same:
                references.append(reference)
    references.sort(key=lambda r: not r.hard)
    return (
        Rules(tuple(keys), tuple(has_primary), tuple(references)),
        Assumptions(tuple(assumed), tuple(dropped), tuple(strengthened)),
    )


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What the generator took the schema to promise, beyond or short of what is declared.

    Attributes:
        assumed: keys that only the benchmark's tables.json names and that the shipped content honours, so
            every instance honours them too (one line of text each).
        dropped: keys that instances do not honour, with the reason (one line of text each).
        strengthened: declared foreign keys that the shipped content breaks but instances honour.
    """

    assumed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    strengthened: tuple[str, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """One line of text per key, for a manifest."""
        return (
            *(f"assumed: {text}" for text in self.assumed),
            *(f"dropped: {text}" for text in self.dropped),
            *(f"kept though broken: {text}" for text in self.strengthened),
        )


def kept_schema(schema: Schema, rules: Rules) -> Schema:
    """The schema with exactly these keys and hard references, for DDL that contents obey."""
    hard = {(r.child, r.columns, r.parent, r.parent_columns) for r in rules.hard}
    place = {table.name.lower(): t for t, table in enumerate(schema.tables)}
    tables = []
    for t, table in enumerate(schema.tables):
        at = {column.name.lower(): c for c, column in enumerate(table.columns)}
        keys = {tuple(table.columns[c].name.lower() for c in columns) for columns in rules.keys[t]}
        references = []
        for foreign in table.foreign_keys:
            parent = place.get(foreign.parent.lower())
            if parent is None or any(name.lower() not in at for name in foreign.columns):
                continue
            columns_of = {c.name.lower(): n for n, c in enumerate(schema.tables[parent].columns)}
            child_at = tuple(at[name.lower()] for name in foreign.columns)
            parent_at = tuple(columns_of.get(name.lower(), -1) for name in foreign.parent_columns)
            if (t, child_at, parent, parent_at) in hard:
                references.append(foreign)
        primary = table.primary_key if rules.has_primary[t] else ()
        uniques = tuple(u for u in table.uniques if tuple(name.lower() for name in u) in keys)
        tables.append(replace(table, primary_key=primary, uniques=uniques, foreign_keys=tuple(references)))
    return Schema(schema.db_id, tuple(tables))
