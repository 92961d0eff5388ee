"""One pair on fresh instances."""

from __future__ import annotations

import pytest

from distill.probe import Ground, Outcome, fresh_instances, settle
from testsuite.engine.session import Session
from testsuite.schema import read_sql_script

SCRIPT = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, town TEXT NOT NULL);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES person(id), kind TEXT NOT NULL);
INSERT INTO person VALUES (1, 'Ann', 30, 'Ulm'), (2, 'Bo', 41, 'Bonn');
INSERT INTO pet VALUES (1, 1, 'cat'), (2, 1, 'dog');
"""


@pytest.fixture(scope="module")
def ground():
    return Ground(*read_sql_script(SCRIPT, "pets"))


@pytest.fixture(scope="module")
def session():
    with Session() as opened:
        yield opened


PEOPLE = "SELECT name FROM person"


@pytest.mark.parametrize(
    ("gold", "prediction", "outcome"),
    [
        (PEOPLE, "select NAME from person", Outcome.SAME),
        (PEOPLE, "SELECT name FROM person WHERE age > -1000000 OR age <= -1000000", Outcome.HOLDS),
        (PEOPLE, "SELECT name FROM person WHERE town != 'Kiel'", Outcome.REFUTED),
        ("SELECT count(*) FROM pet", "SELECT count(DISTINCT owner) FROM pet", Outcome.REFUTED),
        ("SELECT id FROM person ORDER BY age LIMIT 1", "SELECT id FROM person ORDER BY age, id LIMIT 1", Outcome.HOLDS),
        ("SELECT id FROM person ORDER BY age, id LIMIT 1", "SELECT id FROM person ORDER BY age LIMIT 1", Outcome.TIES),
        ("SELECT missing FROM person", PEOPLE, Outcome.UNPROBED),
    ],
)
def test_outcomes(ground, session, gold, prediction, outcome):
    found = settle(ground, gold, prediction, 60, 1, session)
    assert found.outcome is outcome, found
    assert (found.instance is not None) == (outcome in (Outcome.REFUTED, Outcome.TIES))
    assert bool(found.reason) == (outcome is Outcome.UNPROBED)


def test_sqlite_shows_the_difference_on_the_instance_that_is_named(ground, session):
    gold, prediction = PEOPLE, "SELECT name FROM person WHERE town != 'Kiel'"
    found = settle(ground, gold, prediction, 60, 1, session)
    rows = fresh_instances(ground, gold, prediction, 60, 1).rows(found.instance)
    assert sum(len(of_table) for of_table in rows.values()) == found.rows
    assert any(row[3] == "Kiel" for row in rows["person"])
    assert set(rows) == {"person"}, "tables that neither reads are left out"


def test_the_same_without_stacking_and_for_each_seed(ground, session):
    pair = ("SELECT count(*) FROM pet", "SELECT count(*) FROM pet WHERE kind != 'cow'")
    found = [settle(ground, *pair, 40, seed, engine) for engine in (session, None) for seed in (5, 6)]
    assert found[:2] == found[2:]
    assert all(record.refuted for record in found)
