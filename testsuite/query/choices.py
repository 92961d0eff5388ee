"""Where a query leaves SQL a choice, and the query with every choice taken low and taken high.

If the two give the same answer on an instance and its probes say that nothing is open beyond them, this is the
query's answer there, however the choices are made. If the two differ, neither need be an answer that SQL admits.
When it is not certain that nothing is open, it counts as open.

What low and high cover without a probe: a bare column, group_concat, a scalar subquery with an outer column, or a
window function that counts rows, each standing in the output of the whole query (not below DISTINCT, not in a hidden
sort key). There each row's value lies between its low and its high one, so equal bags mean equal values.
What a probe covers: a LIMIT, OFFSET or scalar subquery without outer columns (its own rows tell how many ways its cut
leaves; two are covered by low and high, if nothing else is open), and every other bare column, group_concat and
window (groups or ties whose rows differ). A probe may call open what no choice can change; it calls nothing closed
that a choice can change. What has neither is ``forced``.
Not covered: an order of additions that changes the last digits of a sum, a bare column or group_concat that hangs
together with another one by coming from one row (each is then varied alone), and what SQLite's optimizer may do with
an expression that is evaluated more than once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from testsuite.query.bare import vary_bare_columns, vary_group_concat
from testsuite.query.determined import one_row, place_of
from testsuite.query.probes import Probe, alone, any_differs, correlated, in_root, in_sort_key, several_per_row
from testsuite.query.same import leaves, same_expression
from testsuite.query.scope import Scope, Scopes, star_table, unwrap
from testsuite.query.variation import (
    Variation,
    aggregates,
    is_aggregate,
    is_aggregate_call,
    nested_in_expression,
)
from testsuite.query.windows import all_columns, resolved, vary_windows
from testsuite.schema import Schema

_RANDOM = ("random", "randomblob")


@dataclass(frozen=True, slots=True)
class Choices:
    """A query with open choices.

    Attributes:
        low, high: the query with every choice taken low, and high (SQLite trees, same columns).
        constructs: what is open, in order, each once: "limit", "bare column", "group_concat",
            "scalar subquery", "window", "collation", "random".
        forced: some choice could not be varied (it is random(), or stands where the variants cannot show it):
            every instance counts as undetermined: ``high`` then gives one row of NULLs, whatever the content.
        probes: per choice, the probes of it in the low and in the high reading (one where they are the same).
        alone: whether all that is open are cuts with probes: then low and high cover one cut of two ways.
    """

    low: exp.Query
    high: exp.Query
    constructs: tuple[str, ...]
    forced: bool = False
    probes: tuple[tuple[Probe, ...], ...] = ()
    alone: bool = True


def choices(core: exp.Query, schema: Schema) -> Choices | None:
    """The choices open below the outermost ORDER BY and LIMIT of a query; None where nothing is open.

    Args:
        core: a query as ``lift`` leaves it. An ORDER BY or LIMIT at its root is not looked at.
        schema: for column names and keys, which decide what is open.
    """
    low, high = Variation(False), Variation(True)
    trees = []
    for variation in (low, high):
        tree = core.copy()
        scopes = Scopes(tree, schema)
        for vary in _CONSTRUCTS:
            vary(tree, scopes, schema, variation)
        trees.append(tree)
        if not variation.constructs:
            return None
    forced = low.forced or high.forced
    if forced:
        return Choices(core, _never(core), tuple(dict.fromkeys(low.constructs)), True)
    probes = tuple(
        (one,) if one.query == other.query else (one, other) for one, other in zip(low.probes, high.probes, strict=True)
    )
    return Choices(trees[0], trees[1], tuple(dict.fromkeys(low.constructs)), False, probes, not low.uncut)


def _never(core: exp.Query) -> exp.Query:
    """One row of NULLs with the columns of ``core``: an answer no informative one agrees with."""
    one = exp.Subquery(
        this=exp.Select(expressions=[exp.alias_(exp.Literal.number(1), "__one")]),
        alias=exp.TableAlias(this=exp.to_identifier("__o")),
    )
    rows = exp.Subquery(this=core.copy(), alias=exp.TableAlias(this=exp.to_identifier("__q")))
    nothing = exp.EQ(this=exp.Literal.number(1), expression=exp.Literal.number(0))
    return exp.Select(
        expressions=[exp.Column(this=exp.Star(), table=exp.to_identifier("__q"))],
        from_=exp.From(this=one),
        joins=[exp.Join(this=rows, side="LEFT", on=nothing)],
    )


def _vary_random(tree: exp.Expr, scopes: Scopes, schema: Schema, variation: Variation) -> None:
    names = {str(call.this).lower() for call in tree.find_all(exp.Anonymous)}
    if tree.find(exp.Rand) is not None or names & set(_RANDOM):
        variation.open("random", forced=True)


def _vary_collated(tree: exp.Expr, scopes: Scopes, schema: Schema, variation: Variation) -> None:
    """Of texts that a column's collation takes for one, a group, DISTINCT, set operation or extreme gives any."""
    collated = [(table, column) for table, column in schema.columns() if column.collation]
    if not collated or tree.find(exp.Group, exp.Distinct, exp.SetOperation, exp.AggFunc, exp.Limit) is None:
        return
    used = {table.name.lower() for table in tree.find_all(exp.Table)}
    names = {column.name.lower() for column in tree.find_all(exp.Column)}
    starred = tree.find(exp.Star) is not None or any(join.method == "NATURAL" for join in tree.find_all(exp.Join))
    for table, column in collated:
        if table.name.lower() not in used or not (starred or column.name.lower() in names):
            continue
        value = exp.column(exp.to_identifier(column.name, quoted=True))
        plain = exp.Collate(this=value.copy(), expression=exp.to_identifier("BINARY"))
        rows = exp.Select(
            expressions=[exp.Literal.number(1)],
            from_=exp.From(this=exp.Table(this=exp.to_identifier(table.name, quoted=True))),
        )
        found = any_differs(rows, [value], [(exp.Min(this=plain), exp.Max(this=plain.copy()))])
        variation.probe("collation", found)


