"""Queries that parsers of evaluators stumble over: they are judged by what they answer."""

from __future__ import annotations

import pytest
from faults import Case, both_engines, check, each, judged

from testsuite.records import Fate

STAFF = """
CREATE TABLE place(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, value INTEGER, home INTEGER REFERENCES place(id),
                    office INTEGER REFERENCES place(id), since TEXT);
CREATE TABLE slip(person INTEGER REFERENCES person(id), title TEXT)"""
ROWS = (
    "INSERT INTO place VALUES (1,'Ulm'),(2,'Hof'),(3,'Zug');"
    "INSERT INTO person VALUES (1,'Ada',10,1,2,'2019-01-02'),(2,'Bo; b',-1,2,2,'2020-05-06'),(3,'it''s',7,NULL,3,NULL);"
    "INSERT INTO slip VALUES (1,'late'),(1,'lost'),(2,'late')",
)


def staff(cause: str, gold: str, prediction: str, equal: bool | None, **more: object) -> Case:
    return Case(cause, STAFF, ROWS, gold, prediction, equal, **more)  # type: ignore[arg-type]


ORDINARY = [
    "SELECT a.name FROM person AS a INNER JOIN person AS b ON a.id = b.id",
    "SELECT a.name, b.title FROM person a LEFT JOIN slip b ON a.id = b.person",
    "SELECT name FROM person NATURAL JOIN (SELECT id FROM place)",
    "SELECT name FROM person JOIN slip ON person.id = slip.person AND title = 'late'",
    "SELECT p.name FROM person p, slip s WHERE p.id = s.person",
    "WITH x AS (SELECT id FROM person), y(n) AS (SELECT COUNT(*) FROM x) SELECT n FROM y",
    "SELECT name, ROW_NUMBER() OVER (PARTITION BY office ORDER BY id) FROM person",
    "SELECT CASE WHEN value > 0 THEN 'up' ELSE 'down' END FROM person",
    "SELECT CAST(value AS REAL) / 2 FROM person",
    "SELECT name FROM person WHERE home IS NOT NULL",
    "SELECT name FROM person p WHERE EXISTS (SELECT 1 FROM slip WHERE person = p.id)",
    "SELECT name || '-' || id FROM person",
    "SELECT id FROM person UNION ALL SELECT id FROM place",
    "SELECT name who FROM person",
    "SELECT who FROM (SELECT name AS who FROM person) AS t WHERE who <> 'Ada'",
    "SELECT strftime('%Y', since) FROM person",
    'SELECT "name" FROM "person" WHERE [value] > 0',
    "SELECT office, COUNT(*) AS n FROM person GROUP BY office HAVING n > 1",
    "SELECT name FROM person WHERE value = -1",
    "SELECT name FROM person ORDER BY id LIMIT 1 OFFSET 1",
    "SELECT COUNT(DISTINCT title), COUNT(*) FILTER (WHERE title = 'late') FROM slip",
    "SELECT name FROM person WHERE (id, value) IN (SELECT id, value FROM person WHERE id > 1)",
    "SELECT name FROM person WHERE name IN ('Ada', 'Bo; b') AND NOT value BETWEEN 0 AND 9",
    "SELECT ( (name) ) FROM ( person )",
    "SELECT name FROM person WHERE name = 'it''s' OR name = 'Bo; b';",
    "select NAME from PERSON where VALUE not in (select 1)",
    "SELECT\tname\nFROM\n\tperson -- all of them",
    "SELECT name FROM person WHERE name <> '-- no comment' AND name <> '/* nor this */'",
    "SELECT total(value), iif(value > 0, 1, 0), max(value, 0) FROM person GROUP BY id",
    "SELECT 1 WHERE 2 > 1",
    "VALUES (1, 'a'), (2, 'b')",
    "SELECT name FROM person WHERE since LIKE '%\\_%' ESCAPE '\\' OR name GLOB '[A-C]*'",
    "SELECT p.* FROM person AS p CROSS JOIN place",
    "SELECT name FROM person EXCEPT SELECT name FROM place INTERSECT SELECT 'Ulm'",
]

CASES = [
    staff(
        "one alias for two tables, in two queries",
        "SELECT T1.name FROM person AS T1 JOIN place AS T2 ON T1.home = T2.id "
        "INTERSECT SELECT T1.name FROM person AS T1 JOIN slip AS T2 ON T1.id = T2.person WHERE T2.title = 'late'",
        "SELECT name FROM person WHERE home IS NOT NULL AND id IN (SELECT person FROM slip WHERE title = 'late')",
        True,
    ),
    staff("columns that share a foreign key", "SELECT name FROM person WHERE home != office",
          "SELECT name FROM person WHERE home != home", False),
    staff("another constant", "SELECT name FROM person WHERE value > 8",
          "SELECT name FROM person WHERE value > 2", False),
    staff("another LIMIT", "SELECT name FROM person ORDER BY id LIMIT 1",
          "SELECT name FROM person ORDER BY id LIMIT 2", False),
    staff("a column named value", "SELECT value FROM person", "SELECT value FROM person WHERE id > 0", True),
    staff("a comment before the query", "SELECT name FROM person", "-- note\nSELECT name FROM person", True),
    staff("a comment in the query", "SELECT name FROM person", "SELECT name -- note\nFROM /* all */ person", True),
    staff("ten thousand words", "SELECT name FROM person WHERE id BETWEEN 0 AND 5999",
          f"SELECT name FROM person WHERE id IN ({','.join(map(str, range(6000)))})", True),
    staff("no prediction", "SELECT name FROM person WHERE id > 9", "", False, fate=Fate.INVALID_PREDICTION),
    staff("a blank prediction", "SELECT name FROM person WHERE id > 9", " \n\t", False, fate=Fate.INVALID_PREDICTION),
    staff("nothing but a comment", "SELECT name FROM person WHERE id > 9", "-- none", False,
          fate=Fate.INVALID_PREDICTION),
    staff("prose", "SELECT name FROM person", "The answer is SELECT name FROM person", False,
          fate=Fate.INVALID_PREDICTION),
    staff("a fenced block", "SELECT name FROM person", "```sql\nSELECT name FROM person\n```", False,
          fate=Fate.INVALID_PREDICTION),
    staff("two statements", "SELECT name FROM person", "SELECT name FROM person; SELECT name FROM person", False,
          fate=Fate.INVALID_PREDICTION),
    staff("a semicolon in a text", "SELECT id FROM person WHERE value < 0",
          "SELECT id FROM person WHERE name = 'Bo; b';",
          True),
    staff("a typed-over keyword", "SELECT name FROM person", "SELCT name FROM person", False,
          fate=Fate.INVALID_PREDICTION),
    staff("a NUL", "SELECT name FROM person", "SELECT name FROM person\0 WHERE 0", False, fate=Fate.INVALID_PREDICTION),
]  # fmt: skip


@both_engines()
@each(CASES)
def test_verdict(case: Case, engine: str) -> None:
    check(case, engine)


@pytest.mark.parametrize("sql", ORDINARY)
def test_ordinary_queries_are_judged(sql: str) -> None:
    result = judged(staff(sql, sql, f"{sql.rstrip(';')}\n", True))
    assert (result.fate, result.test_suite) == (Fate.OK, True), result
    assert judged(staff(sql, sql, "SELECT 'none of these', 1.5, NULL, 4", False)).test_suite is False
