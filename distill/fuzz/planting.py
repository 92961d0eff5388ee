"""Rows planted for golds, template by template; see ``distill.fuzz.templates`` for what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from distill.fuzz.constraints import Draft, joint
from distill.fuzz.crowds import Crowd
from distill.fuzz.filling import Filler, ordered, running
from distill.fuzz.pools import Codes
from distill.fuzz.shapes import Condition, Place, Shape, closure
from distill.fuzz.templates import Template
from testsuite.schema import Schema

# Instances a gold is planted in, as a share of all; at least LEAST of them where there are that many.
SHARE, LEAST, MOST_PER_INSTANCE = 0.15, 40, 9


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

    def plant_golds(self, golds: Sequence[Sequence[Template]], crowds: Sequence[Crowd] = ()) -> list[Draft]:
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
        for crowd in crowds:
            possible = self._possible(crowd.shape)
            chosen = np.sort(rng.permutation(np.flatnonzero(possible))[: crowd.copies])
            if len(chosen):
                self._plant_crowd(crowd, chosen)
        planted = [_concatenated(blocks, base) for blocks, base in zip(self._blocks, self._base, strict=True)]
        self._complete(planted)
        return planted

    def _plant_gold(self, templates: Sequence[Template], instances: Codes) -> None:
        rng = self._filler.rng
        for template in templates:
            possible = self._possible(template.shape)
            chosen = instances[(rng.random(len(instances)) < template.rate) & possible[instances]]
            if len(chosen):
                self._plant(template.shape, chosen)

    def _possible(self, shape: Shape) -> NDArray[np.bool_]:
        """Per instance whether none of the tables is to stay empty."""
        used = [self._tables[t] for t in shape.tables if t]
        possible: NDArray[np.bool_] = np.all(self._filler.profile.sizes[:, used] > 0, axis=1)
        return possible

    def _plant_crowd(self, crowd: Crowd, chosen: Codes) -> None:
        """A group of many rows: as ``_plant``, with the rows of the crowd in blocks that share what the group has."""
        shape, times = crowd.shape, crowd.rows
        instance = np.repeat(chosen, times)
        rows: dict[int, tuple[int, Codes]] = {}
        for o, table in enumerate(shape.tables):
            if table:
                t = self._tables[table]
                alone = o in crowd.single
                codes = self.new_rows(t, chosen if alone else instance)
                rows[o] = (t, np.repeat(codes, times, axis=0) if alone else codes)
        common = closure(shape, shape.grouped)
        groups = _groups(shape)
        placed = {place for places, _ in groups for place in places}
        groups += [([place], []) for place in shape.grouped if place not in placed]
        for places, conditions in groups:
            self._settle(rows, places, conditions)
            if any(o in crowd.single or (o, name) in common for o, name in places):
                self._unify(rows, places, conditions, chosen, times)
        for o, (t, codes) in rows.items():
            alone = o in crowd.single
            block = codes[::times] if alone else codes
            self._blocks[t].append(Draft(chosen if alone else instance, block, np.ones(len(block), dtype=np.bool_)))

    def _unify(
        self,
        rows: dict[int, tuple[int, Codes]],
        places: Sequence[Place],
        conditions: Sequence[Condition],
        chosen: Codes,
        times: int,
    ) -> None:
        """One value per block for places of a group: that of its first row, if may be one that no other row has."""
        at = [(o, rows[o][0], self._columns[rows[o][0]][name]) for o, name in places if o in rows]
        if not at:
            return
        o, t, c = at[0]
        pool = self._filler.pools.columns[t][c]
        codes = rows[o][1][::times, c].copy()
        if not conditions and not any(self._filler.pools.columns[u][d].key for _, u, d in at):
            base = self._base[t]
            for place, number in enumerate(chosen):
                start = self._starts[t][number]
                there = base.codes[start : start + self._sizes[t][number], c]
                free = np.flatnonzero(pool.usable)
                free = free[(free > 0) & ~np.isin(free, there)]
                if len(free):
                    codes[place] = self._filler.rng.choice(free)
        for o, t, c in at:
            if self._filler.pools.columns[t][c].domain == pool.domain:
                rows[o][1][:, c] = np.repeat(codes, times)

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
        constants: list[Codes] = []
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
            constants.append(pools.columns[t][c].constants)
        if conditions and met.any():
            options = np.flatnonzero(met)
            codes = rng.choice(options, size)
            close = np.concatenate(preferred) if preferred else options[:0]
            close = close[met[close]]
            if len(close):
                codes = np.where(rng.random(size) < 0.75, rng.choice(close, size), codes)
            edge = _edge(np.concatenate(constants) if constants else options[:0], options, first.order)
            if len(edge):
                codes = np.where(rng.random(size) < 0.4, rng.choice(edge, size), codes)
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


def _edge(constants: Codes, options: Codes, order: Codes) -> Codes:
    """Of the options the constants themselves, and for each constant the options next below and next above it."""
    if not len(constants) or not len(options):
        return options[:0]
    ranked = options[np.argsort(order[options])]
    ranks = order[ranked]
    at = np.searchsorted(ranks, order[constants])
    # A constant that is an option stands at ``at`` itself.
    same = (at < len(ranks)) & (ranks[np.minimum(at, len(ranks) - 1)] == order[constants])
    places = np.concatenate([at - 1, at, np.where(same, at + 1, at), at[same], at[same]])
    edge: Codes = ranked[places[(places >= 0) & (places < len(ranks))]]
    return edge


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
