"""The two sources beside the generator: contents of few values, and the search made for near-misses."""

from __future__ import annotations

import numpy as np
import pytest

from distill.counterexample import CounterexampleOptions, Finder, PairOfQueries
from distill.counterexample.dense import dense_contents
from distill.counterexample.subject import subject_of
from distill.counterexample.targeted import targeted_search
from testsuite.schema import read_sql_schema

KEYED = read_sql_schema(
    """
    CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE);
    CREATE TABLE dog (id TEXT PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES owner(id), age INTEGER CHECK (age < 40),
                      rank INTEGER, UNIQUE (owner_id, rank));
    CREATE TABLE friend (a TEXT REFERENCES dog(id), b TEXT REFERENCES dog(id), PRIMARY KEY (a, b));
    """,
    "dogs",
)
LOOSE = read_sql_schema("CREATE TABLE r (k INT, g INT, x INT); CREATE TABLE s (k INT, g INT, y INT);", "loose")
QUERIES = (
    "SELECT name FROM owner JOIN dog ON owner.id = owner_id JOIN friend ON a = dog.id WHERE age > 30 AND name = 'Bo'",
    "SELECT owner_id FROM dog GROUP BY 1 HAVING count(*) > 3",
)


@pytest.mark.parametrize("nulls", ["never", "observed", "declared"])
def test_dense_contents_are_legal_and_the_same_for_a_seed(nulls):
    subject = subject_of(KEYED, QUERIES, None, 0.03)
    made, again = (dense_contents(subject, QUERIES, nulls, 80, np.random.default_rng(4)) for _ in range(2))
    assert made == again
    bounds = subject.bounds(nulls)
    assert all(bounds.legal(content) for content in made)
    assert len(made) > 60
    cells = {cell for content in made for rows in content.values() for row in rows for cell in row}
    assert {"Bo", 31, 1, "a"} <= cells
    assert (None in cells) == (nulls != "never")
    assert max(len(content["dog"]) for content in made) >= 4


def test_dense_contents_meet_what_joins_by_name_and_count():
    a = "SELECT count(*) FROM r NATURAL JOIN s GROUP BY g HAVING count(x) > 5"
    found = Finder(None, search=None).find(
        PairOfQueries(LOOSE, a, a.replace("> 5", "> 6")),
        np.random.default_rng(1),
        CounterexampleOptions(instances=144),
    )
    assert found is not None
    # Six pairs of rows: 1 and 6, or 2 and 3.
    assert found.rows in (5, 7)


def test_the_targeted_search_gives_contents_that_differ():
    queries = "SELECT count(x) FROM r WHERE k = 7", "SELECT count(*) FROM r WHERE k = 7"
    subject = subject_of(LOOSE, queries, None, 0.03)
    for gold in ("either", "a", "b"):
        found = targeted_search(subject, queries, "observed", gold, np.random.default_rng(0))
        assert found
        for content in found:
            assert any(row[0] == 7 and row[2] is None for row in content["r"])
    assert targeted_search(subject, queries, "never", "either", np.random.default_rng(0)) == []