def _vary_cuts(tree: exp.Expr, scopes: Scopes, schema: Schema, variation: Variation) -> None:
    """LIMIT below the root, and scalar subqueries that may have several rows; inner ones first."""
    for query in reversed(list(tree.find_all(exp.Select, exp.SetOperation))):
        if query is tree:
            continue
        cut = query.args.get("limit") is not None or query.args.get("offset") is not None
        scalar = nested_in_expression(query)
        if not cut and not (scalar and _several_rows(query, scopes, schema)):
            continue
        if isinstance(query.find_ancestor(exp.Exists, exp.Select), exp.Exists) and not scalar:
            continue
        if _ordered_fully(query, scopes, schema):
            continue
        name = "limit" if cut else "scalar subquery"
        if _recursive(query):
            variation.open(name, forced=True)
            continue
        terms = _tie_breakers(query, scopes)
        # Of a tie that an OFFSET cuts on both sides, the low and the high order can keep the same rows.
        covered = terms is not None and query.args.get("offset") is None
        if correlated(query, scopes):
            if covered and scalar and _first_only(query) and _shown(query):
                variation.shown(name)
            else:
                variation.probe(name, several_per_row(query, scopes) if isinstance(query, exp.Select) else None)
        else:
            probe = alone(query, scopes)
            if probe is not None and scalar:
                probe.set("limit", exp.Limit(expression=exp.Literal.number(1)))
            variation.probe(name, probe, cut=True, covered=covered)
        if terms:
            if query.args.get("order") is None:
                query.set("order", exp.Order(expressions=[]))
            for term in terms:
                query.args["order"].append("expressions", variation.ordered(term))
        if not cut:
            query.set("limit", exp.Limit(expression=exp.Literal.number(1)))


def _first_only(query: exp.Expr) -> bool:
    limit = query.args.get("limit")
    return limit is None or (isinstance(limit.expression, exp.Literal) and limit.expression.this == "1")


def _shown(query: exp.Expr) -> bool:
    """Whether a scalar subquery stands by itself among the output columns of the whole answer."""
    node = query.parent
    while node is not None and isinstance(node.parent, (exp.Paren, exp.Alias)):
        node = node.parent
    if node is None or node.arg_key != "expressions" or not isinstance(node.parent, exp.Select):
        return False
    return in_root(node.parent) and not in_sort_key(query)


def _recursive(query: exp.Expr) -> bool:
    """Whether a query stands in a WITH RECURSIVE, where a LIMIT also steers the recursion."""
    with_ = query.find_ancestor(exp.With)
    return with_ is not None and bool(with_.args.get("recursive"))


