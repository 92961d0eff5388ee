"""Rules on the rows that outer joins pad with NULL."""

from __future__ import annotations

import operator
from collections.abc import Callable

from sqlglot import exp

from distill.equivalent.constant import number
from distill.equivalent.state import Facts, State, facts, group_columns, plain_left
from distill.operators.base import add_condition, aggregates, bare, conjuncts, is_aggregate

_COMPARE: dict[type[exp.Expr], Callable[[float, float], bool]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
}
_IGNORE_NULLS = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)


def null_rows(state: State) -> None:
    """Where NULL cannot matter, ``IS NOT NULL`` is added, which later makes outer joins inner.

    ``A INTERSECT B`` and ``A EXCEPT B`` need no row of B with a NULL where A has none (nor, for INTERSECT, the other
    way round); a NULL among the members of ``x IN (...)`` never makes a condition of WHERE or HAVING true.
    """
    for node in state.tree.find_all(exp.Intersect, exp.Except):
        pairs = [(node.this, node.expression)]
        if isinstance(node, exp.Intersect):
            pairs.append((node.expression, node.this))
        for sure, open_ in pairs:
            if not node.args.get("distinct") or not (_plain(sure) and _plain(open_)):
                continue
            known = facts(state, sure)
            for one, other in zip(sure.expressions, open_.expressions, strict=False):
                col = state.col(bare(one))
                if known.base and col is not None and known.not_null(col):
                    _add_not_null(state, open_, bare(other))
    for member in state.tree.find_all(exp.In):
        query = member.args.get("query")
        select = query.this if isinstance(query, exp.Subquery) else query
        if isinstance(select, exp.Select) and _plain(select) and len(select.expressions) == 1 and must_be_true(member):
            _add_not_null(state, select, bare(select.expressions[0]))


def _plain(select: object) -> bool:
    if not isinstance(select, exp.Select) or select.args.get("limit") or select.args.get("offset"):
        return False
    return not select.args.get("group") and not is_aggregate(select) and not select.args.get("having")


def _add_not_null(state: State, select: exp.Select, item: exp.Expr) -> None:
    col, known = state.col(item), facts(state, select)
    if col is not None and known.base and col[0] in known.nullable and not known.not_null(col):
        add_condition(select, exp.Not(this=exp.Is(this=item.copy(), expression=exp.Null())))


def must_be_true(node: exp.Expr) -> bool:
    """True for a top-level conjunct of WHERE or HAVING: there NULL is as good as false."""
    above = node.parent
    while isinstance(above, (exp.And, exp.Paren)):
        above = above.parent
    return isinstance(above, (exp.Where, exp.Having))


def padding_without_effect(state: State) -> None:
    """A LEFT JOIN is inner where its padded rows change nothing.

    Either every aggregate passes NULLs over and takes a column of the joined table, and no group consists of padded
    rows alone (none is kept by HAVING, or there is no GROUP BY); or the group keys tell all other rows apart, so that
    a padded row is a group of its own, which HAVING does not keep.
    """
    for select in state.selects():
        changed = True
        while changed:
            changed = False
            known = facts(state, select)
            for join in select.args.get("joins") or [] if known.base else []:
                if plain_left(join) and _without_effect(state, select, known, join.alias_or_name.lower()):
                    join.set("side", None)
                    changed = True
                    break


def _without_effect(state: State, select: exp.Select, known: Facts, alias: str) -> bool:
    order = select.args.get("order")
    having = select.args.get("having")
    parts = [*select.expressions, *([having.this] if having else []), *(order.expressions if order else [])]
    if any(part.find(exp.Query) for part in parts):
        return False
    only_joined = all(_of_joined(state, call, alias) for part in parts for call in aggregates(part))
    outside = [n for part in parts for n in part.find_all(exp.Column) if n.find_ancestor(exp.AggFunc) is None]
    if not select.args.get("group"):
        return is_aggregate(select) and only_joined and not outside
    keys = group_columns(state, select)
    if not keys or not having:
        return False
    gone = any(_not_kept(state, part, alias) for part in conjuncts(having.this))
    if not gone:
        return False
    if only_joined:
        determined = known.closure(keys)
        if all(state.col(node) in determined for node in outside):
            return True
    return known.identifies({key for key in keys if key[0] != alias}, apart_from=alias)


def _of_joined(state: State, call: exp.Expr, alias: str) -> bool:
    inner = call.this
    if isinstance(inner, exp.Distinct) and len(inner.expressions) == 1:
        inner = inner.expressions[0]
    col = state.col(inner)
    return isinstance(call, _IGNORE_NULLS) and not call.expressions and col is not None and col[0] == alias


def _not_kept(state: State, part: exp.Expr, alias: str) -> bool:
    """Whether a condition of HAVING is not true for a group of one padded row."""
    compare = _COMPARE.get(type(part))
    if compare is None:
        return False
    sides = [_padded_value(state, side, alias) for side in (part.this, part.expression)]
    if "unknown" in sides:
        return False
    left, right = sides
    if left is None or right is None:
        return True
    return not compare(float(left), float(right))


def _padded_value(state: State, node: exp.Expr, alias: str) -> float | str | None:
    """What an expression is for a group of one padded row: a number, None for NULL, or "unknown"."""
    constant = number(node)
    if constant is not None:
        return constant
    if isinstance(node, exp.Count) and not node.expressions:
        if isinstance(node.this, (exp.Star, exp.Literal)):
            return 1.0
        return 0.0 if _of_joined(state, node, alias) else "unknown"
    if isinstance(node, _IGNORE_NULLS) and _of_joined(state, node, alias):
        return None
    return "unknown"
