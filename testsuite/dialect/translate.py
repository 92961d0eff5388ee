"""From a SQLite query to a DuckDB query with the same meaning, or a reason why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlglot import exp

from testsuite.dialect.emitter import Emitter
from testsuite.dialect.queries import query
from testsuite.dialect.scope import Scope
from testsuite.dialect.sources import MARK
from testsuite.dialect.types import Refused, Type
from testsuite.schema.model import Schema, Storage


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated query. Its output columns are called c0, c1 ...

    Attributes:
        db_id: the schema's name.
        parts: DuckDB text, cut at base tables: texts at even places, table names (as in the schema) at odd ones.
        names: SQLite's name of each output column; the expression's text where it has no alias.
        types: static type of each output column.
        touched: base columns read, as (table, column) in lower case.
        open: constructs met whose answer SQL leaves open (see ``testsuite.query.choices``).
    """

    db_id: str
    parts: tuple[str, ...]
    names: tuple[str, ...]
    types: tuple[Type, ...]
    touched: frozenset[tuple[str, str]]
    open: tuple[str, ...] = ()

    def render(self, table: Callable[[str], str]) -> str:
        """The text with every base table written as ``table(name)`` (a table name or a parenthesised query)."""
        return "".join(table(p) if i % 2 else p for i, p in enumerate(self.parts))


def translate(
    core: exp.Query,
    schema: Schema,
    storage: Mapping[tuple[str, str], Storage],
    now: datetime | None = None,
) -> Translation:
    """Translate a query, valid in SQLite, as ``parse`` and ``lift`` give it. The outermost ORDER BY is dropped.

    Args:
        core: the query; not changed.
        schema: its tables.
        storage: what each column holds, by (table, column) in lower case.
        now: the instant (UTC) that 'now' means.

    Raises:
        Refused: its meaning is not known to be kept.
    """
    em = Emitter(schema, storage, now)
    try:
        relation = query(em, core, Scope())
    except RecursionError:
        raise Refused("nested too deeply") from None
    # Every comparison, sort, group, DISTINCT and join of such a column would need its collation.
    if any(schema.table(table).column(name).collation for table, name in em.touched):
        raise Refused("column with a collation")
    names = tuple(
        column.name if column.name is not None else f"column{place + 1}"
        for place, column in enumerate(relation.columns)
    )
    return Translation(
        schema.db_id,
        tuple(relation.sql.split(MARK)),
        names,
        tuple(column.expr.type for column in relation.columns),
        frozenset(em.touched),
        tuple(dict.fromkeys(em.open)),
    )