def _several_rows(query: exp.Expr, scopes: Scopes, schema: Schema) -> bool:
    if not isinstance(query, exp.Select):
        return True
    if query.args.get("group") is None and is_aggregate(query):
        return False
    if query.args.get("from_") is None:
        return False
    if query.args.get("group") is not None:
        return True
    return not one_row((), scopes.of(query), schema)


def _ordered_fully(query: exp.Expr, scopes: Scopes, schema: Schema) -> bool:
    """Whether rows that tie in the ORDER BY are alike in all that the query gives."""
    if not isinstance(query, exp.Select):
        return False
    if query.args.get("group") is None and is_aggregate(query):
        return True
    order = query.args.get("order")
    terms = [unwrap(term.this) for term in order.expressions] if order is not None else []
    keys = [resolved(term, query) for term in terms]
    if any(isinstance(key, exp.Collate) for key in keys):
        return False
    scope = scopes.of(query)
    if all(
        star_table(item) is None and any(same_expression(item.unalias(), key, merged=scope.merged) for key in keys)
        for item in query.expressions
    ):
        return query.args.get("distinct") is None or len(keys) <= len(query.expressions)
    if query.args.get("group") is not None or query.args.get("distinct") is not None:
        return False
    places = {place_of(key, scope) for key in keys if isinstance(key, exp.Column)}
    return one_row([place for place in places if place is not None], scope, schema)


def _tie_breakers(query: exp.Expr, scopes: Scopes) -> list[exp.Expr] | None:
    """Sort terms that tell apart all rows that differ in what the query gives; None where not known."""
    if isinstance(query, exp.SetOperation):
        first = leaves(query)[0]
        if not isinstance(first, exp.Select) or any(star_table(i) is not None for i in first.expressions):
            return None
        return [exp.Literal.number(place) for place in range(1, len(first.expressions) + 1)]
    if not isinstance(query, exp.Select):
        return None
    scope = scopes.of(query)
    terms: list[exp.Expr] = []
    for item in query.expressions:
        star = star_table(item)
        if star is None:
            inner = unwrap(item.unalias())
            if inner.find(exp.Query) is not None:
                return None
            here = [_is_here(column, scope) for column in inner.find_all(exp.Column)]
            if any(here) and not all(here):
                return None
            # SQLite does not find outer columns in ORDER BY; what has only those is the same in all rows anyway.
            if here and not any(here) and is_aggregate_call(inner):
                return None  # an aggregate of the query around it
            if any(here) or is_aggregate_call(inner):
                terms.append(inner.copy())
        elif query.args.get("distinct") is not None:
            columns = all_columns(scope, star)
            if columns is None:
                return None
            terms.extend(columns)
    if query.args.get("distinct") is not None:
        order = query.args.get("order")
        keys = [resolved(unwrap(term.this), query) for term in order.expressions] if order else []
        if not all(any(same_expression(key, term) for term in terms) for key in keys):
            return None  # sorted by a value that DISTINCT hides
        return terms
    group = query.args.get("group")
    if group is not None:
        terms.extend(resolved(unwrap(term), query).copy() for term in group.expressions)
    elif not is_aggregate(query):
        columns = all_columns(scope, "")
        if columns is None:
            return None
        # First what the query around it looks at: the low and the high rows then differ in that.
        inside = {id(column) for column in query.find_all(exp.Column)}
        root = query.root()
        used = {c.name.lower() for c in root.find_all(exp.Column) if id(c) not in inside}
        terms.extend(sorted(columns, key=lambda column: column.name.lower() not in used))
    return terms


def _is_here(column: exp.Column, scope: Scope) -> bool:
    """Whether a column is, or may be, one of this scope's own."""
    found = scope.lookup(column)
    return found is None or found[0] is scope


def _vary_bare(tree: exp.Expr, scopes: Scopes, schema: Schema, variation: Variation) -> None:
    # Inner queries first: an outer one may be rebuilt around copies of them.
    for scope in reversed(list(scopes)):
        if aggregates(scope.select) or scope.select.args.get("group") is not None:
            vary_group_concat(scope, scopes, variation)
            vary_bare_columns(scope, scopes, schema, variation)


_CONSTRUCTS: tuple[Callable[[exp.Expr, Scopes, Schema, Variation], None], ...] = (
    _vary_random,
    _vary_collated,
    vary_windows,
    _vary_cuts,
    _vary_bare,
)
