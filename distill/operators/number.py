"""A number one off."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, replaced


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each number in a condition or calculation by its two neighbours in its last digit (not LIMIT, not ordinals)."""
    for node in tree.find_all(exp.Literal):
        if node.is_string or isinstance(node.parent, (exp.Limit, exp.Offset, exp.Ordered, exp.Group)):
            continue
        if isinstance(node.parent, (exp.DataTypeParam, exp.Select)):
            continue
        for new in _off_by_one(str(node.this)):
            yield replaced(tree, node, exp.Literal.number(new))


def _off_by_one(text: str) -> list[str]:
    try:
        if text.isdigit():
            return [str(int(text) + 1)] + ([str(int(text) - 1)] if int(text) else [])
        float(text)
    except ValueError:
        return []
    digits = len(text.partition(".")[2])
    if "e" in text.lower() or not 0 < digits <= 6:
        return []
    step = 10.0**-digits
    return [f"{float(text) + step:.{digits}f}"] + ([f"{float(text) - step:.{digits}f}"] if float(text) >= step else [])


OPERATOR = Operator(
    "number",
    Family.VALUES,
    (
        Example(
            "SELECT name FROM player WHERE age > 20",
            ("SELECT name FROM player WHERE age > 21", "SELECT name FROM player WHERE age > 19"),
        ),
        Example(
            "SELECT name FROM player WHERE height < 1.75",
            ("SELECT name FROM player WHERE height < 1.76", "SELECT name FROM player WHERE height < 1.74"),
        ),
        Example("SELECT name FROM player ORDER BY age LIMIT 3"),
    ),
    apply,
)
