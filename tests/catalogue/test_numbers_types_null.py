"""Rounding of reals, kinds of numbers, numeric text, NULL."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pytest
from faults import Case, both_engines, check, each, policy

from testsuite.compare import cells_from_arrow, cells_from_python

WEIGHT = "CREATE TABLE weight(id INTEGER, kg REAL, tag TEXT, day TEXT)"
ROWS = (
    "INSERT INTO weight VALUES (1,0.1,'a','2021-07-04'),(2,0.2,'','2021-12-24'),(3,0.3,NULL,'2023-01-06'),"
    "(4,71.236518,'b','2023-02-07')",
)
NOTHING = ("INSERT INTO weight VALUES (1,NULL,NULL,NULL)",)
# What a sum in another order may differ by, and more than that.
NEAR, FAR = "kg * (1 + 1e-14)", "kg * (1 + 1e-6)"


def weight(cause: str, gold: str, prediction: str, equal: bool, **more: object) -> Case:
    return Case(cause, WEIGHT, ROWS, gold, prediction, equal, **more)  # type: ignore[arg-type]


REALS = [
    weight("a sum in another order", "SELECT SUM(kg) FROM weight",
           "SELECT SUM(kg) FROM (SELECT kg FROM weight ORDER BY id DESC)", True),
    weight("an average by hand", "SELECT AVG(kg) * 100 FROM weight",
           "SELECT SUM(kg) * 100 / COUNT(*) FROM weight", True),
    weight("a rounding error", "SELECT kg FROM weight", f"SELECT {NEAR} FROM weight", True),
    weight("more than a rounding error", "SELECT kg FROM weight", f"SELECT {FAR} FROM weight", False),
    weight("no tolerance at all", "SELECT kg FROM weight", f"SELECT {NEAR} FROM weight", False,
           options=policy(relative=0.0)),
    weight("a wide tolerance", "SELECT kg FROM weight",
           f"SELECT {FAR} FROM weight", True, options=policy(relative=1e-5)),
    weight("the gold rounds", "SELECT ROUND(kg, 2) FROM weight", "SELECT kg FROM weight", False),
    weight("the gold rounds, within a distance", "SELECT ROUND(kg, 2) FROM weight", "SELECT kg FROM weight", True,
           options=policy(absolute=0.01)),
    weight("the gold rounds, beyond the distance", "SELECT ROUND(kg, 2) FROM weight", "SELECT kg FROM weight", False,
           options=policy(absolute=0.001)),
    # A distance is for reals: counts never come near each other.
    weight("whole numbers have no tolerance", "SELECT COUNT(*) FROM weight", "SELECT COUNT(*) + 1 FROM weight", False,
           options=policy(absolute=2.0)),
    weight("whole reals have none either", "SELECT 3.0, 0.5", "SELECT 4.0, 0.5", False, options=policy(absolute=2.0)),
    weight("a rounding error beside a whole number", "SELECT 3", "SELECT 2.9999999999999996", True),
    weight("large whole numbers", "SELECT 9007199254740992", "SELECT 9007199254740993", False),
]  # fmt: skip

KINDS = [
    weight("3 and 3.0 beside a fraction", "SELECT MIN(id), AVG(id) FROM weight",
           "SELECT MIN(id) * 1.0, AVG(id) FROM weight", True),
    weight("a number as text", "SELECT strftime('%Y', day) FROM weight",
           "SELECT CAST(strftime('%Y', day) AS INTEGER) FROM weight", False),
    weight("a number as text, if asked", "SELECT strftime('%Y', day) FROM weight",
           "SELECT CAST(strftime('%Y', day) AS INTEGER) FROM weight", True, options=policy(numeric_text=True)),
    weight("a comparison is 1 or 0", "SELECT id > 2 FROM weight",
           "SELECT CASE WHEN id > 2 THEN 1 ELSE 0 END FROM weight", True),
    weight("text of another case", "SELECT upper(tag) FROM weight", "SELECT tag FROM weight", False),
    weight("a blank at the end", "SELECT tag FROM weight", "SELECT tag || ' ' FROM weight", False),
    weight("a blob is no text", "SELECT tag FROM weight", "SELECT CAST(tag AS BLOB) FROM weight", False),
    weight("minus nothing", "SELECT 0.0", "SELECT -0.0", True),
]  # fmt: skip

NULLS = [
    Case("NULL is not 0", WEIGHT, NOTHING, "SELECT COUNT(*), SUM(kg) FROM weight",
         "SELECT COUNT(*), COALESCE(SUM(kg), 0) FROM weight", False),
    Case("TOTAL is not SUM", WEIGHT, NOTHING, "SELECT COUNT(*), SUM(kg) FROM weight",
         "SELECT COUNT(*), TOTAL(kg) FROM weight", False),
    weight("NULL is not ''", "SELECT COUNT(*) FROM weight WHERE tag IS NULL",
           "SELECT COUNT(*) FROM weight WHERE tag IS NULL OR tag = ''", False),
    weight("NULL is not '', as a value", "SELECT id, tag FROM weight", "SELECT id, ifnull(tag, '') FROM weight", False),
    weight("NULL is not the text NULL", "SELECT id, tag FROM weight",
           "SELECT id, ifnull(tag, 'NULL') FROM weight", False),
    weight("NULL equals NULL", "SELECT id, tag FROM weight", "SELECT id, nullif(tag, 'zz') FROM weight", True),
    weight("NOT IN a list with NULL", "SELECT COUNT(*) FROM weight WHERE id NOT IN (1, 2)",
           "SELECT COUNT(*) FROM weight WHERE id NOT IN (1, 2, NULL)", False),
    weight("infinity is a number", "SELECT 9e999 FROM weight", "SELECT 9e998 FROM weight", True),
]  # fmt: skip


@both_engines()
@each(REALS + KINDS + NULLS)
def test_verdict(case: Case, engine: str) -> None:
    check(case, engine)


@pytest.mark.parametrize(
    "values",
    [
        [5, 5.0, Decimal("5"), Decimal("5.00"), True + 4],
        [12.5, Decimal("12.50"), Decimal("12.5")],
        [0, 0.0, -0.0, Decimal("0.000"), False],
        [float("nan"), -float("nan")],
        [2**60, float(2**60), Decimal(2**60)],
    ],
    ids=repr,
)
def test_one_domain_of_numbers(values: list[object]) -> None:
    assert len(set(cells_from_python(values).code.tolist())) == 1  # type: ignore[arg-type]


def test_decimals_of_an_engine_are_the_same_numbers() -> None:
    decimals = pa.array([Decimal("8.10"), Decimal("3.00")], pa.decimal128(10, 2))
    assert cells_from_arrow(decimals).code.tolist() == cells_from_python([8.1, 3]).code.tolist()
