"""Near-misses of a gold query: valid SQLite, distinct, not provably equal to the gold."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlglot import exp
from sqlglot.errors import SqlglotError

from distill.equivalent import Equivalence
from distill.operators import OPERATORS, Context, Family, Operator
from distill.operators.constants import constants_by_column
from distill.operators.scope import prepare
from testsuite.query.parse import Unparsed, parse
from testsuite.query.text import render
from testsuite.schema.model import Schema, empty_ddl

# How often text-to-SQL models err in each respect: a public count over 999 wrong queries, which may err in several.
WEIGHTS: dict[Family, int] = {
    Family.COLUMNS: 473,
    Family.TABLES: 363,
    Family.CONDITIONS: 270,
    Family.VALUES: 252,
    Family.FUNCTIONS: 178,
    Family.CLAUSES: 131,
    Family.DISTINCT: 88,
    Family.SUBQUERIES: 46,
}
DEFAULT_CAP = 60


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A near-miss. ``sql`` is SQLite text, ``operator`` the name of the operator that made it."""

    sql: str
    operator: str


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A neighbour that means the same as its gold; ``rule`` names the rule of ``distill.equivalent`` that shows it."""

    sql: str
    operator: str
    rule: str


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What the operators made of one gold.

    ``invalid`` counts candidates that SQLite refuses, ``duplicates`` those that mean the same as another neighbour,
    ``left`` those not looked at because ``cap`` was reached.
    """

    neighbours: tuple[Neighbour, ...]
    equivalent: tuple[Equivalent, ...]
    invalid: int
    duplicates: int
    left: int


class NeighbourMaker:
    """Makes neighbours of the golds of one schema. Holds one in-memory SQLite connection; not thread-safe.

    ``golds`` lend their constants to each other; those that cannot be parsed are passed over.
    """

    def __init__(self, schema: Schema, golds: Sequence[str] = ()) -> None:
        self._schema = schema
        self._equivalence = Equivalence(schema)
        self._empty = sqlite3.connect(":memory:")
        for statement in empty_ddl(schema):
            self._empty.execute(statement)
        trees = []
        for gold in dict.fromkeys(golds):
            try:
                trees.append(prepare(parse(gold), schema))
            except Unparsed:
                continue
        self._context = Context(schema, constants_by_column(trees, schema))

    def close(self) -> None:
        """Close the connection."""
        self._empty.close()

    def of(self, gold: str, cap: int = DEFAULT_CAP, rng: np.random.Generator | None = None) -> Neighbourhood:
        """Up to ``cap`` neighbours of ``gold``, fairly chosen across operators.

        First one of each operator, where there is room for that; then families in proportion to ``WEIGHTS``, counting
        what they have, the operators of a family in turn. With less room families in proportion from the start, so
        that each family that has candidates is there as soon as ``cap`` is 8.
        ``rng`` decides which of an operator's candidates come first; without it they come in the order of the query.
        Same arguments, same answer.

        Raises:
            Unparsed: the gold cannot be read.
        """
        tree = prepare(parse(gold), self._schema)
        turns = _Turns(tree, self._context, cap, rng)
        target = self._equivalence.canonical(tree)
        texts, keys = {render(tree)}, {target}
        neighbours: list[Neighbour] = []
        equivalent: list[Equivalent] = []
        gold_steps: list[str] = []
        invalid = duplicates = 0
        while len(neighbours) < cap:
            turn = turns.take()
            if turn is None:
                break
            operator, candidate = turn
            sql = _text(candidate)
            if sql is None or sql in texts:
                invalid += sql is None
                duplicates += sql is not None
                continue
            texts.add(sql)
            if not self._valid(sql):
                invalid += 1
                continue
            key = self._equivalence.canonical(candidate)
            if key == target:
                gold_steps = gold_steps or self._equivalence.steps(tree)
                rule = self._equivalence.rule(gold_steps, self._equivalence.steps(candidate))
                equivalent.append(Equivalent(sql, operator.name, rule or "same text"))
            elif key in keys:
                duplicates += 1
            else:
                keys.add(key)
                neighbours.append(Neighbour(sql, operator.name))
                turns.accept(operator)
        return Neighbourhood(tuple(neighbours), tuple(equivalent), invalid, duplicates, turns.left())

    def _valid(self, sql: str) -> bool:
        try:
            self._empty.execute("EXPLAIN " + sql).close()
        except (sqlite3.Error, sqlite3.Warning, UnicodeEncodeError):
            return False
        return True


class _Turns:
    """Deals candidates out fairly: who is served next depends on how many were accepted so far."""

    def __init__(self, tree: exp.Expr, context: Context, cap: int, rng: np.random.Generator | None) -> None:
        self._queues: dict[str, deque[exp.Expr]] = {}
        self._operators: dict[Family, deque[Operator]] = {family: deque() for family in Family}
        for operator in OPERATORS:
            candidates = list(operator.apply(tree, context))
            if rng is not None and len(candidates) > 1:
                candidates = [candidates[i] for i in rng.permutation(len(candidates))]
            if candidates:
                self._queues[operator.name] = deque(candidates)
                self._operators[operator.family].append(operator)
        self._accepted = dict.fromkeys(Family, 0)
        # One of each operator first, if there is room for that.
        everyone = [operator for group in self._operators.values() for operator in group]
        self._first = deque(everyone if len(everyone) <= cap else [])

    def take(self) -> tuple[Operator, exp.Expr] | None:
        """The next candidate; None when there are no more."""
        while self._first:
            queue = self._queues[self._first[0].name]
            if queue:
                return self._first[0], queue.popleft()
            self._first.popleft()
        while True:
            open_families = [family for family in Family if self._operators[family]]
            if not open_families:
                return None
            family = min(open_families, key=lambda f: (self._accepted[f] / WEIGHTS[f], -WEIGHTS[f]))
            operator = self._operators[family][0]
            queue = self._queues[operator.name]
            if queue:
                return operator, queue.popleft()
            self._operators[family].popleft()

    def accept(self, operator: Operator) -> None:
        """Count one of this operator; the next operator of its family is served next."""
        self._accepted[operator.family] += 1
        if self._first:
            self._first.popleft()
        else:
            self._operators[operator.family].rotate(-1)

    def left(self) -> int:
        """How many candidates were not taken."""
        return sum(len(queue) for queue in self._queues.values())


def _text(tree: exp.Expr) -> str | None:
    """SQLite text of a candidate; None for a tree that surgery left impossible to write."""
    try:
        return render(tree)
    except (SqlglotError, ValueError, TypeError, AttributeError):
        return None


def neighbours(
    gold: str,
    schema: Schema,
    other_golds: Sequence[str] = (),
    cap: int = DEFAULT_CAP,
    rng: np.random.Generator | None = None,
) -> tuple[Neighbour, ...]:
    """Neighbours of one gold; ``NeighbourMaker`` does many of one schema without starting anew.

    Raises:
        Unparsed: the gold cannot be read.
    """
    maker = NeighbourMaker(schema, [gold, *other_golds])
    try:
        return maker.of(gold, cap, rng).neighbours
    finally:
        maker.close()
