"""The constraints that every instance of a suite keeps: the declared ones, adjusted by policy and shipped content.

Equivalence is judged under these: two queries that can only differ on NULLs the policy forbids are no evidence either
way, so they are counted as equivalent, not as neighbours that nothing separates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from distill.fuzz.policies import Policies
from testsuite.schema import Column, ForeignKey, Schema, Table
from testsuite.shrink.rules import Rules, broken_rows, read_rules
from testsuite.suite import Row


def assumed_schema(schema: Schema, shipped: Mapping[str, Sequence[Row]] | None, policies: Policies) -> Schema:
    """The schema with exactly the keys, references and NOT NULLs that hold in the shipped and in every made instance.

    Args:
        schema: as declared.
        shipped: the shipped content by table name, None where there is none.
        policies: what made instances may hold.
    """
    rules, _ = read_rules(schema, shipped)
    content = shipped or {}
    return Schema(schema.db_id, tuple(_table(schema, t, rules, content, policies) for t in range(len(schema.tables))))


def _table(
    schema: Schema, position: int, rules: Rules, content: Mapping[str, Sequence[Row]], policies: Policies
) -> Table:
    table = schema.tables[position]
    rows = content.get(table.name, ())

    def named(columns: Sequence[int]) -> tuple[str, ...]:
        return tuple(table.columns[c].name for c in columns)

    keys = list(rules.keys[position])
    primary = keys.pop(0) if rules.has_primary[position] and keys else ()
    # A declared key that shipped rows break is kept for made instances, but not by the shipped one.
    references = [
        r
        for r in rules.hard
        if r.child == position
        and not broken_rows(rows, r.columns, content.get(schema.tables[r.parent].name, ()), r.parent_columns)
    ]
    columns = tuple(
        replace(column, not_null=not _may_be_null(column, c, c in primary, rows, policies))
        for c, column in enumerate(table.columns)
    )
    return Table(
        table.name,
        columns,
        named(primary),
        tuple(named(key) for key in keys),
        tuple(
            ForeignKey(
                named(r.columns),
                schema.tables[r.parent].name,
                tuple(schema.tables[r.parent].columns[c].name for c in r.parent_columns),
            )
            for r in references
        ),
        table.checks,
    )


def _may_be_null(column: Column, position: int, primary: bool, rows: Sequence[Row], policies: Policies) -> bool:
    if any(row[position] is None for row in rows):
        return True
    if column.not_null or primary or policies.nulls == "never":
        return False
    return policies.nulls == "declared" or not rows
