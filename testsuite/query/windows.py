"""Window functions whose value hangs on the order of rows that tie."""

from __future__ import annotations

from sqlglot import exp

from testsuite.query.determined import one_row, place_of
from testsuite.query.probes import alone, any_differs, correlated, in_root
from testsuite.query.same import same_expression
from testsuite.query.scope import Scope, Scopes, star_table, unwrap
from testsuite.query.variation import Variation, is_aggregate
from testsuite.schema import Schema

_POSITIONAL = frozenset(("row_number", "ntile", "lag", "lead", "first_value", "last_value", "nth_value"))
_TIE_FREE = frozenset(("rank", "dense_rank", "percent_rank", "cume_dist"))


def vary_windows(tree: exp.Expr, scopes: Scopes, schema: Schema, variation: Variation) -> None:
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
            terms = [resolved(unwrap(t), select).copy() for t in group.expressions] if group is not None else []
            if all(any(same_expression(term, key) for key in keys) for term in terms):
                continue
        else:
            columns = all_columns(scope, "")
            if columns is None:
                variation.open("window", forced=True)
                continue
            # First by what the query shows: then low and high agree only where the rows shown are alike.
            shown = [unwrap(item.unalias()) for item in select.expressions if star_table(item) is None]
            terms = [item.copy() for item in shown if isinstance(item, exp.Column)] + columns
        if name in _POSITIONAL and _shown(window, select):
            variation.shown("window")
        else:
            variation.probe("window", None if grouped else _ties(select, keys, scope, scopes))
        if order is None:
            order = exp.Order(expressions=[])
            window.set("order", order)
        value = call.this if name in _POSITIONAL and name != "ntile" else None
        for term in [*([value] if isinstance(value, exp.Expr) else []), *terms]:
            order.append("expressions", variation.ordered(term))


def _shown(window: exp.Expr, select: exp.Select) -> bool:
    """Whether the output of the whole query shows the window's value."""
    node = window
    while isinstance(node.parent, (exp.Paren, exp.Alias, exp.Add, exp.Sub, exp.DPipe)):
        node = node.parent
    single = len(list(node.find_all(exp.Window))) == 1
    return single and node.parent is select and node.arg_key == "expressions" and in_root(select)


def _ties(select: exp.Select, keys: list[exp.Expr], scope: Scope, scopes: Scopes) -> exp.Query | None:
    """Ties of a window in which rows differ in what the SELECT uses of them; None where they cannot be asked for."""
    if correlated(select, scopes):
        return None
    used: list[exp.Expr] = []
    for key in ("expressions", "order"):
        value = select.args.get(key)
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, exp.Expr):
                continue
            star = star_table(node)
            columns = all_columns(scope, star) if star is not None else list(node.find_all(exp.Column))
            if columns is None or node.find(exp.Query) is not None:
                return None
            used += columns
    aliases = {item.alias.lower() for item in select.expressions if isinstance(item, exp.Alias)}
    seen = {column.sql(): column for column in used}
    values: list[tuple[exp.Expr, exp.Expr]] = []
    for column in seen.values():
        if column.name.lower() in aliases and isinstance(column, exp.Column) and place_of(column, scope) is None:
            continue  # an alias: its expression is among the items
        values.append((exp.Min(this=column.copy()), exp.Max(this=column.copy())))
        # Rows with and without a value differ too.
        counted, rows = exp.Count(this=column.copy()), exp.Count(this=exp.Star())
        mixed = exp.Mul(this=counted, expression=exp.Paren(this=exp.Sub(this=rows, expression=counted.copy())))
        values.append((mixed, exp.Literal.number(0)))
    # A number in OVER (ORDER BY 1) is a constant, not an output column.
    groups = [key if isinstance(key, exp.Literal) else resolved(key, select) for key in keys]
    if not values or any(group.find(exp.Window, exp.Query, exp.AggFunc) is not None for group in groups):
        return None
    return alone(any_differs(select, groups, values), scopes, select)


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


def resolved(term: exp.Expr, select: exp.Select) -> exp.Expr:
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


def all_columns(scope: Scope, star: str) -> list[exp.Expr] | None:
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
