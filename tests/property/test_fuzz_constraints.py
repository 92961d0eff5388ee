"""Whatever the schema, every generated instance honours its keys and every cell fits its column."""

from __future__ import annotations

import sqlite3

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from distill.fuzz import Policies, generate_with_assumptions, violations
from distill.fuzz.strategies import instances, schemas
from testsuite.schema import Schema, quote
from testsuite.suite.stack import Stack, fits


def ddl(schema: Schema) -> list[str]:
    """CREATE TABLE statements with all constraints, so that SQLite itself checks the instances."""
    statements = []
    for table in schema.tables:
        parts = [f"{quote(c.name)} {c.declared_type}" + (" NOT NULL" if c.not_null else "") for c in table.columns]
        listed = [("PRIMARY KEY", table.primary_key), *(("UNIQUE", names) for names in table.uniques)]
        parts += [f"{word} ({', '.join(map(quote, names))})" for word, names in listed if names]
        parts += [
            f"FOREIGN KEY ({', '.join(map(quote, f.columns))}) REFERENCES {quote(f.parent)} "
            f"({', '.join(map(quote, f.parent_columns))})"
            for f in table.foreign_keys
        ]
        parts += [f"CHECK ({check})" for check in table.checks]
        statements.append(f"CREATE TABLE {quote(table.name)} ({', '.join(parts)})")
    return statements


def accept(stack: Stack, statements: list[str]) -> None:
    """Insert every instance into a fresh SQLite database that enforces the statements' constraints."""
    for number in range(stack.count):
        connection = sqlite3.connect(":memory:")
        for statement in statements:
            connection.execute(statement)
        for name, rows in stack.rows(number).items():
            for row in rows:
                marks = ", ".join("?" * len(row))
                connection.execute(f"INSERT INTO {quote(name)} VALUES ({marks})", row)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()


def check_cells(stack: Stack) -> None:
    for stacked in stack.tables:
        assert np.all(np.diff(stacked.instance) >= 0)
        for column, array in zip(stacked.table.columns, stacked.columns, strict=True):
            storage = stack.storage[stacked.table.name.lower(), column.name.lower()]
            for value in set(array.to_pylist()):
                # A NUMBER column holds whole numbers as doubles that SQLite turns into integers.
                if isinstance(value, float) and value.is_integer() and storage.value == "NUMBER":
                    value = int(value)
                assert fits(storage, column.affinity, value), (column, storage, value)


@settings(max_examples=60)
@given(schemas(), st.integers(0, 1000), st.sampled_from(["observed", "declared", "never"]))
def test_every_instance_honours_the_schema(schema: Schema, seed: int, nulls: str) -> None:
    golds = [f"SELECT * FROM {table.name}" for table in schema.tables]
    golds += [
        f"SELECT a.{f.columns[0]} FROM {t.name} a JOIN {f.parent} b ON a.{f.columns[0]} = b.{f.parent_columns[0]}"
        for t in schema.tables
        for f in t.foreign_keys
    ]
    policies = Policies(nulls=nulls, empty_tables=0.1)  # type: ignore[arg-type]
    made = generate_with_assumptions(schema, golds, None, 6, np.random.default_rng(seed), policies)
    assert made.stack.count == 6
    assert violations(made.stack, made.rules) == []
    check_cells(made.stack)
    if not made.assumptions.dropped:
        accept(made.stack, ddl(schema))
    if nulls == "never":
        assert all(column.null_count == 0 for t in made.stack.tables for column in t.columns)


@settings(max_examples=15)
@given(st.data())
def test_strategy_gives_stacks_of_the_schema(data: st.DataObject) -> None:
    schema = data.draw(schemas(2))
    stack = data.draw(instances(schema, count=3))
    assert stack.schema is schema
    assert [t.table for t in stack.tables] == list(schema.tables)
