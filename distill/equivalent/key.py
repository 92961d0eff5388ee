"""A text that is the same for trees that differ only in the order of commutative operands and in case of names."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

_COMMUTATIVE = (exp.EQ, exp.NEQ, exp.Add, exp.Mul, exp.Is, exp.NullSafeEQ)
# Marks of the reader that say nothing within one dialect; trees made by hand lack them.
_FLAGS = frozenset(("big_int", "typed", "safe"))
_FLIPPED: dict[type[exp.Expr], str] = {exp.GT: "LT", exp.GTE: "LTE"}


def key(node: exp.Expr, names: Mapping[str, str]) -> str:
    """The text of a tree without parentheses nodes; the nesting is spelled out. ``names`` renames table aliases."""
    if isinstance(node, exp.Identifier):
        return str(node.this).lower()
    if isinstance(node, exp.Literal):
        # Quotes are doubled, or two constants could read as one and the other way round.
        return "'" + str(node.this).replace("'", "''") + "'" if node.is_string else str(node.this)
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
        table = node.table.lower()
        return f"{names.get(table, table)}.{node.name.lower()}"
    if isinstance(node, exp.TableAlias) and isinstance(node.this, exp.Identifier):
        alias = str(node.this.this).lower()
        return f"as {names.get(alias, alias)}{_rest(node, names, 'this')}"
    if isinstance(node, (exp.And, exp.Or)):
        parts = sorted({key(part, names) for part in _operands(node, type(node))})
        return parts[0] if len(parts) == 1 else f"{node.key}({', '.join(parts)})"
    if isinstance(node, _COMMUTATIVE):
        return f"{node.key}({', '.join(sorted((key(node.this, names), key(node.expression, names))))})"
    if type(node) in _FLIPPED:
        return f"{_FLIPPED[type(node)].lower()}({key(node.expression, names)}, {key(node.this, names)})"
    if isinstance(node, exp.In) and node.expressions:
        return f"in({key(node.this, names)}, [{', '.join(sorted({key(item, names) for item in node.expressions}))}])"
    if isinstance(node, exp.Group):
        keys = sorted({key(item, names) for item in node.expressions})
        return f"group({', '.join(keys)}){_rest(node, names, 'expressions')}"
    if isinstance(node, (exp.Union, exp.Intersect)) and not node.args.get("order") and not node.args.get("limit"):
        branches = sorted((key(node.this, names), key(node.expression, names)))
        return f"{node.key}({'; '.join(branches)}){_rest(node, names, 'this', 'expression')}"
    if isinstance(node, exp.Ordered):
        return f"{key(node.this, names)} {'desc' if node.args.get('desc') else 'asc'} {_nulls(node)}"
    return f"{node.key}{_rest(node, names)}"


def _nulls(node: exp.Ordered) -> str:
    first = bool(node.args.get("nulls_first"))
    return "" if first != bool(node.args.get("desc")) else f"nulls {'first' if first else 'last'}"


def _operands(node: exp.Expr, kind: type[exp.Expr]) -> list[exp.Expr]:
    found: list[exp.Expr] = []
    stack = [node]
    while stack:
        here = stack.pop()
        if type(here) is kind:
            stack += [here.expression, here.this]
        else:
            found.append(here)
    return found


def _rest(node: exp.Expr, names: Mapping[str, str], *without: str) -> str:
    parts = []
    for name, value in sorted(node.args.items()):
        if name in without or name in _FLAGS or value is None or value is False or value == []:
            continue
        if isinstance(value, exp.Expr):
            text = key(value, names)
        elif isinstance(value, list):
            text = "[" + ", ".join(key(v, names) if isinstance(v, exp.Expr) else str(v) for v in value) + "]"
        else:
            text = str(value)
        parts.append(f"{name}={text}")
    return "{" + ", ".join(parts) + "}"
