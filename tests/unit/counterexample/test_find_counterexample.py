"""Finding counterexamples: what separates, what does not, and what the result says of itself."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import numpy as np
import pytest

import distill
from distill.counterexample import (
    Counterexample,
    CounterexampleOptions,
    Finder,
    PairOfQueries,
    find_counterexample,
    find_counterexamples,
)
from testsuite.compare import Policy
from testsuite.counterexample.pair import Pair
from testsuite.engine.session import Session
from testsuite.errors import InputError
from testsuite.schema import read_sql_schema
from testsuite.shrink import row_count, shrink

SCHEMA = read_sql_schema(
    """
    CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE shop (id INTEGER PRIMARY KEY, town_id INTEGER NOT NULL REFERENCES town(id), name TEXT, size INTEGER,
                       CHECK (size > 2));
    CREATE TABLE other (id INTEGER PRIMARY KEY, note TEXT);
    """,
    "shops",
)
FULL = {"town": [(1, "Ulm"), (2, "Bonn")], "shop": [(1, 1, "Tea", 30), (2, 1, "Ink", 40), (3, 2, "Tea", 30)]}


@pytest.fixture(scope="module")
def finder():
    with Session() as session:
        # Random contents do; what the targeted search adds has tests of its own.
        yield Finder(session, search=None)


def look(finder, a, b, shipped=None, seed=0, **options):
    chosen = replace(CounterexampleOptions(), **options)
    return finder.find(PairOfQueries(SCHEMA, a, b, shipped), np.random.default_rng(seed), chosen)


def replayed(found: Counterexample, sql: str):
    """What plain SQLite answers after the printed script, with references checked."""
    with sqlite3.connect(":memory:") as connection:
        connection.execute("PRAGMA foreign_keys = 1")
        connection.executescript(found.script)
        return connection.execute(sql).fetchall()


DIFFERENT = [
    ("SELECT name FROM shop WHERE size > 9", "SELECT name FROM shop WHERE size >= 9", 2),
    ("SELECT count(*) FROM shop", "SELECT count(name) FROM shop", 2),
    ("SELECT name FROM shop", "SELECT DISTINCT name FROM shop", 3),
    ("SELECT town.name FROM town JOIN shop ON town.id = town_id", "SELECT name FROM town", 1),
    ("SELECT max(size) FROM shop", "SELECT size FROM shop ORDER BY size DESC LIMIT 1", 0),
    ("SELECT id FROM shop ORDER BY size", "SELECT id FROM shop ORDER BY size DESC", 3),
    ("SELECT name, size FROM shop", "SELECT name FROM shop", 2),
    ("SELECT name FROM town WHERE name LIKE '%ab%'", "SELECT name FROM town WHERE name = 'ab'", 1),
    (
        "SELECT town_id FROM shop GROUP BY 1 HAVING count(*) > 2",
        "SELECT town_id FROM shop GROUP BY 1 HAVING count(*) > 3",
        4,
    ),
]


@pytest.mark.parametrize(("a", "b", "rows"), DIFFERENT)
def test_smallest_content_that_plain_sqlite_answers_differently(finder, a, b, rows):
    found = look(finder, a, b)
    assert found is not None
    assert found.rows == rows
    assert (found.gold, found.only_open, found.label) == ("both", False, "content-plausible")
    assert [*found.a.rows] == replayed(found, a) and [*found.b.rows] == replayed(found, b)
    assert found.difference is not None
    assert "other" not in found.content


EQUAL = [
    ("SELECT name FROM shop WHERE size > 9", "SELECT name FROM shop WHERE NOT size <= 9"),
    ("SELECT shop.name FROM shop JOIN town ON town_id = town.id", "SELECT name FROM shop"),
    ("SELECT count(*) FROM shop", "SELECT count(town_id) FROM shop"),
    ("SELECT name FROM shop WHERE size > 2", "SELECT name FROM shop WHERE size IS NOT NULL"),
    ("SELECT name, size FROM shop", "SELECT size, name FROM shop"),
    ("SELECT id, name FROM town", "SELECT DISTINCT id, name FROM town"),
    ("SELECT name FROM town", "select NAME from TOWN;"),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_none_where_keys_and_constraints_make_them_equal(finder, a, b):
    assert look(finder, a, b, instances=150) is None


def test_columns_by_position(finder):
    a, b = "SELECT id, size FROM shop", "SELECT size, id FROM shop"
    assert look(finder, a, b, instances=50) is None
    assert look(finder, a, b, policy=Policy(columns="strict")) is not None


def test_nulls_that_the_content_never_has_are_tried_last_and_told(finder):
    pair = "SELECT count(*) FROM shop", "SELECT count(size) FROM shop"
    assert look(finder, *pair, shipped=FULL, nulls="never", instances=100) is None
    assert look(finder, *pair, shipped=FULL, instances=100) is None
    found = look(finder, *pair, shipped=FULL, nulls="declared", instances=100)
    assert found.label == "schema-legal" and found.rows == 2
    plausible = look(finder, *DIFFERENT[0][:2], shipped=FULL, nulls="declared")
    assert plausible.label == "content-plausible"
    # Without a content to look at, NULL is plausible wherever the schema allows it.
    assert look(finder, *pair).label == "content-plausible"


def test_what_order_leaves_open_is_told_apart(finder):
    ordered, plain = "SELECT name FROM shop ORDER BY size", "SELECT name FROM shop"
    found = look(finder, ordered, plain, instances=60)
    assert (found.gold, found.only_open) == ("a", True)
    assert look(finder, ordered, plain, instances=60, gold="b") is None
    assert look(finder, plain, ordered, instances=60).gold == "b"


def test_no_empty_tables_where_they_are_forbidden(finder):
    a, b = "SELECT max(size) FROM shop", "SELECT size FROM shop ORDER BY size DESC LIMIT 1"
    assert look(finder, a, b, empty_tables=0.0, instances=100) is None
    found = look(finder, *DIFFERENT[0][:2], empty_tables=0.0)
    assert all(found.content.values())


def test_same_seed_same_counterexample_on_every_run(finder):
    a, b, _ = DIFFERENT[6]
    first = look(finder, a, b, seed=5)
    with Session() as session:
        again = find_counterexample(SCHEMA, a, b, np.random.default_rng(5), session=session)
    assert first == again == find_counterexample(SCHEMA, a, b, np.random.default_rng(5))
    assert distill.find_counterexample is find_counterexample


def test_on_sqlite_alone_the_same(finder):
    a, b, rows = DIFFERENT[0]
    found = look(Finder(None, search=None), a, b)
    assert found.rows == rows and found == look(finder, a, b)


def test_queries_that_sqlite_does_not_take(finder):
    with pytest.raises(InputError, match=r"SQL B: .*no such column: nam"):
        look(finder, "SELECT name FROM town", "SELECT nam FROM town")
    with pytest.raises(InputError, match="SQL A: "):
        look(finder, "DELETE FROM town", "SELECT name FROM town")


def test_many_pairs():
    pairs = [
        PairOfQueries(SCHEMA, *DIFFERENT[0][:2]),
        PairOfQueries(SCHEMA, "SELECT nothing", "SELECT 1"),
        PairOfQueries(SCHEMA, *EQUAL[0]),
    ]
    found = list(find_counterexamples(pairs, options=CounterexampleOptions(instances=50)))
    assert isinstance(found[0], Counterexample) and isinstance(found[1], InputError) and found[2] is None


def test_the_shipped_content_is_tried_too(finder):
    # No random content spells this hash; the shipped one does.
    shipped = {**FULL, "town": [(1, "Ulm"), (2, "a strange place of that name")]}
    a = "SELECT name FROM town WHERE length(name) * 7 = 196 AND name LIKE 'a str%'"
    found = look(finder, a, "SELECT name FROM town WHERE 0", shipped=shipped, instances=24)
    assert found is not None
    assert row_count(found.content) == 1


def test_the_targeted_search_is_asked_last():
    asked = []

    def search(subject, queries, nulls, gold, rng):
        asked.append(nulls)
        return [{"town": ((7, "aqTown 7 1234"),)}]

    with Session() as session:
        finder = Finder(session, search)
        rare = "SELECT name FROM town WHERE instr(name, 'q') > 1 AND instr(name, '7') > 5 AND length(name) * 3 = 39"
        found = look(finder, rare, "SELECT name FROM town WHERE 0", instances=48, nulls="declared")
        assert asked == ["observed"]
        assert found.source == "targeted search, nulls observed" and found.rows == 1
        asked.clear()
        assert look(finder, DIFFERENT[0][0], DIFFERENT[0][1]) is not None
        assert asked == []


@pytest.mark.parametrize("session", [None, "duckdb"])
def test_time_that_runs_out_while_shrinking_leaves_a_larger_counterexample(finder, session, monkeypatch):
    a, b, rows = DIFFERENT[8]
    late = []
    # Nothing is asked in time any more once shrinking has begun.
    monkeypatch.setattr("distill.counterexample.find.shrink", lambda *given: (late.append(1), shrink(*given))[1])
    monkeypatch.setattr(Pair, "_seconds", property(lambda pair: 0.0 if late else 10.0))
    found = look(finder if session else Finder(None, search=None), a, b)
    assert found is not None and found.rows >= rows
    assert [*found.a.rows] == replayed(found, a)
