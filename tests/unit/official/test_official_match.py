"""Exact set match, component by component, and the reach of its normalisations."""

from __future__ import annotations

import pytest

from testsuite.official import (
    COMPONENTS,
    EMPTY,
    Match,
    exact_match,
    parse_official,
    partial_scores,
    read_official_tables,
)
from testsuite.official.match import Component, keywords

TABLES = read_official_tables(
    {
        "db_id": "shop",
        "table_names_original": ["person", "pet"],
        "column_names_original": [[-1, "*"], [0, "id"], [0, "name"], [0, "age"], [1, "owner"], [1, "kind"]],
        "foreign_keys": [[4, 1]],
    }
)


def match(gold: str, prediction: str) -> Match:
    return exact_match(parse_official(gold, TABLES), parse_official(prediction, TABLES), TABLES.key_columns)


def unequal(gold: str, prediction: str) -> set[str]:
    found = match(gold, prediction)
    assert list(found.components) == list(COMPONENTS)
    wrong = {name for name, component in found.components.items() if not component.equal}
    return wrong | (set() if found.tables_equal else {"tables"})


@pytest.mark.parametrize(
    ("gold", "prediction"),
    [
        ("SELECT name , age FROM person", "SELECT age , name FROM person"),
        ("SELECT name FROM person WHERE age > 1 AND id = 2", "SELECT name FROM person WHERE id = 5 AND age > 'x'"),
        # One word `and` more or less does not change the set of words.
        ("SELECT DISTINCT name FROM person", "SELECT name FROM person"),
        ("SELECT count(DISTINCT name) FROM person", "SELECT count(name) FROM person"),
        # Keys: owner stands for id where its table is in FROM.
        (
            "SELECT id FROM person JOIN pet ON person.id = pet.owner",
            "SELECT owner FROM person JOIN pet ON pet.owner = person.id",
        ),
        # Join conditions are not compared, and the order of tables is not.
        ("SELECT name FROM person JOIN pet ON id = owner", "SELECT name FROM pet JOIN person ON age = owner"),
        ("SELECT name FROM person ORDER BY age LIMIT 3", "SELECT name FROM person ORDER BY age ASC LIMIT 5"),
        (
            "SELECT name FROM person WHERE id IN (SELECT owner FROM pet WHERE kind = 'cat')",
            "SELECT name FROM person WHERE id IN (SELECT owner FROM pet WHERE kind = 'dog')",
        ),
        (
            "SELECT name FROM person WHERE age = 1 UNION SELECT DISTINCT kind FROM pet WHERE owner = 1",
            "SELECT name FROM person WHERE age = 2 UNION SELECT kind FROM pet WHERE owner = 2",
        ),
    ],
)
def test_equal(gold: str, prediction: str) -> None:
    assert match(gold, prediction).equal
    assert match(prediction, gold).equal


