"""Small questions about trees that several parts of the query layer ask."""

from __future__ import annotations

from sqlglot import exp

from testsuite.query.scope import unwrap


def same_expression(left: exp.Expr, right: exp.Expr, *, merged: bool = False) -> bool:
    """Whether two expressions of one valid SELECT are the same, up to case and a missing qualifier.

    A valid unqualified name is unambiguous, hence the same column as the qualified one, unless NATURAL or
    USING (``merged``) let one name stand for two columns.
    """
    left, right = unwrap(left), unwrap(right)
    if isinstance(left, exp.Column) and isinstance(right, exp.Column):
        if left.name.lower() != right.name.lower():
            return False
        if left.table.lower() == right.table.lower():
            return True
        return not merged and not (left.table and right.table)
    if type(left) is not type(right) or isinstance(left, exp.Query):
        return left == right
    if set(_filled(left)) != set(_filled(right)):
        return False
    for name, value in _filled(left).items():
        other = right.args[name]
        pairs = zip(value, other, strict=False) if isinstance(value, list) else [(value, other)]
        if isinstance(value, list) and len(value) != len(other):
            return False
        for one, two in pairs:
            if isinstance(one, exp.Expr) and isinstance(two, exp.Expr):
                if not same_expression(one, two, merged=merged):
                    return False
            elif one != two:
                return False
    return True


def _filled(node: exp.Expr) -> dict[str, object]:
    return {name: value for name, value in node.args.items() if value not in (None, False, [])}


def leaves(tree: exp.Expr) -> list[exp.Expr]:
    """The SELECTs (or other leaves) of a set operation, left to right."""
    if isinstance(tree, exp.Subquery) and not tree.alias and not tree.args.get("with_"):
        return leaves(tree.this)
    if isinstance(tree, exp.SetOperation):
        return leaves(tree.this) + leaves(tree.expression)
    return [tree]
