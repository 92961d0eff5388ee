"""Rules on grouping, aggregates, DISTINCT and sorting: what keys and constants determine."""

from __future__ import annotations

from sqlglot import exp

from distill.equivalent.key import key
from distill.equivalent.state import Col, Facts, State, at_most_one_row, facts, group_columns
from distill.operators.base import (
    add_condition,
    aggregates,
    bare,
    conjuncts,
    identifier,
    is_aggregate,
    remove_condition,
)
from testsuite.schema.model import Storage


def having_on_keys(state: State) -> None:
    """A HAVING condition on group keys is a WHERE condition; a group has at least one row."""
    for select in state.selects():
        having, keys, known = select.args.get("having"), group_columns(state, select), facts(state, select)
        if not having or not keys or not known.base:
            continue
        determined = known.closure(keys)
        for part in conjuncts(having.this):
            if _counts_some(state, known, part):
                remove_condition(part)
                continue
            if aggregates(part) or part.find(exp.Query):
                continue
            cols = [state.col(node) for node in part.find_all(exp.Column)]
            if cols and all(col in determined for col in cols):
                remove_condition(part)
                add_condition(select, part.copy())
    for paren in list(state.tree.find_all(exp.Paren)):
        paren.replace(paren.this)


def _counts_some(state: State, known: Facts, part: exp.Expr) -> bool:
    """Whether the condition asks for a count above a number below 1, of rows or of values that are never NULL."""
    if not isinstance(part, exp.LT) or not isinstance(part.expression, exp.Count):
        return False
    bound = part.this.this if isinstance(part.this, exp.Neg) else part.this
    if not isinstance(bound, exp.Literal) or bound.is_string or not str(bound.this).isdigit():
        return False
    if bound is part.this and str(bound.this).strip("0"):
        return False
    counted = part.expression.this
    if isinstance(counted, exp.Distinct) and len(counted.expressions) == 1:
        counted = counted.expressions[0]
    col = state.col(counted)
    return isinstance(counted, exp.Star) or (col is not None and known.not_null(col))


def ignored_nulls(state: State) -> None:
    """``x IS NOT NULL`` changes nothing for an ungrouped SELECT of aggregates of x alone: they pass NULLs over."""
    for select in state.selects():
        known = facts(state, select)
        if not known.base or not is_aggregate(select) or select.args.get("having"):
            continue
        arguments: set[Col | None] = set()
        for item in select.expressions:
            calls = aggregates(item)
            inside = [c.this.expressions[0] if isinstance(c.this, exp.Distinct) else c.this for c in calls]
            arguments |= {state.col(argument) for argument in inside}
            used = [n for n in item.find_all(exp.Column) if n.find_ancestor(exp.AggFunc) is None]
            if used or item.find(exp.Query) or not calls:
                arguments.add(None)
        col = next(iter(arguments)) if len(arguments) == 1 else None
        if col is None:
            continue
        for condition in known.where:
            negated = condition.this if isinstance(condition, exp.Not) else None
            tested = negated.this if isinstance(negated, exp.Is) and isinstance(negated.expression, exp.Null) else None
            if state.col(tested) == col:
                remove_condition(condition)


def group_keys(state: State) -> None:
    """GROUP BY keys are replaced by the first few columns that determine the same ones: the groups stay the same."""
    for select in state.selects():
        group, keys, known = select.args.get("group"), group_columns(state, select), facts(state, select)
        if not group or not keys or not known.base or any(c[0] not in known.aliases for c in keys):
            continue
        determined = known.closure(keys)
        spelled = {parent for _, parent in known.spelled}
        # The order decides which of several equally good keys stay: a child rather than the parent it refers to.
        order = sorted(
            (c for c in determined if c[0] in known.aliases),
            key=lambda c: (c in spelled, known.aliases.index(c[0]), c[1]),
        )
        kept = order
        for col in reversed(order):
            others = [c for c in kept if c != col]
            if others and col in known.closure(others):
                kept = others
        if len(kept) == 1 and kept[0] in known.closure(()):
            continue  # all rows are one group, but without a row there is none: the keys stand
        group.set("expressions", [exp.Column(this=identifier(c[1]), table=identifier(c[0])) for c in kept])


def group_as_distinct(state: State) -> None:
    """GROUP BY without aggregates over the very columns selected is DISTINCT."""
    for select in state.selects():
        keys, known = group_columns(state, select), facts(state, select)
        if not keys or not known.base or select.args.get("having"):
            continue
        items = {state.col(item) for item in select.expressions}
        order = select.args.get("order")
        terms = {state.col(term.this) for term in order.expressions} if order else set()
        if None in items or not terms <= items:
            continue
        cols = {c for c in items if c is not None}
        if cols <= known.closure(keys) and keys <= known.closure(cols):
            select.set("group", None)
            select.set("distinct", exp.Distinct())


