"""Make instances of a schema: profile, base rows, planted rows, repair, columns. All instances at once, seeded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from distill.fuzz.constraints import Draft, repair
from distill.fuzz.crowds import crowds_of, spare_keys
from distill.fuzz.filling import base_rows, make_filler
from distill.fuzz.planting import Planter
from distill.fuzz.policies import Policies
from distill.fuzz.pools import Codes, Pools, build_pools, columns_of
from distill.fuzz.profile import Profile, draw_profile
from distill.fuzz.reading import read_golds
from distill.fuzz.shapes import Condition, Shape
from distill.fuzz.storage import suite_storage
from distill.fuzz.templates import templates_of
from testsuite.schema import Schema, Storage
from testsuite.shrink.checks import failing_rows
from testsuite.shrink.rules import Assumptions, Reference, Rules, positions, read_rules
from testsuite.suite.stack import Row, Stack, StackedTable

Pair = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Generated:
    """Instances and what was assumed to make them."""

    stack: Stack
    assumptions: Assumptions
    rules: Rules


def generate(
    schema: Schema,
    golds: Sequence[str],
    shipped: Stack | None,
    count: int,
    rng: np.random.Generator,
    policies: Policies | None = None,
) -> Stack:
    """``count`` instances of a schema as one stack; the same arguments and seed give the same stack.

    Args:
        schema: what all instances follow; PRIMARY KEY, UNIQUE, NOT NULL, FOREIGN KEY and CHECK hold in each.
        golds: SQLite queries whose constants and conditions the instances are made for. A gold that cannot be
            read is left out.
        shipped: a stack whose instance 0 is the shipped content; its storage is kept. None without content.
        count: instances to make.
        rng: the only source of chance.
        policies: what instances may hold; the defaults where None.
    """
    return generate_with_assumptions(schema, golds, shipped, count, rng, policies).stack


def generate_with_assumptions(
    schema: Schema,
    golds: Sequence[str],
    shipped: Stack | None,
    count: int,
    rng: np.random.Generator,
    policies: Policies | None = None,
) -> Generated:
    """As ``generate``, with the keys that were assumed or dropped."""
    policies = policies or Policies()
    content: Mapping[str, Sequence[Row]] = shipped.rows(0) if shipped is not None and shipped.count else {}
    storage = shipped.storage if shipped is not None else suite_storage(schema, None)
    rules, taken = read_rules(schema, content)
    shapes = read_golds(schema, list(dict.fromkeys(golds)))
    conditions, equal = asked(schema, shapes)
    rules = _with_soft_references(rules, equal)
    crowds = crowds_of(shapes, schema)
    reserve = spare_keys(crowds, schema, rules)
    pools = build_pools(schema, storage, rules, equal, conditions, content, policies, rng, reserve)
    with pools.oracle:
        rules, impossible = _possible(schema, rules, pools)
        if impossible:
            taken = replace(taken, dropped=taken.dropped + impossible)
        profile = draw_profile(count, len(schema.tables), policies, rng)
        _empty_children(profile, rules, pools)
        filler = make_filler(profile, pools, rules, rng)
        drafts = base_rows(filler)
        templates = [templates_of(gold, schema) for gold in shapes]
        planted = Planter(filler, schema, drafts).plant_golds(templates, crowds)
    for draft, extra in zip(drafts, planted, strict=True):
        draft.extend(extra)
    nullable = [np.array([p.nullable for p in columns], dtype=np.bool_) for columns in pools.columns]
    usable = [[p.usable for p in columns] for columns in pools.columns]
    repair(drafts, rules, nullable, usable, _row_checks(schema, pools), policies.duplicates > 0)
    return Generated(_stack(schema, storage, count, drafts, pools, rng), taken, rules)


def assumptions(schema: Schema, shipped: Mapping[str, Sequence[Row]] | None) -> tuple[str, ...]:
    """What instances are taken to honour beyond or short of the declared keys, one line each.

    Args:
        schema: the schema.
        shipped: the shipped content by table name, None without any.
    """
    return read_rules(schema, shipped)[1].lines()


def asked(
    schema: Schema, golds: Sequence[Sequence[Shape]]
) -> tuple[dict[tuple[int, int], list[Condition]], list[Pair]]:
    """The conditions per (table, column), and the pairs of columns that golds join, in order of appearance."""
    place = positions(schema)
    conditions: dict[tuple[int, int], dict[Condition, None]] = {}
    pairs: dict[Pair, None] = {}

    def read(shape: Shape) -> None:
        for condition in shape.conditions:
            at = place[shape.tables[condition.place[0]], condition.place[1]]
            # The occurrence says nothing about values: one entry per condition.
            conditions.setdefault(at, {})[replace(condition, place=(0, condition.place[1]))] = None
        for total_place, total in shape.totals:
            at = place[shape.tables[total_place[0]], total_place[1]]
            halves = (total // 2, total - total // 2, total - total // 2 + 1)
            conditions.setdefault(at, {})[Condition((0, total_place[1]), "TRUE", halves)] = None
        for a, b in shape.equals:
            left, right = place[shape.tables[a[0]], a[1]], place[shape.tables[b[0]], b[1]]
            if left != right and (right, left) not in pairs:
                pairs[left, right] = None
        for extra in shape.absent:
            read(extra)

    for gold in golds:
        for shape in gold:
            read(shape)
    return {at: list(found) for at, found in conditions.items()}, list(pairs)


def _with_soft_references(rules: Rules, equal: Sequence[Pair]) -> Rules:
    """Columns that queries join to a key mostly find a partner, though no key says so."""
    references = list(rules.references)
    linked = {((r.child, c), (r.parent, p)) for r in references for c, p in _pairs(r)}
    referring = {(r.child, c) for r in references for c in r.columns}
    for left, right in equal:
        if (left, right) in linked or (right, left) in linked:
            continue
        for child, parent in ((left, right), (right, left)):
            if (parent[1],) in rules.keys[parent[0]] and child not in referring and child[0] != parent[0]:
                references.append(Reference(child[0], (child[1],), parent[0], (parent[1],), hard=False))
                referring.add(child)
                linked.add((child, parent))
                break
    return replace(rules, references=tuple(references))


def _pairs(r: Reference) -> list[tuple[int, int]]:
    return list(zip(r.columns, r.parent_columns, strict=True))


def _possible(schema: Schema, rules: Rules, pools: Pools) -> tuple[Rules, tuple[str, ...]]:
    """The rules without references between columns that cannot hold a common value."""
    kept, gone = [], []
    for r in rules.references:
        shared = all((pools.columns[r.child][c].usable & pools.columns[r.parent][p].usable).any() for c, p in _pairs(r))
        if shared:
            kept.append(r)
            continue
        child, parent = schema.tables[r.child], schema.tables[r.parent]
        names = ", ".join(child.columns[c].name for c in r.columns)
        gone.append(f"foreign key {child.name}({names}) to {parent.name}: no value fits both types")
    return replace(rules, references=tuple(kept)), tuple(gone)


def _empty_children(profile: Profile, rules: Rules, pools: Pools) -> None:
    """Tables that must refer to an empty table are empty."""
    for _ in rules.hard:
        for r in rules.hard:
            if not any(pools.columns[r.child][c].nullable for c in r.columns):
                profile.sizes[profile.sizes[:, r.parent] == 0, r.child] = 0


def _row_checks(schema: Schema, pools: Pools) -> dict[int, Callable[[Draft], Codes]]:
    """Per table with CHECKs a function that finds rows that break one."""

    def finder(t: int, checks: Sequence[str]) -> Callable[[Draft], Codes]:
        def failing(draft: Draft) -> Codes:
            cells = []
            for c, column in enumerate(schema.tables[t].columns):
                written = pools.columns[t][c].arrow.take(pa.array(draft.codes[:, c])).to_pylist()
                cells.append((column.name, column.declared_type, written))
            return failing_rows(cells, checks)

        return failing

    found = {}
    for t, table in enumerate(schema.tables):
        names = [column.name for column in table.columns]
        several = [check for check in table.checks if len(columns_of(check, names)) != 1]
        if several:
            found[t] = finder(t, several)
    return found


def _stack(
    schema: Schema,
    storage: Mapping[tuple[str, str], Storage],
    count: int,
    drafts: Sequence[Draft],
    pools: Pools,
    rng: np.random.Generator,
) -> Stack:
    tables = []
    for t, (table, draft) in enumerate(zip(schema.tables, drafts, strict=True)):
        # Planted rows must not be told by their place.
        order = np.lexsort((rng.random(len(draft.instance)), draft.instance))
        codes = draft.codes[order]
        tables.append(
            StackedTable(
                table,
                draft.instance[order].astype(np.int32),
                tuple(pool.arrow.take(pa.array(codes[:, c])) for c, pool in enumerate(pools.columns[t])),
            )
        )
    return Stack(schema, storage, count, tuple(tables))


__all__ = ["Generated", "asked", "assumptions", "generate", "generate_with_assumptions"]
