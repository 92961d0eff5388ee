"""Rules on UNION, INTERSECT and EXCEPT."""

from __future__ import annotations

from sqlglot import exp

from distill.equivalent.joins import rename
from distill.equivalent.key import key
from distill.equivalent.state import Facts, State, facts
from distill.operators.base import add_condition, aliased_sources, bare, conjuncts, is_aggregate


def set_branches(state: State) -> None:
    """UNION, INTERSECT and EXCEPT drop duplicates themselves: DISTINCT in their branches changes nothing, and a branch
    may as well be UNION as UNION ALL.
    """
    for node in state.tree.find_all(exp.SetOperation):
        if not node.args.get("distinct"):
            continue
        for branch in (node.this, node.expression):
            if branch.args.get("limit") or branch.args.get("offset"):
                continue
            if isinstance(branch, exp.Select):
                branch.set("distinct", None)
            elif isinstance(branch, exp.Union):
                branch.set("distinct", True)


def as_membership(state: State) -> None:
    """``SELECT a EXCEPT SELECT b`` is ``SELECT DISTINCT a WHERE NOT a IN (SELECT b)`` where neither is ever NULL and
    both hold values of one kind; INTERSECT likewise, with IN, where one of them is never NULL.
    """
    for node in list(state.tree.find_all(exp.Intersect, exp.Except)):
        left, right = node.this, node.expression
        if not node.args.get("distinct") or not (_plain(left) and _plain(right)) or _decorated(node):
            continue
        if len(left.expressions) != 1 or len(right.expressions) != 1 or left.args.get("order"):
            continue
        one, other = state.col(bare(left.expressions[0])), state.col(bare(right.expressions[0]))
        here, there = facts(state, left), facts(state, right)
        if one is None or other is None or not here.base or not there.base or not state.alike(one, other):
            continue
        sure = here.not_null(one), there.not_null(other)
        if not (all(sure) if isinstance(node, exp.Except) else any(sure)):
            continue
        member: exp.Expr = exp.In(this=bare(left.expressions[0]).copy(), query=exp.Subquery(this=right.copy()))
        if isinstance(node, exp.Except):
            member = exp.Not(this=member)
        joined = left.copy()
        add_condition(joined, member)
        joined.set("distinct", exp.Distinct())
        _put(state, node, joined)


def _decorated(node: exp.Expr) -> bool:
    return any(value for name, value in node.args.items() if name not in ("this", "expression", "distinct"))


def _plain(select: object) -> bool:
    if not isinstance(select, exp.Select) or is_aggregate(select):
        return False
    return not any(select.args.get(part) for part in ("group", "having", "limit", "offset"))


def _put(state: State, node: exp.Expr, new: exp.Select) -> None:
    if node is state.tree:
        state.tree = new
    else:
        node.replace(new)
    for paren in list(state.tree.find_all(exp.Paren)):
        paren.replace(paren.this)


def apart(state: State) -> None:
    """UNION ALL is UNION where a constant column tells the branches apart and no branch repeats a row."""
    for node in state.tree.find_all(exp.Union):
        left, right = node.this, node.expression
        if node.args.get("distinct") or not (_plain(left) and _plain(right)):
            continue
        here, there = facts(state, left), facts(state, right)
        if not here.base or not there.base or not (_no_repeats(state, left, here) and _no_repeats(state, right, there)):
            continue
        for one, other in zip(left.expressions, right.expressions, strict=False):
            a, b = state.col(bare(one)), state.col(bare(other))
            if a and b and state.alike(a, b):
                first, second = _text_constant(state, here, a), _text_constant(state, there, b)
                if first is not None and second is not None and first != second:
                    node.set("distinct", True)


def _no_repeats(state: State, select: exp.Select, known: Facts) -> bool:
    cols = [col for item in select.expressions if (col := state.col(bare(item))) is not None]
    return bool(select.args.get("distinct")) or known.identifies(cols)


def _text_constant(state: State, known: Facts, col: tuple[str, str]) -> str | None:
    """The text that a TEXT column equals in all rows."""
    if state.column(col).affinity.value != "TEXT":
        return None
    for condition in known.where:
        if isinstance(condition, exp.EQ):
            for one, other in ((condition.this, condition.expression), (condition.expression, condition.this)):
                if state.col(one) == col and isinstance(other, exp.Literal) and other.is_string:
                    return str(other.this)
    return None


def one_source(state: State) -> None:
    """UNION of two selections from the same rows is one selection with OR."""
    for node in list(state.tree.find_all(exp.Union)):
        left, right = node.this, node.expression
        if not node.args.get("distinct") or not (_plain(left) and _plain(right)) or _decorated(node):
            continue
        here, there = facts(state, left), facts(state, right)
        if not here.base or not there.base or here.nullable or there.nullable:
            continue
        if left.args.get("order") or right.args.get("order") or len(here.aliases) != len(there.aliases):
            continue
        if any(join.args.get("on") for s in (left, right) for join in s.args.get("joins") or []):
            continue
        pairs = dict(zip(there.aliases, here.aliases, strict=True))
        if any(state.tables[a] is not state.tables[b] for a, b in pairs.items()):
            continue
        other = right.copy()
        if any(source.find(exp.Query) for source in (left.args.get("where"), other.args.get("where")) if source):
            continue
        for column in list(other.find_all(exp.Column)):
            if column.table.lower() in pairs:
                rename(column, (pairs[column.table.lower()], column.name.lower()))
        if [key(bare(i), {}) for i in left.expressions] != [key(bare(i), {}) for i in other.expressions]:
            continue
        first, second = left.args.get("where"), other.args.get("where")
        joined = left.copy()
        joined.set("where", None)
        if first and second:
            either = exp.Or(this=first.this.copy(), expression=second.this.copy())
            joined.set("where", exp.Where(this=either))
        joined.set("distinct", exp.Distinct())
        for source in aliased_sources(right):
            state.tables.pop(source.alias_or_name.lower(), None)
        _put(state, node, joined)


def common_conditions(state: State) -> None:
    """``(a AND b) OR (a AND c)`` is ``a AND (b OR c)``, in three-valued logic too."""
    changed = True
    while changed:
        changed = False
        for node in list(state.tree.find_all(exp.Or)):
            if isinstance(node.parent, exp.Or):
                continue
            branches = [{key(part, {}): part for part in conjuncts(b)} for b in _branches(node)]
            shared = [text for text in branches[0] if all(text in other for other in branches[1:])]
            if not shared:
                continue
            new: exp.Expr | None = None
            for text in sorted(shared):
                new = (
                    branches[0][text].copy() if new is None else exp.And(this=new, expression=branches[0][text].copy())
                )
            rests = [[part.copy() for text, part in branch.items() if text not in shared] for branch in branches]
            if all(rests):
                either: exp.Expr | None = None
                for rest in rests:
                    both = rest[0]
                    for part in rest[1:]:
                        both = exp.And(this=both, expression=part)
                    either = both if either is None else exp.Or(this=either, expression=both)
                new = exp.And(this=new, expression=either)
            assert new is not None
            node.replace(new)
            changed = True
            break


def _branches(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Or):
        return _branches(node.this) + _branches(node.expression)
    return [node]
