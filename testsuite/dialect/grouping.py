"""Which queries aggregate, by what, and which row bare columns come from."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from testsuite.dialect.emitter import Emitter
from testsuite.dialect.ordering import sort_text
from testsuite.dialect.scope import Scope
from testsuite.dialect.types import Refused, as_bigint

_AGGREGATE_NAMES = frozenset(("total", "group_concat", "string_agg", "json_group_array", "json_group_object"))


def own_nodes(node: exp.Expr) -> Iterator[exp.Expr]:
    """The nodes of an expression, without those of subqueries."""
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, exp.Query):
            continue
        yield current
        stack.extend(current.iter_expressions())


def is_aggregate_call(node: exp.Expr) -> bool:
    """Whether the node is one of SQLite's aggregate functions."""
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower() in _AGGREGATE_NAMES
    return isinstance(node, exp.AggFunc) and not isinstance(node, WINDOW_ONLY)


WINDOW_ONLY = (
    exp.RowNumber,
    exp.Rank,
    exp.DenseRank,
    exp.PercentRank,
    exp.CumeDist,
    exp.Ntile,
    exp.Lag,
    exp.Lead,
    exp.FirstValue,
    exp.LastValue,
    exp.NthValue,
)


def aggregates(node: exp.Expr) -> Iterator[exp.Expr]:
    """The aggregate calls of an expression that are not window functions themselves."""
    windowed = set()
    for inner in own_nodes(node):
        if isinstance(inner, exp.Window):
            called = inner.this
            while isinstance(called, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls)):
                called = called.this
            windowed.add(id(called))
    for inner in own_nodes(node):
        if is_aggregate_call(inner) and id(inner) not in windowed:
            yield inner


def _places(node: exp.Select) -> Iterator[exp.Expr]:
    yield from node.expressions
    for key in ("having", "order"):
        if node.args.get(key) is not None:
            yield node.args[key]


def is_aggregate(node: exp.Select) -> bool:
    """Whether a SELECT aggregates: GROUP BY, or an aggregate in its result, HAVING or ORDER BY."""
    if node.args.get("group") is not None:
        return True
    return any(True for place in _places(node) for _ in aggregates(place))


def group_by(em: Emitter, node: exp.Select, scope: Scope) -> str:
    """Text of GROUP BY; the scope learns its keys.

    A term that is a whole number means that result column (https://sqlite.org/lang_select.html, 2.4); other
    names are source columns before aliases.
    """
    group = node.args.get("group")
    scope.groups = {}
    if group is None:
        return ""
    for key, value in group.args.items():
        if value and key != "expressions":
            raise Refused(f"GROUP BY {key}")
    keys: list[str] = []
    for term in group.expressions:
        while isinstance(term, exp.Paren):
            term = term.this
        if isinstance(term, exp.Literal) and not term.is_string and term.this.isdigit():
            term = _ordinal(node, int(term.this))
        e = em.expr(term)
        if e.constant:
            continue
        folded = sort_text(e)
        if folded != e.sql:
            raise Refused("GROUP BY with a collation")
        scope.groups[e.sql] = e
        keys.append(as_bigint(e).sql)
        if not isinstance(term, exp.Column) or e.sql.startswith("("):
            scope.complex_groups = True
    # All keys constant: one group, but none where there is no row.
    return f" GROUP BY {', '.join(keys) if keys else '(1 + 0)'}"


def _ordinal(node: exp.Select, number: int) -> exp.Expr:
    if not 0 < number <= len(node.expressions) or any(item.is_star for item in node.expressions[:number]):
        raise Refused("GROUP BY number")
    item = node.expressions[number - 1]
    inner: exp.Expr = item.this if isinstance(item, exp.Alias) else item
    return inner


def sole_extreme(em: Emitter, node: exp.Select, scope: Scope) -> tuple[str, str] | None:
    """arg_min or arg_max with its argument where the query has exactly one MIN or MAX.

    Bare columns then come from the row of the extreme (https://sqlite.org/lang_select.html, 2.5).
    """
    extremes = [call for place in _places(node) for call in aggregates(place) if isinstance(call, (exp.Min, exp.Max))]
    if len({call.sql() for call in extremes}) != 1:
        return None
    call = extremes[0]
    if isinstance(call.parent, exp.Filter) or isinstance(call.this, (exp.Distinct, exp.Star)):
        return None
    touched, opened, readers = set(em.touched), list(em.open), list(em.readers)
    try:
        with em.rows():
            argument = as_bigint(em.expr(call.this))
    except Refused:
        return None
    finally:
        em.touched, em.open, em.readers = touched, opened, readers
    return ("arg_min" if isinstance(call, exp.Min) else "arg_max"), argument.sql
