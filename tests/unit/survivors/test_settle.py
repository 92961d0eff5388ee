"""Pairs that only rare contents tell apart are separated, by legal contents; equal ones are proved, or unknown."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from distill.assumed import assumed_schema
from distill.fuzz import NullPolicy, Policies, suite_storage
from distill.survivors import Budget, Settled, make_frame, settle
from testsuite.schema import Schema
from testsuite.schema.sql_text import read_sql_schema

DDL = """
CREATE TABLE line (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE port (code TEXT PRIMARY KEY, city TEXT, size INTEGER CHECK (size > 0));
CREATE TABLE trip (line INTEGER NOT NULL REFERENCES line(id), number INTEGER NOT NULL, origin TEXT NOT NULL
  REFERENCES port(code), price INTEGER, day TEXT, PRIMARY KEY (line, number));
"""
SCHEMA = read_sql_schema(DDL, "ferries")
SHIPPED = {
    "line": [(1, "Red"), (2, "Blue")],
    "port": [("AAA", "Bergen", 3), ("BBB", "Kiel", 5)],
    "trip": [(1, 10, "AAA", 30, "2020-01-02"), (1, 11, "BBB", 50, "2020-01-03"), (2, 10, "BBB", 40, "2020-02-03")],
}


def settled(
    gold: str,
    other: str,
    schema: Schema = SCHEMA,
    shipped: dict | None = SHIPPED,
    seed: int = 0,
    nulls: NullPolicy = "observed",
    budget: Budget | None = None,
) -> Settled:
    policies = Policies(nulls=nulls)
    assumed = assumed_schema(schema, shipped, policies)
    storage = suite_storage(schema, shipped)
    rng = np.random.default_rng(seed)
    return settle(gold, other, schema, assumed, shipped, storage, rng, policies, budget)


SEPARABLE = [
    # A value that differs from the constant in case only, and is a key of another table.
    ("SELECT count(*) FROM trip WHERE origin = 'AAA'", "SELECT count(*) FROM trip WHERE origin LIKE 'AAA'"),
    # Two rows that agree on what is selected.
    ("SELECT number FROM trip WHERE origin = 'AAA'", "SELECT DISTINCT number FROM trip WHERE origin = 'AAA'"),
    # Averages below zero, which CAST cuts upwards.
    (
        "SELECT number FROM trip WHERE price > (SELECT avg(price) FROM trip)",
        "SELECT number FROM trip WHERE price > (SELECT CAST(avg(price) AS INTEGER) FROM trip)",
    ),
    # Many stacked conditions, one of them off by one.
    (
        "SELECT t.number FROM trip t JOIN line l ON t.line = l.id JOIN port p ON t.origin = p.code WHERE l.name = 'Red'"
        " AND p.city = 'Kiel' AND p.size > 7 AND t.price < 100 AND t.day LIKE '2020-%' AND t.number <> 12",
        "SELECT t.number FROM trip t JOIN line l ON t.line = l.id JOIN port p ON t.origin = p.code WHERE l.name = 'Red'"
        " AND p.city = 'Kiel' AND p.size > 7 AND t.price <= 100 AND t.day LIKE '2020-%' AND t.number <> 12",
    ),
    # A group of as many rows as the condition on the count says.
    (
        "SELECT l.name FROM trip t JOIN line l ON t.line = l.id GROUP BY l.id HAVING count(*) < 90",
        "SELECT l.name FROM trip t JOIN line l ON t.line = l.id GROUP BY l.id HAVING count(*) <= 90",
    ),
    # A parent without children.
    (
        "SELECT l.id, count(*) FROM line l JOIN trip t ON t.line = l.id GROUP BY l.id",
        "SELECT l.id, count(*) FROM line l LEFT JOIN trip t ON t.line = l.id GROUP BY l.id",
    ),
]
EQUAL = [
    ("SELECT number FROM trip WHERE day = '12'", "SELECT number FROM trip WHERE day LIKE '12'"),
    (
        "SELECT l.id FROM line l JOIN trip t ON t.line = l.id GROUP BY l.id HAVING count(*) > 1",
        "SELECT l.id FROM line l LEFT JOIN trip t ON t.line = l.id GROUP BY l.id HAVING count(*) > 1",
    ),
    ("SELECT avg(price) FROM trip", "SELECT avg(coalesce(price, 0)) FROM trip"),
    ("SELECT number FROM trip WHERE price > 3 OR price > 4", "SELECT number FROM trip WHERE price > 3"),
]


@pytest.mark.parametrize(("gold", "other"), SEPARABLE)
def test_separated_by_legal_contents(gold: str, other: str) -> None:
    result = settled(gold, other)
    assert result.state == "separated" and result.rule.startswith("search: ")
    assert 1 <= len(result.instances) <= 3
    frame = make_frame(SCHEMA, SHIPPED, suite_storage(SCHEMA, SHIPPED), Policies())
    for content in result.instances:
        assert frame.illegal(content) == []
        base = sqlite3.connect(":memory:")
        base.executescript("PRAGMA foreign_keys = ON;" + DDL)
        for table, rows in content.items():
            for row in rows:
                assert None not in row
                base.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        answers = [sorted(base.execute(sql), key=repr) for sql in (gold, other)]
        assert answers[0] != answers[1]
        base.close()


@pytest.mark.parametrize(("gold", "other"), EQUAL)
def test_proved_equivalent(gold: str, other: str) -> None:
    result = settled(gold, other)
    assert result.state == "equivalent" and result.rule and not result.instances


def test_null_policy_decides() -> None:
    gold, other = EQUAL[2]
    assert settled(gold, other, nulls="observed").state == "equivalent"
    separated = settled(gold, other, nulls="declared")
    assert separated.state == "separated"
    assert any(None in row for row in separated.instances[0]["trip"])


def test_same_seed_same_result() -> None:
    gold, other = SEPARABLE[0]
    assert settled(gold, other, seed=4) == settled(gold, other, seed=4)


def test_nothing_found_and_nothing_proved_is_unknown() -> None:
    gold, other = SEPARABLE[0]
    empty = Budget(generated=0, small=0, thresholds=0, climbed=0)
    assert settled(gold, other, budget=empty) == Settled("unknown", "")


def test_shipped_content_overrules_a_proof() -> None:
    """A declared reference that shipped rows break holds in made instances; the shipped ones are asked themselves."""
    gold = "SELECT t.number FROM trip t JOIN port p ON t.origin = p.code"
    other = "SELECT number FROM trip"
    broken = {**SHIPPED, "trip": [*SHIPPED["trip"], (2, 99, "ZZZ", 1, "2020-01-01")]}
    assert settled(gold, other).state == "equivalent"
    assert settled(gold, other, shipped=broken).state != "equivalent"


def test_illegal_contents_are_told() -> None:
    frame = make_frame(SCHEMA, SHIPPED, suite_storage(SCHEMA, SHIPPED), Policies())
    assert frame.illegal(SHIPPED) == []
    for table, row in (
        ("port", ("AAA", "x", 1)),
        ("port", ("C", "x", 0)),
        ("port", (None, "x", 1)),
        ("port", ("C", None, 1)),
        ("port", ("C", "x", "big")),
        ("trip", (1, 12, "none", 3, "d")),
    ):
        assert frame.illegal({**SHIPPED, table: [*SHIPPED[table], row]}), row
