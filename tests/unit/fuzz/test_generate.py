"""Instances honour keys of every kind, follow their policies, and repeat exactly."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from distill.fuzz import (
    Policies,
    assumptions,
    generate,
    generate_with_assumptions,
    suite_storage,
    violations,
)
from testsuite.schema import ForeignKey, Schema, quote
from testsuite.schema.sql_text import read_sql_schema, read_sql_script
from testsuite.suite.stack import Stack, stack_rows

KEYS = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss INTEGER REFERENCES person(id));
CREATE TABLE first (id INTEGER PRIMARY KEY, other INTEGER REFERENCES second(id));
CREATE TABLE second (id INTEGER PRIMARY KEY, other INTEGER NOT NULL REFERENCES first(id));
CREATE TABLE edition (title TEXT, year INTEGER, price REAL CHECK (price >= 5), PRIMARY KEY (title, year));
CREATE TABLE copy (
    id INTEGER PRIMARY KEY, title TEXT, year INTEGER, shelf TEXT UNIQUE, grade TEXT CHECK (grade IN ('A', 'B')),
    low INTEGER, high INTEGER CHECK (high BETWEEN 0 AND 50), CHECK (low < high),
    FOREIGN KEY (title, year) REFERENCES edition (title, year)
);
CREATE TABLE badge (owner TEXT PRIMARY KEY REFERENCES person(id), colour VARCHAR(10) CHECK (length(colour) < 6));
"""
GOLDS = [
    "SELECT name FROM person WHERE name = 'Ann'",
    "SELECT b.colour FROM badge b JOIN person p ON b.owner = p.id WHERE p.name LIKE '%nn%'",
    "SELECT title FROM copy WHERE grade = 'C' OR high > 60",
    "SELECT e.title FROM edition e JOIN copy c ON e.title = c.title AND e.year = c.year WHERE c.low > 3",
    "SELECT boss FROM person GROUP BY boss HAVING count(*) > 2",
]


def enforced(stack: Stack, script: str) -> None:
    for number in range(stack.count):
        connection = sqlite3.connect(":memory:")
        connection.executescript(script)
        for name, rows in stack.rows(number).items():
            for row in rows:
                connection.execute(f"INSERT INTO {quote(name)} VALUES ({', '.join('?' * len(row))})", row)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()


def made(schema: Schema, seed: int = 0, count: int = 60, golds: list[str] | None = None) -> Stack:
    rng = np.random.default_rng(seed)
    return generate(schema, GOLDS if golds is None else golds, None, count, rng, Policies(nulls="declared"))


@pytest.mark.parametrize("seed", range(3))
def test_sqlite_accepts_every_instance_under_all_constraints(seed: int) -> None:
    schema = read_sql_schema(KEYS, "keys")
    stack = made(schema, seed)
    enforced(stack, KEYS)
    filled = {table.table.name: len(np.unique(table.instance)) for table in stack.tables}
    assert min(filled.values()) >= 30, filled


def test_same_seed_same_stack_and_other_seed_another() -> None:
    schema = read_sql_schema(KEYS, "keys")
    one, two, other = made(schema, 5), made(schema, 5), made(schema, 6)
    for a, b, c in zip(one.tables, two.tables, other.tables, strict=True):
        assert np.array_equal(a.instance, b.instance)
        assert all(x.equals(y) for x, y in zip(a.columns, b.columns, strict=True))
        assert any(not x.equals(y) for x, y in zip(a.columns, c.columns, strict=True))


def test_global_randomness_is_left_alone() -> None:
    schema = read_sql_schema(KEYS, "keys")
    np.random.seed(1)
    one = made(schema, 5, count=5)
    np.random.seed(2)
    assert made(schema, 5, count=5).rows(3) == one.rows(3)


def test_null_policies() -> None:
    script = "CREATE TABLE t (id INTEGER PRIMARY KEY, seen TEXT, unseen TEXT, held TEXT NOT NULL);"
    schema, _ = read_sql_script(script, "n")
    rows = {"t": [(1, "a", "x", "p"), (2, None, "y", "q")]}
    shipped = stack_rows(schema, [rows], suite_storage(schema, rows))

    def nulls(policy: str, content: Stack | None) -> list[bool]:
        policies = Policies(nulls=policy)  # type: ignore[arg-type]
        stack = generate(schema, [], content, 80, np.random.default_rng(0), policies)
        return [bool(column.null_count) for column in stack.tables[0].columns]

    assert nulls("observed", shipped) == [False, True, False, False]
    assert nulls("observed", None) == [False, True, True, False]
    assert nulls("declared", shipped) == [False, True, True, False]
    assert nulls("never", shipped) == [False, False, False, False]


