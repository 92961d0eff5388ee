"""Exact set match done right: what is equal, what is not, and that equal forms answer alike."""

from __future__ import annotations

import sqlite3
from itertools import combinations

import pytest

from testsuite.official.answers import answers_equal
from testsuite.official.strict import exact_strict, query_form
from testsuite.query.parse import Unparsed
from testsuite.schema import read_sql_schema

DDL = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), kind TEXT, name TEXT);
"""
SCHEMA = read_sql_schema(DDL, "shop")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT name, age FROM person", "select P.age, P.name from person as P"),
        ("SELECT name FROM person WHERE age > 1 AND id = 2", "SELECT name FROM person WHERE 2 = id AND 1 < age"),
        ("SELECT name FROM person WHERE age <> 1", "SELECT name FROM person WHERE age != 1"),
        (
            "SELECT p.name FROM person p JOIN pet q ON p.id = q.owner WHERE q.kind = 'cat'",
            "SELECT person.name FROM pet, person WHERE (kind = 'cat') AND owner = person.id",
        ),
        ('SELECT name FROM person WHERE name = "Ann"', "SELECT name FROM person WHERE name = 'Ann'"),
        ("SELECT age AS a FROM person ORDER BY a", "SELECT age FROM person ORDER BY 1"),
        ("SELECT count(*) AS n, age FROM person GROUP BY 2", "SELECT count(*), age FROM person GROUP BY age"),
        (
            "SELECT name FROM person UNION SELECT kind FROM pet",
            "SELECT kind FROM pet UNION SELECT name FROM person",
        ),
        (
            "WITH c AS (SELECT owner, count(*) AS n FROM pet GROUP BY owner) SELECT max(c.n) FROM c",
            "SELECT max(d.m) FROM (SELECT owner, count(*) AS m FROM pet GROUP BY owner) AS d",
        ),
        (
            "SELECT name FROM person AS a WHERE EXISTS (SELECT 1 FROM pet AS b WHERE b.owner = a.id)",
            "SELECT name FROM person WHERE EXISTS (SELECT 1 FROM pet WHERE owner = person.id)",
        ),
        ("SELECT name FROM person WHERE age > 1 LIMIT 3", "SELECT name FROM person WHERE age > 7 LIMIT 5"),
    ],
)
def test_equal(one: str, other: str) -> None:
    assert exact_strict(one, other, SCHEMA) is True


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT DISTINCT name FROM person", "SELECT name FROM person"),
        ("SELECT count(DISTINCT name) FROM person", "SELECT count(name) FROM person"),
        # Joined keys differ where a person has no pet.
        (
            "SELECT owner FROM person LEFT JOIN pet ON person.id = owner",
            "SELECT person.id FROM person LEFT JOIN pet ON person.id = owner",
        ),
        (
            "SELECT kind FROM person JOIN pet ON person.id = owner",
            "SELECT kind FROM person JOIN pet ON person.id = pet.id",
        ),
        (
            "SELECT kind FROM person LEFT JOIN pet ON person.id = owner AND age > 1",
            "SELECT kind FROM person LEFT JOIN pet ON person.id = owner WHERE age > 1",
        ),
        (
            "SELECT kind FROM person LEFT JOIN pet ON person.id = owner",
            "SELECT kind FROM pet LEFT JOIN person ON person.id = owner",
        ),
        ("SELECT name FROM person WHERE age > 1 AND id = 1 OR id = 2",
         "SELECT name FROM person WHERE age > 1 AND (id = 1 OR id = 2)"),
        # Columns of set operations and nested queries stand in their order.
        ("SELECT id, age FROM person UNION SELECT id, owner FROM pet",
         "SELECT id, age FROM person UNION SELECT owner, id FROM pet"),
        ("SELECT a.n FROM (SELECT age AS n, id AS m FROM person) AS a",
         "SELECT a.m FROM (SELECT age AS n, id AS m FROM person) AS a"),
        ("SELECT name FROM person EXCEPT SELECT kind FROM pet", "SELECT kind FROM pet EXCEPT SELECT name FROM person"),
        ("SELECT name FROM person UNION SELECT kind FROM pet",
         "SELECT name FROM person UNION ALL SELECT kind FROM pet"),
        ("SELECT name FROM person ORDER BY age", "SELECT name FROM person ORDER BY age DESC"),
        ("SELECT name FROM person ORDER BY age, id", "SELECT name FROM person ORDER BY id, age"),
        ("SELECT age - id FROM person", "SELECT id - age FROM person"),
        # The same names, another scope.
        (
            "SELECT name FROM person AS a WHERE EXISTS (SELECT 1 FROM pet AS a WHERE a.id = a.owner)",
            "SELECT name FROM person AS a WHERE EXISTS (SELECT 1 FROM pet AS b WHERE b.id = a.id)",
        ),
        (
            "SELECT a.name FROM person AS a JOIN person AS b ON a.age > b.age",
            "SELECT b.name FROM person AS a JOIN person AS b ON a.age > b.age",
        ),
    ],
)  # fmt: skip
def test_different(one: str, other: str) -> None:
    assert exact_strict(one, other, SCHEMA) is False


def test_values() -> None:
    one, other = "SELECT name FROM person WHERE age > 1", "SELECT name FROM person WHERE age > 2"
    assert exact_strict(one, other, SCHEMA) is True
    assert exact_strict(one, other, SCHEMA, values=True) is False
    # A text is no number, and its case counts.
    assert exact_strict(one, one.replace("1", "'1'"), SCHEMA, values=True) is False
    text = "SELECT name FROM person WHERE name = 'a'"
    assert exact_strict(text, text.replace("'a'", "'A'"), SCHEMA, values=True) is False
    assert exact_strict(text, text.replace("'a'", '"a"'), SCHEMA, values=True) is True


def test_unread() -> None:
    assert exact_strict("SELECT name FROM person", "SELECT FROM WHERE", SCHEMA) is None
    with pytest.raises(Unparsed):
        query_form("DROP TABLE person", SCHEMA)
    deep = "SELECT name FROM person WHERE age = " + "(" * 3000 + "1" + ")" * 3000
    assert exact_strict("SELECT name FROM person", deep, SCHEMA) in (None, False)


QUERIES = [
    "SELECT person.name FROM person JOIN pet ON person.id = owner",
    "SELECT person.name FROM pet JOIN person ON owner = person.id",
    "SELECT pet.name FROM pet JOIN person ON owner = person.id",
    "SELECT a.name FROM person a, person b WHERE a.age > b.age",
    "SELECT b.name FROM person a, person b WHERE a.age < b.age",
    "SELECT b.name FROM person a, person b WHERE a.age > b.age",
    "SELECT * FROM person, pet WHERE person.id = owner",
    "SELECT * FROM pet, person WHERE person.id = owner",
    "SELECT count(*) FROM (SELECT * FROM person, pet)",
    "SELECT x.n FROM (SELECT name AS n, kind AS m FROM pet) x",
    "SELECT x.n FROM (SELECT kind AS n, name AS m FROM pet) x",
    "SELECT x.m FROM (SELECT kind AS n, name AS m FROM pet) x",
    "SELECT age AS id FROM person ORDER BY id",
    "SELECT age FROM person ORDER BY id",
    "SELECT age FROM person ORDER BY age",
    "SELECT age AS name, count(*) FROM person GROUP BY name",
    "SELECT age, count(*) FROM person GROUP BY age",
    "SELECT age AS k, count(*) FROM person GROUP BY k",
    "SELECT name FROM person WHERE age IN (SELECT owner FROM pet)",
    "SELECT name FROM person WHERE age NOT IN (SELECT owner FROM pet)",
    "SELECT name FROM person WHERE id = (SELECT max(owner) FROM pet WHERE pet.id > person.age)",
    "SELECT name FROM person WHERE id = (SELECT max(owner) FROM pet WHERE person.age < pet.id)",
    "SELECT name FROM person WHERE id = (SELECT max(owner) FROM pet WHERE person.id < pet.id)",
    "SELECT 1 UNION SELECT 2 UNION ALL SELECT 2",
    "SELECT 1 UNION ALL SELECT 2 UNION SELECT 2",
    "SELECT name FROM person WHERE NOT age > 2 AND id = 1",
    "SELECT name FROM person WHERE NOT (age > 2 AND id = 1)",
    "SELECT name FROM person WHERE age BETWEEN 1 AND 2",
    "SELECT name FROM person WHERE age BETWEEN 2 AND 1",
    'SELECT "name" FROM person',
    "SELECT 'name' FROM person",
]


def test_equal_forms_answer_alike() -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        DDL + "INSERT INTO person VALUES (1, 'a', 3), (2, 'b', 1), (3, 'c', 2), (4, 'a', 3);"
        "INSERT INTO pet VALUES (1, 1, 'cat', 'x'), (2, 1, 'dog', 'y'), (3, 3, 'cat', 'y'), (4, 2, 'cow', 'z');"
    )
    answers = [connection.execute(sql).fetchall() for sql in QUERIES]
    forms = [query_form(sql, SCHEMA, values=True) for sql in QUERIES]
    connection.close()
    alike = [(a, b) for a, b in combinations(range(len(QUERIES)), 2) if forms[a] == forms[b]]
    assert len(alike) >= 5
    for a, b in alike:
        assert answers_equal(answers[a], answers[b], "ORDER BY" in QUERIES[a]), (QUERIES[a], QUERIES[b])
