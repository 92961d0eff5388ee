"""Near-misses that distilled test suites were known to miss (Zhong, Yu, Klein 2020, section 6), each separated here.

Every test generates candidates for a gold alone, as a build does, and asks SQLite itself which of them separate the
gold from near-misses of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from distill.fuzz import Policies, generate
from distill.neighbours import NeighbourMaker
from testsuite.compare import Policy, compare_open
from testsuite.engine.referee import Referee
from testsuite.schema import Schema, empty_ddl, quote
from testsuite.schema.sql_text import read_sql_schema
from testsuite.suite.stack import Stack

COVER = 3


def candidates(schema: Schema, golds: Sequence[str], count: int, seed: int = 0) -> Stack:
    return generate(schema, list(golds), None, count, np.random.default_rng(seed), Policies())


def separated(stack: Stack, gold: str, others: Sequence[str]) -> list[int]:
    """Per other query how many instances separate it from the gold, by SQLite and the library's comparison.

    Stops counting at COVER.
    """
    referee, counts = Referee(stack), [0] * len(others)
    for start in range(0, stack.count, 50):
        chosen = list(range(start, min(start + 50, stack.count)))
        truth = referee.answer(gold, chosen)
        for number, other in enumerate(others):
            if counts[number] < COVER:
                seen = compare_open(truth, None, referee.answer(other, chosen), None, Policy())
                counts[number] += int((seen.usable & ~seen.equal).sum())
    referee.close()
    return counts


SHOP = """
CREATE TABLE shop (id INTEGER PRIMARY KEY, town TEXT NOT NULL, rent REAL);
CREATE TABLE sale (id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL REFERENCES shop(id), price REAL, pieces INTEGER,
    goods TEXT);
"""
SCHEMA = read_sql_schema(SHOP, "shop")


@pytest.mark.parametrize(
    ("gold", "other"),
    [
        ("SELECT id FROM sale WHERE price > 0.1 + 0.2", "SELECT id FROM sale WHERE price > 0.3"),
        ("SELECT id FROM sale WHERE price > 0.3", "SELECT id FROM sale WHERE price > 0.1 + 0.2"),
        ("SELECT count(*) FROM sale WHERE price >= 2.31", "SELECT count(*) FROM sale WHERE price > 2.31"),
        ("SELECT id FROM sale WHERE price = 0.7", "SELECT id FROM sale WHERE price = 0.1 * 7"),
        ("SELECT id FROM sale WHERE price < 1.1", "SELECT id FROM sale WHERE price < 1.1000001"),
    ],
)
def test_conditions_that_differ_at_floating_point_precision(gold: str, other: str) -> None:
    assert separated(candidates(SCHEMA, [gold], 200), gold, [other])[0] >= COVER


@pytest.mark.parametrize(
    ("gold", "other"),
    [
        ("SELECT sum(price) FROM sale", "SELECT sum(p) FROM (SELECT price AS p FROM sale ORDER BY price DESC)"),
        ("SELECT avg(price) FROM sale", "SELECT sum(price) / count(price) FROM sale"),
        ("SELECT avg(price) FROM sale WHERE price > 0.1", "SELECT avg(price * 10) / 10 FROM sale WHERE price > 0.1"),
        ("SELECT sum(price * 0.1) FROM sale GROUP BY shop_id", "SELECT sum(price) * 0.1 FROM sale GROUP BY shop_id"),
    ],
)
def test_rounding_alone_separates_nothing(gold: str, other: str) -> None:
    assert separated(candidates(SCHEMA, [gold], 200), gold, [other]) == [0]


WIDE = Schema(
    "wide",
    read_sql_schema(
        "CREATE TABLE person (id INTEGER PRIMARY KEY, "
        + ", ".join(f"n{i} INTEGER, t{i} TEXT, r{i} REAL" for i in range(8))
        + ");",
        "wide",
    ).tables,
)
STACKED = "SELECT id FROM person WHERE " + " AND ".join(
    f"n{i} >= {10 * i + 3} AND t{i} = 'word {i}' AND r{i} < {i}.5" for i in range(8)
)
ACROSS = """
CREATE TABLE home (id INTEGER PRIMARY KEY, street TEXT, rooms INTEGER, rent REAL, built INTEGER, kind TEXT,
    floor INTEGER, colour TEXT, heat TEXT);
CREATE TABLE tenant (id INTEGER PRIMARY KEY, home_id INTEGER NOT NULL REFERENCES home(id), name TEXT, age INTEGER,
    job TEXT, pay REAL, town TEXT, pets INTEGER, car TEXT);
CREATE TABLE bill (id INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL REFERENCES tenant(id), due TEXT, amount REAL,
    paid INTEGER, kind TEXT, note TEXT, month INTEGER, year INTEGER);