@pytest.mark.parametrize(
    ("gold", "prediction", "wrong"),
    [
        ("SELECT name FROM person", "SELECT age FROM person", {"select", "select(no AGG)"}),
        ("SELECT max(age) FROM person", "SELECT min(age) FROM person", {"select"}),
        ("SELECT name FROM person", "SELECT name , name FROM person", {"select", "select(no AGG)"}),
        ("SELECT name FROM person WHERE age > 1", "SELECT name FROM person WHERE age < 1", {"where"}),
        ("SELECT name FROM person WHERE age > 1", "SELECT name FROM person WHERE id > 1", {"where", "where(no OP)"}),
        (
            "SELECT name FROM person WHERE age = 1 AND id = 1",
            "SELECT name FROM person WHERE age = 1 OR id = 1",
            {"and/or", "keywords"},
        ),
        ("SELECT name FROM person WHERE age NOT LIKE 'x'", "SELECT name FROM person WHERE age LIKE 'x'",
         {"where", "keywords"}),
        ("SELECT count(*) FROM person GROUP BY name", "SELECT count(*) FROM person GROUP BY age",
         {"group(no Having)", "group"}),
        (
            "SELECT name FROM person GROUP BY name HAVING count(*) > 1",
            "SELECT name FROM person GROUP BY name HAVING count(*) < 1",
            {"group"},
        ),
        ("SELECT name FROM person ORDER BY age", "SELECT name FROM person ORDER BY age DESC", {"order", "keywords"}),
        ("SELECT name FROM person ORDER BY age", "SELECT name FROM person ORDER BY age LIMIT 1", {"order", "keywords"}),
        ("SELECT name FROM person LIMIT 1", "SELECT name FROM person", {"keywords"}),
        (
            "SELECT name FROM person UNION SELECT kind FROM pet",
            "SELECT name FROM person UNION SELECT owner FROM pet",
            {"IUEN"},
        ),
        (
            "SELECT name FROM person UNION SELECT kind FROM pet",
            "SELECT name FROM person EXCEPT SELECT kind FROM pet",
            {"IUEN", "keywords"},
        ),
        ("SELECT name FROM person", "SELECT name FROM person JOIN pet", {"tables"}),
        # Keys are not merged where the table is not in FROM ...
        ("SELECT id FROM person", "SELECT pet.owner FROM person", {"select", "select(no AGG)"}),
        # ... and not in nested queries, where DISTINCT counts too.
        (
            "SELECT name FROM person WHERE id IN (SELECT owner FROM pet)",
            "SELECT name FROM person WHERE id IN (SELECT person.id FROM pet)",
            {"where"},
        ),
        (
            "SELECT name FROM person WHERE id IN (SELECT owner FROM pet)",
            "SELECT name FROM person WHERE id IN (SELECT DISTINCT owner FROM pet)",
            {"where"},
        ),
        # Values count in a query in FROM.
        (
            "SELECT count(*) FROM (SELECT name FROM person WHERE age = 1)",
            "SELECT count(*) FROM (SELECT name FROM person WHERE age = 2)",
            {"tables"},
        ),
    ],
)  # fmt: skip
def test_unequal(gold: str, prediction: str, wrong: set[str]) -> None:
    assert unequal(gold, prediction) == wrong
    assert not match(gold, prediction).equal


def test_the_empty_prediction_is_wrong() -> None:
    found = exact_match(parse_official("SELECT name FROM person", TABLES), EMPTY, TABLES.key_columns)
    assert not found.equal
    assert found.components["select"] == Component(0, 1, 0)


def test_keywords() -> None:
    query = parse_official(
        "SELECT name FROM person WHERE age NOT IN (SELECT owner FROM pet ORDER BY kind) OR name LIKE 'x' "
        "GROUP BY name HAVING count(*) > 1 ORDER BY name DESC LIMIT 1",
        TABLES,
    )
    assert keywords(query) == {"where", "not", "in", "or", "like", "group", "having", "order", "desc", "limit"}


def test_a_connective_out_of_place_does_not_end_the_run() -> None:
    gold = "SELECT name FROM person WHERE age = 1"
    assert not match(gold, "SELECT name FROM person WHERE age = 1 id = 1 OR name = 'x'").equal


def test_partial_scores() -> None:
    where, bare = "SELECT name FROM person WHERE age > 1", "SELECT name FROM person"
    other = "SELECT name FROM person WHERE id > 1"
    found = partial_scores(
        [("easy", match(where, where)), ("easy", match(where, bare)), ("hard", match(bare, other)),
         ("hard", match(where, other))]
    )  # fmt: skip
    cell = found["all"]["where"]
    assert (cell.predictions, cell.golds) == (3, 3)
    assert cell.accuracy == cell.recall == cell.f1 == pytest.approx(1 / 3)
    cell = found["easy"]["where"]
    assert (cell.accuracy, cell.recall, cell.f1) == (1.0, 0.5, pytest.approx(2 / 3))
    # Nothing to average: the script's F1 is 1.
    cell = found["extra"]["order"]
    assert (cell.accuracy, cell.recall, cell.f1, cell.predictions, cell.golds) == (0.0, 0.0, 1.0, 0, 0)
    assert list(found) == ["easy", "medium", "hard", "extra", "unknown", "all"]
