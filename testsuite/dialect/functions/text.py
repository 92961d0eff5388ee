"""Text functions. SQLite folds case and trims in ASCII only, and counts characters from 1 (or from the end)."""

from __future__ import annotations

from collections.abc import Mapping

from testsuite.dialect.functions.builder import arity, lent, native, refused
from testsuite.dialect.types import Builder, Call, Expr, Type, text_literal


def _char(call: Call) -> Expr:
    # A native function without arguments would not know how many rows to answer.
    return native("char", Type.TEXT, *call.args) if call.args else text_literal("")


TEXT: Mapping[str, Builder] = {
    "lower": arity(1, 1, lent(Type.TEXT)),
    "upper": arity(1, 1, lent(Type.TEXT)),
    "length": arity(1, 1, lent(Type.INTEGER)),
    "substr": arity(2, 3, lent(Type.TEXT)),
    "substring": arity(2, 3, lent(Type.TEXT, name="substr")),
    "instr": arity(2, 2, lent(Type.INTEGER)),
    "replace": arity(3, 3, lent(Type.TEXT)),
    "trim": arity(1, 2, lent(Type.TEXT)),
    "ltrim": arity(1, 2, lent(Type.TEXT)),
    "rtrim": arity(1, 2, lent(Type.TEXT)),
    "hex": arity(1, 1, lent(Type.TEXT)),
    "char": arity(0, None, _char),
    "unicode": arity(1, 1, lent(Type.INTEGER)),
    "quote": arity(1, 1, lent(Type.TEXT)),
    "soundex": arity(1, 1, lent(Type.TEXT)),
    "printf": arity(1, None, lent(Type.TEXT)),
    "format": arity(1, None, lent(Type.TEXT, name="printf")),
    # SQLite's operators of these names come as operators, its functions swap the operands.
    "like": arity(2, 3, lent(Type.INTEGER)),
    "glob": arity(2, 2, lent(Type.INTEGER)),
    "zeroblob": refused("blob"),
    "randomblob": refused("random"),
}
