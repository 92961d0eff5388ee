"""Rows drawn from pools, for all instances at once: keys count or are drawn, references pick a parent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from distill.fuzz.constraints import Draft
from distill.fuzz.pools import Codes, Pool, Pools
from distill.fuzz.profile import WIDTH_RATES, WIDTHS, Profile
from testsuite.shrink.rules import Reference, Rules

WIDEST = int(WIDTHS.max())


@dataclass
class Filler:
    """Draws cells of rows; holds what all rows of an instance share.

    Attributes:
        choice: per table and column the codes an instance draws from, count x WIDEST.
        width: per table and column how many of them it uses, count.
        used: per table and column how many key codes planting took in each instance, count.
    """

    profile: Profile
    pools: Pools
    rules: Rules
    rng: np.random.Generator
    choice: dict[tuple[int, int], Codes]
    width: dict[tuple[int, int], Codes]
    used: dict[tuple[int, int], Codes]
    spare: dict[tuple[int, int], Codes]

    def plain(self, table: int, column: int, instance: Codes) -> Codes:
        """Cells of a column that is neither key nor reference."""
        place = (table, column)
        skewed = self.rng.random(len(instance)) ** self.profile.skew[instance]
        at = (skewed * self.width[place][instance]).astype(np.int64)
        codes = self.choice[place][instance, at]
        pool = self.pools.columns[table][column]
        if pool.nullable:
            null = self.rng.random(len(instance)) < self.profile.null_rate[instance]
            codes = np.where(null, 0, codes)
        return codes

    def new_keys(self, table: int, column: int, instance: Codes) -> Codes:
        """Key codes not yet given to a planted row of the instance (as long as the pool lasts)."""
        place = (table, column)
        spare, reserve = self.spare[place], self.pools.columns[table][column].reserve
        if not len(spare):
            return np.zeros(len(instance), dtype=np.int64)
        offset = (instance * 7919) % len(spare)
        at = self.used[place][instance] + running(instance)
        np.add.at(self.used[place], instance, 1)
        keys: Codes = spare[(offset + at) % len(spare)]
        beyond = at - len(spare)
        more = (beyond >= 0) & (beyond < len(reserve))
        return np.where(more, reserve[np.where(more, beyond, 0)], keys) if more.any() else keys


def running(instance: Codes) -> Codes:
    """Per entry how many earlier entries have the same instance."""
    order = np.argsort(instance, kind="stable")
    ordered = instance[order]
    first = np.searchsorted(ordered, ordered, side="left")
    out = np.empty(len(instance), dtype=np.int64)
    out[order] = np.arange(len(instance)) - first
    return out


def make_filler(profile: Profile, pools: Pools, rules: Rules, rng: np.random.Generator) -> Filler:
    """Draw what the rows of each instance share."""
    filler = Filler(profile, pools, rules, rng, {}, {}, {}, {})
    count = profile.count
    member = {(t, c) for t, keys in enumerate(rules.keys) for at in keys for c in at}
    shared: dict[int, Codes] = {}
    for t, columns in enumerate(pools.columns):
        for c, pool in enumerate(columns):
            drawn = pool.draw((count, WIDEST), rng)
            only = pool.draw_constants((count, WIDEST), rng)
            drawn = np.where(profile.constants[:, None], only, drawn)
            # Half of what joined columns draw from is common to them, so that joins meet.
            if pool.domain in shared:
                common = shared[pool.domain]
                half = pool.usable[common] & (np.arange(WIDEST) % 2 == 0)[None, :]
                drawn = np.where(half, common, drawn)
            else:
                shared[pool.domain] = drawn
            width = rng.choice(WIDTHS, count, p=WIDTH_RATES)
            width = np.where(profile.narrow, 1, width)
            if (t, c) in member:
                width = np.maximum(width, 10)
            filler.choice[t, c], filler.width[t, c] = drawn, width.astype(np.int64)
            filler.used[t, c] = np.zeros(count, dtype=np.int64)
            spare = np.unique(np.concatenate([pool.fresh, pool.shipped]))
            filler.spare[t, c] = rng.permutation(spare)
    return filler


def base_rows(filler: Filler) -> list[Draft]:
    """The rows of all tables before planting."""
    profile, pools, rules = filler.profile, filler.pools, filler.rules
    drafts = []
    for t, columns in enumerate(pools.columns):
        instance = np.repeat(np.arange(profile.count), profile.sizes[:, t])
        codes = np.zeros((len(instance), len(columns)), dtype=np.int64)
        local = running(instance)
        alone = {at[0] for at in rules.keys[t] if len(at) == 1}
        for c, pool in enumerate(columns):
            if c in alone or (pool.key and not any(c in at for at in rules.keys[t])):
                codes[:, c] = _keys(filler, pool, instance, local)
                if pool.nullable:
                    # UNIQUE lets NULL repeat.
                    null = filler.rng.random(len(instance)) < profile.null_rate[instance]
                    codes[:, c] = np.where(null, 0, codes[:, c])
            else:
                codes[:, c] = filler.plain(t, c, instance)
        drafts.append(Draft(instance, codes, np.zeros(len(instance), dtype=np.bool_)))
    for reference in ordered(rules.references):
        _refer(filler, drafts, reference)
    for t, draft in enumerate(drafts):
        _repeat(filler, t, draft)
        _tie(filler, t, draft)
    return drafts


def _keys(filler: Filler, pool: Pool, instance: Codes, local: Codes) -> Codes:
    """Distinct codes inside each instance: the first fresh ones in order, or a random choice of all."""
    profile, rng = filler.profile, filler.rng
    everything = np.unique(np.concatenate([pool.constants, pool.near, pool.shipped, pool.fresh]))
    size = len(everything)
    if not size:
        return np.zeros(len(instance), dtype=np.int64)
    # Constants come first more often than their share of the pool.
    urge = rng.random((profile.count, size)) / np.where(np.isin(everything, pool.constants), 4.0, 1.0)
    mixed = everything[np.argsort(urge, axis=1)]
    counting = pool.fresh if len(pool.fresh) else everything
    at = np.minimum(local, size - 1)
    codes = mixed[instance, at]
    straight = profile.plain_keys[instance] & (local < len(counting))
    codes = np.where(straight, counting[np.minimum(local, len(counting) - 1)], codes)
    return np.where(local < size, codes, 0)


def ordered(references: Sequence[Reference]) -> list[Reference]:
    """References such that those to columns that refer themselves come after those of these columns."""
    left, done = list(references), []
    while left:
        ready = [
            r
            for r in left
            if not any(o is not r and o.child == r.parent and set(o.columns) & set(r.parent_columns) for o in left)
        ]
        chosen = ready or left[:1]
        done += chosen
        left = [r for r in left if r not in chosen]
    return done


def parent_rows(filler: Filler, draft: Draft, instance: Codes, one_to_one: bool) -> Codes:
    """A row of the parent draft for each child row (its instance given), -1 where the instance has none."""
    rng, profile = filler.rng, filler.profile
    if not len(draft.instance):
        return np.full(len(instance), -1, dtype=np.int64)
    shuffled = np.lexsort((rng.random(len(draft.instance)), draft.instance))
    sizes = np.bincount(draft.instance, minlength=profile.count)
    starts = np.cumsum(sizes) - sizes
    have = sizes[instance]
    if one_to_one:
        at = running(instance)
        found = np.where(at < have, starts[instance] + np.minimum(at, np.maximum(have - 1, 0)), -1)
    else:
        reach = np.maximum(1, np.ceil(have * profile.coverage[instance])).astype(np.int64)
        at = (rng.random(len(instance)) ** profile.skew[instance] * reach).astype(np.int64)
        found = np.where(have > 0, starts[instance] + at, -1)
    return np.where(found >= 0, shuffled[np.minimum(np.maximum(found, 0), len(shuffled) - 1)], -1)


def _refer(filler: Filler, drafts: Sequence[Draft], r: Reference) -> None:
    child, parent = drafts[r.child], drafts[r.parent]
    if not len(child.instance):
        return
    unique = any(set(at) <= set(r.columns) for at in filler.rules.keys[r.child])
    rows = parent_rows(filler, parent, child.instance, unique)
    null = np.zeros(len(rows), dtype=np.bool_)
    stray = np.zeros(len(rows), dtype=np.bool_)
    if any(filler.pools.columns[r.child][c].nullable for c in r.columns):
        null = filler.rng.random(len(rows)) < filler.profile.null_rate[child.instance]
    if not r.hard:
        stray = (filler.rng.random(len(rows)) < 0.2) | (rows < 0)
    for c, p in zip(r.columns, r.parent_columns, strict=True):
        pool = filler.pools.columns[r.child][c]
        codes = np.where(rows >= 0, parent.codes[np.maximum(rows, 0), p] if len(parent.codes) else 0, 0)
        codes = np.where(stray | ~pool.usable[codes] & (not r.hard), child.codes[:, c], codes)
        child.codes[:, c] = np.where(null & pool.nullable, 0, codes)


def _earlier(filler: Filler, draft: Draft) -> tuple[Codes, NDArray[np.bool_]]:
    """Per row a random earlier row of the same instance, and whether there is one."""
    local = running(draft.instance)
    back = (filler.rng.random(len(local)) * local).astype(np.int64) + 1
    rows = np.arange(len(local)) - np.minimum(back, local)
    return rows, local > 0


def _repeat(filler: Filler, t: int, draft: Draft) -> None:
    """Rows that repeat an earlier row, apart from the columns of single-column keys."""
    if not len(draft.instance):
        return
    source, possible = _earlier(filler, draft)
    chosen = possible & (filler.rng.random(len(source)) < filler.profile.repeats[draft.instance])
    keys = filler.rules.keys[t]
    before = draft.codes.copy()
    for c in range(draft.codes.shape[1]):
        if not any(c in at for at in keys):
            draft.codes[:, c] = np.where(chosen, before[source, c], draft.codes[:, c])


def _tie(filler: Filler, t: int, draft: Draft) -> None:
    """In some instances some rows take the largest or smallest value that their column has there."""
    if not len(draft.instance):
        return
    rng = filler.rng
    keys = filler.rules.keys[t]
    bound = {c for r in filler.rules.references if r.child == t for c in r.columns}
    bound |= {c for r in filler.rules.references if r.parent == t for c in r.parent_columns}
    sizes = np.bincount(draft.instance, minlength=filler.profile.count)
    ends = np.cumsum(sizes)
    tied = filler.profile.ties[draft.instance]
    for c, pool in enumerate(filler.pools.columns[t]):
        if c in bound or any(c in at for at in keys):
            continue
        rank = pool.order[draft.codes[:, c]]
        # NULL ranks lowest: it must not become the "smallest value" that rows share.
        low = np.where(draft.codes[:, c] == 0, np.iinfo(np.int64).max, rank)
        highest = np.lexsort((rank, draft.instance))[ends[draft.instance] - 1]
        lowest = np.lexsort((low, draft.instance))[(ends - sizes)[draft.instance]]
        top = rng.random(filler.profile.count) < 0.5
        source = np.where(top[draft.instance], highest, lowest)
        chosen = tied & (rng.random(len(source)) < 0.25)
        draft.codes[:, c] = np.where(chosen, draft.codes[source, c], draft.codes[:, c])
