"""Rows planted for golds: some meet all that a gold asks for, some miss exactly one condition or lack one partner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from distill.fuzz.constraints import Draft, joint
from distill.fuzz.filling import Filler, ordered, running
from distill.fuzz.pools import Codes
from distill.fuzz.shapes import Condition, Place, Shape, repeated
from testsuite.schema import Schema

# Instances a gold is planted in, as a share of all; at least LEAST of them where there are that many.
SHARE, LEAST, MOST_PER_INSTANCE = 0.15, 40, 9


@dataclass(frozen=True, slots=True)
class Template:
    """A shape to plant, and the share of a gold's instances that get it."""

    shape: Shape
    rate: float


def templates_of(shapes: Sequence[Shape], schema: Schema) -> list[Template]:
    """What to plant for one gold."""
    found: list[Template] = []
    for shape in shapes:
        full = 0.9 if len(shapes) == 1 else 0.6
        groups = [shape]
        if shape.counts:
            sizes = {max(1, n + d) for n in shape.counts for d in (-1, 0, 1)}
            groups = [repeated(shape, n, schema) for n in sorted(sizes)]
        found += [Template(group, full) for group in groups]
        found += [Template(_settled(extra, schema), 0.5) for extra in shape.absent]
        found += [Template(missed, 0.35) for missed in _misses(shape)[:5]]
        found += [Template(alone, 0.3) for alone in _partners_missing(shape)[:3]]
    return found


def _settled(shape: Shape, schema: Schema) -> Shape:
    return repeated(shape, max(shape.counts), schema) if shape.counts else shape


def _misses(shape: Shape) -> list[Shape]:
    return [
        replace(
            shape,
            conditions=(
                *shape.conditions[:i],
                replace(condition, sql=f"({condition.sql}) IS NOT TRUE"),
                *shape.conditions[i + 1 :],
            ),
        )
        for i, condition in enumerate(shape.conditions)
    ]


def _partners_missing(shape: Shape) -> list[Shape]:
    """The shape without one of its joined rows."""
    found = []
    for gone in range(len(shape.tables)):
        if len(shape.tables) < 2:
            break
        found.append(
            replace(
                shape,
                equals=tuple((a, b) for a, b in shape.equals if gone not in (a[0], b[0])),
                conditions=tuple(c for c in shape.conditions if c.place[0] != gone),
                tables=(*shape.tables[:gone], "", *shape.tables[gone + 1 :]),
            )
        )
    return found