"""
ACROSS_GOLD = (
    "SELECT b.id FROM home h JOIN tenant t ON h.id = t.home_id JOIN bill b ON t.id = b.tenant_id WHERE "
    "h.street = 'Elm' AND h.rooms > 3 AND h.rent <= 900.5 AND h.built < 1950 AND h.kind <> 'hut' AND h.floor = 2 AND "
    "h.colour LIKE '%red%' AND h.heat IN ('gas', 'oil') AND t.name = 'Ann' AND t.age BETWEEN 30 AND 40 AND "
    "t.job = 'cook' AND t.pay > 1500.25 AND t.town = 'Oslo' AND t.pets >= 1 AND t.car <> 'none' AND "
    "b.due > '2020-05-05' AND b.amount < 99.5 AND b.paid = 0 AND b.kind = 'rent' AND b.note LIKE 'late%' AND "
    "b.month <> 12 AND b.year >= 2019 AND b.year <= 2022 AND h.built > 1900"
)


def drop_each(schema: Schema, gold: str) -> list[str]:
    """The gold without each of its conditions, and with each comparison one step wider or narrower."""
    made = NeighbourMaker(schema, [gold]).of(gold, cap=1000).neighbours
    names = ("dropped condition", "comparison", "string", "number")
    return [n.sql for n in made if n.operator in names]


@pytest.mark.parametrize(
    ("schema", "gold"),
    [(WIDE, STACKED), (read_sql_schema(ACROSS, "across"), ACROSS_GOLD)],
    ids=["one table", "three tables"],
)
def test_two_dozen_stacked_conditions(schema: Schema, gold: str) -> None:
    others = drop_each(schema, gold)
    assert len(others) > 60
    counts = separated(candidates(schema, [gold], 400), gold, others)
    weak = [(count, sql) for count, sql in zip(counts, others, strict=True) if count < COVER]
    assert not weak, weak


JOINED = "SELECT s.town FROM shop s JOIN sale x ON s.id = x.shop_id GROUP BY s.id HAVING "
THRESHOLDS = (
    (JOINED + "count(*) > 5000", ("count(*) >= 5000", "count(*) > 5001", "count(*) > 4999")),
    ("SELECT shop_id FROM sale GROUP BY shop_id HAVING count(*) < 200", ("count(*) <= 200", "count(*) < 199")),
    ("SELECT goods FROM sale GROUP BY goods HAVING count(*) >= 60", ("count(*) > 60", "count(*) >= 61")),
    ("SELECT goods FROM sale WHERE price > 3 GROUP BY goods HAVING count(*) = 25", ("count(*) = 24", "count(*) >= 25")),
    (JOINED + "sum(x.pieces) > 5000", ("sum(x.pieces) >= 5000", "sum(x.pieces) > 5001", "max(x.pieces) > 5000")),
    (JOINED + "sum(x.price) >= 300", ("sum(x.price) > 300", "avg(x.price) >= 300", "sum(DISTINCT x.price) >= 300")),
    (JOINED + "avg(x.price) > 20", ("avg(x.price) >= 20", "max(x.price) > 20", "min(x.price) > 20")),
)


@cache
def thresholds() -> Stack:
    return candidates(SCHEMA, [gold for gold, _ in THRESHOLDS], 400)


@pytest.mark.parametrize(("gold", "others"), THRESHOLDS, ids=[gold[-40:] for gold, _ in THRESHOLDS])
def test_thresholds_on_counts_and_sums(gold: str, others: tuple[str, ...]) -> None:
    head = gold[: gold.index("HAVING ") + 7]
    counts = separated(thresholds(), gold, [head + other for other in others])
    assert min(counts) >= COVER, dict(zip(others, counts, strict=True))


def test_a_threshold_on_a_correlated_count() -> None:
    gold = "SELECT town FROM shop s WHERE (SELECT count(*) FROM sale x WHERE x.shop_id = s.id) > 300"
    others = [gold.replace("> 300", other) for other in (">= 300", "> 301", "> 299")]
    assert min(separated(candidates(SCHEMA, [gold], 100), gold, others)) >= COVER


def test_large_groups_stay_within_a_budget_of_rows() -> None:
    rows = sum(len(table.instance) for table in thresholds().tables)
    assert rows < 240_000 + 400 * 2 * 40
    huge = JOINED + "count(*) > 5000000"
    assert sum(len(t.instance) for t in candidates(SCHEMA, [huge], 50).tables) < 50 * 2 * 40


def test_large_groups_honour_keys() -> None:
    stack = thresholds()
    sizes = np.bincount(stack.tables[1].instance, minlength=stack.count)
    for number in np.argsort(-sizes)[:2]:
        connection = sqlite3.connect(":memory:")
        for statement in empty_ddl(SCHEMA):
            connection.execute(statement)
        content = stack.rows(int(number))
        for name, rows in content.items():
            connection.executemany(f"INSERT INTO {quote(name)} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        for table, key in (("shop", "id"), ("sale", "id")):
            ((every, distinct),) = connection.execute(f"SELECT count(*), count(DISTINCT {key}) FROM {table}").fetchall()
            assert every == distinct
        orphans = connection.execute("SELECT count(*) FROM sale WHERE shop_id NOT IN (SELECT id FROM shop)").fetchone()
        assert orphans == (0,)
        connection.close()
