"""The grammar driven by hypothesis, so that a disagreement shrinks to a small query on small contents."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from distill.fuzz.grammar.contents import random_schema, random_stack
from distill.fuzz.grammar.queries import random_query
from testsuite.suite.stack import Stack


@dataclass(frozen=True, slots=True)
class DrawnChance:
    """Numbers that hypothesis draws; it shrinks them towards 0."""

    draw: st.DrawFn

    def below(self, bound: int) -> int:
        return self.draw(st.integers(0, bound - 1))


@st.composite
def queries_on_stacks(draw: st.DrawFn, instances: int = 4, queries: int = 3) -> tuple[Stack, list[str]]:
    """A stack of that many random instances, and queries over its schema."""
    chance = DrawnChance(draw)
    schema = random_schema(chance)
    stack = random_stack(chance, schema, instances)
    return stack, [random_query(chance, schema) for _ in range(queries)]
