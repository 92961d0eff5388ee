"""The shrinker: pure, legal at every step, minimal by single rows, the same on every run."""

from __future__ import annotations

import numpy as np
import pytest

from distill.fuzz import Policies, generate_with_assumptions
from testsuite.schema import read_sql_schema
from testsuite.shrink import Bounds, frozen, row_count, shrink
from testsuite.shrink.simple import measure, value_cost

SCHEMA = read_sql_schema(
    """
    CREATE TABLE shop (id INTEGER PRIMARY KEY, town TEXT NOT NULL, opened DATE);
    CREATE TABLE sale (id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL REFERENCES shop(id), price REAL, n INTEGER,
                       UNIQUE (shop_id, n), CHECK (n > 0));
    """,
    "shops",
)
QUERY = "SELECT town FROM shop JOIN sale ON shop.id = sale.shop_id WHERE price > 7.5 AND town = 'Ulm' GROUP BY town"


def made(count=30, nulls="observed", seed=3):
    policies = Policies(nulls=nulls)
    generated = generate_with_assumptions(SCHEMA, [QUERY], None, count, np.random.default_rng(seed), policies)
    return generated, Bounds.of(SCHEMA, generated.stack.storage, None, policies.nulls, generated.rules)


def two_dear_sales_in_one_shop(content):
    shops = [row[1] for row in content["sale"] if row[2] is not None and row[2] > 7.5]
    return any(shops.count(shop) >= 2 for shop in set(shops))


def each(single):
    return lambda contents: [single(content) for content in contents]


def contents(generated):
    return [frozen(generated.stack.rows(i), SCHEMA) for i in range(generated.stack.count)]


def test_generated_instances_are_legal():
    generated, bounds = made()
    assert [bounds.violation(content) for content in contents(generated)] == [""] * 30


def test_fewest_rows_and_simplest_values():
    generated, bounds = made()
    tried = 0
    for content in contents(generated):
        if two_dear_sales_in_one_shop(content):
            tried += 1
            small = shrink(content, each(two_dear_sales_in_one_shop), bounds)
            assert len(small["shop"]) == 1 and len(small["sale"]) == 2
            assert bounds.legal(small)
            assert small["shop"][0][:2] == (1, "a")
            assert [row[:2] for row in small["sale"]] == [(1, 1), (2, 1)]
            assert None not in {cell for row in (*small["shop"], *small["sale"]) for cell in row}
            assert measure(small) <= measure(content)
    assert tried > 3


def test_every_question_is_legal_and_no_single_row_can_go():
    generated, bounds = made()
    asked = []

    def holds(several):
        asked.extend(several)
        return [two_dear_sales_in_one_shop(content) for content in several]

    content = next(c for c in contents(generated) if two_dear_sales_in_one_shop(c) and row_count(c) > 20)
    small = shrink(content, holds, bounds)
    assert all(bounds.legal(one) for one in asked)
    for t, table in enumerate(SCHEMA.tables):
        for n in range(len(small[table.name])):
            less = bounds.without(small, [(t, n)])
            assert not two_dear_sales_in_one_shop(less)


def test_same_result_whatever_the_batch_and_on_every_run():
    generated, bounds = made()
    content = next(c for c in contents(generated) if two_dear_sales_in_one_shop(c))
    before = {name: list(rows) for name, rows in content.items()}
    results = [shrink(content, each(two_dear_sales_in_one_shop), bounds, batch) for batch in (1, 7, 128, 128)]
    assert all(result == results[0] for result in results)
    assert {name: list(rows) for name, rows in content.items()} == before


def test_a_parent_goes_with_its_children():
    _, bounds = made()
    content = frozen({"shop": [(1, "a", None), (2, "b", None)], "sale": [(1, 1, 1.0, 1), (2, 2, 1.0, 1)]}, SCHEMA)
    assert bounds.without(content, [(0, 0)]) == {"shop": ((2, "b", None),), "sale": ((2, 2, 1.0, 1),)}


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"sale": [(1, 9, 1.0, 1)]}, "no shop"),
        ({"shop": [(1, "a", None), (1, "b", None)]}, "repeats a key"),
        ({"shop": [(1, None, None)]}, "is NULL"),
        ({"shop": [(1, "a", None)], "sale": [(1, 1, 1.0, 0)]}, "CHECK"),
        ({"shop": [(1, "a", None)], "sale": [(1, 1, 1.0, 1), (2, 1, 2.0, 1)]}, "repeats a key"),
        ({"shop": [("x", "a", None)]}, "not of its type"),
    ],
)
def test_illegal_contents_are_refused(tables, said):
    _, bounds = made()
    with pytest.raises(ValueError, match=said):
        shrink(frozen(tables, SCHEMA), each(lambda content: True), bounds)


def test_the_property_must_hold_at_the_start():
    _, bounds = made()
    with pytest.raises(ValueError, match="does not hold"):
        shrink({}, each(lambda content: False), bounds)


def test_nulls_only_where_the_policy_has_them():
    _, bounds = made(nulls="never")
    assert not any(map(any, bounds.nullable))
    _, bounds = made(nulls="declared")
    assert bounds.nullable == ((False, False, True), (False, False, True, True))


def test_least_rows_are_kept():
    generated, bounds = made()
    full = Bounds(SCHEMA, bounds.storage, bounds.rules, bounds.nullable, least=1)
    content = next(c for c in contents(generated) if all(c.values()))
    small = shrink(content, each(lambda content: True), full)
    assert [len(rows) for rows in small.values()] == [1, 1]


def test_simple_values_cost_less():
    ladder = [1, 2, 10, 99, 1234]
    assert sorted(ladder, key=value_cost) == ladder
    assert value_cost("a") < value_cost("b") < value_cost("ab") < value_cost("a b") < value_cost("Zürich (old)")
    assert max(value_cost(1), value_cost("a"), value_cost(1.0)) < value_cost(None)
