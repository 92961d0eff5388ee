"""A join too many: a parent or child table joined along a foreign key."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, aliased_sources, column, edit, identifier
from distill.operators.scope import owned_columns, sources

_ALIAS = "extra"
_MOST = 3


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """The outermost SELECT's first table joined with up to three tables that refer to it or that it refers to."""
    if not isinstance(tree, exp.Select) or any(item.is_star for item in tree.expressions):
        return
    tables = sources(tree, context.schema)
    for source in aliased_sources(tree)[:1]:
        table = tables.get(source.alias_or_name.lower())
        if table is None:
            continue
        links = [(k.columns[0], k.parent, k.parent_columns[0]) for k in table.foreign_keys if len(k.columns) == 1]
        for other in context.schema.tables:
            links += [
                (k.parent_columns[0], other.name, k.columns[0])
                for k in other.foreign_keys
                if len(k.columns) == 1 and k.parent.lower() == table.name.lower() and other is not table
            ]
        present = {t.name.lower() for t in tables.values() if t is not None}
        for mine, name, theirs in [link for link in links if link[1].lower() not in present][:_MOST]:
            copy, _ = edit(tree, tree)
            assert isinstance(copy, exp.Select)
            # Names that were unambiguous must stay so.
            for node, reference in owned_columns(copy, context.schema):
                if not node.table:
                    for written in aliased_sources(copy):
                        if written.alias_or_name.lower() == reference.alias:
                            node.set("table", identifier(written.alias_or_name))
            on = exp.EQ(this=column(source.alias_or_name, mine), expression=column(_ALIAS, theirs))
            joined = exp.Table(this=identifier(name), alias=exp.TableAlias(this=identifier(_ALIAS)))
            copy.append("joins", exp.Join(this=joined, on=on))
            yield copy


OPERATOR = Operator(
    "added join",
    Family.TABLES,
    (
        Example(
            "SELECT name FROM club",
            ("SELECT club.name FROM club JOIN coach AS extra ON club.id = extra.club_id",),
        ),
        Example("SELECT * FROM club"),
    ),
    apply,
)
