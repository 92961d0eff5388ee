"""Column names, and double-quoted names that are no column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from testsuite.dialect.types import Expr, Refused

if TYPE_CHECKING:
    from testsuite.dialect.emitter import Emitter


def column(em: Emitter, node: exp.Expr) -> Expr:
    """A column, a result alias, or a double-quoted string (https://sqlite.org/quirks.html, 8)."""
    name, table = node.this, node.args.get("table")
    if node.args.get("catalog") is not None:
        raise Refused("qualified name")
    if node.args.get("db") is not None and node.args["db"].name.lower() != "main":
        raise Refused("qualified name")
    if not isinstance(name, exp.Identifier):
        raise Refused("column name")
    return em.column(name.this, table.this if table is not None else None, bool(name.args.get("quoted")))


RULES = {exp.Column: column}

EXAMPLES = (
    'SELECT id FROM words WHERE w = "Abc"',
    'SELECT T1.id, "nothing here" FROM words AS T1',
    "SELECT ID, W FROM WORDS AS t WHERE T.Id > 1",
    "SELECT w AS id2 FROM words WHERE id2 = 'abc'",
    "SELECT i AS x FROM nums GROUP BY x",
    "SELECT w AS i, count(*) FROM words GROUP BY i",
)
