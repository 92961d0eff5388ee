"""When the published script takes two answers for equal. Its pre-check is a quirk that can only reject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

Row: TypeAlias = tuple[object, ...]
_Coloured: TypeAlias = "tuple[list[Hashable], list[Hashable]]"


def answers_equal(gold: Sequence[Row], prediction: Sequence[Row], ordered: bool) -> bool:
    """Whether the script takes two answers for equal.

    gold, prediction: rows as Python's sqlite3 gives them; Python's equality holds (1 = 1.0, None = None).
    ordered: whether the order of rows counts.

    Some permutation of the prediction's columns must make the answers equal, and, before that, the rows must be equal
    with their cells sorted by text and type. Takes polynomial time but for highly symmetric answers.
    """
    if not gold and not prediction:
        return True
    if len(gold) != len(prediction) or len(gold[0]) != len(prediction[0]):
        return False
    if ordered:
        return [_sorted_cells(row) for row in gold] == [_sorted_cells(row) for row in prediction] and (
            Counter(zip(*gold, strict=True)) == Counter(zip(*prediction, strict=True))
        )
    if {_sorted_cells(row) for row in gold} != {_sorted_cells(row) for row in prediction}:
        return False
    ours, theirs = Counter(gold), Counter(prediction)
    return ours == theirs or (len(gold[0]) > 1 and _permuted(ours, theirs))


def _sorted_cells(row: Row) -> Row:
    return tuple(sorted(row, key=lambda cell: f"{cell}{type(cell)}")) if len(row) > 1 else row


def _permuted(gold: Mapping[Row, int], prediction: Mapping[Row, int]) -> bool:
    """Whether some permutation of columns turns one bag of rows into the other."""
    if len(gold) != len(prediction):
        return False
    sides = _Sides(gold, prediction)
    width = len(next(iter(gold)))
    start: _Coloured = ([0] * width, [0] * width)
    return sides.search(start)


class _Sides:
    """Two bags of rows, and the search for a permutation of columns between them.

    Columns and rows are coloured, alike on both sides, by what surely distinguishes them; where columns
    stay alike, one of the gold's is tried with each of the prediction's, and the colours are refined again.
    """

    def __init__(self, gold: Mapping[Row, int], prediction: Mapping[Row, int]) -> None:
        self._rows = (list(gold), list(prediction))
        self._counts = (list(gold.values()), list(prediction.values()))
        self._columns = tuple(list(zip(*rows, strict=True)) for rows in self._rows)
        self._target = dict(gold)

    def search(self, colours: _Coloured) -> bool:
        refined = self._refine(colours)
        if refined is None:
            return False
        ours, theirs = refined
        sizes = Counter(ours)
        open_column = next((at for at, colour in enumerate(ours) if sizes[colour] > 1), None)
        if open_column is None:
            return self._agree([theirs.index(colour) for colour in ours])
        tried: set[tuple[object, ...]] = set()
        for at, colour in enumerate(theirs):
            if colour != ours[open_column]:
                continue
            # Columns with the same cells and counts beside them are the same choice.
            vector = self._columns[1][at]
            if vector in tried:
                continue
            tried.add(vector)
            mark = ("chosen", sum(isinstance(c, tuple) for c in ours))
            if self.search((_with(ours, open_column, mark), _with(theirs, at, mark))):
                return True
        return False

    def _agree(self, order: Sequence[int]) -> bool:
        permuted: dict[Row, int] = {}
        for row, count in zip(self._rows[1], self._counts[1], strict=True):
            permuted[tuple(row[at] for at in order)] = count
        return permuted == self._target

    def _refine(self, colours: _Coloured) -> _Coloured | None:
        """Colours refined until they no longer tell more columns apart; None where the sides differ."""
        distinct = 0
        while True:
            numbers: dict[Hashable, int] = {}
            rows = tuple(self._row_colours(side, colours[side], numbers) for side in (0, 1))
            if Counter(rows[0]) != Counter(rows[1]):
                return None
            columns: dict[Hashable, int] = {}
            fresh = tuple(
                [
                    _number(columns, (colours[side][at], _bag(zip(cells, rows[side], strict=True))))
                    for at, cells in enumerate(self._columns[side])
                ]
                for side in (0, 1)
            )
            if Counter(fresh[0]) != Counter(fresh[1]):
                return None
            colours = (list(fresh[0]), list(fresh[1]))
            if len(columns) == distinct:
                return colours
            distinct = len(columns)

    def _row_colours(self, side: int, columns: Sequence[Hashable], numbers: dict[Hashable, int]) -> list[int]:
        return [
            _number(numbers, (count, _bag(zip(row, columns, strict=True))))
            for row, count in zip(self._rows[side], self._counts[side], strict=True)
        ]


def _with(colours: Sequence[Hashable], at: int, colour: Hashable) -> list[Hashable]:
    return [*colours[:at], colour, *colours[at + 1 :]]


def _bag(things: Iterable[Hashable]) -> frozenset[tuple[Hashable, int]]:
    return frozenset(Counter(things).items())


def _number(numbers: dict[Hashable, int], thing: Hashable) -> int:
    return numbers.setdefault(thing, len(numbers))
