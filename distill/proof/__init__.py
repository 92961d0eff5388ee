"""Proofs that two queries mean the same on every instance a suite may hold: canonical forms first, then z3."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot.errors import SqlglotError

from distill.equivalent import Equivalence
from distill.equivalent.state import Opaque
from distill.operators.scope import prepare
from distill.proof import silent, smt
from testsuite.query.parse import Unparsed, parse
from testsuite.schema import Schema, Storage

# After this rule all conditions stand in WHERE, and none has been used up by another rule yet.
_EARLY = "equal columns"


def prove(
    gold_sql: str,
    neighbour_sql: str,
    assumed: Schema,
    made: Schema,
    storage: Mapping[tuple[str, str], Storage],
) -> str | None:
    """The name of the rule that proves two queries equal on all made instances; None where nothing does.

    Args:
        gold_sql: one query, SQLite text.
        neighbour_sql: the other.
        assumed: the constraints of the shipped and of made instances.
        made: those of made instances alone; at least as strong.
        storage: what each column holds; made instances hold nothing else.
    """
    for schema in (assumed,) if assumed == made else (assumed, made):
        try:
            gold, other = (prepare(parse(sql), schema) for sql in (gold_sql, neighbour_sql))
        except (Unparsed, SqlglotError):
            return None
        equivalence = Equivalence(schema, storage=storage)
        rule = equivalence.rule(equivalence.steps(gold), equivalence.steps(other))
        if rule is not None:
            return rule
    try:
        whole = equivalence.state(gold), equivalence.state(other)
        if silent.silent_alike(*whole):
            return silent.RULE
        early = equivalence.state(gold, _EARLY), equivalence.state(other, _EARLY)
    except Opaque:
        return None
    return smt.RULE if smt.conditions_alike(*early) or smt.conditions_alike(*whole) else None


__all__ = ["prove"]
