"""Every operator's own examples, replayed."""

from __future__ import annotations

import pytest
from sqlglot import exp

from distill.operators import OPERATORS, Context, Example, Operator
from distill.operators.sample import SAMPLE
from distill.operators.scope import prepare
from testsuite.query.parse import parse
from testsuite.query.text import render

CONSTANTS = {("club", "city"): (exp.Literal.string("Rome"), exp.Literal.string("Paris"))}
# "added condition" shows the first constant of a column that the query does not name.
CONSTANTS_ADDED = {("club", "city"): (exp.Literal.string("Paris"),)}
CASES = [(operator, example) for operator in OPERATORS for example in operator.examples]


@pytest.mark.parametrize(("operator", "example"), CASES, ids=[f"{o.name}: {e.before}" for o, e in CASES])
def test_example(operator: Operator, example: Example) -> None:
    tree = prepare(parse(example.before), SAMPLE)
    before = tree.copy()
    constants = CONSTANTS_ADDED if operator.name == "added condition" else CONSTANTS
    made = [render(new) for new in operator.apply(tree, Context(SAMPLE, constants))]
    assert tree == before, "the argument was changed"
    assert render(before) not in made
    if example.after:
        assert set(example.after) <= set(made), made
    else:
        assert made == []


@pytest.mark.parametrize("operator", OPERATORS, ids=[o.name for o in OPERATORS])
def test_operator_has_examples_with_and_without_occurrence(operator: Operator) -> None:
    assert any(example.after for example in operator.examples)
    assert any(not example.after for example in operator.examples)


def test_names_are_unique() -> None:
    names = [operator.name for operator in OPERATORS]
    assert len(set(names)) == len(names)
