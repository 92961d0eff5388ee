"""Proofs that two queries mean the same on every instance a suite may hold: canonical forms first, then z3."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot.errors import SqlglotError

from distill.equivalent import provably_equal
from distill.operators.scope import prepare
from testsuite.query.parse import Unparsed, parse
from testsuite.schema import Schema, Storage


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
    for schema in dict.fromkeys((assumed.digest, made.digest)):
        chosen = assumed if schema == assumed.digest else made
        try:
            gold, other = (prepare(parse(sql), chosen) for sql in (gold_sql, neighbour_sql))
        except (Unparsed, SqlglotError):
            return None
        rule = provably_equal(gold, other, chosen, storage=storage)
        if rule is not None:
            return rule
    return None


__all__ = ["prove"]
