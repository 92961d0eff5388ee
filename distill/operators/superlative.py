"""Superlatives: ORDER BY ... LIMIT 1 against a comparison with MAX or MIN, and bare columns beside MAX."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    COMPARISONS,
    Context,
    Example,
    Family,
    Operator,
    add_condition,
    aggregates,
    bare,
    edit,
    integer,
    remove_condition,
    replaced,
    selects,
)


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """``ORDER BY k DESC LIMIT 1`` as ``k = (SELECT MAX(k) ...)`` (differs by ties) and as a bare column beside
    ``MAX(k)``; the comparison as LIMIT 1; ``SELECT MAX(k)`` as a sorted first row and the other way round.
    """
    for select in selects(tree):
        yield from _from_limit(tree, select)
        yield from _from_comparison(tree, select)
        yield from _from_extreme(tree, select)


def all_extreme(select: exp.Select) -> Iterator[exp.Select]:
    """``SELECT .. ORDER BY k DESC LIMIT 1`` as all rows with ``k = (SELECT MAX(k) ...)``, the inner one filtered like
    the outer one and not; nothing for another form.
    """
    term = _only_key(select)
    if term is None:
        return
    kind = exp.Max if term.args.get("desc") else exp.Min
    for filtered in (True, False) if select.args.get("where") else (True,):
        found = select.copy()
        found.set("order", None)
        found.set("limit", None)
        inner = found.copy()
        inner.set("expressions", [kind(this=term.this.copy())])
        inner.set("distinct", None)
        if not filtered:
            inner.set("where", None)
        add_condition(found, exp.EQ(this=term.this.copy(), expression=exp.Subquery(this=inner)))
        yield found


def _only_key(select: exp.Select) -> exp.Ordered | None:
    """The sort key of ``ORDER BY k LIMIT 1`` without groups; None for another form."""
    order, limit = select.args.get("order"), select.args.get("limit")
    if not order or not limit or str(limit.expression) != "1" or select.args.get("group"):
        return None
    term = order.expressions[0]
    if len(order.expressions) != 1 or not isinstance(term.this, exp.Column) or select.args.get("offset"):
        return None
    assert isinstance(term, exp.Ordered)
    return term


def _from_limit(tree: exp.Expr, select: exp.Select) -> Iterator[exp.Expr]:
    term = _only_key(select)
    if term is None:
        return
    for whole in all_extreme(select):
        yield replaced(tree, select, whole)
    kind = exp.Max if term.args.get("desc") else exp.Min
    copy, found = edit(tree, select)
    found.set("order", None)
    found.set("limit", None)
    extreme = kind(this=term.this.copy())
    kept = [i.copy() for i in select.expressions if bare(i) != term.this]
    found.set("expressions", [*kept, extreme])
    yield copy


def _from_comparison(tree: exp.Expr, select: exp.Select) -> Iterator[exp.Expr]:
    where = select.args.get("where")
    if not where or select.args.get("order") or select.args.get("group"):
        return
    for node in where.this.find_all(*COMPARISONS):
        inner = node.expression.this if isinstance(node.expression, exp.Subquery) else None
        if not isinstance(node, exp.EQ) or not isinstance(inner, exp.Select):
            continue
        if not isinstance(node.this, exp.Column) or node.find_ancestor(exp.Select) is not select:
            continue
        extreme = bare(inner.expressions[0])
        if isinstance(extreme, (exp.Max, exp.Min)):
            copy, found = edit(tree, node)
            outer = found.find_ancestor(exp.Select)
            assert outer is not None
            descending = isinstance(extreme, exp.Max)
            remove_condition(found)
            term = exp.Ordered(this=node.this.copy(), desc=descending or None, nulls_first=not descending)
            outer.set("order", exp.Order(expressions=[term]))
            outer.set("limit", exp.Limit(expression=integer(1)))
            yield copy


def first_rows(select: exp.Select) -> Iterator[exp.Select]:
    """``SELECT .. WHERE k = (SELECT MAX(k) ..)`` as the first of the rows sorted by ``k``, each such condition."""
    for copy in _from_comparison(select, select):
        assert isinstance(copy, exp.Select)
        yield copy


def _from_extreme(tree: exp.Expr, select: exp.Select) -> Iterator[exp.Expr]:
    if select.args.get("group") or select.args.get("order") or select.args.get("having"):
        return
    extremes = [bare(i) for i in select.expressions if isinstance(bare(i), (exp.Max, exp.Min))]
    if len(extremes) != 1 or len(select.expressions) != 1 or not isinstance(extremes[0].this, exp.Column):
        return
    if len(aggregates(select.expressions[0])) != 1:
        return
    descending = isinstance(extremes[0], exp.Max)
    key = extremes[0].this
    copy, found = edit(tree, select)
    found.set("expressions", [key.copy()])
    term = exp.Ordered(this=key.copy(), desc=descending or None, nulls_first=not descending)
    found.set("order", exp.Order(expressions=[term]))
    found.set("limit", exp.Limit(expression=integer(1)))
    yield copy
    copy, found = edit(tree, select)
    found.set("expressions", [key.copy()])
    yield copy


OPERATOR = Operator(
    "superlative",
    Family.SUBQUERIES,
    (
        Example(
            "SELECT name FROM player ORDER BY age DESC LIMIT 1",
            (
                "SELECT name FROM player WHERE age = (SELECT MAX(age) FROM player)",
                "SELECT name, MAX(age) FROM player",
            ),
        ),
        Example(
            "SELECT name FROM player WHERE age = (SELECT min(age) FROM player)",
            ("SELECT name FROM player ORDER BY age LIMIT 1",),
        ),
        Example(
            "SELECT max(age) FROM player",
            ("SELECT age FROM player ORDER BY age DESC LIMIT 1", "SELECT age FROM player"),
        ),
        Example("SELECT name FROM player ORDER BY age DESC LIMIT 3"),
    ),
    apply,
)
