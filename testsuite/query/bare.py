"""Bare columns and group_concat: values that SQLite takes from any row of a group.

With a single MIN or MAX, SQLite takes bare columns from a row of the extreme value
(https://sqlite.org/lang_select.html#bareagg); then only ties are open.
"""

from __future__ import annotations

from sqlglot import exp

from testsuite.query.determined import closure, place_of
from testsuite.query.probes import alone, any_differs, correlated, in_root, in_sort_key
from testsuite.query.same import same_expression
from testsuite.query.scope import Scope, Scopes, star_table, unwrap
from testsuite.query.variation import Variation, aggregates, is_aggregate_call
from testsuite.schema import Schema


def vary_group_concat(scope: Scope, scopes: Scopes, variation: Variation) -> None:
    """The order in which values are strung together is open unless all are alike: then, taken high, give NULL."""
    for call in aggregates(scope.select):
        name = str(call.this).lower() if isinstance(call, exp.Anonymous) else ""
        if not isinstance(call, exp.GroupConcat) and name not in (
            "string_agg",
            "json_group_array",
            "json_group_object",
        ):
            continue
        item = call.parent.parent if isinstance(call.parent, exp.Alias) else call.parent
        value = call.this if isinstance(call, exp.GroupConcat) else None
        if isinstance(value, exp.Distinct) and len(value.expressions) == 1:
            value = value.expressions[0]
        if not isinstance(value, exp.Expr) or isinstance(value, exp.Distinct):
            variation.open("group_concat", forced=True)
            continue
        least, most = exp.Min(this=value.copy()), exp.Max(this=value.copy())
        if item is not scope.select or not in_root(scope.select) or in_sort_key(call):
            bare = correlated(scope.select, scopes) or value.find(exp.Query) is not None
            groups = [_group_term(unwrap(term), scope) for term in _terms(scope.select.args.get("group"))]
            found = any_differs(scope.select, groups, [(least, most)])
            variation.probe("group_concat", None if bare else alone(found, scopes, scope.select))
            continue
        variation.shown("group_concat")
        if not variation.high:
            continue
        marked = exp.Case(ifs=[exp.If(this=exp.NEQ(this=least, expression=most), true=exp.Null())], default=call.copy())
        call.replace(marked if isinstance(call.parent, exp.Alias) else exp.alias_(marked, "group_concat", quoted=True))


def vary_bare_columns(scope: Scope, scopes: Scopes, schema: Schema, variation: Variation) -> None:
    """Replace bare columns of an aggregate query by the least and the greatest value of their group."""
    select = scope.select
    groups = [_group_term(unwrap(term), scope) for term in _terms(select.args.get("group"))]
    given = {place_of(term, scope) for term in groups if isinstance(term, exp.Column)}
    fixed = closure([place for place in given if place is not None], scope, schema)
    bare: list[exp.Column] = []
    for key in ("expressions", "having", "order"):
        value = select.args.get(key)
        if key == "order" and select.args.get("group") is None:
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, exp.Expr):
                continue
            if star_table(node) is not None:
                if not _star_fixed(scope, star_table(node) or "", fixed):
                    variation.open("bare column", forced=True)
                    return
                continue
            if select.args.get("group") is None and in_sort_key(node):
                continue  # one row has no order
            bare.extend(_bare(node, scope, scopes, groups, fixed, key))
    if not bare:
        return
    extremes = [call for call in aggregates(select) if isinstance(call, (exp.Min, exp.Max))]
    standing = not correlated(select, scopes) and not any(
        column.find_ancestor(exp.Select) is not select for column in bare
    )
    shown = in_root(select) and all(_shows(column, select) for column in bare)
    if not shown and not standing:
        variation.open("bare column", forced=True)
        return
    before = [column.copy() for column in bare]
    if len({call.sql() for call in extremes}) == 1:
        found = _vary_row_of_extreme(scope, extremes[0], bare, groups, variation)
        if found is None:
            variation.open("bare column", forced=True)
            return
        pairs, groups = found
    else:
        pairs = [(_low_or_high(column, False), _low_or_high(column, True)) for column in before]
        for column, pair in zip(bare, pairs, strict=True):
            _swap(column, pair[variation.high].copy())
    if shown:
        variation.shown("bare column")
    else:
        variation.probe("bare column", alone(any_differs(select, groups, pairs), scopes, select))


