"""Find the order of the prediction's columns under which the most instances agree.

One order for all instances, since a query's columns keep their meaning. Up to three columns, all orders are tried.
Beyond that: rows and columns of both answers are coloured together, and a colour is refined by the colours across
(1-dimensional Weisfeiler-Leman on the bipartite graph of rows and columns, edges labelled by cells). Columns of
different colours never correspond. Where a colour is shared by several columns, one is singled out and each
possible partner tried; columns with the same content are interchangeable and tried once. Every order found this
way is checked in full, so a wrong one is never used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from testsuite.compare.hashing import U64, mix, row_hashes, segment_sums
from testsuite.compare.layout import Level, Side
from testsuite.compare.window import Index, Mask

_TRY_ALL = 3
_NODES = 300
_SEARCHES = 24
_ROUNDS = 4
_ROWS_AT_FIRST = 2_000

Order = tuple[int, ...]
Check = Callable[[Order], Mask]


@dataclass(frozen=True, slots=True)
class Found:
    """The best order, the instances equal under it, and those that some order of their own may make equal."""

    order: Order
    equal: Mask
    matchable: Mask
    complete: bool


def best_order(width: int, levels: Sequence[Level], check: Check, equal: Mask, pending: Mask) -> Found:
    """The order of columns under which the most instances are equal.

    Args:
        width: number of columns.
        levels: the codes to search with, most tolerant first.
        check: tells the equal instances under an order.
        equal: the instances equal as the columns stand.
        pending: the instances that are not, but where another order could help.
    """
    if width <= _TRY_ALL:
        best, best_equal, matchable = tuple(range(width)), equal, equal.copy()
        for order in list(permutations(range(width)))[1:]:
            seen = check(order)
            matchable |= seen
            if seen.sum() > best_equal.sum():
                best, best_equal = order, seen
        return Found(best, best_equal, matchable, True)
    hunt = _Hunt(width, check, tuple(range(width)), equal)
    if hunt.glance(levels[0], pending, pending | equal):
        return Found(hunt.order, hunt.equal, hunt.equal, True)
    matchable = equal.copy()
    for level in levels:
        matchable |= _matchable(level, pending & ~matchable)
    left = equal.copy()
    for level in levels:
        if not (matchable & ~hunt.equal).any():
            break
        by_level = matchable.copy()
        hunt.run(level, by_level)
        left |= by_level
    left |= hunt.equal
    return Found(hunt.order, hunt.equal, left, hunt.complete or not bool((left & ~hunt.equal).any()))


def _matchable(level: Level, pending: Mask) -> Mask:
    """Instances whose rows and columns refine alike, each taken by itself. Open ones are not ruled out."""
    layout = level.layout
    found: Mask = pending & layout.opened & ~layout.unequal_length
    closed = pending & ~layout.opened & ~layout.unequal_length & ~layout.disordered
    if not closed.any():
        return found
    sides = [_part(s, c, closed) for s, c in ((layout.gold, level.gold), (layout.prediction, level.prediction))]
    number = int(closed.sum())
    ok = np.ones(number, dtype=bool)
    colours = [np.zeros((len(level.gold), number), dtype=np.uint64) for _ in sides]
    for _ in range(_ROUNDS):
        for n, part in enumerate(sides):
            rows = mix(part.label + mix(part.codes + colours[n][:, part.owner]).sum(axis=0, dtype=np.uint64))
            across = mix(part.codes ^ rows)
            sums = np.stack([segment_sums(column, part.bounds) for column in across])
            colours[n] = mix(colours[n] + sums)
        ok &= (np.sort(colours[0], axis=0) == np.sort(colours[1], axis=0)).all(axis=0)
    found[np.flatnonzero(closed)[ok]] = True
    return found


@dataclass(frozen=True, slots=True)
class _Part:
    """The rows of some instances: codes, labels, bounds, and the instance (renumbered) of each row."""

    codes: U64
    label: U64
    bounds: Index
    owner: Index


def _part(side: Side, codes: U64, among: Mask) -> _Part:
    sizes = np.diff(side.bounds)
    chosen = np.flatnonzero(np.repeat(among, sizes))
    sizes = sizes[among]
    owner = np.repeat(np.arange(len(sizes)), sizes)
    label = owner.astype(np.uint64) if side.label is None else side.label[chosen]
    rows = chosen if side.rows is None else side.rows[chosen]
    return _Part(codes[:, rows], mix(label), np.concatenate([[0], np.cumsum(sizes)]), owner)


def _worth(level: Level) -> Index:
    """How far to prefer an instance: large ones tell columns apart best, but need not be huge."""
    sizes = np.diff(level.layout.gold.bounds)
    return np.where(sizes <= _ROWS_AT_FIRST, sizes, -sizes)


class _Hunt:
    """A search for one order over a growing set of instances; keeps the best order it has checked."""

    def __init__(self, width: int, check: Check, order: Order, equal: Mask) -> None:
        self.width, self.check = width, check
        self.order, self.equal = order, equal
        self.complete = True
        self.known: dict[Order, Mask] = {order: equal}

    def glance(self, level: Level, pending: Mask, wanted: Mask) -> bool:
        """Whether the order that one pending instance asks for serves all that are wanted."""
        place = np.flatnonzero(pending)[np.argmax(_worth(level)[pending])]
        alone = np.zeros_like(pending)
        alone[place] = True
        return self._search(level, alone) is not None and bool(self.equal[wanted].all())

    def run(self, level: Level, matchable: Mask) -> None:
        """Look for an order that serves all matchable instances, else for one that serves many.

        Instances found to have no order of their own are struck from ``matchable``.
        """
        worth = _worth(level)
        among = np.zeros(len(matchable), dtype=bool)
        wanted = matchable & ~self.equal
        refused = among.copy()
        for _ in range(_SEARCHES):
            if not wanted.any():
                return
            place = np.flatnonzero(wanted)[np.argmax(worth[wanted])]
            among[place] = True
            order = self._search(level, among)
            if order is None:
                among[place], refused[place] = False, True
                alone = np.zeros_like(among)
                alone[place] = True
                if among.any() and self._search(level, alone) is not None:
                    order = self.order
                elif self.complete:
                    matchable[place] = False
            seen = self.equal if order is None else self._seen(order)
            wanted = matchable & ~seen & ~refused

    def _search(self, level: Level, among: Mask) -> Order | None:
        search = _Search(level, among, self._seen)
        order = search.run()
        self.complete &= search.nodes <= _NODES
        return order

    def _seen(self, order: Order) -> Mask:
        known = self.known.get(order)
        if known is None:
            known = self.known[order] = self.check(order)
            if known.sum() > self.equal.sum():
                self.order, self.equal = order, known
        return known


class _Search:
    """Individualise and refine on the given instances."""

    def __init__(self, level: Level, among: Mask, check: Check) -> None:
        layout = level.layout
        closed = among & ~layout.opened
        self.level, self.among, self.check = level, among, check
        self.opened = among & layout.opened
        self.parts = tuple(
            _part(s, c, closed) for s, c in ((layout.gold, level.gold), (layout.prediction, level.prediction))
        )
        self.contents = [
            _contents(self.parts[n].codes, codes) for n, codes in enumerate((level.gold, level.prediction))
        ]
        if not self.opened.any():
            self.contents = [_contents(part.codes, None) for part in self.parts]
        self.nodes = 0

    def run(self) -> Order | None:
        """An order equal on all instances of the set, or None."""
        width = len(self.level.gold)
        start = np.zeros(width, dtype=np.uint64)
        return self._visit(start, start.copy(), ())

    def _visit(self, gold: U64, prediction: U64, paired: tuple[tuple[int, int], ...]) -> Order | None:
        self.nodes += 1
        if self.nodes > _NODES:
            return None
        refined = self._refine(gold, prediction)
        if refined is None or not self._open_fit(paired):
            return None
        gold, prediction = refined
        done = dict(paired)
        choice: tuple[list[int], list[int]] | None = None
        order = [0] * len(gold)
        for colour in np.unique(gold):
            ours, theirs = np.flatnonzero(gold == colour).tolist(), np.flatnonzero(prediction == colour).tolist()
            for mine, other in zip(ours, theirs, strict=True):
                order[mine] = other
            alike = len({self.contents[0][c] for c in ours}) == 1 and len({self.contents[1][c] for c in theirs}) == 1
            if len(ours) > 1 and not alike and (choice is None or len(ours) < len(choice[0])):
                choice = (ours, theirs)
        if choice is None:
            found = tuple(order)
            return found if bool(self.check(found)[self.among].all()) else None
        mine = choice[0][0]
        tried = set()
        for other in choice[1]:
            if self.contents[1][other] in tried:
                continue
            tried.add(self.contents[1][other])
            fresh = np.uint64(len(done) + 1)
            one, two = gold.copy(), prediction.copy()
            one[mine] = two[other] = fresh
            found_below = self._visit(one, two, (*paired, (mine, other)))
            if found_below is not None:
                return found_below
        return None

    def _refine(self, gold: U64, prediction: U64) -> tuple[U64, U64] | None:
        """Stable colours of both answers' columns, or None where the two can't correspond."""
        colours = [gold, prediction]
        classes = len(np.unique(gold))
        while True:
            for n, part in enumerate(self.parts):
                rows = mix(part.label + mix(part.codes + colours[n][:, None]).sum(axis=0, dtype=np.uint64))
                across = mix(part.codes ^ rows).sum(axis=1, dtype=np.uint64)
                colours[n] = mix(colours[n] + across)
            if (np.sort(colours[0]) != np.sort(colours[1])).any():
                return None
            now = len(np.unique(colours[0]))
            if now == classes:
                return colours[0], colours[1]
            classes = now

    def _open_fit(self, paired: tuple[tuple[int, int], ...]) -> bool:
        """Whether the columns paired so far fit on the open instances."""
        if not paired or not self.opened.any():
            return True
        ours, theirs = [p[0] for p in paired], [p[1] for p in paired]
        level = self.level
        hashes = row_hashes(level.gold[ours]), row_hashes(level.prediction[theirs])
        fits = level.layout.equal(*hashes, self.opened)
        return bool(fits[self.opened].all())


def _contents(part: U64, whole: U64 | None) -> list[int]:
    """A number per column, equal where columns have the same cells in the same rows."""
    codes = part if whole is None else whole
    place = mix(np.arange(codes.shape[1], dtype=np.uint64))
    return [int(x) for x in mix(codes ^ place).sum(axis=1, dtype=np.uint64)]
