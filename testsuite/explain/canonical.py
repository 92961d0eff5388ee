"""Two trees written alike, so that what differs is what matters: names of sources, qualifiers, sides of equalities."""

from __future__ import annotations

from sqlglot import exp

from testsuite.query.scope import Scope, Scopes, unwrap
from testsuite.schema import Schema

_MIRRORED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.EQ,
    exp.NEQ: exp.NEQ,
    exp.LT: exp.GT,
    exp.GT: exp.LT,
    exp.LTE: exp.GTE,
    exp.GTE: exp.LTE,
}


def canonical(tree: exp.Query, schema: Schema) -> exp.Query:
    """A copy in which every source bears its table's name and every column its source's.

    Aliases of output columns go where nothing needs them, double-quoted text becomes text, a constant stands to the
    right of what it is compared with. The copy is a means of comparison: whoever runs it must not take for granted
    that it means the same.
    """
    tree = tree.copy()
    _inline_aliases(tree)
    scopes = Scopes(tree, schema)
    names: dict[int, str] = {}
    for scope in scopes:
        taken = _taken(scope, names)
        for source in scope.sources:
            base = source.table or source.name or "derived"
            name, number = base, 1
            while name in taken:
                number += 1
                name = f"{base}_{number}"
            taken.add(name)
            names[id(source)] = name
    for column in list(tree.find_all(exp.Column)):
        _qualify(column, scopes, names)
    for scope in scopes:
        for source in scope.sources:
            name = names[id(source)]
            if isinstance(source.node, exp.Table) and source.node.name.lower() == name:
                source.node.set("alias", None)
                source.node.set("this", exp.to_identifier(name))
            elif isinstance(source.node, (exp.Table, exp.Subquery)):
                source.node.set("alias", exp.TableAlias(this=exp.to_identifier(name)))
            if isinstance(source.node, exp.Table) and source.table is not None:
                source.node.set("this", exp.to_identifier(source.table))
    for comparison in reversed(list(tree.find_all(*_MIRRORED))):
        _turn(comparison)
    return tree


def reachable(tree: exp.Query, schema: Schema) -> exp.Query:
    """The tree, changed in place: a column whose source is not there is taken from the only one that has it."""
    scopes = Scopes(tree, schema)
    for column in list(tree.find_all(exp.Column)):
        scope = scopes.around(column)
        if scope is None or not column.table or scope.lookup(column) is not None:
            continue
        bare = exp.Column(this=column.this.copy())
        found = scope.lookup(bare)
        if found is not None:
            column.set("table", exp.to_identifier(found[1].name))
    return tree


def _inline_aliases(tree: exp.Query) -> None:
    """ORDER BY, GROUP BY and HAVING by the expressions that aliases stand for, and no alias left on the outside."""
    for select in list(tree.find_all(exp.Select)):
        named = {item.alias.lower(): item.this for item in select.expressions if isinstance(item, exp.Alias)}
        if named:
            for clause in ("order", "group", "having"):
                part = select.args.get(clause)
                for column in list(part.find_all(exp.Column)) if part is not None else ():
                    if not column.table and column.name.lower() in named and column.find_ancestor(exp.Select) is select:
                        column.replace(named[column.name.lower()].copy())
        order = select.args.get("order")
        for item in order.expressions if order is not None else ():
            if isinstance(item.this, exp.Literal) and not item.this.is_string and str(item.this.this).isdigit():
                place = int(item.this.this) - 1
                if 0 <= place < len(select.expressions):
                    item.set("this", select.expressions[place].unalias().copy())
        inside = select.find_ancestor(exp.Subquery, exp.CTE)
        derived = isinstance(inside, exp.CTE) or (
            inside is not None and isinstance(inside.parent, (exp.From, exp.Join))
        )
        if not derived and not isinstance(select.parent, exp.SetOperation):
            select.set("expressions", [item.unalias() for item in select.expressions])


def _taken(scope: Scope, names: dict[int, str]) -> set[str]:
    taken: set[str] = set()
    outer = scope.parent
    while outer is not None:
        taken |= {names[id(source)] for source in outer.sources if id(source) in names}
        outer = outer.parent
    return taken


def _qualify(column: exp.Column, scopes: Scopes, names: dict[int, str]) -> None:
    scope = scopes.around(column)
    if scope is None or isinstance(column.this, exp.Star):
        if scope is not None and column.table:
            for source in scope.sources:
                if source.name == column.table.lower():
                    column.set("table", exp.to_identifier(names[id(source)]))
        return
    found = scope.lookup(column)
    if found is None:
        if not column.table and column.this.args.get("quoted") and scope.known():
            column.replace(exp.Literal.string(column.name))
        return
    if scope.merged:
        return
    column.set("this", exp.to_identifier(column.name.lower()))
    column.set("table", exp.to_identifier(names[id(found[1])]))


def _turn(node: exp.Expr) -> None:
    left, right = unwrap(node.this), unwrap(node.expression)
    constant = isinstance(left, (exp.Literal, exp.Subquery)) and not isinstance(right, (exp.Literal, exp.Subquery))
    both = isinstance(node, exp.EQ) and isinstance(left, exp.Column) and isinstance(right, exp.Column)
    if constant or (both and left.sql() > right.sql()):
        node.replace(_MIRRORED[type(node)](this=right.copy(), expression=left.copy()))