def test_unique_columns_may_hold_several_nulls() -> None:
    schema = read_sql_schema("CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT UNIQUE)", "q")
    stack = made(schema, golds=[])
    nulls = [sum(row[1] is None for row in stack.rows(n)["t"]) for n in range(stack.count)]
    assert sum(n > 1 for n in nulls) > 10
    assert sum(n == 0 for n in nulls) > 10


def test_empty_tables_policy() -> None:
    schema = read_sql_schema("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)", "e")

    def empty(rate: float) -> int:
        stack = generate(schema, [], None, 200, np.random.default_rng(0), Policies(empty_tables=rate))
        return 200 - len(np.unique(stack.tables[0].instance))

    assert empty(0.0) == 0
    assert 5 < empty(0.1) < 50
    with pytest.raises(ValueError, match="empty_tables"):
        Policies(empty_tables=2.0)
    with pytest.raises(ValueError, match="nulls"):
        Policies(nulls="some")  # type: ignore[arg-type]


def test_undeclared_keys_are_assumed_only_where_the_content_honours_them() -> None:
    script = "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (a INTEGER, b INTEGER);"
    plain = read_sql_schema(script, "u")
    links = tuple(ForeignKey((name,), "p", ("id",), declared=False) for name in "ab")
    schema = replace(plain, tables=(plain.tables[0], replace(plain.tables[1], foreign_keys=links)))
    rows = {"p": [(1,), (2,)], "c": [(1, 1), (2, 9)]}
    assert [line.partition(":")[0] for line in assumptions(schema, rows)] == ["assumed", "dropped"]
    shipped = stack_rows(schema, [rows], suite_storage(schema, rows))
    result = generate_with_assumptions(schema, [], shipped, 100, np.random.default_rng(0))
    assert violations(result.stack, result.rules) == []
    stray = 0
    for number in range(100):
        content = result.stack.rows(number)
        known = {row[0] for row in content["p"]}
        assert all(row[0] in known for row in content["c"])
        stray += any(row[1] not in known for row in content["c"])
    assert stray > 20


def test_a_key_the_content_breaks_is_dropped() -> None:
    plain = read_sql_schema("CREATE TABLE t (a INTEGER, b TEXT)", "d")
    schema = replace(plain, tables=(replace(plain.tables[0], primary_key=("a",)),))
    lines = assumptions(schema, {"t": [(1, "x"), (1, "y")]})
    assert lines == ("dropped: key t(a): the shipped content repeats it",)


def test_text_columns_write_the_number_they_refer_to() -> None:
    schema = read_sql_schema(
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (ref TEXT NOT NULL REFERENCES p(id));", "t"
    )
    stack = made(schema, golds=[])
    cells = stack.tables[1].columns[0].to_pylist()
    assert cells and all(isinstance(cell, str) and cell == str(int(cell)) for cell in cells)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_small_counts_and_odd_golds(count: int) -> None:
    schema = read_sql_schema(KEYS, "keys")
    golds = [*GOLDS, "not sql", "SELECT * FROM absent WHERE x = 1"]
    assert made(schema, count=count, golds=golds).count == count


LOOSE = "CREATE TABLE visit (dog INTEGER, day TEXT, cost REAL); CREATE TABLE dog (id INTEGER PRIMARY KEY, name TEXT);"


@pytest.mark.parametrize(("duplicates", "least", "most"), [(0.0, 0.0, 0.0), (0.3, 0.2, 0.6), (1.0, 0.7, 1.0)])
def test_duplicates_set_how_many_instances_hold_equal_rows(duplicates: float, least: float, most: float) -> None:
    schema = read_sql_schema(LOOSE, "loose")
    policies = Policies(nulls="declared", duplicates=duplicates)
    golds = ["SELECT day FROM visit WHERE cost > 3"]
    stack = generate(schema, golds, None, 200, np.random.default_rng(1), policies)
    contents = [stack.rows(number)["visit"] for number in range(stack.count)]
    several = [rows for rows in contents if len(rows) > 2]
    assert len(several) > 100
    assert least <= np.mean([len(set(rows)) < len(rows) for rows in several]) <= most
