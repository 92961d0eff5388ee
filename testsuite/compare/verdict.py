"""Compare a prediction's answer with the gold's on every instance at once."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

import numpy as np

from testsuite.compare.answer import Answer, Cells, Kind
from testsuite.compare.canonical import plain_numbers
from testsuite.compare.columns import Found, Order, best_order
from testsuite.compare.hashing import U64
from testsuite.compare.layout import Level, lay_out, misplaced
from testsuite.compare.policy import Comparison, Policy, Reason
from testsuite.compare.sums import SUM_NOISE, CellSums
from testsuite.compare.tolerance import levels, snap, soft
from testsuite.compare.window import Mask, Window


def compare(gold: Answer, prediction: Answer, policy: Policy | None = None) -> Comparison:
    """Whether everything the prediction can answer is something the gold can answer, per instance.

    Where the gold has an ORDER BY, its tie groups must come in its order; inside a tie group, rows may come in any
    order. A LIMIT that cuts through a tie admits any of the tie's rows. What the prediction leaves open must be
    left open by the gold, too.

    Args:
        gold: the gold's answer.
        prediction: the prediction's answer on the same instances.
        policy: what counts as equal; the default policy where None.

    Raises:
        ValueError: the two are on different numbers of instances.
    """
    policy = Policy() if policy is None else policy
    if gold.instances != prediction.instances:
        raise ValueError("two answers to compare must be on the same instances")
    count = gold.instances
    usable = np.ones(count, dtype=bool)
    usable[list(gold.errors)] = False
    live = usable.copy()
    live[list(prediction.errors)] = False
    reason = np.full(count, Reason.ERROR, dtype=np.uint8)
    reason[~usable] = Reason.GOLD_ERROR
    pairing = _pair_columns(gold, prediction, policy)
    if pairing is None or not live.any():
        reason[live] = Reason.COLUMNS
        none = np.zeros(count, dtype=bool)
        return Comparison(none, usable, _informative(gold) & usable, none.copy(), reason)
    return _Compared(gold, prediction, policy, usable, live, reason, pairing).result()


def _pair_columns(gold: Answer, prediction: Answer, policy: Policy) -> Order | None:
    """Which column of the prediction to hold against each of the gold's at first; None where they can't be paired."""
    width = len(gold.columns)
    if width != len(prediction.columns):
        return None
    if policy.columns != "name":
        return tuple(range(width))
    free: dict[str, list[int]] = {}
    for position, name in enumerate(prediction.names):
        free.setdefault(_folded(name), []).append(position)
    order = []
    for name in gold.names:
        places = free.get(_folded(name))
        if not places:
            return None
        order.append(places.pop(0))
    return tuple(order) if len(order) == width else None


def _folded(name: str) -> str:
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)


def _informative(gold: Answer) -> Mask:
    """Instances on which the answer has a cell that is not NULL."""
    full = np.zeros(gold.rows, dtype=bool)
    for cells in gold.columns:
        full |= cells.kind != Kind.NULL
    seen = np.zeros(gold.instances, dtype=bool)
    seen[gold.instance[full]] = True
    return seen


def _codes(columns: tuple[Cells, ...]) -> U64:
    if not columns:
        return np.zeros((0, 0), dtype=np.uint64)
    return np.stack([cells.code for cells in columns])


class _Compared:
    """One comparison in the making: tries the plain way first and goes further only where that leaves something."""

    def __init__(
        self,
        gold: Answer,
        prediction: Answer,
        policy: Policy,
        usable: Mask,
        live: Mask,
        reason: np.ndarray[tuple[int], np.dtype[np.uint8]],
        pairing: Order,
    ) -> None:
        self.gold, self.prediction, self.policy = gold, prediction, policy
        self.usable, self.live, self.reason = usable, live, reason
        self.pairing = pairing
        self.columns = (gold.columns, tuple(prediction.columns[i] for i in pairing))
        if policy.numeric_text:
            self.columns = tuple(tuple(map(plain_numbers, side)) for side in self.columns)  # type: ignore[assignment]
        self.codes = (_codes(self.columns[0]), _codes(self.columns[1]))
        self.exact = Level(*self.codes, lay_out(gold, prediction, self.codes, policy.rows))
        self.levels = [self.exact]
        self.joint = self.complete = True
        self.same_cells = live

    def result(self) -> Comparison:
        width = len(self.pairing)
        order: Order = tuple(range(width))
        any_order = self.policy.columns == "any" and width > 1
        equal = self.check(None)
        pending = self._worth_trying(self.live & ~equal)
        if pending.any():
            found = best_order(width, self.levels, self.check, equal, pending) if any_order else None
            # Most often columns are exchanged and nothing else is the matter.
            if found is not None and not bool(found.equal[pending | equal].all()) and self.tolerant:
                found = None
            order, equal = self._use(found) if found is not None else self._tolerant(equal, pending, any_order)
        tie_only = self._tie_only(order, self.live & ~equal)
        permutation = tuple(self.pairing[i] for i in order)
        self._explain(equal, tie_only)
        return Comparison(
            equal,
            self.usable,
            self._informative() & self.usable,
            tie_only,
            self.reason,
            None if permutation == tuple(range(width)) else permutation,
            self.joint,
            self.complete,
        )

    def _tolerant(self, equal: Mask, pending: Mask, any_order: bool) -> tuple[Order, Mask]:
        """The best order and the instances equal under it, with the tolerance allowed for."""
        width = len(self.pairing)
        if self.tolerant:
            mixed = [i for i in range(width) if self.softness[0][i] or self.softness[1][i]]
            self.levels = [self.exact, *self._levels_for(pending, mixed)]
            equal = equal | self.check(None)
            pending = pending & ~equal
        if not any_order or not pending.any():
            return tuple(range(width)), equal
        if self.tolerant:
            # Under another order, other columns meet, and instances equal as they stand may need the tolerance.
            possible = self.live & ~self.exact.layout.unequal_length
            self.levels = [self.exact, *self._levels_for(possible, range(width))]
        return self._use(best_order(width, self.levels[:0:-1] or self.levels, self.check, equal, pending))

    def _use(self, found: Found) -> tuple[Order, Mask]:
        self.joint = not bool((found.matchable & ~found.equal).any())
        self.complete = found.complete
        return found.order, found.equal

    def check(self, order: Order | None) -> Mask:
        """The equal instances under an order of the (paired) columns, at any level of tolerance."""
        equal = np.zeros(len(self.live), dtype=bool)
        for level in self.levels:
            equal |= level.equal(order, self.live & ~equal)
        return equal

    def _levels_for(self, among: Mask, columns: Collection[int]) -> list[Level]:
        """The levels of tolerance for these instances and columns, narrow first."""
        answers = (self.gold, self.prediction)
        sides = [(c, a.instance, k) for c, a, k in zip(self.columns, answers, self.codes, strict=True)]
        tolerances = levels(self.policy.relative, self.policy.absolute)
        return [
            Level(gold, prediction, lay_out(self.gold, self.prediction, (gold, prediction), self.policy.rows))
            for gold, prediction in snap(sides, among, columns, tolerances)
        ]

    def _worth_trying(self, failed: Mask) -> Mask:
        """Instances that some order of columns or the tolerance could still make equal, by sums over all cells."""
        layout = self.exact.layout
        if self.policy.rows == "set":
            return failed
        self.same_cells = failed & ~layout.unequal_length
        if not self.same_cells.any():
            return self.same_cells
        one, other = (
            CellSums(side, columns, len(failed), self.tolerant)
            for side, columns in zip((layout.gold, layout.prediction), self.columns, strict=True)
        )
        alike = one.codes == other.codes
        if self.tolerant:
            bound = (self.policy.relative + SUM_NOISE) * (one.size + other.size)
            bound += self.policy.absolute * (one.count + 1)
            with np.errstate(invalid="ignore", over="ignore"):
                near = ~(np.abs(one.total - other.total) > bound)
            alike |= (one.rest == other.rest) & (one.soft | other.soft) & near
        # The sums speak for all rows in play, so not where a cut leaves some of them out.
        certain = ~layout.opened
        if layout.windows is not None:
            certain[layout.windows[1].instance[layout.windows[1].cut]] = False
        self.same_cells &= ~certain | alike
        worth = self.same_cells.copy()
        if layout.windows is not None and (worth & layout.disordered).any():
            worth &= ~(layout.disordered & self._disordered_for_good(*layout.windows))
        return worth

    def _disordered_for_good(self, one: Window, other: Window) -> Mask:
        """Instances with a tie group out of place whose rows differ by more than any tolerance."""
        found = np.zeros(len(self.live), dtype=bool)
        loose = misplaced(one, other)
        first = np.flatnonzero(other.within == 0)
        for cells in self.columns[1]:
            kind, number, code = cells.kind[other.rows], cells.number[other.rows], cells.code[other.rows]
            numeric = ((kind == Kind.INTEGER) | (kind == Kind.REAL)) & np.isfinite(number)
            rest = np.where(numeric, np.uint64(1), code)
            apart = np.minimum.reduceat(rest, first) != np.maximum.reduceat(rest, first)
            number = np.where(numeric, number, 0.0)
            low, high = np.minimum.reduceat(number, first), np.maximum.reduceat(number, first)
            reach = np.maximum(self.policy.relative * np.maximum(np.abs(low), np.abs(high)), self.policy.absolute)
            with np.errstate(over="ignore"):
                apart |= high - low > reach
            found[other.instance[apart & loose]] = True
        return found

    def _tie_only(self, order: Order, failed: Mask) -> Mask:
        """Instances where the rows may be the same but for ties and order."""
        found = np.zeros(len(failed), dtype=bool)
        asked = failed & self.same_cells
        if self.exact.layout.windows is None or not asked.any():
            return found
        found |= self.exact.may_agree(order, asked)
        asked &= ~found
        if asked.any() and self.tolerant:
            for level in self._levels_for(asked, range(len(order))):
                found |= level.may_agree(order, asked & ~found)
        return found

    @cached_property
    def softness(self) -> list[list[bool]]:
        """For each side and column, whether a tolerance applies to some cell."""
        return [[bool(soft(cells).any()) for cells in side] for side in self.columns]

    @cached_property
    def tolerant(self) -> bool:
        """Whether a tolerance can matter at all."""
        return (self.policy.relative > 0 or self.policy.absolute > 0) and any(map(any, self.softness))

    def _explain(self, equal: Mask, tie_only: Mask) -> None:
        layout = self.exact.layout
        failed = self.live & ~equal
        self.reason[equal] = Reason.SAME
        self.reason[failed] = Reason.VALUES
        self.reason[failed & layout.unequal_length] = Reason.ROWS
        self.reason[failed & tie_only] = Reason.ORDER
        if layout.windows is not None:
            for one in layout.windows:
                cut = np.zeros(len(equal), dtype=bool)
                cut[one.instance[one.cut]] = True
                self.reason[failed & tie_only & cut] = Reason.TIES

    def _informative(self) -> Mask:
        windows = self.exact.layout.windows
        if windows is None:
            return _informative(self.gold)
        rows = windows[0].rows
        full = np.zeros(self.gold.rows, dtype=bool)
        for cells in self.gold.columns:
            full |= cells.kind != Kind.NULL
        seen = np.zeros(self.gold.instances, dtype=bool)
        seen[self.gold.instance[rows[full[rows]]]] = True
        return seen
