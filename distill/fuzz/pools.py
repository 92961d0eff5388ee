"""The values each column may hold: constants of the golds and their neighbours, shipped content, fresh values.

Columns that keys or queries join share one list of values (a ``Domain``), so that a cell is a number into that list,
equal cells have equal numbers, and every column writes the value in its own storage: 5 in an INTEGER key, '5' in a
TEXT column that refers to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import sqlglot
from numpy.typing import NDArray
from sqlglot import exp
from sqlglot.errors import SqlglotError

from distill.fuzz.cells import canonical, coerced, written
from distill.fuzz.families import Scalar
from distill.fuzz.oracle import Oracle
from distill.fuzz.policies import Policies
from distill.fuzz.seeds import KEY_VALUES, Seeds, column_seeds
from distill.fuzz.shapes import Condition
from testsuite.schema import Schema, Storage
from testsuite.shrink.rules import Rules
from testsuite.suite.stack import ARROW_TYPES, Row, Value

Codes = NDArray[np.int64]
TIERS = ("constants", "near", "shipped", "fresh", "reserve")


@dataclass
class Pool:
    """The values of one column as codes into its domain's values (0 is NULL).

    Attributes:
        domain: number of the domain.
        usable: per code whether this column may hold it.
        constants: constants of golds; ``near`` their neighbours; ``shipped``; ``fresh``; ``reserve`` more keys for
            tables that need very many rows.
        nullable: whether NULL may stand here under the policies.
        key: whether the column is part of a key and refers to nothing.
        closed: whether the shipped values look like a closed list.
        arrow: the values in this column's storage, by code.
        order: rank of each code when the values are sorted.
    """

    domain: int
    usable: NDArray[np.bool_]
    constants: Codes
    near: Codes
    shipped: Codes
    fresh: Codes
    reserve: Codes
    nullable: bool
    key: bool
    closed: bool
    arrow: pa.Array
    order: Codes

    def draw(self, size: tuple[int, ...], rng: np.random.Generator) -> Codes:
        """Codes drawn by tier: constants, near neighbours, shipped, fresh. 0 only where nothing is usable."""
        fresh = 0.04 if self.closed else 0.25
        return self._mix(
            size,
            ((self.constants, 0.28), (self.near, 0.17), (self.shipped, 0.35), (self.fresh, fresh)),
            rng,
        )

    def draw_constants(self, size: tuple[int, ...], rng: np.random.Generator) -> Codes:
        """Codes of constants and near neighbours only; as ``draw`` where the column has none."""
        if not len(self.constants):
            return self.draw(size, rng)
        return self._mix(size, ((self.constants, 0.6), (self.near, 0.4)), rng)

    @staticmethod
    def _mix(size: tuple[int, ...], tiers: Sequence[tuple[Codes, float]], rng: np.random.Generator) -> Codes:
        filled = [(codes, rate) for codes, rate in tiers if len(codes)]
        if not filled:
            return np.zeros(size, dtype=np.int64)
        rates = np.array([rate for _, rate in filled])
        everything = np.concatenate([codes for codes, _ in filled])
        weights = np.concatenate([np.full(len(codes), rate / len(codes)) for codes, rate in filled])
        return rng.choice(everything, size, p=weights / weights.sum() if rates.sum() else None)


@dataclass(frozen=True)
class Pools:
    """All domains and pools of a schema.

    Attributes:
        values: per domain its values, NULL first.
        columns: per table and column its pool.
        oracle: answers which codes of a column meet a condition; its keys are ``keys[table][column]``.
    """

    values: tuple[tuple[Value, ...], ...]
    columns: tuple[tuple[Pool, ...], ...]
    oracle: Oracle
    keys: tuple[tuple[int, ...], ...]

    def mask(self, table: int, column: int, condition: str) -> NDArray[np.bool_] | None:
        """Per code whether the condition on ``v`` holds in that column (0: for NULL)."""
        return self.oracle.holds(self.keys[table][column], condition)


class _Groups:
    """Union-find over columns."""

    def __init__(self) -> None:
        self._up: dict[tuple[int, int], tuple[int, int]] = {}

    def find(self, item: tuple[int, int]) -> tuple[int, int]:
        while (up := self._up.get(item, item)) != item:
            item = up
        return item

    def join(self, a: tuple[int, int], b: tuple[int, int]) -> None:
        a, b = self.find(a), self.find(b)
        if a != b:
            self._up[max(a, b)] = min(a, b)


def build_pools(
    schema: Schema,
    storage: Mapping[tuple[str, str], Storage],
    rules: Rules,
    equal: Iterable[tuple[tuple[int, int], tuple[int, int]]],
    conditions: Mapping[tuple[int, int], Sequence[Condition]],
    shipped: Mapping[str, Sequence[Row]],
    policies: Policies,
    rng: np.random.Generator,
    reserve: Mapping[tuple[int, int], int] | None = None,
) -> Pools:
    """Domains and pools of every column. ``equal`` pairs columns (table, column) that queries join; ``reserve`` tells
    how many more keys a column needs.

    The caller closes ``Pools.oracle``.
    """
    places = [(t, c) for t, table in enumerate(schema.tables) for c in range(len(table.columns))]
    columns = {(t, c): schema.tables[t].columns[c] for t, c in places}
    kinds = {(t, c): storage[schema.tables[t].name.lower(), columns[t, c].name.lower()] for t, c in places}
    refers = {(r.child, c) for r in rules.hard for c in r.columns}
    keyed = {(t, c) for t, keys in enumerate(rules.keys) for at in keys for c in at}
    groups = _Groups()
    for r in rules.references:
        for c, p in zip(r.columns, r.parent_columns, strict=True):
            groups.join((r.child, c), (r.parent, p))
    for a, b in equal:
        groups.join(a, b)

    by_name: dict[tuple[str, Storage], list[Condition]] = {}
    by_group: dict[tuple[int, int], list[Condition]] = {}
    for place in places:
        for condition in conditions.get(place, ()):
            by_name.setdefault((columns[place].name.lower(), kinds[place]), []).append(condition)
            by_group.setdefault(groups.find(place), []).append(condition)
    parents = {
        (r.parent, p)
        for r in rules.hard
        for p in r.parent_columns
        if _all_distinct(shipped.get(schema.tables[r.parent].name, ()), p)
    }
    seeds = {}
    for t, c in places:
        shared = by_group.get(groups.find((t, c)), [])
        column, kind = columns[t, c], kinds[t, c]
        key = ((t, c) in keyed or (t, c) in parents) and (t, c) not in refers
        rows = shipped.get(schema.tables[t].name, ())
        seeds[t, c] = column_seeds(column, kind, key, shared, rows, c, rng, (reserve or {}).get((t, c), 0))
        for condition in by_name.get((column.name.lower(), kind), []):
            for constant in condition.constants:
                seeds[t, c].near.update(dict.fromkeys(coerced(constant, column, kind)))

    members: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for place in places:
        members.setdefault(groups.find(place), []).append(place)
    number_of = {root: i for i, root in enumerate(members)}
    values: list[tuple[Value, ...]] = []
    pools: dict[tuple[int, int], Pool] = {}
    oracle, oracle_keys = Oracle(), {place: i for i, place in enumerate(places)}
    writing: dict[tuple[int, int], list[Value]] = {}
    for r in rules.hard:
        for c, p in zip(r.columns, r.parent_columns, strict=True):
            texts = {kinds[r.child, c] is Storage.TEXT, kinds[r.parent, p] is Storage.TEXT}
            # A text key without content that numbers refer to holds numbers as text.
            if len(texts) == 2 and not seeds[r.parent, p].shipped:
                seeds[r.parent, p].fresh.update(dict.fromkeys(range(1, KEY_VALUES)))
    for root, group in members.items():
        mixed = len({kinds[p] is Storage.TEXT for p in group}) == 2
        code: dict[Scalar, int] = {}
        for place in group:
            for tier in TIERS:
                for value in getattr(seeds[place], tier):
                    one = canonical(value, mixed)
                    if one is not None:
                        code.setdefault(one, len(code) + 1)
        values.append((None, *code))
        rank = np.zeros(len(code) + 1, dtype=np.int64)
        ordered = sorted(range(1, len(code) + 1), key=lambda i: _sort_key(values[-1][i]))
        rank[ordered] = np.arange(1, len(code) + 1)
        for place in group:
            writing[place] = [None, *(written(v, columns[place], kinds[place]) for v in code)]
            usable = np.array([v is not None for v in writing[place]], dtype=np.bool_)
            pools[place] = _pool(seeds[place], code, mixed, number_of[root], usable, rank, len(group) > 1, group, seeds)
            pools[place].key = (place in keyed or place in parents) and place not in refers
            pools[place].nullable = _may_be_null(schema, place, keyed, shipped, policies, rules)
            pools[place].arrow = pa.array(writing[place], type=ARROW_TYPES[kinds[place]])
    for place in places:
        _apply_checks(schema, place, pools[place], writing[place])
        oracle.add(oracle_keys[place], "v", columns[place].declared_type, writing[place])
    _restrict_references(rules, pools)
    per_table = [range(len(table.columns)) for table in schema.tables]
    return Pools(
        tuple(values),
        tuple(tuple(_trimmed(pools[t, c]) for c in cs) for t, cs in enumerate(per_table)),
        oracle,
        tuple(tuple(oracle_keys[t, c] for c in cs) for t, cs in enumerate(per_table)),
    )


def _all_distinct(rows: Sequence[Row], column: int) -> bool:
    return len({row[column] for row in rows}) == len(rows)


def _sort_key(value: Value) -> tuple[int, float, str]:
    return (1, 0.0, value) if isinstance(value, str) else (0, float(value or 0), "")


def _pool(
    own: Seeds,
    code: Mapping[Scalar, int],
    mixed: bool,
    domain: int,
    usable: NDArray[np.bool_],
    rank: Codes,
    shared: bool,
    group: Sequence[tuple[int, int]],
    seeds: Mapping[tuple[int, int], Seeds],
) -> Pool:
    def codes(values: Iterable[Scalar]) -> Codes:
        found = (canonical(v, mixed) for v in values)
        return np.array(list(dict.fromkeys(code[v] for v in found if v is not None)), dtype=np.int64)

    # What one column of a join is shipped with, the others may hold too: else joins would hardly meet.
    shipped = [v for place in group for v in seeds[place].shipped] if shared else list(own.shipped)
    return Pool(
        domain=domain,
        usable=usable,
        constants=codes(own.constants),
        near=codes(own.near),
        shipped=codes(shipped),
        fresh=codes(own.fresh),
        reserve=codes(own.reserve),
        nullable=False,
        key=False,
        closed=own.closed,
        arrow=None,
        order=rank,
    )


def _trimmed(pool: Pool) -> Pool:
    """Tiers without codes the column cannot hold."""
    for tier in TIERS:
        codes = getattr(pool, tier)
        setattr(pool, tier, codes[pool.usable[codes]])
    return pool


def _may_be_null(
    schema: Schema,
    place: tuple[int, int],
    keyed: set[tuple[int, int]],
    shipped: Mapping[str, Sequence[Row]],
    policies: Policies,
    rules: Rules,
) -> bool:
    t, c = place
    table = schema.tables[t]
    primary = {column.lower() for column in table.primary_key}
    if rules.has_primary[t]:
        primary |= {table.columns[i].name.lower() for i in rules.keys[t][0]}
    column = table.columns[c]
    if column.not_null or column.name.lower() in primary or policies.nulls == "never":
        return False
    if policies.nulls == "declared":
        return True
    rows = shipped.get(table.name, ())
    return not rows or any(row[c] is None for row in rows)


def columns_of(check: str, names: Iterable[str]) -> list[str]:
    """The columns a CHECK speaks of, in lower case; all of them where it cannot be read."""
    known = [name.lower() for name in names]
    try:
        tree = sqlglot.parse_one(check, read="sqlite")
    except SqlglotError:
        return known
    used = {column.name.lower() for column in tree.find_all(exp.Column)}
    return [name for name in known if name in used]


def _apply_checks(schema: Schema, place: tuple[int, int], pool: Pool, values: Sequence[Value]) -> None:
    t, c = place
    table = schema.tables[t]
    column = table.columns[c]
    names = [k.name for k in table.columns]
    mine = [check for check in table.checks if columns_of(check, names) == [column.name.lower()]]
    if not mine:
        return
    with Oracle() as oracle:
        oracle.add(0, column.name, column.declared_type, values)
        for check in mine:
            passing = oracle.passes(0, check)
            if passing is not None:
                pool.usable &= passing
                pool.nullable &= bool(passing[0])
    pool.usable[0] = False


def _restrict_references(rules: Rules, pools: Mapping[tuple[int, int], Pool]) -> None:
    """A key and the columns that refer to it hold only what all of them can hold, where that leaves anything."""
    for _ in rules.hard:
        for r in rules.hard:
            for c, p in zip(r.columns, r.parent_columns, strict=True):
                both = pools[r.parent, p].usable & pools[r.child, c].usable
                if both.any():
                    pools[r.parent, p].usable, pools[r.child, c].usable = both, both.copy()
