"""Queries on the side that tell on which instances a choice is open beyond its lowest and its highest."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from testsuite.query.scope import Scopes

SORT_KEY = "__key"


@dataclass(frozen=True, slots=True)
class Probe:
    """A query that stands alone, and how its answer on an instance is read.

    Attributes:
        query: a SQLite tree.
        cut: True where ``query`` is a subquery with an ORDER BY and LIMIT of its own: as many ways are open as its
            cut leaves. False where any row at all says that a choice is open.
        covered: whether, of two open ways, one is what the low reading takes and the other what the high one takes.
    """

    query: exp.Query
    cut: bool
    covered: bool = False


def in_root(select: exp.Expr) -> bool:
    """Whether each row of a SELECT is a row of the whole answer: it is the root, or a branch of UNION ALL there."""
    node = select
    if isinstance(select, exp.Select) and select.args.get("distinct") is not None:
        return False
    while node.parent is not None:
        node = node.parent
        if not (isinstance(node, exp.Union) and node.args.get("distinct") is False) and not (
            isinstance(node, exp.Subquery) and not node.alias and isinstance(node.parent, exp.Union)
        ):
            return False
    return True


def in_sort_key(node: exp.Expr) -> bool:
    """Whether an expression is part of a lifted sort key, which no output column shows."""
    current: exp.Expr | None = node
    while current is not None:
        if isinstance(current, exp.Alias) and current.alias.startswith(SORT_KEY):
            return True
        current = current.parent
    return False


def alone(query: exp.Query, scopes: Scopes, place: exp.Expr | None = None) -> exp.Query | None:
    """A copy of a query that runs by itself, with the CTEs it can see; None where it needs a query around it.

    Args:
        query: a query of the tree, or one made of copies of its parts.
        scopes: of the tree.
        place: where in the tree the query belongs, if it was made of copies.
    """
    place = query if place is None else place
    if place is query and correlated(query, scopes):
        return None
    found = query.copy()
    ctes: list[exp.CTE] = []
    recursive = False
    near = None if place is query else place.args.get("with_")
    if isinstance(near, exp.With):
        ctes, recursive = [cte.copy() for cte in near.expressions], bool(near.args.get("recursive"))
    below: exp.Expr = place
    above = place.parent
    while above is not None:
        with_ = above.args.get("with_")
        if isinstance(with_, exp.With) and with_ is not below:
            ctes = [cte.copy() for cte in with_.expressions] + ctes
            recursive |= bool(with_.args.get("recursive"))
        if isinstance(above, exp.With):
            # Inside a CTE only those before it can be seen (a recursive one is not taken apart).
            if above.args.get("recursive"):
                return None
            ctes = [cte.copy() for cte in above.expressions[: above.expressions.index(below)]] + ctes
        below, above = above, above.parent
    own = found.args.get("with_")
    if isinstance(own, exp.With):
        ctes += own.expressions
        recursive |= bool(own.args.get("recursive"))
    names = [cte.alias.lower() for cte in ctes]
    if len(set(names)) < len(names):
        return None
    if ctes:
        found.set("with_", exp.With(expressions=ctes, recursive=recursive))
    return found


def correlated(query: exp.Expr, scopes: Scopes) -> bool:
    """Whether a query of the tree reads columns of a query around it, or may."""
    for column in query.find_all(exp.Column):
        if isinstance(column.this, exp.Star):
            continue
        scope = scopes.around(column)
        if scope is None:
            return True
        found = scope.lookup(column)
        if found is None:
            if scope.known() or _names_item(column):
                continue  # a string in double quotes, or an alias
            return True
        owner: exp.Expr | None = found[0].select
        while owner is not None and owner is not query:
            owner = owner.parent
        if owner is None:
            return True
    return False


def _names_item(column: exp.Column) -> bool:
    select = column.find_ancestor(exp.Select)
    return (
        isinstance(select, exp.Select)
        and not column.table
        and any(isinstance(i, exp.Alias) and i.alias.lower() == column.name.lower() for i in select.expressions)
    )


def any_differs(select: exp.Select, groups: list[exp.Expr], values: list[tuple[exp.Expr, exp.Expr]]) -> exp.Select:
    """The groups of a SELECT's rows in which, of any pair, least and greatest value are not the same.

    Args:
        select: whose rows.
        groups: what to group them by: expressions over its sources.
        values: pairs of aggregates.
    """
    differ: exp.Expr | None = None
    for low, high in values:
        one = exp.NullSafeNEQ(this=exp.Paren(this=low.copy()), expression=exp.Paren(this=high.copy()))
        differ = one if differ is None else exp.Or(this=differ, expression=one)
    # SQLite takes HAVING without GROUP BY only where the result has an aggregate.
    found = exp.Select(expressions=[exp.alias_(exp.Count(this=exp.Star()), "__open")])
    for key in ("from_", "joins", "where"):
        value = select.args.get(key)
        if value is not None:
            found.set(key, [v.copy() for v in value] if isinstance(value, list) else value.copy())
    # A constant says nothing, and as a number it would name a column of the result.
    terms = [term.copy() for term in groups if term.find(exp.Column, exp.Query) is not None]
    if terms:
        found.set("group", exp.Group(expressions=terms))
    found.set("having", exp.Having(this=differ))
    return found


def several_per_row(query: exp.Select, scopes: Scopes) -> exp.Query | None:
    """Rows of the query around a correlated subquery for which it gives more than one value; None where not known."""
    if any(query.args.get(key) is not None for key in ("order", "limit", "offset", "with_")):
        return None
    around = scopes.of(query).parent
    if around is None or any(
        column_outside(column, query, around.select, scopes) for column in query.find_all(exp.Column)
    ):
        return None
    outer = around.select
    if not all(_own_aggregate(call, query, scopes) for call in query.find_all(exp.AggFunc)):
        return None
    inner = query.copy()
    inner.set("distinct", exp.Distinct())
    for number, item in enumerate(inner.expressions):
        if item.is_star:
            return None
        item.replace(exp.alias_(item.unalias().copy(), f"__v{number}"))
    counted = exp.Select(
        expressions=[exp.Count(this=exp.Star())],
        from_=exp.From(this=exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("__d")))),
    )
    found = exp.Select(expressions=[exp.alias_(exp.Literal.number(1), "__open")])
    for key in ("from_", "joins"):
        value = outer.args.get(key)
        if value is None:
            continue
        parts = value if isinstance(value, list) else [value]
        for part in parts:
            if any(column_outside(column, part, outer, scopes) for column in part.find_all(exp.Column)):
                return None
        found.set(key, [v.copy() for v in value] if isinstance(value, list) else value.copy())
    found.set("where", exp.Where(this=exp.GT(this=exp.Subquery(this=counted), expression=exp.Literal.number(1))))
    return alone(found, scopes, outer)


def _own_aggregate(call: exp.Expr, select: exp.Select, scopes: Scopes) -> bool:
    """Whether an aggregate reads a column of its own query, or none: else SQLite makes it one of a query around it."""
    columns = [column for column in call.find_all(exp.Column) if not isinstance(column.this, exp.Star)]
    return not columns or not all(column_outside(column, select, select, scopes) for column in columns)


def column_outside(column: exp.Column, query: exp.Expr, around: exp.Expr, scopes: Scopes) -> bool:
    """Whether a column belongs neither inside ``query`` nor to the SELECT ``around`` it, or may not."""
    if isinstance(column.this, exp.Star):
        return False
    scope = scopes.around(column)
    found = scope.lookup(column) if scope is not None else None
    if scope is None or found is None:
        return scope is None or not scope.known()
    owner: exp.Expr | None = found[0].select
    if owner is around:
        return False
    while owner is not None and owner is not query:
        owner = owner.parent
    return owner is None
