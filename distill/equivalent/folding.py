"""Rules on joins whose rows only count as a set: DISTINCT, members of IN, branches of UNION, INTERSECT and EXCEPT."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from distill.equivalent.joins import classes, never_empty, rename, set_sources
from distill.equivalent.key import key
from distill.equivalent.state import Col, Facts, State, facts, mentions, rejected
from distill.operators.base import aliased_sources, bare, is_aggregate, remove_condition


def folded(state: State) -> None:
    """Where only the set of rows matters, a source goes whose part another source plays as well.

    That is a second source of the same table all of whose conditions the first meets too (a homomorphism of the
    conjunctive query; Chandra and Merlin, "Optimal implementation of conjunctive queries", STOC 1977), and a source
    without conditions that cannot be empty, because a row of another source refers to its table.
    """
    for select in state.selects():
        while as_set(select) and _fold_one(state, select):
            pass


def as_set(select: exp.Select) -> bool:
    """True where neither the number nor the order of a SELECT's rows matters and none is an aggregate's."""
    if any(select.args.get(part) for part in ("group", "having", "limit", "offset")) or is_aggregate(select):
        return False
    order = select.args.get("order")
    items = {key(bare(item), {}) for item in select.expressions}
    if order and any(key(term.this, {}) not in items for term in order.expressions):
        return False  # SQLite then sorts by a row of its own choice
    if select.args.get("distinct"):
        return not select.args["distinct"].args.get("on")
    node: exp.Expr = select
    while isinstance(node.parent, (exp.SetOperation, exp.Subquery)):
        above = node.parent
        if above.args.get("limit") or above.args.get("offset"):
            return False
        if isinstance(above, exp.SetOperation) and above.args.get("distinct"):
            return True
        node = above
    if isinstance(node.parent, exp.In):
        return node.arg_key == "query"
    return isinstance(node.parent, exp.Exists)


def _fold_one(state: State, select: exp.Select) -> bool:
    known = facts(state, select)
    if not known.base or known.nullable or len(known.aliases) < 2:
        return False
    for gone in reversed(known.aliases):
        nodes = list(mentions(state, gone))
        others = [a for a in known.aliases if a != gone]
        if not nodes and never_empty(state, known, gone, others):
            _drop_source(state, select, gone)
            return True
        for kept in others:
            if state.tables[kept] is state.tables[gone] and _plays_both(state, select, known, gone, kept, nodes):
                return True
    return False


def _plays_both(
    state: State, select: exp.Select, known: Facts, gone: str, kept: str, nodes: Sequence[exp.Column]
) -> bool:
    """Drop ``gone`` where ``kept`` meets all its conditions and gives its output; False where it does not."""
    groups = classes(known)
    touched = [c for c in known.where if any(n.table.lower() == gone for n in c.find_all(exp.Column))]
    # What holds must follow from the conditions that stay.
    staying = [c for c in known.where if not any(c is t for t in touched)]
    texts = {key(condition, {}) for condition in staying}
    inside = {id(n) for c in touched for n in c.find_all(exp.Column)}
    outside = [n for n in nodes if id(n) not in inside]
    for node in outside:
        name = node.name.lower()
        if not any((gone, name) in members and (kept, name) in members for members in groups):
            return False
    for condition in touched:
        if condition.find(exp.Query):
            return False
        image = condition.copy()
        for node in list(image.find_all(exp.Column)):
            if node.table.lower() == gone:
                rename(node, (kept, node.name.lower()))
        own = isinstance(image, exp.EQ) and state.col(image.this) == state.col(image.expression) is not None
        col = state.col(image.this) if own else None
        implied = col is not None and (state.declared_not_null(col) or any(col in rejected(state, c) for c in staying))
        if isinstance(image, exp.EQ) and not implied:
            left, right = state.col(image.this), state.col(image.expression)
            implied = left != right and any(left in members and right in members for members in groups)
            implied = implied and _equated_without(known, gone, left, right)
        if not implied and key(image, {}) not in texts:
            return False
    for node in outside:
        rename(node, (kept, node.name.lower()))
    for condition in touched:
        remove_condition(condition)
    _drop_source(state, select, gone)
    return True


def _equated_without(known: Facts, gone: str, left: Col | None, right: Col | None) -> bool:
    groups: list[set[Col]] = []
    for pair in known.equal:
        if gone in (pair[0][0], pair[1][0]):
            continue
        touching = [group for group in groups if group & set(pair)]
        groups = [g for g in groups if g not in touching] + [set(pair).union(*touching)]
    return any(left in group and right in group for group in groups)


def _drop_source(state: State, select: exp.Select, alias: str) -> None:
    set_sources(select, [s for s in aliased_sources(select) if s.alias_or_name.lower() != alias])
    del state.tables[alias]