def _shows(column: exp.Expr, select: exp.Select) -> bool:
    """Whether the output shows the column such that its least and greatest value tell of all values between."""
    node = column
    while isinstance(node.parent, (exp.Paren, exp.Alias, exp.Add, exp.Sub, exp.DPipe)):
        node = node.parent
    single = len(list(node.find_all(exp.Column))) == 1
    return single and node.parent is select and node.arg_key == "expressions" and not in_sort_key(column)


def _low_or_high(column: exp.Expr, high: bool) -> exp.Expr:
    if not high:
        return exp.Min(this=column.copy())
    some_null = exp.GT(this=exp.Count(this=exp.Star()), expression=exp.Count(this=column.copy()))
    return exp.Case(ifs=[exp.If(this=some_null, true=exp.Null())], default=exp.Max(this=column.copy()))


def _vary_row_of_extreme(
    scope: Scope, extreme: exp.Expr, bare: list[exp.Column], groups: list[exp.Expr], variation: Variation
) -> tuple[list[tuple[exp.Expr, exp.Expr]], list[exp.Expr]] | None:
    """Bare columns come from a row of the extreme: compare the least and greatest among the rows that tie.

    Rows of the extreme are marked by a window over the groups in a derived table.

    Returns:
        The least and the greatest value of each bare column, and what groups the rows of the derived table; None
        where the query cannot be rebuilt so.
    """
    select = scope.select
    target = extreme.this
    simple = (
        isinstance(target, exp.Expr)
        and not isinstance(extreme.parent, exp.Filter)
        and not isinstance(target, exp.Distinct)
        and target.find(exp.Query) is None
        and select.args.get("from_") is not None
        and not select.args.get("windows")
        and select.find(exp.Window) is None
        and not any(column.find(exp.Query) for column in groups)
        and not any(node.find(exp.Query) for node in _own(select))
    )
    columns = _outer_columns(scope)
    if not simple or columns is None or not all(_group_plain(term) for term in groups):
        return None
    # Inner query: every column used outside, the value aggregated, and the extreme of its group.
    inner = exp.Select(expressions=[])
    for part in ("from_", "joins", "where"):
        value = select.args.get(part)
        if value is not None:
            inner.set(part, [v.copy() for v in value] if isinstance(value, list) else value.copy())
    names: dict[tuple[str, str], str] = {}
    for column in columns:
        place = (column.table.lower(), column.name.lower())
        if place not in names:
            names[place] = f"__c{len(names)}"
            inner.append("expressions", exp.alias_(column.copy(), names[place]))
    for number, term in enumerate(groups):
        inner.append("expressions", exp.alias_(term.copy(), f"__g{number}"))
    inner.append("expressions", exp.alias_(target.copy(), "__value"))
    window = exp.Window(this=extreme.copy(), over="OVER")
    if groups:
        window.set("partition_by", [term.copy() for term in groups])
    inner.append("expressions", exp.alias_(window, "__extreme"))
    tied = exp.NullSafeEQ(this=exp.column("__value"), expression=exp.column("__extreme"))
    marked = {id(column) for column in bare}
    pairs: list[tuple[exp.Expr, exp.Expr]] = []
    for column in columns:
        name = exp.column(names[(column.table.lower(), column.name.lower())])
        if id(column) not in marked:
            _swap(column, name)
            continue
        among = exp.Case(ifs=[exp.If(this=tied.copy(), true=name.copy())])
        empty = exp.And(this=tied.copy(), expression=exp.Is(this=name.copy(), expression=exp.Null()))
        count = exp.Count(this=exp.Case(ifs=[exp.If(this=empty, true=exp.Literal.number(1))]))
        has_null = exp.GT(this=count, expression=exp.Literal.number(0))
        most = exp.Case(ifs=[exp.If(this=has_null, true=exp.Null())], default=exp.Max(this=among.copy()))
        pairs.append((exp.Min(this=among), most))
        _swap(column, pairs[-1][variation.high].copy())
    select.set("from_", exp.From(this=exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("__rows")))))
    select.set("joins", None)
    select.set("where", None)
    return pairs, [exp.column(f"__g{number}") for number in range(len(groups))]


