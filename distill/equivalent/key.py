"""A text that is the same for trees that differ only in the order of commutative operands and in case of names."""

from __future__ import annotations

from sqlglot import exp

_COMMUTATIVE = (exp.EQ, exp.NEQ, exp.Add, exp.Mul, exp.Is, exp.NullSafeEQ)
# Marks of the reader that say nothing within one dialect; trees made by hand lack them.
_FLAGS = frozenset(("big_int", "typed", "safe"))
_FLIPPED: dict[type[exp.Expr], str] = {exp.GT: "LT", exp.GTE: "LTE"}


def key(node: exp.Expr) -> str:
    """The text of a tree without parentheses nodes; the nesting is spelled out."""
    if isinstance(node, exp.Identifier):
        return str(node.this).lower()
    if isinstance(node, exp.Literal):
        return f"'{node.this}'" if node.is_string else str(node.this)
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
        return f"{node.table}.{node.name}".lower()
    if isinstance(node, (exp.And, exp.Or)):
        parts = sorted({key(part) for part in _operands(node, type(node))})
        return parts[0] if len(parts) == 1 else f"{node.key}({', '.join(parts)})"
    if isinstance(node, _COMMUTATIVE):
        return f"{node.key}({', '.join(sorted((key(node.this), key(node.expression))))})"
    if type(node) in _FLIPPED:
        return f"{_FLIPPED[type(node)].lower()}({key(node.expression)}, {key(node.this)})"
    if isinstance(node, exp.In) and node.expressions:
        return f"in({key(node.this)}, [{', '.join(sorted({key(item) for item in node.expressions}))}])"
    if isinstance(node, exp.Group):
        return f"group({', '.join(sorted({key(item) for item in node.expressions}))}){_rest(node, 'expressions')}"
    if isinstance(node, (exp.Union, exp.Intersect)) and not node.args.get("order") and not node.args.get("limit"):
        branches = sorted((key(node.this), key(node.expression)))
        return f"{node.key}({'; '.join(branches)}){_rest(node, 'this', 'expression')}"
    if isinstance(node, exp.Ordered):
        return f"{key(node.this)} {'desc' if node.args.get('desc') else 'asc'} {_nulls(node)}"
    return f"{node.key}{_rest(node)}"


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


def _rest(node: exp.Expr, *without: str) -> str:
    parts = []
    for name, value in sorted(node.args.items()):
        if name in without or name in _FLAGS or value is None or value is False or value == []:
            continue
        if isinstance(value, exp.Expr):
            text = key(value)
        elif isinstance(value, list):
            text = "[" + ", ".join(key(v) if isinstance(v, exp.Expr) else str(v) for v in value) + "]"
        else:
            text = str(value)
        parts.append(f"{name}={text}")
    return "{" + ", ".join(parts) + "}"
