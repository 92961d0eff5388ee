"""What two answers' orders and limits demand, worked out once, so that testing one order of columns is cheap.

Instances fall into kinds that no order of columns changes:

* other lengths: different;
* *closed*: the gold leaves nothing open but the order inside ties. Then the two are equal iff each of the gold's
  tie groups and the prediction's rows in the same places are the same bag, provided that each tie group of the
  prediction stays inside one of the gold's (or has equal rows only);
* *disordered*: the gold is closed and a tie group of the prediction breaks that rule: different, since the group's
  rows could come in an order that the gold rules out;
* *open*: a cut goes through a tie of the gold. These need the full test of ``admit``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from testsuite.compare.admit import admits, may_agree, places
from testsuite.compare.answer import Answer
from testsuite.compare.hashing import U64, mix, row_hashes, segment_sums
from testsuite.compare.policy import Rows
from testsuite.compare.window import Index, Mask, Window, is_plain, window

_LABEL = np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, slots=True)
class Side:
    """One answer's rows as the closed test sees them.

    Attributes:
        rows: the rows in play, by instance; None for all of the answer.
        bounds: where each instance begins in these, and the end.
        label: per row, the gold's tie group that stands in its place; None where all rows of an instance are one.
    """

    rows: Index | None
    bounds: Index
    label: U64 | None

    def sums(self, hashes: U64) -> U64:
        """A hash per instance of the bag of its rows and their places, from one per row of the answer."""
        if self.rows is not None:
            hashes = hashes[self.rows]
        return segment_sums(hashes if self.label is None else mix(hashes + self.label), self.bounds)


@dataclass(frozen=True, slots=True)
class Layout:
    """Two answers side by side. Masks are per instance."""

    gold: Side
    prediction: Side
    unequal_length: Mask
    disordered: Mask
    opened: Mask
    windows: tuple[Window, Window] | None

    def equal(self, gold: U64, prediction: U64, among: Mask) -> Mask:
        """Instances on which the gold admits all that the prediction can give.

        Args:
            gold: a hash per row of the gold's answer.
            prediction: a hash per row of the prediction's.
            among: the instances to look at; elsewhere the result is False.
        """
        same = self.gold.sums(gold) == self.prediction.sums(prediction)
        ok: Mask = among & ~self.unequal_length & ~self.disordered & same
        opened = among & self.opened
        if self.windows is not None and opened.any():
            one, other = self.windows
            fits = admits(one, gold[one.rows], other, prediction[other.rows], opened & ~self.unequal_length)
            ok = np.where(opened, fits, ok)
        return ok

    def may_agree(self, gold: U64, prediction: U64, among: Mask) -> Mask:
        """Instances on which only order and ties can stand between the two (see ``admit.may_agree``)."""
        if self.windows is None or not among.any():
            return np.zeros(len(among), dtype=bool)
        one, other = self.windows
        return may_agree(one, gold[one.rows], other, prediction[other.rows], among)


@dataclass(frozen=True)
class Level:
    """Codes of two answers, shape (columns, rows), and the layout they give."""

    gold: U64
    prediction: U64
    layout: Layout

    @cached_property
    def _gold_hashes(self) -> U64:
        return row_hashes(self.gold)

    def equal(self, order: Sequence[int] | None, among: Mask) -> Mask:
        """Instances on which the gold admits all that the prediction can give.

        Args:
            order: which column of the prediction stands for each of the gold's; None for as they stand.
            among: the instances to look at; elsewhere the result is False.
        """
        if not among.any():
            return np.zeros(len(among), dtype=bool)
        return self.layout.equal(self._gold_hashes, row_hashes(self.prediction, order), among)

    def may_agree(self, order: Sequence[int] | None, among: Mask) -> Mask:
        """Instances on which only order and ties can stand between the two."""
        if self.layout.windows is None or not among.any():
            return np.zeros(len(among), dtype=bool)
        return self.layout.may_agree(self._gold_hashes, row_hashes(self.prediction, order), among)


def _bounds(instance: Index, instances: int) -> Index:
    return np.searchsorted(instance, np.arange(instances + 1)).astype(np.int64)


def lay_out(gold: Answer, prediction: Answer, codes: tuple[U64, U64], rows: Rows) -> Layout:
    """The layout of two answers of equal width with the given codes."""
    count = gold.instances
    none = np.zeros(count, dtype=bool)
    if _order_is_free(gold, rows) and _order_is_free(prediction, rows, gold):
        sides = [
            Side(None, np.searchsorted(a.instance, np.arange(count + 1, dtype=np.int32)).astype(np.int64), None)
            for a in (gold, prediction)
        ]
        if rows == "set":
            sides = [
                _as_set(np.arange(a.rows), a.instance.astype(np.int64), row_hashes(c), count)
                for a, c in zip((gold, prediction), codes, strict=True)
            ]
            return Layout(sides[0], sides[1], none, none, none, None)
        unequal = np.diff(sides[0].bounds) != np.diff(sides[1].bounds)
        return Layout(sides[0], sides[1], unequal, none, none, None)

    hashes = [row_hashes(c) for c in codes]
    one, other = window(gold, hashes[0]), window(prediction, hashes[1])
    opened = none.copy()
    opened[one.instance[one.cut]] = True
    unequal = one.lengths(count) != other.lengths(count)
    if rows == "set":
        # What sets a cut tie can give is not worked out: there, the bags have to agree.
        opened[other.instance[other.cut]] = True
        sides = [
            _as_set(w.rows, w.instance[w.group], h[w.rows], count) for w, h in zip((one, other), hashes, strict=True)
        ]
        return Layout(sides[0], sides[1], unequal & opened, none, opened, (one, other))

    disordered = none.copy()
    disordered[other.instance[misplaced(one, other)]] = True
    disordered &= ~opened
    place, first = places(one, other)
    inside = np.where(other.uniform[other.group], other.within, 0)
    label = np.searchsorted(place, first[other.group] + inside, side="right") - 1
    return Layout(
        Side(one.rows, _bounds(one.instance[one.group], count), one.group.astype(np.uint64) * _LABEL),
        Side(other.rows, _bounds(other.instance[other.group], count), label.astype(np.uint64) * _LABEL),
        unequal,
        disordered,
        opened,
        (one, other),
    )


def misplaced(gold: Window, prediction: Window) -> Mask:
    """Tie groups of the prediction, not of equal rows only, that reach over one of the gold's or are cut."""
    place, first = places(gold, prediction)
    begin = np.searchsorted(place, first, side="right")
    end = np.searchsorted(place, first + prediction.taken - 1, side="right")
    loose: Mask = ~prediction.uniform & ((begin != end) | prediction.cut)
    return loose


def _order_is_free(answer: Answer, rows: Rows, gold: Answer | None = None) -> bool:
    """Whether the answer's own order can't matter: it has none, or its whole bag is held against an unordered gold."""
    if is_plain(answer):
        return True
    unlimited = answer.limit is None and answer.offset <= 0
    return unlimited and (rows == "set" or (gold is not None and is_plain(gold)))


def _as_set(rows: Index, instance: Index, hashes: U64, instances: int) -> Side:
    """Each distinct row of an instance once, in no order."""
    order = np.lexsort((hashes, instance))
    keep = np.ones(len(order), dtype=bool)
    keep[1:] = (instance[order][1:] != instance[order][:-1]) | (hashes[order][1:] != hashes[order][:-1])
    chosen = order[keep]
    return Side(rows[chosen], _bounds(instance[chosen], instances), None)
