"""WITH: common table expressions, recursive ones too."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from testsuite.dialect.emitter import Emitter
from testsuite.dialect.scope import Cte, OutColumn, Relation, Scope
from testsuite.dialect.types import Refused, Type

_DUCKDB = {Type.INTEGER: "BIGINT", Type.REAL: "DOUBLE", Type.NUMBER: "DOUBLE", Type.TEXT: "VARCHAR"}


def define_ctes(em: Emitter, node: exp.Expr, scope: Scope) -> str:
    """Text of the WITH clause, with a trailing blank; the expressions become visible in the scope."""
    clause = node.args.get("with_")
    if clause is None:
        return ""
    from testsuite.dialect.queries import query  # The parts of a query call each other.

    names = [cte.alias.lower() for cte in clause.expressions]
    if len(set(names)) != len(names):
        raise Refused("duplicate WITH name")
    parts, recursive = [], False
    for place, cte in enumerate(clause.expressions):
        if any(value for key, value in cte.args.items() if value and key not in ("this", "alias")):
            raise Refused("WITH option")
        mentioned = {table.name.lower() for table in cte.this.find_all(exp.Table)}
        if mentioned & set(names[place + 1 :]):
            raise Refused("WITH refers to a later name")
        wanted = [column.name for column in cte.args["alias"].args.get("columns") or ()]
        tag = em.fresh("w")
        if names[place] in mentioned:
            recursive = True
            relation = _recursive(em, cte.this, scope, names[place], tag, wanted)
        else:
            relation = query(em, cte.this, scope)
            relation = Relation(relation.sql, _named(relation.columns, wanted))
        scope.ctes[names[place]] = Cte(tag, relation.columns)
        parts.append(f"{tag} AS ({relation.sql})")
    return f"WITH {'RECURSIVE ' if recursive else ''}{', '.join(parts)} "


def _named(columns: tuple[OutColumn, ...], wanted: list[str]) -> tuple[OutColumn, ...]:
    if not wanted:
        return columns
    if len(wanted) != len(columns):
        raise Refused("WITH column list")
    return tuple(replace(column, name=name) for column, name in zip(columns, wanted, strict=True))


def _recursive(em: Emitter, node: exp.Expr, scope: Scope, name: str, tag: str, wanted: list[str]) -> Relation:
    from testsuite.dialect.setops import _side

    if not isinstance(node, exp.Union) or any(node.args.get(k) for k in ("order", "limit", "offset", "with_")):
        raise Refused("recursive WITH")
    if any(table.name.lower() == name for table in node.this.find_all(exp.Table)):
        raise Refused("recursive WITH")
    start = _side(em, node.this, scope)
    # SQLite keeps no affinity promises for a recursive table whose branches differ.
    columns = tuple(replace(c, origin=None, expr=replace(c.expr, exact=False)) for c in _named(start.columns, wanted))
    inner = Scope(parent=scope, ctes={name: Cte(tag, columns)})
    step = _side(em, node.expression, inner)
    if len(step.columns) != len(columns):
        raise Refused("recursive WITH")
    for own, other in zip(columns, step.columns, strict=True):
        if own.expr.type is not other.expr.type or own.expr.type is Type.NULL:
            raise Refused("mixed-type recursive WITH")
    word = "UNION" if node.args.get("distinct") else "UNION ALL"
    both = [_cast(relation, columns) for relation in (start, step)]
    safe = tuple(
        replace(c, expr=replace(c.expr, unsure=c.expr.affinity is not other.expr.affinity))
        for c, other in zip(columns, step.columns, strict=True)
    )
    return Relation(f"{both[0]} {word} {both[1]}", safe)


def _cast(relation: Relation, columns: tuple[OutColumn, ...]) -> str:
    items = ", ".join(f"CAST(c{i} AS {_DUCKDB[c.expr.type]}) AS c{i}" for i, c in enumerate(columns))
    return f"SELECT {items} FROM ({relation.sql}) AS r"
