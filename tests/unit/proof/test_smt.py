"""Which conditions z3 shows to be true for the same rows, and which it must leave open."""

from __future__ import annotations

from itertools import product

import pytest

from distill.fuzz.storage import suite_storage
from distill.operators.sample import SAMPLE
from distill.proof import prove, silent, smt

STORAGE = suite_storage(SAMPLE, None)
ROWS = "SELECT name FROM player WHERE "
GROUPS = "SELECT name FROM player GROUP BY name HAVING "


def proved(one: str, other: str) -> str | None:
    return prove(one, other, SAMPLE, SAMPLE, STORAGE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ROWS + "age > 3 OR age > 5", ROWS + "age > 3"),
        (ROWS + "NOT (age < 3 OR age > 5)", ROWS + "age BETWEEN 3 AND 5"),
        (ROWS + "age IN (3, 4)", ROWS + "age > 2 AND age < 5"),
        (ROWS + "age = 3 OR NOT age = 3", ROWS + "age IS NOT NULL"),
        (ROWS + "age > 2.5", ROWS + "age >= 3"),
        (ROWS + "age = '3' OR age = '4'", ROWS + "age IN (3, 4)"),
        (ROWS + "name LIKE 'b%' AND name = 'a'", ROWS + "name LIKE 'b%' AND name >= 'a' AND name <= 'a'"),
        (ROWS + "name > 'b' AND name <> 'a'", ROWS + "name > 'b'"),
        (ROWS + "age < 'x' AND age > 1", ROWS + "age > 1"),
        (GROUPS + "count(*) > 1 OR count(*) > 3", GROUPS + "count(*) >= 2"),
        (GROUPS + "count(*) <> 1", GROUPS + "count(*) > 1"),
        (GROUPS + "sum(age) > 1 AND sum(age) > 2", GROUPS + "coalesce(sum(age), 0) > 2"),
    ],
)
def test_proved(one: str, other: str) -> None:
    assert proved(one, other) == smt.RULE
    assert proved(other, one) == smt.RULE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ROWS + "height IN (3, 4)", ROWS + "height > 2 AND height < 5"),
        (ROWS + "age = 3 OR NOT age = 3", "SELECT name FROM player"),
        (ROWS + "age > '3x'", ROWS + "age > 3"),
        (ROWS + "name < 'b'", ROWS + "name <= 'a'"),
        (ROWS + "name < 'B'", ROWS + "name < 'b'"),
        (ROWS + "name LIKE 'a'", ROWS + "name = 'a'"),
        (ROWS + "age + 1 > 3", ROWS + "age > 2"),
        (ROWS + "height > 0.1", ROWS + "height > 0.10000000000000001"),
        (GROUPS + "count(age) >= 0 AND count(*) > 1", GROUPS + "count(age) > 0 AND count(*) > 1"),
        ("SELECT count(*) FROM player HAVING count(*) > 0", "SELECT count(*) FROM player HAVING count(*) >= 0"),
        (
            "SELECT p.id FROM player p LEFT JOIN club c ON p.loan_club_id = c.id WHERE c.id > 1 OR c.id <= 1",
            "SELECT p.id FROM player p LEFT JOIN club c ON p.loan_club_id = c.id",
        ),
    ],
)
def test_left_open(one: str, other: str) -> None:
    assert proved(one, other) is None


def test_three_valued_logic_of_the_model() -> None:
    """Every formula of two conditions that z3 calls equal agrees with a table of the three truth values."""
    forms = [
        "a AND b",
        "a OR b",
        "NOT (NOT a OR NOT b)",
        "NOT (NOT a AND NOT b)",
        "a AND NOT b",
        "NOT (NOT a OR b)",
        "a",
    ]
    values = {"a": "age > 3", "b": "height > 1"}

    def text(form: str) -> str:
        return ROWS + " ".join(
            values.get(word.strip("()"), word) if word.strip("()") in values else word
            for word in form.replace("(", "( ").replace(")", " )").split()
        )

    def truth(form: str, a: object, b: object) -> bool:
        import sqlite3

        found = sqlite3.connect(":memory:").execute(f"SELECT ({form}) IS TRUE FROM (SELECT ? AS a, ? AS b)", (a, b))
        return bool(found.fetchone()[0])

    for one, other in product(forms, forms):
        same = all(truth(one, a, b) == truth(other, a, b) for a, b in product((0, 1, None), repeat=2))
        assert (proved(text(one), text(other)) is not None) == same, (one, other)


def test_a_gold_determined_only_where_it_is_empty() -> None:
    gold = "SELECT id FROM player GROUP BY club_id HAVING count(*) > 2"
    for other in (
        "SELECT name FROM player GROUP BY club_id HAVING count(*) > 2",
        "SELECT id FROM player WHERE age > 3 GROUP BY club_id HAVING count(*) > 3",
        "SELECT id FROM player GROUP BY id HAVING count(*) > 2",
    ):
        assert proved(gold, other) == silent.RULE
    for other in (
        "SELECT id FROM player GROUP BY club_id HAVING count(*) > 1",
        "SELECT id FROM player GROUP BY age HAVING count(*) > 2",
    ):
        assert proved(gold, other) is None
    assert proved("SELECT club_id FROM player GROUP BY club_id HAVING count(*) > 2", gold) is None
    extreme = "SELECT id, max(age) FROM player GROUP BY club_id HAVING count(*) > 2"
    assert proved(extreme, extreme.replace("> 2", "> 3")) is None
