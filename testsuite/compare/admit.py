"""Whether every sequence one windowed answer can give is one the other can give. Exact, for all instances at once.

Let the gold's tie group g fill the places P(g) and have B(g, v) rows equal to v. The gold can give a sequence iff
for every g and v, v stands at most B(g, v) times in P(g) (and the lengths agree). A prediction's group h with
C(h, v) rows equal to v, that has k places in P(g), can put at most min(C(h, v), k) rows v there, and can do so for
each v independently of other groups. So all its sequences are admitted iff for every g and v

    sum over h of min(C(h, v), k(h, g)) <= B(g, v).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from testsuite.compare.hashing import U64
from testsuite.compare.window import Index, Mask, Window


@dataclass(frozen=True, slots=True)
class _Runs:
    """Distinct rows of each group: ``first[g] .. first[g] + distinct[g] - 1`` index ``value`` and ``count``."""

    value: U64
    count: Index
    group: Index
    first: Index
    distinct: Index


def _runs(groups: Index, hashes: U64, number: int) -> _Runs:
    order = np.lexsort((hashes, groups))
    group, value = groups[order], hashes[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (group[1:] != group[:-1]) | (value[1:] != value[:-1])
    first = np.flatnonzero(fresh)
    count = np.diff(np.append(first, len(order)))
    distinct = np.bincount(group[first], minlength=number)
    return _Runs(value[first], count, group[first], np.cumsum(distinct) - distinct, distinct)


def _spread(first: Index, count: Index) -> tuple[Index, Index]:
    """For each i, ``count[i]`` entries: the number i, and first[i], first[i] + 1, .."""
    owner = np.repeat(np.arange(len(count)), count)
    position = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    return owner, first[owner] + position


def admits(gold: Window, gold_hash: U64, prediction: Window, prediction_hash: U64, among: Mask) -> Mask:
    """Per instance, whether the gold admits everything the prediction can give.

    Args:
        gold: its window.
        gold_hash: a hash per row of ``gold.rows``.
        prediction: its window.
        prediction_hash: a hash per row of ``prediction.rows``.
        among: the instances to look at; elsewhere the result is False.
    """
    count = len(among)
    ok: Mask = among & (gold.lengths(count) == prediction.lengths(count))
    if not ok.any():
        return ok
    sure = _by_whole_groups(gold, gold_hash, prediction, prediction_hash, ok)
    ok &= ~sure
    if not ok.any():
        return sure
    ok = _by_pieces(gold, gold_hash, prediction, prediction_hash, ok)
    return ok | sure


def places(gold: Window, prediction: Window) -> tuple[Index, Index]:
    """First places of both sides' groups, made distinct between instances; ascending."""
    span = 1 + int(max((one.start + one.taken).max(initial=0) for one in (gold, prediction)))
    return gold.instance * span + gold.start, prediction.instance * span + prediction.start


def _group_sums(one: Window, hashes: U64) -> U64:
    sums: U64 = np.add.reduceat(hashes, np.flatnonzero(one.within == 0)) if len(hashes) else hashes
    return sums


def _by_whole_groups(gold: Window, gold_hash: U64, prediction: Window, prediction_hash: U64, ok: Mask) -> Mask:
    """The instances decided by groups that stand in the same places on both sides: returns those admitted.

    Those refuted are struck from ``ok``.
    """
    count = len(ok)
    place, other = places(gold, prediction)
    if not len(place) or not len(other):
        return ok.copy()
    g = np.minimum(np.searchsorted(place, other), len(place) - 1)
    met = (place[g] == other) & (gold.taken[g] == prediction.taken) & (gold.size[g] == prediction.size)
    alike = _group_sums(gold, gold_hash)[g] == _group_sums(prediction, prediction_hash)
    ok[prediction.instance[met & ~alike & ~prediction.cut]] = False
    number = np.bincount(prediction.instance[met & alike], minlength=count)
    whole: Mask = (number == np.bincount(gold.instance, minlength=count)) & (
        number == np.bincount(prediction.instance, minlength=count)
    )
    return whole & ok


