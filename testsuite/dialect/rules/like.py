"""LIKE and GLOB."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.types import NULL, Expr, Refused, Type, as_text

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def like(em: Emitter, node: exp.Expr) -> Expr:
    """LIKE folds ASCII letters only (https://sqlite.org/lang_expr.html, 5)."""
    return _like(em, node, node.expression, None)


def escaped(em: Emitter, node: exp.Expr) -> Expr:
    """LIKE ... ESCAPE."""
    inner, char = node.this, node.expression
    if not isinstance(inner, exp.Like) or not isinstance(char, exp.Literal) or not char.args["is_string"]:
        raise Refused("ESCAPE")
    if len(char.this) != 1 or char.this.isalpha() or char.this in "%_" or not char.this.isascii():
        raise Refused("ESCAPE")
    return _like(em, inner, inner.expression, char.this)


def _like(em: Emitter, node: exp.Expr, right: exp.Expr, escape: str | None) -> Expr:
    value, pattern = em.expr(node.this), em.expr(right)
    if Type.NULL in (value.type, pattern.type):
        return NULL
    value, pattern = as_text(value), as_text(pattern)
    text = value.sql
    folded = pattern.sql
    if isinstance(pattern.value, str):
        if re.search("[A-Za-z]", pattern.value):
            text = f"sq_lower({text})"
            folded = re.sub("[A-Z]", lambda m: m.group().lower(), folded)
        if escape is not None and re.search(f"{re.escape(escape)}(?![%_{re.escape(escape)}])", pattern.value):
            raise Refused("ESCAPE")
    else:
        text, folded = f"sq_lower({text})", f"sq_lower({folded})"
        if escape is not None:
            raise Refused("ESCAPE")
    word = "NOT LIKE" if node.args.get("negate") else "LIKE"
    ending = f" ESCAPE '{escape}'" if escape not in (None, "'") else ""
    if escape == "'":
        raise Refused("ESCAPE")
    return Expr(f"({text} {word} {folded}{ending})", Type.BOOLEAN)


def glob(em: Emitter, node: exp.Expr) -> Expr:
    """GLOB is SQLite's own function: DuckDB's differs in character classes."""
    value, pattern = em.expr(node.this), em.expr(node.expression)
    if Type.NULL in (value.type, pattern.type):
        return NULL
    call = f"(sqlite_glob({as_text(pattern).sql}, {as_text(value).sql}) <> 0)"
    return Expr(f"(NOT {call})" if node.args.get("negate") else call, Type.BOOLEAN)


RULES = {exp.Like: like, exp.Escape: escaped, exp.Glob: glob}

EXAMPLES = (
    "SELECT id FROM words WHERE w LIKE 'a%'",
    "SELECT id FROM words WHERE w LIKE '%B_'",
    "SELECT id FROM words WHERE w NOT LIKE '%b%'",
    "SELECT id FROM words WHERE w LIKE 'Ö%'",
    "SELECT id FROM words WHERE w LIKE 'öL%'",
    "SELECT id FROM nums WHERE i LIKE '1%'",
    "SELECT id FROM words WHERE w LIKE '_'",
    "SELECT id FROM words WHERE w LIKE '%\\%%' ESCAPE '\\'",
    "SELECT id FROM words WHERE w LIKE w",
    "SELECT id FROM words WHERE w LIKE NULL",
    'SELECT id FROM words WHERE w LIKE "%b%"',
)
