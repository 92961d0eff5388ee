"""A joined table missing."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import (
    Context,
    Example,
    Family,
    Operator,
    aliased_sources,
    column,
    edit,
    leaves,
    remove_condition,
    selects,
)
from distill.operators.scope import owned_columns, resolve, sources
from distill.operators.surgery import drop_source, join_conditions


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each source of a join dropped with its conditions; its other columns become those they were joined with, or
    namesakes. Nothing where a column has neither.
    """
    for select in selects(tree):
        for index in range(len(aliased_sources(select)) if select.args.get("joins") else 0):
            copy, found = edit(tree, select)
            assert isinstance(found, exp.Select)
            if _drop(found, index, context):
                yield copy


def _drop(select: exp.Select, index: int, context: Context) -> bool:
    tables = sources(select, context.schema)
    written = [source.alias_or_name for source in aliased_sources(select)]
    alias = written[index].lower()
    others = [name for name in written if name.lower() != alias]
    if len(others) != len(written) - 1 or tables.get(alias) is None:
        return False
    owned = owned_columns(select, context.schema)
    partners = _partners(select, alias, context)
    # The conditions on the table go first, so that what is left is what needs a substitute.
    kept = [part.copy() for part in join_conditions(select)]
    where = select.args.get("where")
    for leaf in list(leaves(where.this)) if where else []:
        if any(r.alias == alias and n.find_ancestor(exp.Select) is select for n, r in owned if _inside(n, leaf)):
            remove_condition(leaf)
    for node, reference in owned:
        if reference.alias != alias or not _inside(node, select) or node.find_ancestor(exp.Join):
            continue
        name = partners.get(reference.column.name.lower())
        if name is None:
            for other in others:
                table = tables[other.lower()]
                if table is not None and reference.column.name in table:
                    name = column(other, table.column(reference.column.name).name)
                    break
        if name is None:
            return False
        node.replace(name.copy())
    drop_source(select, index, kept)
    return True


def _partners(select: exp.Select, alias: str, context: Context) -> dict[str, exp.Column]:
    found: dict[str, exp.Column] = {}
    for part in join_conditions(select):
        if not isinstance(part, exp.EQ):
            continue
        for mine, other in ((part.this, part.expression), (part.expression, part.this)):
            if isinstance(mine, exp.Column) and isinstance(other, exp.Column):
                reference = resolve(mine, context.schema)
                if reference and reference.alias == alias:
                    found.setdefault(mine.name.lower(), other)
    return found


def _inside(node: exp.Expr, root: exp.Expr) -> bool:
    walk: exp.Expr | None = node
    while walk is not None:
        if walk is root:
            return True
        walk = walk.parent
    return False


OPERATOR = Operator(
    "dropped join",
    Family.TABLES,
    (
        Example(
            "SELECT c.name FROM club AS c JOIN player AS p ON c.id = p.club_id",
            ("SELECT c.name FROM club AS c", "SELECT p.name FROM player AS p"),
        ),
        Example(
            "SELECT count(*) FROM club AS c JOIN player AS p ON c.id = p.club_id WHERE c.city = 'Rome'",
            ("SELECT COUNT(*) FROM player AS p", "SELECT COUNT(*) FROM club AS c WHERE c.city = 'Rome'"),
        ),
        Example("SELECT name FROM club"),
    ),
    apply,
)
