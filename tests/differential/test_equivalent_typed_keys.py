"""Proofs that rest on a TEXT key referring to an INTEGER one, and on counts of groups: proved, and true on SQLite."""

from __future__ import annotations

import sqlite3
from collections import Counter

import numpy as np
import pytest

from distill.equivalent import provably_equal
from distill.operators.scope import prepare
from testsuite.query.parse import parse
from testsuite.schema.sql_text import read_sql_schema

DDL = """
CREATE TABLE stadium (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE concert (id INTEGER PRIMARY KEY, stadium_id TEXT NOT NULL REFERENCES stadium(id), year TEXT,
  guest_id TEXT REFERENCES stadium(id));
"""
SCHEMA = read_sql_schema(DDL, "music")
JOIN = "FROM concert AS c JOIN stadium AS s ON c.stadium_id = s.id"
GUEST = "FROM concert AS c JOIN stadium AS s ON c.guest_id = s.id"
GROUPED = f"SELECT s.id {JOIN} GROUP BY s.id"
EQUAL = [
    (f"SELECT s.name, c.year {JOIN}", f"SELECT s.name, c.year {JOIN}".replace(" JOIN", " LEFT JOIN")),
    (f"SELECT c.year {JOIN}", "SELECT year FROM concert"),
    (f"SELECT count(*) {JOIN} WHERE c.year = '2'", "SELECT count(*) FROM concert WHERE year = '2'"),
    (
        "SELECT g.id FROM concert AS g JOIN stadium AS s ON s.id = g.guest_id",
        "SELECT id FROM concert WHERE guest_id IS NOT NULL",
    ),
    (f"SELECT s.name {JOIN} GROUP BY s.id HAVING count(*) >= 1", f"SELECT s.name {JOIN} GROUP BY s.id"),
    (f"SELECT s.name {JOIN} GROUP BY s.id HAVING count(*) > -1", f"SELECT s.name {JOIN} GROUP BY s.id"),
    (
        f"{GROUPED} HAVING count(c.id) BETWEEN 0 AND 2",
        f"{GROUPED} HAVING count(*) BETWEEN 1 AND 2",
    ),
    (f"SELECT s.name, count(*) {JOIN} GROUP BY s.id", f"SELECT s.name, count(*) {JOIN} GROUP BY c.stadium_id, s.name"),
    (
        f"SELECT count(*) {JOIN} GROUP BY s.id HAVING count(*) > 1",
        "SELECT count(*) FROM concert GROUP BY stadium_id HAVING count(*) > 1",
    ),
    (f"SELECT s.id {JOIN} GROUP BY s.id HAVING count(DISTINCT c.id) >= 1", f"SELECT s.id {JOIN} GROUP BY s.id"),
]
DIFFERENT = [
    (
        "SELECT s.name FROM concert AS c JOIN stadium AS s ON c.guest_id = s.id",
        "SELECT s.name FROM concert AS c LEFT JOIN stadium AS s ON c.guest_id = s.id",
    ),
    ("SELECT c.id FROM concert AS c JOIN stadium AS s ON c.guest_id = s.id", "SELECT id FROM concert"),
    (f"SELECT s.id {JOIN}", "SELECT stadium_id FROM concert"),
    (f"SELECT count(*) {JOIN} GROUP BY s.id", f"SELECT count(*) {JOIN} GROUP BY s.city"),
    (f"SELECT s.id {JOIN} GROUP BY s.id HAVING count(*) >= 2", f"SELECT s.id {JOIN} GROUP BY s.id"),
    (f"SELECT s.id {JOIN} GROUP BY s.id HAVING count(c.guest_id) >= 1", f"SELECT s.id {JOIN} GROUP BY s.id"),
]


def proved(one: str, other: str) -> str | None:
    return provably_equal(prepare(parse(one), SCHEMA), prepare(parse(other), SCHEMA), SCHEMA)


def answers(sql: str):
    rng = np.random.default_rng(5)
    for _ in range(30):
        base = sqlite3.connect(":memory:")
        base.executescript(DDL)
        stadiums = int(rng.integers(0, 4))
        base.executemany("INSERT INTO stadium VALUES (?, ?, ?)", [(i, f"n{i % 2}", "c") for i in range(stadiums)])
        for row in range(int(rng.integers(0, 6)) if stadiums else 0):
            guest = None if rng.random() < 0.4 else str(rng.integers(0, stadiums))
            base.execute(
                "INSERT INTO concert VALUES (?, ?, ?, ?)",
                (row, str(rng.integers(0, stadiums)), str(rng.integers(1, 3)), guest),
            )
        yield Counter(base.execute(sql))
        base.close()


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_proved_and_true(one, other):
    assert proved(one, other)
    assert list(answers(one)) == list(answers(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_not_proved_and_false(one, other):
    assert proved(one, other) is None
    assert list(answers(one)) != list(answers(other))
