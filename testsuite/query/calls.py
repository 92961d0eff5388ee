"""Function calls as SQLite's own names and arguments.

sqlglot reads many scalar functions into nodes that it writes back as something else for SQLite: ``mod(a, b)``
becomes ``a % b`` (integers only), ``log10(x)`` becomes ``LOG(10, x)`` (other last digits), ``json_extract`` becomes
``->``. So the names below are hidden from its parser and come out as ``exp.Anonymous``, which it writes unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

_MARK = "__call_"

# Scalar functions whose sqlglot node is not known to be written back with the same meaning.
HIDDEN = frozenset(
    (
        "date",
        "time",
        "datetime",
        "julianday",
        "unixepoch",
        "strftime",
        "mod",
        "log",
        "log2",
        "log10",
        "ln",
        "exp",
        "pow",
        "power",
        "sqrt",
        "sign",
        "ceil",
        "ceiling",
        "floor",
        "trunc",
        "pi",
        "degrees",
        "radians",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "char",
        "hex",
        "unhex",
        "unicode",
        "quote",
        "typeof",
        "printf",
        "format",
        "soundex",
        "trim",
        "ltrim",
        "rtrim",
        "replace",
        "instr",
        "substr",
        "substring",
        "likely",
        "unlikely",
        "likelihood",
        "random",
        "randomblob",
        "zeroblob",
        "changes",
        "total_changes",
        "last_insert_rowid",
        "json",
        "json_array",
        "json_array_length",
        "json_extract",
        "json_insert",
        "json_object",
        "json_patch",
        "json_quote",
        "json_remove",
        "json_replace",
        "json_set",
        "json_type",
        "json_valid",
        "sqlite_version",
        "sqlite_source_id",
    )
)


def hide(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with the names of ``HIDDEN`` functions marked where a call opens, for sqlglot's parser."""
    out = list(tokens)
    for place, (token, after) in enumerate(pairwise(tokens)):
        if after.token_type is not TokenType.L_PAREN or token.text.lower() not in HIDDEN:
            continue
        if token.token_type in (TokenType.STRING, TokenType.IDENTIFIER):
            continue
        out[place] = Token(TokenType.VAR, _MARK + token.text, token.line, token.col, token.start, token.end)
    return out


def reveal(tree: exp.Expr) -> bool:
    """Give hidden calls their names back, in place. False where a mark stands on something that is no call."""
    for node in tree.find_all(exp.Anonymous, exp.Identifier):
        name = node.this
        if isinstance(name, str) and name.startswith(_MARK):
            if isinstance(node, exp.Identifier):
                return False
            node.set("this", name[len(_MARK) :].upper())
    return True


def _plain(name: str, *keys: str) -> Callable[[exp.Expr], tuple[str, list[exp.Expr]]]:
    def read(node: exp.Expr) -> tuple[str, list[exp.Expr]]:
        args: list[exp.Expr] = []
        for key in keys:
            value = node.args.get(key)
            if isinstance(value, list):
                args.extend(value)
            elif isinstance(value, exp.Expr):
                args.append(value)
        return name, args

    return read


_NODES: dict[type[exp.Expr], Callable[[exp.Expr], tuple[str, list[exp.Expr]]]] = {
    exp.Abs: _plain("abs", "this"),
    exp.Coalesce: _plain("coalesce", "this", "expressions"),
    exp.Greatest: _plain("max", "this", "expressions"),
    exp.If: _plain("iif", "this", "true", "false"),
    exp.Least: _plain("min", "this", "expressions"),
    exp.Length: _plain("length", "this"),
    exp.Lower: _plain("lower", "this"),
    exp.Nullif: _plain("nullif", "this", "expression"),
    exp.Round: _plain("round", "this", "decimals"),
    exp.Upper: _plain("upper", "this"),
}


def call_of(node: exp.Expr) -> tuple[str, list[exp.Expr]] | None:
    """SQLite's name (lower case) and the arguments of a scalar function call; None for any other node.

    Aggregates, window functions, CAST, CASE and operators are not scalar function calls.
    """
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower(), list(node.expressions)
    read = _NODES.get(type(node))
    return read(node) if read else None
