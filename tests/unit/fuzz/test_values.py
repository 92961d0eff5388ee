"""Values: families, pools' canonical forms and the SQLite oracle."""

from __future__ import annotations

import math

import numpy as np
import pytest

from distill.fuzz.cells import canonical, coerced, filled, written
from distill.fuzz.families import FAMILIES, family_of
from distill.fuzz.oracle import Oracle
from distill.fuzz.storage import suite_storage
from testsuite.schema import Column, Storage, affinity_of
from testsuite.schema.sql_text import read_sql_schema
from testsuite.shrink.checks import failing_rows


def column(declared: str) -> Column:
    return Column("c", declared, affinity_of(declared))


@pytest.mark.parametrize(
    ("declared", "storage", "examples", "name"),
    [
        ("INTEGER", Storage.INTEGER, [1, 5, 9], "Integer"),
        ("REAL", Storage.REAL, [1.5, 2.0], "Real"),
        ("DECIMAL(8,2)", Storage.NUMBER, [1.5, 2], "Real"),
        ("TEXT", Storage.TEXT, ["T", "F"], "Flag"),
        ("TEXT", Storage.TEXT, ["2014-01-03", "2015-02-07"], "Moment"),
        ("DATETIME", Storage.TEXT, [], "Moment"),
        ("TEXT", Storage.TEXT, ["2014", "2015"], "Digits"),
        ("TEXT", Storage.TEXT, ["Old Hall", "APG"], "Words"),
    ],
)
def test_each_family_keeps_the_shape(
    declared: str, storage: Storage, examples: list[int | float | str], name: str
) -> None:
    family = family_of(column(declared), storage, examples)
    assert family.__name__ == name
    fresh = family.fresh(column(declared), examples, 50, np.random.default_rng(0))
    assert fresh
    again = family.fresh(column(declared), examples, 50, np.random.default_rng(0))
    assert fresh == again
    if examples:
        assert family.suits(column(declared), storage, fresh)
        lengths = {len(str(e)) for e in examples}
        if name in ("Moment", "Digits", "Words"):
            assert {len(str(f)) for f in fresh} <= lengths
        for example in examples:
            near = family.near(example)
            assert near
            assert all(type(n) is type(example) or storage is Storage.NUMBER for n in near)


def test_every_family_is_reached() -> None:
    assert [family.__name__ for family in FAMILIES] == ["Integer", "Real", "Flag", "Moment", "Digits", "Words"]


def test_near_neighbours_touch_the_boundary() -> None:
    assert {29, 31} <= set(family_of(column("INT"), Storage.INTEGER, [1]).near(30))
    assert {"2013", "2015"} <= set(family_of(column("TEXT"), Storage.TEXT, ["2014"]).near("2014"))
    assert {"hey", "HEY"} <= set(family_of(column("TEXT"), Storage.TEXT, ["Hey"]).near("Hey"))
    assert "2014-03-01" in family_of(column("TEXT"), Storage.TEXT, ["2014-02-28"]).near("2014-02-28")
    close = {n for n in family_of(column("REAL"), Storage.REAL, [1.0]).near(2.5) if abs(float(n) - 2.5) < 1e-3}
    next_doubles = {math.nextafter(2.5, math.inf), math.nextafter(2.5, -math.inf)}
    assert next_doubles < close and len(close) == 4


def test_canonical_and_written_agree_with_sqlite_equality() -> None:
    assert canonical(5.0, False) == 5 and isinstance(canonical(5.0, False), int)
    assert canonical("5", True) == 5
    assert canonical("05", True) == "05"
    assert canonical("5", False) == "5"
    assert canonical(float("nan"), False) is None
    assert written(5, column("TEXT"), Storage.TEXT) == "5"
    assert written(5, column("REAL"), Storage.REAL) == 5.0
    assert written(2.5, column("INT"), Storage.INTEGER) is None
    assert written("5", column("DATE"), Storage.TEXT) is None, "numeric affinity would turn it into a number"
    assert written("x", column("INT"), Storage.INTEGER) is None


def test_constants_follow_the_column() -> None:
    assert coerced(2014, column("TEXT"), Storage.TEXT) == ["2014"]
    assert coerced("8", column("INT"), Storage.INTEGER) == [8]
    assert coerced(2.5, column("INT"), Storage.INTEGER) == [2, 3]
    assert coerced("abc", column("INT"), Storage.INTEGER) == []


def test_like_patterns_are_filled_in() -> None:
    matching, missing = filled("%Park_")
    with Oracle() as oracle:
        oracle.add(0, "v", "TEXT", [*matching, *missing])
        mask = oracle.holds(0, "v LIKE '%Park_'")
    assert mask is not None
    assert mask[: len(matching)].sum() >= 3
    assert not mask[len(matching) :].all()


def test_oracle_follows_affinity_and_null() -> None:
    with Oracle() as oracle:
        oracle.add(3, "v", "TEXT", [None, "2014", "2015"])
        assert list(oracle.holds(3, "v = 2014")) == [False, True, False]
        assert list(oracle.passes(3, "v = 2014")) == [True, True, False]
        assert oracle.holds(3, "nonsense(v)") is None
    rows = failing_rows([("a", "INT", [1, 5, None]), ("b", "INT", [2, 3, 4])], ["a < b", "no_such(a)"])
    assert list(rows) == [1]


def test_storage_of_columns_without_content() -> None:
    schema = read_sql_schema("CREATE TABLE t (a DATE, b DECIMAL(5,2), c INT, d BOOL)", "x")
    assert [s.value for s in suite_storage(schema).values()] == ["TEXT", "NUMBER", "INTEGER", "INTEGER"]
    seen = suite_storage(schema, {"t": [("x", 1, None, "T")]})
    assert [s.value for s in seen.values()] == ["TEXT", "INTEGER", "INTEGER", "TEXT"]
