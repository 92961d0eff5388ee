"""What the official parser takes, what it makes of it, and what it refuses."""

from __future__ import annotations

import pytest

from testsuite.errors import InputError
from testsuite.official import NotParsed, Query, parse_official, parse_prediction, read_official_tables
from testsuite.official.structure import ColumnUnit, Condition, Item, Order, ValueUnit

ENTRY = {
    "db_id": "shop",
    "table_names_original": ["Person", "Pet", "Visit"],
    "column_names_original": [
        [-1, "*"],
        [0, "ID"],
        [0, "Name"],
        [0, "Age"],
        [1, "Pet_ID"],
        [1, "Owner"],
        [1, "Name"],
        [2, "Pet_ID"],
        [2, "Visitor"],
    ],
    "foreign_keys": [[5, 1], [7, 4], [8, 5]],
}
TABLES = read_official_tables(ENTRY)


def parse(sql: str) -> Query:
    return parse_official(sql, TABLES)


def unit(column: str, aggregate: str = "none", distinct: bool = False) -> ValueUnit:
    return ValueUnit(None, ColumnUnit(aggregate, column, distinct), None)


def test_tables() -> None:
    assert TABLES.columns["person"] == ("id", "name", "age")
    # The third key joins the group that holds one of its ends; the lowest column stands for a group.
    assert TABLES.key_columns == {
        "person.id": "person.id",
        "pet.owner": "person.id",
        "visit.visitor": "person.id",
        "pet.pet_id": "pet.pet_id",
        "visit.pet_id": "pet.pet_id",
    }


def test_groups_are_not_merged() -> None:
    entry = {**ENTRY, "foreign_keys": [[1, 2], [5, 6], [2, 5]]}
    keys = read_official_tables(entry).key_columns
    # pet.owner is in both groups; the later one wins.
    assert keys["pet.owner"] == "pet.owner"
    assert keys["person.name"] == "person.id"


@pytest.mark.parametrize("entry", [{}, {**ENTRY, "foreign_keys": [[1, 99]]}, {**ENTRY, "column_names_original": [1]}])
def test_damaged_entries(entry: dict[str, object]) -> None:
    with pytest.raises(InputError):
        read_official_tables(entry)


def test_structure() -> None:
    query = parse(
        "SELECT DISTINCT T1.Name , count(DISTINCT T2.Name), max(age - id) FROM person AS T1 JOIN pet AS T2 "
        "ON T1.id = T2.owner WHERE age BETWEEN 1 AND 2 OR T2.name NOT LIKE '%x%' "
        "GROUP BY T1.name HAVING count(*) > 1 ORDER BY age DESC , T1.id LIMIT 3;"
    )
    assert query == Query(
        distinct=True,
        items=(
            Item("none", unit("person.name")),
            Item("count", unit("pet.name", distinct=True)),
            Item(
                "max",
                ValueUnit("-", ColumnUnit("none", "person.age", False), ColumnUnit("none", "person.id", False)),
            ),
        ),
        units=("person", "pet"),
        joins=(Condition(False, "=", unit("person.id"), ColumnUnit("none", "pet.owner", False), None),),
        where=(
            Condition(False, "between", unit("person.age"), 1.0, 2.0),
            "or",
            Condition(True, "like", unit("pet.name"), '"%x%"', None),
        ),
        groups=(ColumnUnit("none", "person.name", False),),
        having=(Condition(False, ">", unit("*", "count"), 1.0, None),),
        order=Order("desc", (unit("person.age"), unit("person.id"))),
        limit=True,
    )


def test_nested() -> None:
    query = parse("SELECT name FROM person WHERE id IN (SELECT owner FROM pet) UNION SELECT name FROM pet")
    (condition,) = query.where
    assert isinstance(condition, Condition)
    assert condition.value == parse("SELECT owner FROM pet")
    assert query.union == parse("SELECT name FROM pet")
    assert query.branches() == (query.union,)
    assert parse("SELECT count(*) FROM (SELECT name FROM pet)").units == (parse("SELECT name FROM pet"),)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # The comma between items and the connective between conditions may be missing.
        ("SELECT name , age FROM person", "SELECT name age FROM person"),
        # A bare column is looked for in FROM's tables, in their order.
        ("SELECT name FROM pet JOIN person", "SELECT pet.name FROM pet JOIN person"),
        ("SELECT name FROM person JOIN pet", "SELECT person.name FROM person JOIN pet"),
        # Aliases have no scope: the last `X as Y` of the text wins.
        (
            "SELECT T1.name FROM person AS T1 WHERE id IN (SELECT owner FROM pet AS T1)",
            "SELECT pet.name FROM person WHERE id IN (SELECT owner FROM pet)",
        ),
        # A clause may be left empty.
        ("SELECT name FROM person", "SELECT name FROM person WHERE"),
        # Join conditions end before the next JOIN; an `and` is put between those of two joins.
        (
            "SELECT name FROM person JOIN pet ON id = owner JOIN visit ON visitor = id",
            "SELECT name FROM person JOIN pet JOIN visit ON id = owner AND visitor = id",
        ),
        # What follows is ignored.
        ("SELECT name FROM person LIMIT 1", "SELECT name FROM person LIMIT 1 OFFSET 2 (("),
        # An operand that is no literal swallows what follows, up to `and`.
        ("SELECT name FROM person WHERE id = age", "SELECT name FROM person WHERE id = age or name = 'x'"),
    ],
)
def test_leniency(one: str, other: str) -> None:
    assert parse(one) == parse(other)


@pytest.mark.parametrize(
    "sql",
    [
        "",
        "SELECT",
        "SELECT 1",
        "SELECT name",
        "SELECT name FROM",
        "SELECT name FROM nobody",
        "SELECT nothing FROM person",
        "SELECT T9.name FROM person",
        "SELECT a.b.c FROM person",
        "SELECT 1 FROM person",
        "SELECT upper(name) FROM person",
        "SELECT max(age) - min(age) FROM person",
        "SELECT name AS n FROM person",
        "SELECT P.name FROM person P",
        "SELECT pet.name FROM person AS pet",
        "SELECT name FROM person AS",
        "SELECT name FROM person , pet",
        "SELECT name FROM person INNER JOIN pet ON id = owner",
        "SELECT name FROM person WHERE age <> 1",
        "SELECT name FROM person WHERE age>=1",
        "SELECT name FROM person WHERE age IS NOT NULL",
        "SELECT name FROM person WHERE age IN (1, 2)",
        "SELECT name FROM person WHERE NOT EXISTS (SELECT id FROM pet)",
        "SELECT name FROM person WHERE age BETWEEN 1",
        "SELECT name FROM person WHERE age",
        "SELECT name FROM person WHERE age =",
        "SELECT name FROM person HAVING count(*) > 1",
        "SELECT name FROM person LIMIT",
        "SELECT name FROM person GROUP",
        "SELECT name FROM person UNION ALL SELECT name FROM pet",
        "SELECT count( FROM person",
        "SELECT name FROM (SELECT name FROM person",
        "INSERT INTO person VALUES (1)",
        "SELECT name FROM person WHERE name = 'x",
        "SELECT name FROM person " + "UNION SELECT name FROM person " * 5000,
        "SELECT name FROM person WHERE id IN " + "(SELECT id FROM person WHERE id IN " * 500,
    ],
)
def test_not_parsed(sql: str) -> None:
    with pytest.raises(NotParsed):
        parse(sql)
    assert parse_prediction(sql, TABLES) is None
