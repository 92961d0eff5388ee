"""Rules on single conditions and values."""

from __future__ import annotations

from sqlglot import exp

from distill.equivalent.state import State, facts
from distill.operators.base import integer, is_aggregate, remove_condition
from testsuite.schema.model import Affinity

_INVERSE: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
}


def forms(state: State) -> None:
    """``NOT a < b`` is ``a >= b``; BETWEEN is two comparisons; IN a list of one is ``=``; ``a > b`` is ``b < a``;
    LIKE folds ASCII case and reads ``%%`` as ``%``. All hold in three-valued logic.
    """
    for node in list(state.tree.find_all(exp.Between)):
        value = node.this
        both = exp.And(
            this=exp.GTE(this=value.copy(), expression=node.args["low"]),
            expression=exp.LTE(this=value.copy(), expression=node.args["high"]),
        )
        node.replace(both)
    for member in list(state.tree.find_all(exp.In)):
        if len(member.expressions) == 1 and isinstance(member.expressions[0], exp.Literal):
            member.replace(exp.EQ(this=member.this, expression=member.expressions[0]))
    for negation in list(state.tree.find_all(exp.Not)):
        inverse = _INVERSE.get(type(negation.this))
        if inverse is not None:
            negation.replace(inverse(this=negation.this.this, expression=negation.this.expression))
    for greater in list(state.tree.find_all(exp.GT, exp.GTE)):
        kind = exp.LT if isinstance(greater, exp.GT) else exp.LTE
        greater.replace(kind(this=greater.expression, expression=greater.this))
    for like in state.tree.find_all(exp.Like):
        pattern = like.expression
        if isinstance(pattern, exp.Literal) and pattern.is_string and not isinstance(like.parent, exp.Escape):
            text = "".join(c.lower() if c.isascii() else c for c in str(pattern.this))
            while "%%" in text:
                text = text.replace("%%", "%")
            like.set("expression", exp.Literal.string(text))


def whole_numbers(state: State) -> None:
    """``x <= n`` is ``x < n + 1`` and ``n <= x`` is ``n - 1 < x`` for counts and INTEGER columns.

    Relies on INTEGER-affinity columns holding no fractions, which suites guarantee (text is above all numbers).
    """
    for node in list(state.tree.find_all(exp.LTE)):
        left, right = _whole(node.this), _whole(node.expression)
        if right is not None and _integral(state, node.this):
            node.replace(exp.LT(this=node.this, expression=integer(right + 1)))
        elif left is not None and _integral(state, node.expression):
            node.replace(exp.LT(this=integer(left - 1), expression=node.expression))


def _whole(node: exp.Expr) -> int | None:
    sign = 1
    if isinstance(node, exp.Neg):
        sign, node = -1, node.this
    if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
        value = sign * int(node.this)
        return value if abs(value) < 2**53 else None
    return None


def _integral(state: State, node: exp.Expr) -> bool:
    if isinstance(node, exp.Count):
        return True
    col = state.col(node)
    return col is not None and state.column(col).affinity is Affinity.INTEGER


def never_null(state: State) -> None:
    """``x IS NOT NULL`` in WHERE dropped and ``COALESCE(x, ...)`` read as ``x`` where x cannot be NULL."""
    for select in state.selects():
        known = facts(state, select)
        if not known.base:
            continue
        for condition in known.where:
            col = _not_null_test(state, condition)
            if col is not None and known.not_null(col, ignoring=condition):
                remove_condition(condition)
                known = facts(state, select)
    for call in list(state.tree.find_all(exp.Coalesce)):
        owner = call.find_ancestor(exp.Select)
        col = state.col(call.this)
        if isinstance(call.this, exp.Count):
            call.replace(call.this)
        elif owner is not None and col is not None and _lends_no_affinity(state, call, owner):
            # Beside an aggregate over no rows a bare column is NULL whatever its declaration.
            known = facts(state, owner)
            over_rows = call.find_ancestor(exp.AggFunc, exp.Select) is not owner or not is_aggregate(owner)
            if known.base and known.not_null(col) and over_rows:
                call.replace(call.this)


def _lends_no_affinity(state: State, call: exp.Expr, owner: exp.Select) -> bool:
    """True where nothing is compared with what stands there: a column has an affinity, COALESCE has none."""
    inside: exp.Expr = call
    while isinstance(inside.parent, (exp.Alias, exp.Ordered)):
        inside = inside.parent
    outermost = (
        owner is state.tree and inside.arg_key == "expressions" and isinstance(inside.parent, (exp.Select, exp.Order))
    )
    return outermost or isinstance(call.parent, exp.AggFunc)


def _not_null_test(state: State, condition: exp.Expr) -> tuple[str, str] | None:
    negated = condition.this if isinstance(condition, exp.Not) else None
    if isinstance(negated, exp.Is) and isinstance(negated.expression, exp.Null):
        return state.col(negated.this)
    return None
