"""Small contents over very few values, so that joins meet, extremes tie and conditions nearly hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from distill.fuzz.cells import canonical, coerced, written
from distill.survivors.frame import Content, Frame, parents_first
from distill.survivors.values import Place, Wanted
from testsuite.shrink.rules import broken_rows
from testsuite.suite import Row, Value

_SIZES = (0, 1, 2, 3, 4, 6)
_SHARES = (0.04, 0.2, 0.26, 0.22, 0.16, 0.12)
_TRIES = 8


@dataclass
class _Draw:
    """The chances of one instance: which few values each column takes, how often NULL stands, how many rows."""

    values: dict[Place, list[Value]] = field(default_factory=dict)
    nulls: dict[Place, float] = field(default_factory=dict)
    # How many rows more than usual the given tables get, for conditions on counts.
    sizes: dict[int, int] = field(default_factory=dict)
    skew: float = 0.0


class SmallContents:
    """Makes contents for one pair of queries. Every content is legal but for rare cases that the judge leaves out."""

    def __init__(self, frame: Frame, wanted: Wanted) -> None:
        self._frame, self._wanted = frame, wanted
        self._order = parents_first(frame.schema, frame.rules.hard)
        self._used = set(wanted.tables)
        grown = True
        while grown:
            parents = {r.parent for r in frame.rules.hard if r.child in self._used}
            grown = not parents <= self._used
            self._used |= parents
        self._soft: dict[Place, list[Place]] = {}
        for one, other in wanted.equal:
            self._soft.setdefault(one, []).append(other)
            self._soft.setdefault(other, []).append(one)

    def make(self, rng: np.random.Generator, sizes: dict[int, int] | None = None) -> Content:
        """One content. ``sizes`` gives the number of rows of some tables, whose columns then take one value or two."""
        draw = self._drawn(rng, sizes or {})
        rows: dict[int, list[Row]] = {}
        for t in self._order:
            rows[t] = self._table(t, rows, draw, rng) if t in self._used else []
        return self.pruned({self._frame.schema.tables[t].name: found for t, found in rows.items()})

    def pruned(self, content: Content) -> Content:
        """The content without rows that break a key or a reference."""
        schema, rules = self._frame.schema, self._frame.rules
        names = [table.name for table in schema.tables]
        kept = {
            name: list(dict.fromkeys(content[name]) if rules.keys[t] else content[name]) for t, name in enumerate(names)
        }
        for t, name in enumerate(names):
            for at in rules.keys[t]:
                seen: set[Row] = set()
                rest = []
                for row in kept[name]:
                    key = tuple(row[c] for c in at)
                    if None in key or key not in seen:
                        rest.append(row)
                        seen.add(key)
                kept[name] = rest
        changed = True
        while changed:
            changed = False
            for r in rules.hard:
                child, parents = names[r.child], kept[names[r.parent]]
                if broken_rows(kept[child], r.columns, parents, r.parent_columns):
                    kept[child] = [
                        row for row in kept[child] if not broken_rows([row], r.columns, parents, r.parent_columns)
                    ]
                    changed = True
        return kept

    def cell(self, place: Place, rng: np.random.Generator) -> Value:
        """Any value of a column's domain, those that queries ask for more often."""
        domain = self._wanted.domains[place]
        groups = [g for g in (domain.asked, domain.near, domain.others) if g]
        if not groups:
            return None
        weights = np.array([1.0, 1.0, 1.0][: len(groups)]) / len(groups)
        group = groups[int(rng.choice(len(groups), p=weights))]
        return group[int(rng.integers(len(group)))]

    def may_be_null(self, place: Place) -> bool:
        """Whether NULL may stand in a column."""
        return self._frame.nullable[place[0]][place[1]]

    def _drawn(self, rng: np.random.Generator, sizes: dict[int, int]) -> _Draw:
        draw = _Draw(sizes=sizes, skew=float(rng.choice([0.0, 0.5, 0.9])))
        for t in self._order:
            for c in range(len(self._frame.schema.tables[t].columns)):
                place = (t, c)
                domain = self._wanted.domains[place]
                count = int(rng.choice([1, 2, 3], p=[0.45, 0.35, 0.2])) if not sizes else 1 + int(rng.random() < 0.2)
                chosen: list[Value] = []
                if domain.asked and rng.random() < 0.85:
                    chosen.append(domain.asked[int(rng.integers(len(domain.asked)))])
                while len(chosen) < count:
                    chosen.append(self.cell(place, rng))
                draw.values[place] = chosen
                if self.may_be_null(place):
                    draw.nulls[place] = float(rng.choice([0.0, 0.3, 0.7]))
        return draw

    def _table(self, t: int, rows: dict[int, list[Row]], draw: _Draw, rng: np.random.Generator) -> list[Row]:
        table, rules = self._frame.schema.tables[t], self._frame.rules
        size = draw.sizes.get(t, int(rng.choice(_SIZES, p=_SHARES)))
        if t not in self._wanted.tables:
            size = max(size, 1)
        references = [r for r in rules.hard if r.child == t]
        keys = [set(at) for at in rules.keys[t]]
        made: list[Row] = []
        taken: list[set[Row]] = [set() for _ in keys]
        for number in range(size):
            for attempt in range(_TRIES):
                cells: dict[int, Value] = {}
                for r in references:
                    parents = made if r.parent == t else rows.get(r.parent, [])
                    self._refer(cells, t, r.columns, parents, r.parent_columns, draw, rng)
                for c in range(len(table.columns)):
                    if c not in cells:
                        wide = attempt >= 2 and any(c in key for key in keys)
                        cells[c] = self._cell((t, c), rows, draw, rng, wide, number)
                row = tuple(cells[c] for c in range(len(table.columns)))
                marks = [tuple(row[c] for c in sorted(key)) for key in keys]
                if all(None in m or m not in seen for m, seen in zip(marks, taken, strict=True)):
                    made.append(row)
                    for mark, seen in zip(marks, taken, strict=True):
                        seen.add(mark)
                    break
        return made

    def _refer(
        self,
        cells: dict[int, Value],
        t: int,
        columns: Sequence[int],
        parents: Sequence[Row],
        parent_columns: Sequence[int],
        draw: _Draw,
        rng: np.random.Generator,
    ) -> None:
        """Fill the columns of one reference with a parent's values; NULL where that may be, sometimes."""
        null_share = max(draw.nulls.get((t, c), 0.0) for c in columns)
        if parents and rng.random() >= null_share:
            first = bool(draw.sizes) or rng.random() < draw.skew
            parent = parents[0 if first else int(rng.integers(len(parents)))]
            for c, p in zip(columns, parent_columns, strict=True):
                cells[c] = self._converted(parent[p], (t, c))
            return
        for c in columns:
            cells[c] = None

    def _cell(
        self,
        place: Place,
        rows: dict[int, list[Row]],
        draw: _Draw,
        rng: np.random.Generator,
        wide: bool,
        number: int,
    ) -> Value:
        if rng.random() < draw.nulls.get(place, 0.0):
            return None
        partners = [p for p in self._soft.get(place, []) if rows.get(p[0])]
        # A group that is to reach a threshold must not lose rows to other groups.
        if partners and (draw.sizes or rng.random() < 0.75):
            other = partners[int(rng.integers(len(partners)))]
            pool = rows[other[0]]
            value = self._converted(pool[0 if draw.sizes else int(rng.integers(len(pool)))][other[1]], place)
            if value is not None:
                return value
        if wide:
            return self._fresh(place, number) if draw.sizes or rng.random() < 0.5 else self.cell(place, rng)
        few = draw.values[place]
        return few[int(rng.integers(len(few)))]

    def _fresh(self, place: Place, number: int) -> Value:
        table = self._frame.schema.tables[place[0]]
        column = table.columns[place[1]]
        storage = self._frame.storage[table.name.lower(), column.name.lower()]
        return written(number + 20, column, storage) or written(f"v{number}", column, storage)

    def _converted(self, value: Value, place: Place) -> Value:
        table = self._frame.schema.tables[place[0]]
        column = table.columns[place[1]]
        storage = self._frame.storage[table.name.lower(), column.name.lower()]
        plain = canonical(value, False)
        if plain is None:
            return None
        for candidate in coerced(plain, column, storage):
            cell = written(candidate, column, storage)
            if cell is not None:
                return cell
        return None