def _swap(column: exp.Column, new: exp.Expr) -> None:
    """Replace a column, keeping the output name where it is a whole select item."""
    if isinstance(column.parent, exp.Select) and column.arg_key == "expressions":
        new = exp.alias_(new, column.name, quoted=True)
    column.replace(new)


def _own(select: exp.Select) -> list[exp.Expr]:
    """The nodes of the clauses evaluated after grouping."""
    found: list[exp.Expr] = []
    for key in ("expressions", "group", "having", "order"):
        value = select.args.get(key)
        found.extend(node for node in (value if isinstance(value, list) else [value]) if isinstance(node, exp.Expr))
    return found


def _outer_columns(scope: Scope) -> list[exp.Column] | None:
    """All column nodes in the clauses after grouping; None where one is not a column of the sources."""
    found: list[exp.Column] = []
    for node in _own(scope.select):
        for column in node.find_all(exp.Column):
            if star_table(column) is not None:
                return None
            if place_of(column, scope) is None:
                if column.this.args.get("quoted") and not column.table and scope.known():
                    continue  # a string in double quotes
                if _is_alias(column, scope.select):
                    continue
                return None
            found.append(column)
    return found


def _is_alias(column: exp.Column, select: exp.Select) -> bool:
    return not column.table and any(
        isinstance(item, exp.Alias) and item.alias.lower() == column.name.lower() for item in select.expressions
    )


def _group_plain(term: exp.Expr) -> bool:
    return term.find(exp.AggFunc, exp.Query) is None


def _terms(group: object) -> list[exp.Expr]:
    return list(group.expressions) if isinstance(group, exp.Group) else []


def _group_term(term: exp.Expr, scope: Scope) -> exp.Expr:
    """What a GROUP BY term stands for: an output's number, a source column, else an alias."""
    items = scope.select.expressions
    if isinstance(term, exp.Literal) and not term.is_string and term.this.isdigit():
        place = int(term.this) - 1
        if place < len(items) and all(star_table(item) is None for item in items[: place + 1]):
            return unwrap(items[place].unalias())
    if isinstance(term, exp.Column) and not term.table and place_of(term, scope) is None:
        for item in items:
            if isinstance(item, exp.Alias) and item.alias.lower() == term.name.lower():
                return unwrap(item.this)
    return term


def _star_fixed(scope: Scope, star: str, fixed: frozenset[tuple[str, str]]) -> bool:
    for source in scope.sources:
        if star and source.name != star:
            continue
        if source.outputs is None or any((source.name, output.name or "") not in fixed for output in source.outputs):
            return False
    return True


def _bare(
    node: exp.Expr, scope: Scope, scopes: Scopes, groups: list[exp.Expr], fixed: frozenset[tuple[str, str]], clause: str
) -> list[exp.Column]:
    """The columns under a node that are neither aggregated nor determined by the groups."""
    if is_aggregate_call(node) and not isinstance(node.parent, exp.Window):
        return []
    if isinstance(node, exp.Filter) and not isinstance(node.parent, exp.Window):
        return []  # FILTER's condition reads the rows of the aggregate
    if any(same_expression(node, group, merged=scope.merged) for group in groups):
        return []
    if isinstance(node, exp.Column):
        if star_table(node) is not None:
            return []
        found = scope.lookup(node)
        if found is None:
            known = scope.known()
            if known or (_is_alias(node, scope.select) and clause != "expressions"):
                return []  # a string in double quotes, or an alias, whose expression is looked at itself
            return [node]
        if found[0] is not scope:
            around = scope.parent
            while around is not None:
                if found[0] is around:
                    return []  # fixed from outside
                around = around.parent
            return []
        place = (found[1].name, node.name.lower())
        return [] if place in fixed else [node]
    if isinstance(node, exp.Query):
        return [
            column
            for column in node.find_all(exp.Column)
            if star_table(column) is None and _means(column, scope, scopes, fixed)
        ]
    return [
        column for child in node.iter_expressions() for column in _bare(child, scope, scopes, groups, fixed, clause)
    ]


def _means(column: exp.Column, scope: Scope, scopes: Scopes, fixed: frozenset[tuple[str, str]]) -> bool:
    """Whether a column inside a subquery may be an open column of this scope."""
    around = scopes.around(column)
    if around is None:
        return True
    found = around.lookup(column)
    if found is None:
        return not around.known()
    return found[0] is scope and (found[1].name, column.name.lower()) not in fixed