def distinct_rows(state: State) -> None:
    """DISTINCT over rows that a key already tells apart changes nothing."""
    for select in state.selects():
        distinct = select.args.get("distinct")
        if not distinct or distinct.args.get("on") or not select.args.get("from_"):
            continue
        if at_most_one_row(state, select):
            select.set("distinct", None)
            continue
        known, keys = facts(state, select), group_columns(state, select)
        if not known.base or keys is None:
            continue
        cols = [c for c in (state.col(item) for item in select.expressions) if c is not None]
        if keys <= known.closure(cols) if keys else known.identifies(cols):
            select.set("distinct", None)


def counts(state: State) -> None:
    """DISTINCT inside an aggregate of a column that tells the rows apart, or inside MIN and MAX, changes nothing;
    COUNT of what cannot be NULL is COUNT(*).
    """
    for call in list(state.tree.find_all(exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)):
        select = call.find_ancestor(exp.Select)
        if select is None or call.expressions:
            continue
        known, keys = facts(state, select), group_columns(state, select)
        if not known.base or keys is None:
            continue
        if isinstance(call.this, exp.Distinct) and len(call.this.expressions) == 1:
            argument = call.this.expressions[0]
            col = state.col(argument)
            own = col is not None and col[0] in known.aliases
            if isinstance(call, (exp.Min, exp.Max)) or (own and col and known.identifies({*keys, col})):
                call.set("this", argument)
        if isinstance(call, exp.Count):
            col = state.col(call.this)
            fixed = isinstance(call.this, exp.Literal)
            if fixed or (col is not None and known.not_null(col)):
                call.replace(exp.Count(this=exp.Star(), big_int=True))


def constant_extremes(state: State) -> None:
    """MIN and MAX agree on a column that is the same in all rows of a group; AVG, SUM and MAX of numbers on one row."""
    for call in list(state.tree.find_all(exp.Min, exp.Avg, exp.Sum)):
        select = call.find_ancestor(exp.Select)
        if select is None or call.expressions:
            continue
        known, keys, col = facts(state, select), group_columns(state, select), state.col(call.this)
        if not known.base or keys is None or col is None or col[0] not in known.aliases:
            continue
        if isinstance(call, exp.Min) and col in known.closure(keys):
            call.replace(exp.Max(this=call.this))
        elif isinstance(call, (exp.Avg, exp.Sum)) and known.identifies(keys):
            # An average is a REAL: equal to the number itself, but not divided, written or compared to text like it.
            plain = select is state.tree and isinstance(call.parent, (exp.Select, exp.Alias, exp.Ordered))
            if isinstance(call, exp.Avg) and not plain:
                continue
            numbers = state.holds(col) in (Storage.INTEGER, Storage.REAL, Storage.NUMBER)
            call.replace(exp.Max(this=call.this) if numbers else exp.Sum(this=call.this))


def counts_from_one(state: State) -> None:
    """A group has at least one row: ``COUNT(*) < 2`` in HAVING is ``COUNT(*) = 1``."""
    for select in state.selects():
        having, group = select.args.get("having"), select.args.get("group")
        if not having or not group:
            continue
        for node in list(having.find_all(exp.LT)):
            own = node.find_ancestor(exp.Select) is select
            counted = isinstance(node.this, exp.Count) and isinstance(node.this.this, exp.Star)
            if own and counted and isinstance(node.expression, exp.Literal) and str(node.expression.this) == "2":
                node.replace(exp.EQ(this=node.this, expression=exp.Literal.number(1)))


def first_of_distinct(state: State) -> None:
    """DISTINCT changes nothing before LIMIT 1 where the order is that of selected items: the first row is the same."""
    for select in state.selects():
        limit, order = select.args.get("limit"), select.args.get("order")
        if not limit or str(limit.expression) != "1" or select.args.get("offset") or not select.args.get("distinct"):
            continue
        items = {key(bare(item), {}) for item in select.expressions}
        terms = [key(term.this, {}) for term in order.expressions] if order else []
        if not select.args["distinct"].args.get("on") and all(term in items for term in terms):
            select.set("distinct", None)


def sort_keys(state: State) -> None:
    """Sort keys that earlier keys or constants determine are dropped; at most one row needs no ORDER BY or LIMIT."""
    for select in state.selects():
        order, limit = select.args.get("order"), select.args.get("limit")
        if (order or limit) and at_most_one_row(state, select) and not select.args.get("offset"):
            select.set("order", None)
            count = limit.expression if limit else None
            if isinstance(count, exp.Literal) and str(count.this).isdigit() and int(count.this) > 0:
                select.set("limit", None)
            continue
        known, keys = facts(state, select), group_columns(state, select)
        if not order or not known.base or keys is None:
            continue
        earlier: set[Col] = set()
        seen: set[str] = set()
        kept = []
        for term in order.expressions:
            determined = known.closure(earlier)
            whole = keys <= determined if keys else known.identifies(earlier)
            col = state.col(term.this)
            text = term.this.sql("sqlite")
            if whole or text in seen or (col is not None and col in determined):
                continue
            seen.add(text)
            kept.append(term)
            # A bare column of a grouped SELECT is any of its group's values unless the keys determine it.
            if col is not None and (not keys or col in known.closure(keys)):
                earlier.add(col)
        if len(kept) < len(order.expressions):
            if kept:
                order.set("expressions", kept)
            else:
                select.set("order", None)
