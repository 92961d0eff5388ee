"""What the instances of one schema may hold: made once per schema and policy, asked for every pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from distill.fuzz.constraints import violations
from distill.fuzz.policies import Policies
from testsuite.schema import ForeignKey, Schema, Storage, Table
from testsuite.shrink.checks import failing_rows
from testsuite.shrink.rules import Reference, Rules, positions, read_rules
from testsuite.suite import Row, Stack, stack_rows

Content = dict[str, list[Row]]


@dataclass(frozen=True)
class Frame:
    """The constraints of made instances.

    Attributes:
        schema: as declared, so that queries and suites see the same tables.
        storage: what each column holds.
        rules: the keys and references that every made instance honours.
        nullable: per table and column whether NULL may stand there.
        shipped: the shipped content by table name; empty where there is none.
        policies: what made instances may hold.
    """

    schema: Schema
    storage: Mapping[tuple[str, str], Storage]
    rules: Rules
    nullable: tuple[tuple[bool, ...], ...]
    shipped: Mapping[str, Sequence[Row]]
    policies: Policies

    def illegal(self, content: Mapping[str, Sequence[Row]]) -> list[str]:
        """What a content breaks, one line each; empty where it is legal."""
        stack = stack_rows(self.schema, [content], self.storage)
        found = violations(stack, self.rules)
        found += [f"{cell.table}.{cell.column} cannot hold {cell.value!r}" for cell in stack.dirty]
        for table, may in zip(self.schema.tables, self.nullable, strict=True):
            rows = content.get(table.name, ())
            found += [
                f"{table.name}.{column.name} is NULL"
                for c, column in enumerate(table.columns)
                if not may[c] and any(row[c] is None for row in rows)
            ]
            if table.checks and rows:
                cells = [(x.name, x.declared_type, [row[c] for row in rows]) for c, x in enumerate(table.columns)]
                found += [f"{table.name}: a CHECK fails"] * len(failing_rows(cells, table.checks))
            if not rows and self.policies.empty_tables == 0 and self.shipped.get(table.name):
                found.append(f"{table.name} is empty")
        return found

    def made_schema(self) -> Schema:
        """The schema with the keys, references and NOT NULLs of made instances, the shipped content left aside."""
        tables = []
        for t, table in enumerate(self.schema.tables):
            names = [column.name for column in table.columns]
            keys = [tuple(names[c] for c in key) for key in self.rules.keys[t]]
            primary = keys.pop(0) if self.rules.has_primary[t] and keys else ()
            foreign = []
            for r in self.rules.hard:
                if r.child == t:
                    parent = self.schema.tables[r.parent]
                    theirs = tuple(parent.columns[c].name for c in r.parent_columns)
                    foreign.append(ForeignKey(tuple(names[c] for c in r.columns), parent.name, theirs))
            columns = tuple(
                replace(c, not_null=not may) for c, may in zip(table.columns, self.nullable[t], strict=True)
            )
            tables.append(Table(table.name, columns, primary, tuple(keys), tuple(foreign), table.checks))
        return Schema(self.schema.db_id, tuple(tables))

    def shipped_stack(self) -> Stack | None:
        """The shipped content as a stack of one; None where there is none."""
        return stack_rows(self.schema, [self.shipped], self.storage) if self.shipped else None


def make_frame(
    schema: Schema,
    shipped: Mapping[str, Sequence[Row]] | None,
    storage: Mapping[tuple[str, str], Storage],
    policies: Policies,
) -> Frame:
    """The frame of a schema, judged against its shipped content (None where there is none)."""
    content = shipped or {}
    rules, _ = read_rules(schema, shipped)
    place = positions(schema)
    nullable = []
    for t, table in enumerate(schema.tables):
        primary = set(rules.keys[t][0]) if rules.has_primary[t] else set()
        declared = {place[table.name.lower(), name.lower()][1] for name in table.primary_key}
        rows = content.get(table.name, ())
        may = []
        for c, column in enumerate(table.columns):
            allowed = not column.not_null and c not in primary | declared and policies.nulls != "never"
            if allowed and policies.nulls == "observed":
                allowed = not rows or any(row[c] is None for row in rows)
            may.append(allowed)
        nullable.append(tuple(may))
    return Frame(schema, storage, rules, tuple(nullable), content, policies)


def parents_first(schema: Schema, references: Sequence[Reference]) -> list[int]:
    """Table numbers, parents before children as far as references have no cycles."""
    order: list[int] = []
    waiting = list(range(len(schema.tables)))
    while waiting:
        ready = [t for t in waiting if all(r.parent in order or r.parent == t for r in references if r.child == t)]
        order += ready or waiting[:1]
        waiting = [t for t in waiting if t not in order]
    return order