class Planter:
    """Plants templates into the base rows of all instances. ``planted`` holds the new rows per table."""

    def __init__(self, filler: Filler, schema: Schema, base: Sequence[Draft]) -> None:
        self._filler, self._schema, self._base = filler, schema, base
        self._tables = {table.name.lower(): t for t, table in enumerate(schema.tables)}
        self._columns = [{c.name.lower(): i for i, c in enumerate(t.columns)} for t in schema.tables]
        self._references = ordered(filler.rules.references)
        self._masks: dict[tuple[int, int, str], NDArray[np.bool_] | None] = {}
        count = filler.profile.count
        self._sizes = [np.bincount(d.instance, minlength=count) for d in base]
        self._starts = [np.cumsum(s) - s for s in self._sizes]
        self._blocks: list[list[Draft]] = [[] for _ in base]

    def plant_golds(self, golds: Sequence[Sequence[Template]]) -> list[Draft]:
        """Plant each gold in its share of the instances; the planted rows per table, parents included."""
        filler = self._filler
        count, rng = filler.profile.count, filler.rng
        wanted = [g for g, templates in enumerate(golds) if templates]
        if wanted:
            per_gold = min(count, max(LEAST, round(SHARE * count)))
            each = min(MOST_PER_INSTANCE, max(1, -(-per_gold * len(wanted) // count)))
            # With few golds half of the instances stay as chance made them.
            total = min(count * each, max(per_gold * len(wanted), count // 2))
            owner = rng.permutation(np.repeat(np.arange(count), each))[:total]
            rounds = -(-total // len(wanted))
            turns = np.concatenate([rng.permutation(wanted) for _ in range(rounds)])[:total]
            for g in wanted:
                self._plant_gold(golds[g], np.unique(owner[turns == g]))
        planted = [_concatenated(blocks, base) for blocks, base in zip(self._blocks, self._base, strict=True)]
        self._complete(planted)
        return planted

    def _plant_gold(self, templates: Sequence[Template], instances: Codes) -> None:
        rng = self._filler.rng
        for template in templates:
            used = [self._tables[t] for t in template.shape.tables if t]
            possible = np.all(self._filler.profile.sizes[:, used] > 0, axis=1)
            chosen = instances[(rng.random(len(instances)) < template.rate) & possible[instances]]
            if len(chosen):
                self._plant(template.shape, chosen)

    def _plant(self, shape: Shape, instance: Codes) -> None:
        rows = {
            o: (self._tables[table], self.new_rows(self._tables[table], instance))
            for o, table in enumerate(shape.tables)
            if table
        }
        for places, conditions in _groups(shape):
            self._settle(rows, places, conditions)
        for t, codes in rows.values():
            self._blocks[t].append(Draft(instance, codes, np.ones(len(instance), dtype=np.bool_)))

    def new_rows(self, t: int, instance: Codes) -> Codes:
        """Rows of a table with new keys and references to existing parents where there are any."""
        filler = self._filler
        columns = filler.pools.columns[t]
        keyed = {c for at in filler.rules.keys[t] for c in at}
        codes = np.zeros((len(instance), len(columns)), dtype=np.int64)
        for c, pool in enumerate(columns):
            draw = filler.new_keys if pool.key else filler.plain
            codes[:, c] = draw(t, c, instance)
        for r in self._references:
            if r.child != t or (not r.hard and filler.rng.random() < 0.2):
                continue
            base, have = self._base[r.parent], self._sizes[r.parent][instance]
            if any(c in keyed for c in r.columns):
                # In turn, so that rows that differ in this column only do not repeat a key.
                used = filler.used[t, r.columns[0]]
                at = used[instance] + running(instance)
                np.add.at(used, instance, 1)
                found = at < have
                at = (at + instance * 31) % np.maximum(have, 1)
            else:
                at = (filler.rng.random(len(instance)) * have).astype(np.int64)
                found = have > 0
            if not len(base.instance):
                found = np.zeros(len(instance), dtype=np.bool_)
            rows = np.minimum(self._starts[r.parent][instance] + at, max(len(base.instance) - 1, 0))
            if len(base.instance):
                found &= np.all(base.codes[rows][:, list(r.parent_columns)] > 0, axis=1)
            for c, p in zip(r.columns, r.parent_columns, strict=True):
                other = filler.new_keys(r.parent, p, instance) if not found.all() else codes[:, c]
                usable = columns[c].usable
                taken = np.where(found, base.codes[rows, p] if len(base.codes) else 0, other)
                codes[:, c] = np.where(usable[taken] | r.hard, taken, codes[:, c])
        return codes

    def _mask(self, t: int, c: int, sql: str) -> NDArray[np.bool_] | None:
        key = (t, c, sql)
        if key not in self._masks:
            self._masks[key] = self._filler.pools.mask(t, c, sql)
        return self._masks[key]

    def _settle(
        self,
        rows: dict[int, tuple[int, Codes]],
        places: Sequence[Place],
        conditions: Sequence[Condition],
    ) -> None:
        """Give all places of a group one value that meets its conditions."""
        rng, pools = self._filler.rng, self._filler.pools
        at = [(o, rows[o][0], self._columns[rows[o][0]][name]) for o, name in places if o in rows]
        if not at:
            return
        first = pools.columns[at[0][1]][at[0][2]]
        at = [place for place in at if pools.columns[place[1]][place[2]].domain == first.domain]
        members = [pools.columns[t][c] for _, t, c in at]
        allowed = np.logical_and.reduce([m.usable for m in members])
        allowed[0] = bool(conditions) and all(m.nullable for m in members)
        size = len(rows[at[0][0]][1])
        preferred: list[Codes] = []
        met = allowed.copy()
        for condition in conditions:
            t = rows[condition.place[0]][0]
            c = self._columns[t][condition.place[1]]
            if pools.columns[t][c].domain != first.domain:
                continue
            mask = self._mask(t, c, condition.sql)
            if mask is not None:
                met &= mask
            preferred += [pools.columns[t][c].constants, pools.columns[t][c].near]
        if conditions and met.any():
            options = np.flatnonzero(met)
            codes = rng.choice(options, size)
            close = np.concatenate(preferred) if preferred else options[:0]
            close = close[met[close]]
            if len(close):
                codes = np.where(rng.random(size) < 0.75, rng.choice(close, size), codes)
        else:
            allowed[0] = False
            keys = [i for i, m in enumerate(members) if m.key]
            o, _, c = at[keys[0] if keys else 0]
            codes = rows[o][1][:, c].copy()
            options = np.flatnonzero(allowed)
            if len(options):
                codes = np.where(allowed[codes], codes, rng.choice(options, size))
        for o, _, c in at:
            rows[o][1][:, c] = codes

    def _complete(self, planted: Sequence[Draft]) -> None:
        """Add the parents that planted rows lack."""
        for _ in range(2 * len(planted) + 2):
            added = False
            for r in self._filler.rules.hard:
                child, parent, base = planted[r.child], planted[r.parent], self._base[r.parent]
                if not len(child.instance):
                    continue
                mine, theirs = joint(
                    [child.instance, *(child.codes[:, c] for c in r.columns)],
                    [
                        np.concatenate([parent.instance, base.instance]),
                        *(np.concatenate([parent.codes[:, p], base.codes[:, p]]) for p in r.parent_columns),
                    ],
                )
                lost = np.all(child.codes[:, list(r.columns)] > 0, axis=1) & ~np.isin(mine, theirs)
                if not lost.any():
                    continue
                where = np.flatnonzero(lost)
                where = where[np.unique(mine[where], return_index=True)[1]]
                codes = self.new_rows(r.parent, child.instance[where])
                for c, p in zip(r.columns, r.parent_columns, strict=True):
                    codes[:, p] = child.codes[where, c]
                parent.extend(Draft(child.instance[where], codes, np.ones(len(where), dtype=np.bool_)))
                added = True
            if not added:
                return


def _concatenated(blocks: Sequence[Draft], like: Draft) -> Draft:
    empty = Draft(like.instance[:0], like.codes[:0], like.planted[:0])
    parts = [empty, *blocks]
    return Draft(
        np.concatenate([p.instance for p in parts]),
        np.concatenate([p.codes for p in parts]),
        np.concatenate([p.planted for p in parts]),
    )


def _groups(shape: Shape) -> list[tuple[list[Place], list[Condition]]]:
    """Places that must be equal, each group with the conditions on any of its places."""
    group: dict[Place, list[Place]] = {}
    for a, b in shape.equals:
        left, right = group.setdefault(a, [a]), group.setdefault(b, [b])
        if left is not right:
            left += right
            for place in right:
                group[place] = left
    for condition in shape.conditions:
        group.setdefault(condition.place, [condition.place])
    distinct = {id(places): places for places in group.values()}
    return [(places, [c for c in shape.conditions if c.place in places]) for places in distinct.values()]
