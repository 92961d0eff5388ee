"""Laws of counterexamples: what was shrunk still separates, is legal, and no single row of it can go."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distill.counterexample.sources import random_batch
from distill.counterexample.subject import subject_of
from testsuite.compare import Policy
from testsuite.counterexample.pair import Pair, Strength
from testsuite.engine.session import Session
from testsuite.schema import read_sql_schema
from testsuite.score.options import ScoreOptions
from testsuite.shrink import frozen, shrink
from testsuite.shrink.simple import measure

SCHEMA = read_sql_schema(
    """
    CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, country TEXT);
    CREATE TABLE song (id INTEGER PRIMARY KEY, singer_id INTEGER NOT NULL REFERENCES singer(id), title TEXT,
                       sales REAL CHECK (sales >= 0), year INTEGER, UNIQUE (singer_id, year));
    """,
    "singers",
)
PAIRS = [
    ("SELECT name FROM singer WHERE age > 30", "SELECT name FROM singer WHERE age >= 30"),
    ("SELECT count(*) FROM song", "SELECT count(DISTINCT title) FROM song"),
    (
        "SELECT country, avg(age) FROM singer GROUP BY country HAVING count(*) > 2",
        "SELECT country, avg(age) FROM singer GROUP BY country HAVING count(*) > 1",
    ),
    (
        "SELECT name FROM singer WHERE id NOT IN (SELECT singer_id FROM song)",
        "SELECT name FROM singer EXCEPT SELECT name FROM singer JOIN song ON singer.id = singer_id",
    ),
    (
        "SELECT title FROM song ORDER BY sales DESC LIMIT 1",
        "SELECT title FROM song WHERE sales = (SELECT max(sales) FROM song)",
    ),
    (
        "SELECT name FROM singer JOIN song ON singer.id = singer_id WHERE year > 2000 ORDER BY sales",
        "SELECT name FROM singer LEFT JOIN song ON singer.id = singer_id WHERE year > 2000 ORDER BY age",
    ),
]


@pytest.fixture(scope="module")
def session():
    with Session() as session:
        yield session


@settings(max_examples=8, deadline=None)
@given(queries=st.sampled_from(PAIRS), seed=st.integers(0, 10_000), nulls=st.sampled_from(["never", "observed"]))
def test_shrunk_contents_separate_are_legal_and_minimal(session, queries, seed, nulls):
    subject = subject_of(SCHEMA, queries, None, 0.03)
    now = ScoreOptions().instant
    pair = Pair(subject, queries, session, now, Policy(), "either", time.monotonic() + 300)
    batch = random_batch(subject, queries, nulls, 8, np.random.default_rng(seed))
    bounds = subject.bounds(nulls, batch.rules)

    def holds(contents):
        return (pair.strengths(contents) >= Strength.OPEN).tolist()

    for place in np.flatnonzero(pair.stacked(batch.stack).strength)[:2]:
        content = frozen(batch.stack.rows(int(place)), subject.schema)
        small = shrink(content, holds, bounds)
        assert pair.on_sqlite(small).strength[0] >= Strength.OPEN
        assert bounds.violation(small) == ""
        assert measure(small) <= measure(content)
        assert shrink(small, holds, bounds) == small
        for t, table in enumerate(subject.schema.tables):
            for n in range(len(small[table.name])):
                less = bounds.without(small, [(t, n)])
                assert not bounds.legal(less) or pair.on_sqlite(less).strength[0] < Strength.OPEN
