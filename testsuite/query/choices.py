"""Where a query leaves SQL a choice, and the query with every choice taken low and taken high.

If the two give the same answer on an instance, the answer there is taken not to hang on the choice (a choice in
between could still differ where a cut leaves more than two ways: rare, and not seen). The variants are made
to tell, not to be shown: ``group_concat`` for instance becomes the least and the greatest of its values, which agree
exactly where every order gives one text. When it is not certain that nothing is open, it counts as open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from testsuite.query.bare import vary_bare_columns, vary_group_concat
from testsuite.query.determined import one_row, place_of
from testsuite.query.lift import leaves, same_expression
from testsuite.query.scope import Scope, Scopes, star_table, unwrap
from testsuite.query.variation import (
    Variation,
    aggregates,
    is_aggregate,
    is_aggregate_call,
    nested_in_expression,
)
from testsuite.schema import Schema

_RANDOM = ("random", "randomblob")
_POSITIONAL = frozenset(("row_number", "ntile", "lag", "lead", "first_value", "last_value", "nth_value"))
_TIE_FREE = frozenset(("rank", "dense_rank", "percent_rank", "cume_dist"))


@dataclass(frozen=True, slots=True)
class Choices:
    """A query with open choices.

    Attributes:
        low, high: the query with every choice taken low, and high (SQLite trees, same columns).
        constructs: what is open, in order, each once: "limit", "bare column", "group_concat",
            "scalar subquery", "window", "random".
        forced: some choice could not be varied (it is random(), or stands where the variants cannot show it):
            low and high may agree although the answer is open, so every instance counts as undetermined.
    """

    low: exp.Query
    high: exp.Query
    constructs: tuple[str, ...]
    forced: bool = False


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
    if not low.constructs:
        return None
    return Choices(trees[0], trees[1], tuple(dict.fromkeys(low.constructs)), low.forced or high.forced)


def _vary_random(tree: exp.Expr, scopes: Scopes, schema: Schema, variation: Variation) -> None:
    names = {str(call.this).lower() for call in tree.find_all(exp.Anonymous)}
    if tree.find(exp.Rand) is not None or names & set(_RANDOM):
        variation.open("random", forced=True)


def _vary_cuts(tree: exp.Expr, scopes: Scopes, schema: Schema, variation: Variation) -> None:
    """LIMIT below the root, and scalar subqueries that may have several rows."""
    for query in list(tree.find_all(exp.Select, exp.SetOperation)):
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
        # Of a tie that an OFFSET cuts on both sides, the low and the high order can keep the same rows.
        if query.args.get("offset") is not None or _recursive(query):
            variation.open(name, forced=True)
            continue
        terms = _tie_breakers(query, scopes)
        if terms is None:
            variation.open(name, forced=True)
            continue
        variation.open(name)
        order = query.args.get("order")
        if order is None:
            order = exp.Order(expressions=[])
            query.set("order", order)
        for term in terms:
            order.append("expressions", variation.ordered(term))
        if not cut:
            query.set("limit", exp.Limit(expression=exp.Literal.number(1)))


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
    keys = [_resolved(term, query) for term in terms]
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


def _resolved(term: exp.Expr, select: exp.Select) -> exp.Expr:
    """A sort term with an output number or alias replaced by what it stands for."""
    if isinstance(term, exp.Literal) and not term.is_string and term.this.isdigit():
        place = int(term.this) - 1
        items = select.expressions
        if place < len(items) and all(star_table(item) is None for item in items[: place + 1]):
            return unwrap(items[place].unalias())
    if isinstance(term, exp.Column) and not term.table:
        for item in select.expressions:
            if isinstance(item, exp.Alias) and item.alias.lower() == term.name.lower():
                return unwrap(item.this)
    return term


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
            if any(here) or is_aggregate_call(inner):
                terms.append(inner.copy())
        elif query.args.get("distinct") is not None:
            columns = _columns(scope, star)
            if columns is None:
                return None
            terms.extend(columns)
    if query.args.get("distinct") is not None:
        order = query.args.get("order")
        keys = [_resolved(unwrap(term.this), query) for term in order.expressions] if order else []
        if not all(any(same_expression(key, term) for term in terms) for key in keys):
            return None  # sorted by a value that DISTINCT hides
        return terms
    group = query.args.get("group")
    if group is not None:
        terms.extend(_resolved(unwrap(term), query).copy() for term in group.expressions)
    elif not is_aggregate(query):
        columns = _columns(scope, "")
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


def _columns(scope: Scope, star: str) -> list[exp.Expr] | None:
    """All columns of the sources (of one of them, if named); None where one cannot be named."""
    if any(source.outputs is None for source in scope.sources):
        return None
    names = [source.name for source in scope.sources]
    everywhere = [output.name for source in scope.sources for output in source.outputs or ()]
    found: list[exp.Expr] = []
    for source in scope.sources:
        if star and source.name != star:
            continue
        inside = [output.name for output in source.outputs or ()]
        for name in inside:
            if name is None or (not source.name and everywhere.count(name) > 1):
                return None
            if inside.count(name) > 1 or names.count(source.name) > 1:
                return None
            table = exp.to_identifier(source.name, quoted=True) if source.name else None
            found.append(exp.column(exp.to_identifier(name, quoted=True), table=table))
    return found


def _vary_windows(tree: exp.Expr, scopes: Scopes, schema: Schema, variation: Variation) -> None:
    for window in list(tree.find_all(exp.Window)):
        select = window.find_ancestor(exp.Select)
        if not isinstance(select, exp.Select):
            continue
        if isinstance(window.parent, exp.Select) and window.arg_key == "windows":
            variation.open("window", forced=True)
            continue
        call = window.this
        name = _function_name(call)
        spec = window.args.get("spec")
        if name in _TIE_FREE:
            continue
        if isinstance(call, exp.GroupConcat) or name.startswith("json_group"):
            variation.open("group_concat", forced=True)
            continue
        if name not in _POSITIONAL and not _by_rows(spec) and window.args.get("alias") is None:
            continue
        scope = scopes.of(select)
        if window.args.get("alias") is not None:
            variation.open("window", forced=True)
            continue
        order = window.args.get("order")
        keys = [unwrap(term.this) for term in order.expressions] if order is not None else []
        keys += [unwrap(term) for term in window.args.get("partition_by") or ()]
        grouped = select.args.get("group") is not None or is_aggregate(select)
        places = {place_of(key, scope) for key in keys if isinstance(key, exp.Column)}
        if not grouped and one_row([place for place in places if place is not None], scope, schema):
            continue
        if grouped:
            group = select.args.get("group")
            terms = [_resolved(unwrap(t), select).copy() for t in group.expressions] if group is not None else []
            if all(any(same_expression(term, key) for key in keys) for term in terms):
                continue
        else:
            columns = _columns(scope, "")
            if columns is None:
                variation.open("window", forced=True)
                continue
            # First by what the query shows: then low and high agree only where the rows shown are alike.
            shown = [unwrap(item.unalias()) for item in select.expressions if star_table(item) is None]
            terms = [item.copy() for item in shown if isinstance(item, exp.Column)] + columns
        variation.open("window")
        if order is None:
            order = exp.Order(expressions=[])
            window.set("order", order)
        value = call.this if name in _POSITIONAL and name != "ntile" else None
        for term in [*([value] if isinstance(value, exp.Expr) else []), *terms]:
            order.append("expressions", variation.ordered(term))


def _function_name(call: exp.Expr) -> str:
    if isinstance(call, (exp.IgnoreNulls, exp.RespectNulls)):
        call = call.this
    if isinstance(call, exp.Filter):
        call = call.this
    if isinstance(call, exp.Anonymous):
        return str(call.this).lower()
    return call.sql_name().lower() if isinstance(call, exp.Func) else ""


def _by_rows(spec: object) -> bool:
    """Whether a frame counts rows, or leaves some out, so that ties matter."""
    if not isinstance(spec, exp.WindowSpec):
        return False
    return str(spec.args.get("kind") or "").upper() != "RANGE" or bool(spec.args.get("exclude"))


def _vary_bare(tree: exp.Expr, scopes: Scopes, schema: Schema, variation: Variation) -> None:
    # Inner queries first: an outer one may be rebuilt around copies of them.
    for scope in reversed(list(scopes)):
        if aggregates(scope.select) or scope.select.args.get("group") is not None:
            vary_group_concat(scope, variation)
            vary_bare_columns(scope, scopes, schema, variation)


_CONSTRUCTS: tuple[Callable[[exp.Expr, Scopes, Schema, Variation], None], ...] = (
    _vary_random,
    _vary_windows,
    _vary_cuts,
    _vary_bare,
)
