"""Kept instances made smaller where a suite has more rows than wanted, without losing what they are kept for.

Blocks of rows are left out of all large instances at once: every instance without one of its blocks is one more
instance of a single stack, on which all golds and neighbours run. Blocks that can go alone are then tried together.

An instance must go on separating the neighbours that rest on it. Every neighbour rests on twice as many instances as
the cover asks for, where there are as many, small instances before large ones: what real mistakes look like is not
known, and an instance cut down to a bare cover separates little else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from distill.build.choice import INFORMATIVE_INSTANCES, Choice, confirm
from distill.build.nearness import Nearness, at, joined, on_instances
from distill.matrix import ask_gold
from testsuite.engine.evaluate import Evaluator
from testsuite.shrink import Bounds, Content, frozen, row_count
from testsuite.suite import Stack, concat, stack_rows

_BLOCKS = (8, 12, 16)
_MARGIN = 2


@dataclass(frozen=True)
class Shrunk:
    """The kept instances after shrinking; ``near`` counts on them, ``rows`` before and after are in all of them."""

    stack: Stack
    near: Nearness
    choice: Choice
    before: int
    after: int


def level(sizes: NDArray[np.int64], most: int) -> int:
    """The largest size to which all instances can be cut so that together they have at most ``most`` rows."""
    for size in range(int(sizes.max(initial=0)), 0, -1):
        if int(np.minimum(sizes, size).sum()) <= most:
            return size
    return 0


def resting(marks: NDArray[np.bool_], sizes: NDArray[np.int64], need: int) -> NDArray[np.bool_]:
    """Which instances each requirement rests on: the first ``need`` that meet it, the smallest first.

    Args:
        marks: bool, requirements x instances.
        sizes: rows per instance.
        need: instances per requirement.
    """
    order = np.argsort(sizes, kind="stable")
    chosen = np.zeros_like(marks)
    chosen[:, order] = marks[:, order] & (np.cumsum(marks[:, order], axis=1) <= need)
    return chosen


def shrink_suite(
    stack: Stack,
    near: Nearness,
    choice: Choice,
    golds: Sequence[str],
    bounds: Bounds,
    most: int,
    need: int,
    fixed: Sequence[int],
    rng: np.random.Generator,
    evaluator: Callable[[Stack], Evaluator],
) -> Shrunk:
    """Make the largest instances smaller until all but the fixed ones have at most ``most`` rows together.

    Where that cannot be had without losing separations, as near to it as three passes come.

    Args:
        stack: the kept instances.
        near: neighbours and golds on them.
        choice: what SQLite confirmed on them.
        golds: the golds that ``near`` counts.
        bounds: what is legal.
        most: rows wanted.
        need: instances per neighbour (K).
        fixed: instances that stay as they are.
        rng: the only source of chance.
        evaluator: makes an evaluator of a stack, on both engines.
    """
    sizes = stack.row_counts
    made = np.ones(stack.count, dtype=bool)
    made[list(fixed)] = False
    before = int(sizes.sum())
    limit = level(sizes[made], most)
    work = _Work(near, golds, bounds, need, sizes, evaluator, stack)
    large = [int(i) for i in np.flatnonzero(made & (sizes > limit))] if int(sizes[made].sum()) > most else []
    current = {i: frozen(stack.rows(i), stack.schema) for i in large}
    columns: dict[int, Nearness] = {}
    for blocks in _BLOCKS:
        waiting = {i: content for i, content in current.items() if row_count(content) > max(limit, 1)}
        if not waiting:
            break
        for i, (content, seen) in work.smaller(waiting, blocks, limit, rng).items():
            current[i], columns[i] = content, seen
    if not columns:
        return Shrunk(stack, near, choice, before, before)
    return _put_back(stack, near, choice, golds, need, {i: current[i] for i in columns}, columns, before, evaluator)


@dataclass
class _Work:
    """What trials are judged by."""

    near: Nearness
    golds: Sequence[str]
    bounds: Bounds
    need: int
    sizes: NDArray[np.int64]
    evaluator: Callable[[Stack], Evaluator]
    stack: Stack

    def __post_init__(self) -> None:
        self.kills = resting(self.near.kills, self.sizes, _MARGIN * self.need)
        self.says = resting(self.near.informative, self.sizes, _MARGIN * INFORMATIVE_INSTANCES)

    def judged(self, trials: Sequence[tuple[int, Content]]) -> tuple[list[bool], Nearness]:
        """Whether each trial still does what its instance is kept for, and all neighbours on the trials."""
        made = stack_rows(self.stack.schema, [content for _, content in trials], self.stack.storage)
        judge = self.evaluator(made)
        seen = on_instances(self.near, judge, [ask_gold(judge, gold) for gold in self.golds])
        judge.referee.close()
        kills = seen.kills
        good = [
            not (self.kills[:, i] & ~kills[:, n]).any() and not (self.says[:, i] & ~seen.informative[:, n]).any()
            for n, (i, _) in enumerate(trials)
        ]
        return good, seen

    def smaller(
        self, contents: dict[int, Content], blocks: int, limit: int, rng: np.random.Generator
    ) -> dict[int, tuple[Content, Nearness]]:
        """Of these instances those that got smaller, with all neighbours on them."""
        singles: list[tuple[int, Content]] = []
        parts: list[list[tuple[int, int]]] = []
        for i, content in contents.items():
            places = [(t, n) for t, rows in enumerate(content.values()) for n in range(len(rows))]
            order = [places[k] for k in rng.permutation(len(places))]
            for start in range(blocks):
                block = order[start::blocks]
                rest = self.bounds.without(content, block)
                if row_count(rest) < row_count(content) and self.bounds.legal(rest):
                    singles.append((i, rest))
                    parts.append(block)
        if not singles:
            return {}
        good, seen = self.judged(singles)
        best = {}
        together: list[tuple[int, Content]] = []
        for i, content in contents.items():
            passing = [n for n, (owner, _) in enumerate(singles) if owner == i and good[n]]
            if passing:
                n = min(passing, key=lambda n: row_count(singles[n][1]))
                best[i] = (singles[n][1], at(seen, [n]))
            gone = [place for n in passing[:1] for place in parts[n]]
            for n in passing[1:]:
                gone += parts[n]
                rest = self.bounds.without(content, gone)
                if self.bounds.legal(rest):
                    together.append((i, rest))
                if row_count(rest) <= limit:
                    break
        if together:
            good, seen = self.judged(together)
            for n, (i, content) in enumerate(together):
                if good[n] and row_count(content) < row_count(best[i][0]):
                    best[i] = (content, at(seen, [n]))
        return best


def _put_back(
    stack: Stack,
    near: Nearness,
    choice: Choice,
    golds: Sequence[str],
    need: int,
    contents: dict[int, Content],
    columns: dict[int, Nearness],
    before: int,
    evaluator: Callable[[Stack], Evaluator],
) -> Shrunk:
    """The suite with the smaller instances in their places, confirmed on SQLite; as it was where SQLite objects."""
    changed = sorted(contents)
    smaller = stack_rows(stack.schema, [contents[i] for i in changed], stack.storage)
    order = [stack.count + changed.index(i) if i in contents else i for i in range(stack.count)]
    final = concat([stack, smaller]).take(order)
    seen = near
    for i in changed:
        seen = joined(seen, columns[i])
    seen = at(seen, order)
    confirmed = [set(found) - set(changed) for found in choice.confirmed]
    judge = evaluator(final)
    wrong = confirm(judge, golds, seen, range(final.count), need, confirmed)
    judge.referee.close()
    if wrong or any(len(new) < len(old) for new, old in zip(confirmed, choice.confirmed, strict=True)):
        return Shrunk(stack, near, choice, before, before)
    found = Choice(choice.kept, tuple(frozenset(places) for places in confirmed))
    return Shrunk(final, seen, found, before, int(final.row_counts.sum()))
