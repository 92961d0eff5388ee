"""What golds ask for: joins, conditions, subqueries, set operations and HAVING become shapes."""

from __future__ import annotations

import pytest

from distill.fuzz.reading import read_golds
from distill.fuzz.shapes import Shape, closure, repeated
from testsuite.schema.sql_text import read_sql_schema

SCHEMA = read_sql_schema(
    """
    CREATE TABLE stadium (id INTEGER PRIMARY KEY, name TEXT, seats INTEGER);
    CREATE TABLE concert (id INTEGER PRIMARY KEY, stadium_id TEXT REFERENCES stadium(id), year TEXT);
    CREATE TABLE plays (singer TEXT, concert_id INTEGER REFERENCES concert(id), PRIMARY KEY (singer, concert_id));
    """,
    "hall",
)


def shapes(sql: str) -> tuple[Shape, ...]:
    return read_golds(SCHEMA, [sql])[0]


def only(sql: str) -> Shape:
    (shape,) = shapes(sql)
    return shape


def test_join_and_condition() -> None:
    shape = only("SELECT T2.name FROM concert T1 JOIN stadium T2 ON T1.stadium_id = T2.id WHERE T1.year > 2014")
    assert shape.tables == ("concert", "stadium")
    assert shape.equals == (((0, "stadium_id"), (1, "id")),)
    (condition,) = shape.conditions
    assert (condition.place, condition.sql, condition.constants) == ((0, "year"), "v > 2014", (2014,))
    assert shape.outputs == ((1, "name"),)


@pytest.mark.parametrize(
    ("where", "constants"),
    [
        ("seats BETWEEN 10 AND 20", {10, 20, 15}),
        ("seats IN (1, 2.5)", {1, 2.5}),
        ("seats > -3", {-3}),
        ('name = "Old Hall"', {"Old Hall"}),
        ("NOT name = 'x' AND seats = 7", {"x", 7}),
        ("seats = 1 OR seats = 2", {1, 2}),
    ],
)
def test_constants(where: str, constants: set[object]) -> None:
    shape = only(f"SELECT id FROM stadium WHERE {where}")
    assert {c for condition in shape.conditions for c in condition.constants} == constants


def test_like_patterns_are_not_constants() -> None:
    (condition,) = only("SELECT id FROM stadium WHERE name LIKE '%Park_'").conditions
    assert condition.patterns == ("%Park_",)
    assert condition.constants == ()


def test_or_over_columns_gives_one_shape_per_branch() -> None:
    found = shapes("SELECT id FROM stadium WHERE name = 'a' OR seats > 3")
    assert [[c.sql for c in s.conditions] for s in found] == [["v = 'a'"], ["v > 3"]]


def test_in_subquery_joins_and_not_in_is_absent() -> None:
    inner = "(SELECT stadium_id FROM concert WHERE year = '2014')"
    joined = only(f"SELECT name FROM stadium WHERE id IN {inner}")
    assert joined.tables == ("stadium", "concert")
    assert joined.equals == (((0, "id"), (1, "stadium_id")),)
    alone = only(f"SELECT name FROM stadium WHERE id NOT IN {inner}")
    assert alone.tables == ("stadium",)
    assert [a.tables for a in alone.absent] == [("stadium", "concert")]


def test_correlated_exists_ties_the_rows() -> None:
    shape = only("SELECT 1 FROM stadium s WHERE EXISTS (SELECT 1 FROM concert c WHERE c.stadium_id = s.id)")
    assert shape.equals == (((0, "id"), (1, "stadium_id")),)


def test_intersect_by_one_entity_and_by_equal_outputs() -> None:
    branch = "SELECT T2.name FROM concert T1 JOIN stadium T2 ON T1.stadium_id = T2.id WHERE T1.year = "
    entity, outputs = shapes(f"{branch} '1' INTERSECT {branch} '2'")
    assert entity.tables == ("concert", "stadium", "concert")
    assert outputs.tables == ("concert", "stadium", "concert", "stadium")
    assert ((1, "name"), (3, "name")) in outputs.equals


def test_except_and_union() -> None:
    left, right = "SELECT id FROM stadium", "SELECT stadium_id FROM concert"
    assert [s.tables for s in shapes(f"{left} UNION {right}")] == [("stadium",), ("concert",)]
    without = only(f"{left} EXCEPT {right}")
    assert without.tables == ("stadium",)
    assert without.absent[0].equals == (((0, "id"), (1, "stadium_id")),)


def test_having_count_repeats_the_many_side() -> None:
    shape = only(
        "SELECT T2.name FROM concert T1 JOIN stadium T2 ON T1.stadium_id = T2.id GROUP BY T2.id HAVING count(*) >= 3"
    )
    assert shape.counts == (3,)
    three = repeated(shape, 3, SCHEMA)
    assert sorted(three.tables) == ["concert"] * 3 + ["stadium"]
    group = closure(three, three.grouped)
    assert sum(column == "stadium_id" for _, column in group) == 3


def test_having_of_another_aggregate_is_a_condition() -> None:
    shape = only("SELECT name FROM stadium GROUP BY name HAVING avg(seats) > 72")
    assert [c.sql for c in shape.conditions] == ["v > 72"]


def test_derived_tables_and_ctes_are_seen_through() -> None:
    derived = only("SELECT n FROM (SELECT name AS n FROM stadium WHERE seats > 5) AS d WHERE d.n = 'x'")
    assert {c.place for c in derived.conditions} == {(0, "seats"), (0, "name")}
    cte = only("WITH d AS (SELECT stadium_id AS s FROM concert) SELECT 1 FROM stadium JOIN d ON d.s = stadium.id")
    assert set(cte.equals[0]) == {(0, "id"), (1, "stadium_id")}


@pytest.mark.parametrize("sql", ["", "SELECT", "DROP TABLE stadium", "SELECT 1", "SELECT * FROM nowhere"])
def test_unreadable_golds_ask_for_nothing(sql: str) -> None:
    assert shapes(sql) == ()
