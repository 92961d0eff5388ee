"""Rules on comparisons with the extreme value of a column."""

from __future__ import annotations

from sqlglot import exp

from distill.equivalent.state import Col, State, facts
from distill.operators.base import COMPARISONS, aliased_sources, conjuncts


def _extreme(state: State, node: exp.Expr) -> tuple[type[exp.Expr], str, str] | None:
    """MIN or MAX, table and column of ``(SELECT MAX(c) FROM t)``; None for anything else."""
    select = node.this if isinstance(node, exp.Subquery) else None
    if not isinstance(select, exp.Select) or len(select.expressions) != 1:
        return None
    if any(value for name, value in select.args.items() if name not in ("expressions", "from_", "kind")):
        return None
    call = select.expressions[0]
    col = state.col(call.this) if isinstance(call, (exp.Min, exp.Max)) and not call.expressions else None
    if col is None or [s.alias_or_name.lower() for s in aliased_sources(select)] != [col[0]]:
        return None
    return type(call), state.tables[col[0]].name.lower(), col[1]


def _belongs(state: State, col: Col | None, table: str, column: str) -> bool:
    return col is not None and state.tables[col[0]].name.lower() == table and col[1] == column


def at_the_extreme(state: State) -> None:
    """``c <= (SELECT MIN(c) FROM t)`` is ``=`` for a column c of t, likewise ``>=`` and MAX: nothing lies beyond."""
    for node in list(state.tree.find_all(exp.LTE)):
        for column, query, kind in ((node.this, node.expression, exp.Min), (node.expression, node.this, exp.Max)):
            found = _extreme(state, query)
            if found and found[0] is kind and _belongs(state, state.col(column), found[1], found[2]):
                node.replace(exp.EQ(this=column, expression=query))
                break


def row_of_extreme(state: State) -> None:
    """A scalar ``(SELECT x FROM t WHERE k = (SELECT MAX(k) FROM t))`` is the first row of ``ORDER BY k DESC``: both
    give x of some row with the greatest k. Holds where k is never NULL.
    """
    for node in state.tree.find_all(exp.Subquery):
        select = node.this
        if not isinstance(select, exp.Select) or not isinstance(node.parent, COMPARISONS):
            continue
        where, known = select.args.get("where"), facts(state, select)
        if not where or not known.base or len(known.aliases) != 1 or len(select.expressions) != 1:
            continue
        if any(select.args.get(part) for part in ("group", "having", "distinct", "order", "offset", "joins")):
            continue
        parts = conjuncts(where.this)
        if len(parts) != 1 or not isinstance(parts[0], exp.EQ) or state.col(select.expressions[0]) is None:
            continue
        for column, query in (
            (parts[0].this, parts[0].expression),
            (parts[0].expression, parts[0].this),
        ):
            found, col = _extreme(state, query), state.col(column)
            if not found or col is None or col[0] != known.aliases[0] or not _belongs(state, col, found[1], found[2]):
                continue
            if state.declared_not_null(col) and state.col(select.expressions[0]) != col:
                down = found[0] is exp.Max
                # Without NULLs where they would stand says nothing; written as the parser writes it.
                term = exp.Ordered(this=column.copy(), desc=down, nulls_first=not down)
                select.set("where", None)
                select.set("order", exp.Order(expressions=[term]))
                select.set("limit", exp.Limit(expression=exp.Literal.number(1)))
                break