def _by_pieces(gold: Window, gold_hash: U64, prediction: Window, prediction_hash: U64, ok: Mask) -> Mask:
    """The general test, on the instances that are ``ok`` so far."""
    ours, theirs = ok[gold.instance[gold.group]], ok[prediction.instance[prediction.group]]
    own = _runs(gold.group[ours], gold_hash[ours], len(gold.instance))
    other = _runs(prediction.group[theirs], prediction_hash[theirs], len(prediction.instance))

    asked = np.flatnonzero(ok[prediction.instance])
    place, start = places(gold, prediction)
    start = start[asked]
    stop = start + prediction.taken[asked]
    low = np.searchsorted(place, start, side="right") - 1
    high = np.searchsorted(place, stop - 1, side="right") - 1
    piece, g = _spread(low, high - low + 1)
    h = asked[piece]
    room = np.minimum(place[g] + gold.taken[g], stop[piece]) - np.maximum(place[g], start[piece])

    # A group that lies only partly in P(g) may put each of its distinct rows there. Leaving out those that have too
    # many also keeps what follows linear in the number of rows.
    hopeless = (room < prediction.size[h]) & (other.distinct[h] > own.distinct[g])
    ok[gold.instance[g[hopeless]]] = False
    alive = ok[gold.instance[g]]
    g, h, room = g[alive], h[alive], room[alive]

    piece, run = _spread(other.first[h], other.distinct[h])
    most = np.minimum(other.count[run], room[piece])
    group = np.concatenate([g[piece], own.group])
    value = np.concatenate([other.value[run], own.value])
    excess = np.concatenate([most, -own.count])
    order = np.lexsort((value, group))
    group, value, excess = group[order], value[order], excess[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (group[1:] != group[:-1]) | (value[1:] != value[:-1])
    first = np.flatnonzero(fresh)
    over = np.add.reduceat(excess, first) > 0
    ok[gold.instance[group[first[over]]]] = False
    return ok


def may_agree(gold: Window, gold_hash: U64, prediction: Window, prediction_hash: U64, among: Mask) -> Mask:
    """Per instance, whether some answer of the prediction has the same rows as some answer of the gold.

    Order is put aside. Where two groups of one answer are cut, they count as one, so the result may be True
    where it should be False; it is never wrongly False.
    """
    count = len(among)
    length = gold.lengths(count)
    ok: Mask = among & (length == prediction.lengths(count))
    instances, values, fixed, most, side = [], [], [], [], []
    for number, (one, hashes) in enumerate(((gold, gold_hash), (prediction, prediction_hash))):
        chosen = ok[one.instance[one.group]]
        group = one.group[chosen]
        instances.append(one.instance[group])
        values.append(hashes[chosen])
        fixed.append((~one.cut[group]).astype(np.int64))
        most.append(np.ones(len(group), dtype=np.int64))
        side.append(np.full(len(group), number))
    instance, value = np.concatenate(instances), np.concatenate(values)
    if not len(instance):
        return ok
    order = np.lexsort((value, instance))
    instance, value = instance[order], value[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (instance[1:] != instance[:-1]) | (value[1:] != value[:-1])
    first = np.flatnonzero(fresh)
    sides, sure, some = (np.concatenate(x)[order] for x in (side, fixed, most))
    least = np.maximum(*(np.add.reduceat(sure * (sides == s), first) for s in (0, 1)))
    greatest = np.minimum(*(np.add.reduceat(some * (sides == s), first) for s in (0, 1)))
    where = instance[first]
    ok[where[least > greatest]] = False
    ok &= np.bincount(where, weights=least, minlength=count) <= length
    ok &= np.bincount(where, weights=greatest, minlength=count) >= length
    return ok
