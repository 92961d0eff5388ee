"""The parts: schema cut down, replay, first difference, literals, strength of a difference."""

from __future__ import annotations

import numpy as np
import pytest

from distill.counterexample.subject import load_subject, subject_of
from testsuite.compare import Policy
from testsuite.counterexample.pair import Strength, relate
from testsuite.counterexample.record import Difference, Shown, literal, parents_first
from testsuite.counterexample.replay import first_difference, replay
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.errors import InputError
from testsuite.schema import read_sql_schema
from testsuite.score.options import ScoreOptions
from testsuite.shrink import frozen
from testsuite.suite.stack import stack_rows

SCHEMA = read_sql_schema(
    """
    CREATE TABLE visit (id INTEGER PRIMARY KEY, dog_id INTEGER REFERENCES dog(id), cost REAL);
    CREATE TABLE dog (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owner(id), name TEXT);
    CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE kennel (id INTEGER PRIMARY KEY, name TEXT);
    """,
    "dogs",
)


@pytest.mark.parametrize(
    ("queries", "tables"),
    [
        (("SELECT name FROM owner", "SELECT 1"), ["owner"]),
        (("SELECT name FROM dog", "SELECT name FROM owner"), ["dog", "owner"]),
        (("SELECT 1 FROM VISIT", "SELECT 1"), ["visit", "dog", "owner"]),
        (("WITH k AS (SELECT * FROM kennel) SELECT * FROM k", "SELECT 2"), ["kennel"]),
        (("SELECT 1", "SELECT 2"), ["visit"]),
    ],
)
def test_only_tables_that_matter_are_kept(queries, tables):
    subject = subject_of(SCHEMA, queries, None, 0.03)
    assert [table.name for table in subject.schema.tables] == tables


def test_a_content_without_rows_is_no_content():
    assert subject_of(SCHEMA, ("SELECT 1 FROM owner", "SELECT 1"), {"owner": []}, 0.03).shipped is None


def test_shown_schema_has_the_keys_that_the_content_keeps():
    broken = {"owner": [(1, "a"), (1, "b")], "dog": [(1, 9, "c")]}
    subject = subject_of(SCHEMA, ("SELECT * FROM dog",) * 2, broken, 0.03)
    shown = subject.shown_schema()
    assert shown.table("owner").primary_key == ()
    assert shown.table("dog").primary_key == ("id",)
    assert [key.parent for key in shown.table("dog").foreign_keys] == ["owner"]
    assert parents_first(shown) == ["owner", "dog"]


def test_replay_refuses_what_sqlite_refuses_or_stores_otherwise():
    content = frozen({"owner": [(1, "it's"), (2, None)]}, SCHEMA)
    (shown,) = replay(SCHEMA, content, ["SELECT name FROM owner ORDER BY id;"])
    assert shown == Shown(("name",), (("it's",), (None,)))
    assert replay(SCHEMA, frozen({"owner": [(1, "a"), (1, "b")]}, SCHEMA), ["SELECT 1"]) is None
    assert replay(SCHEMA, frozen({"visit": [(1, "7", 1.5)]}, SCHEMA), ["SELECT 1"]) is None
    assert replay(SCHEMA, content, ["SELECT nothing FROM owner"]) is None
    assert (
        replay(
            SCHEMA, content, ["WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"]
        )
        is None
    )


def test_first_difference_as_bag_and_in_order():
    plain, ordered = (
        ("SELECT a FROM t", "SELECT b FROM t"),
        ("SELECT a FROM t ORDER BY 1", "SELECT b FROM t ORDER BY 1"),
    )
    one, other = Shown(("a",), ((1,), (2,), (2,))), Shown(("b",), ((2,), (1.0,), (3,)))
    assert first_difference(one, other, plain, None) == Difference(None, (2,), (3,))
    back = Shown(("b",), ((2,), (1,), (2,)))
    assert first_difference(one, back, plain, None) is None
    assert first_difference(one, back, ordered, None) == Difference(0, (1,), (2,))
    pairs, turned = Shown(("a", "b"), ((1, "x"),)), Shown(("b", "a"), (("x", 1),))
    assert first_difference(pairs, turned, plain, (1, 0)) is None
    assert first_difference(Shown(("a",), ((0.1 + 0.2,),)), Shown(("a",), ((0.3,),)), plain, None) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "NULL"), (7, "7"), (1.5, "1.5"), ("it's", "'it''s'"), (b"\x00a", "X'0061'"), (float("inf"), "9e999")],
)
def test_literals(value, text):
    assert literal(value) == text


def relation(a, b, rows, gold="either"):
    stack = stack_rows(SCHEMA, [{"owner": content} for content in rows])
    evaluator = Evaluator(stack, None, Referee(stack), ScoreOptions().instant)
    return relate(evaluator.answers(a), evaluator.answers(b), Policy(), gold)


def test_strength_of_a_difference():
    rows = [[], [(1, "a")], [(1, "a"), (2, "b")], [(1, "a"), (2, "a")]]
    nothing, opened, sure = Strength.NONE, Strength.OPEN, Strength.SURE
    ordered, plain = "SELECT name FROM owner ORDER BY id", "SELECT name FROM owner"
    seen = relation(ordered, plain, rows)
    assert seen.strength.tolist() == [nothing, nothing, opened, nothing]
    assert seen.a.tolist() == [False, False, True, False] and not seen.b.any()
    assert relation(ordered, plain, rows, "b").strength.tolist() == [nothing] * 4
    assert relation(ordered, f"{ordered} DESC", rows).strength.tolist() == [nothing, nothing, sure, nothing]
    # The cut goes through a tie: A may give either row.
    cut = relation("SELECT id FROM owner ORDER BY name LIMIT 1", "SELECT min(id) FROM owner GROUP BY 1 = 1", rows)
    assert cut.strength.tolist() == [nothing, nothing, nothing, opened]
    wider = relation("SELECT name FROM owner", "SELECT id, name FROM owner", rows)
    assert wider.strength.tolist() == [opened, sure, sure, sure]


def test_one_order_of_columns_need_not_serve_several_contents():
    a, b = "SELECT 1, count(*) FROM owner", "SELECT max(1, count(*)), min(1, count(*)) FROM owner"
    rows = [[], [(1, "a")], [(1, "a"), (2, "b")]]
    assert relation(a, b, rows).strength.tolist() == [0, 0, 0]


def test_a_query_that_fails_says_nothing():
    rows = [[(1, "a")], [(1, "{")]]
    seen = relation("SELECT json(name) IS NULL FROM owner WHERE name = '{'", "SELECT 1 FROM owner WHERE 0", rows)
    assert seen.strength.tolist() == [0, 0]


def test_a_script_with_rows_is_its_own_content(tmp_path):
    file = tmp_path / "dogs.sql"
    file.write_text("CREATE TABLE dog (id INTEGER, name TEXT); INSERT INTO dog VALUES (1, 'Rex');")
    schema, content = load_subject(str(file))
    assert schema.db_id == "dogs" and content == {"dog": [(1, "Rex")]}
    with pytest.raises(InputError, match="absent"):
        load_subject(str(tmp_path / "absent.sql"))
    assert np.array(content["dog"], dtype=object).shape == (1, 2)
