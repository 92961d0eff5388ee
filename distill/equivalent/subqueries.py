"""Rules on subqueries and set operations."""

from __future__ import annotations

from sqlglot import exp

from distill.equivalent.key import key
from distill.equivalent.names import final_names
from distill.equivalent.padding import must_be_true
from distill.equivalent.state import State, at_most_one_row, facts
from distill.operators.base import COMPARISONS, is_aggregate, remove_condition


def membership(state: State) -> None:
    """IN and EXISTS look at no order and no duplicates; NULLs among the members cannot make a conjunct true."""
    for node in list(state.tree.find_all(exp.In, exp.Exists)):
        inner = node.args.get("query") if isinstance(node, exp.In) else node.this
        query = inner.this if isinstance(inner, exp.Subquery) else inner
        if not isinstance(query, exp.Query) or query.args.get("limit") or query.args.get("offset"):
            continue
        query.set("order", None)
        if isinstance(query, exp.Union):
            _drop_distinct(query)
        elif isinstance(query, exp.Select):
            query.set("distinct", None)
            if isinstance(node, exp.Exists):
                if not is_aggregate(query) and not query.args.get("group"):
                    query.set("expressions", [exp.Literal.number(1)])
            elif must_be_true(node):
                _drop_null_test(state, query)


def _drop_distinct(query: exp.Expr) -> None:
    """Take DISTINCT from a union and from its branches, where only the set of rows matters."""
    if query.args.get("limit") or query.args.get("offset"):
        return
    if isinstance(query, exp.Union):
        query.set("distinct", False)
        _drop_distinct(query.this)
        _drop_distinct(query.expression)
    elif isinstance(query, exp.Select):
        query.set("distinct", None)


def _drop_null_test(state: State, query: exp.Select) -> None:
    known = facts(state, query)
    col = state.col(query.expressions[0]) if len(query.expressions) == 1 else None
    if not known.base or col is None or query.args.get("group"):
        return
    for condition in known.where:
        inner = condition.this if isinstance(condition, exp.Not) else None
        if isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null) and state.col(inner.this) == col:
            remove_condition(condition)


def first_row(state: State) -> None:
    """A scalar subquery is its first row, so any LIMIT there is LIMIT 1 (https://sqlite.org/lang_expr.html, 10)."""
    for node in state.tree.find_all(exp.Subquery):
        select, parent = node.this, node.parent
        if not isinstance(select, exp.Select) or not isinstance(parent, COMPARISONS):
            continue
        limit = select.args.get("limit")
        count = str(limit.expression) if limit else "1"
        if count.isdigit() and int(count) > 0 and not select.args.get("offset") and not at_most_one_row(state, select):
            select.set("limit", exp.Limit(expression=exp.Literal.number(1)))


def one_member(state: State) -> None:
    """IN a subquery of one row is ``=``."""
    for node in list(state.tree.find_all(exp.In)):
        query = node.args.get("query")
        inner = query.this if isinstance(query, exp.Subquery) else None
        if not isinstance(inner, exp.Select) or isinstance(node.this, exp.Tuple):
            continue
        exactly_one = is_aggregate(inner) and not inner.args.get("having") and not inner.args.get("limit")
        limit = inner.args.get("limit")
        few = at_most_one_row(state, inner) or (limit is not None and str(limit.expression) == "1")
        negated = isinstance(node.parent, exp.Not)
        if exactly_one or (few and not negated and must_be_true(node)):
            if negated and node.parent is not None:
                node.parent.replace(exp.NEQ(this=node.this, expression=query))
            else:
                node.replace(exp.EQ(this=node.this, expression=query))


def sorted_extreme(state: State) -> None:
    """A scalar ``(SELECT x ... ORDER BY x DESC LIMIT 1)`` is ``(SELECT MAX(x) ...)``: no row and NULL are the same
    there. Ascending it is MIN only where x cannot be NULL. Compared with a column of the same affinity only, since
    MAX(x) has none.
    """
    for node in list(state.tree.find_all(exp.Subquery)):
        select, parent = node.this, node.parent
        if not isinstance(select, exp.Select) or not isinstance(parent, COMPARISONS):
            continue
        other = state.col(parent.this if parent.expression is node else parent.expression)
        order, limit = select.args.get("order"), select.args.get("limit")
        if other is None or not order or not limit or str(limit.expression) != "1" or select.args.get("offset"):
            continue
        if select.args.get("group") or is_aggregate(select) or len(select.expressions) != 1:
            continue
        term, col, known = order.expressions[0], state.col(select.expressions[0]), facts(state, select)
        if col is None or state.col(term.this) != col or not known.base or not state.alike(col, other):
            continue
        descending = bool(term.args.get("desc"))
        if descending or known.not_null(col):
            kind = exp.Max if descending else exp.Min
            select.set("expressions", [kind(this=select.expressions[0])])
            for part in ("order", "limit", "distinct"):
                select.set(part, None)


def item_order(state: State) -> None:
    """The order of the outermost SELECT's items is free."""
    if isinstance(state.tree, exp.Select):
        names = final_names(state)
        state.tree.set("expressions", sorted(state.tree.expressions, key=lambda item: key(item, names)))
