"""A tree back to SQLite text with the same meaning."""

from __future__ import annotations

from sqlglot import exp

from testsuite.schema import Affinity, affinity_of


def render(tree: exp.Expr, owned: bool = False) -> str:
    """SQLite text of a tree.

    ``owned`` says that nobody else needs the tree, which may change then: copying takes half of the time.

    sqlglot's own SQLite generator turns ``CAST(x AS DATE)`` into ``DATE(x)`` and NUMERIC into REAL; here every
    CAST names the affinity that SQLite gives its type.
    """
    if tree.find(exp.Cast) is not None:
        tree = tree if owned else tree.copy()
        for cast in list(tree.find_all(exp.Cast)):
            name = cast_affinity(cast.to).value
            cast.set("to", exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=name))
    return tree.sql(dialect="sqlite", comments=False, copy=not owned)


def cast_affinity(kind: exp.DataType) -> Affinity:
    """The affinity SQLite gives the type of a CAST, as sqlglot has read it (BLOB as VARBINARY)."""
    if kind.this is exp.DataType.Type.VARBINARY:
        return Affinity.BLOB
    return affinity_of(kind.sql())
