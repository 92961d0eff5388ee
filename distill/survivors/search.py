"""The strategies that look for contents on which two queries differ, cheapest first, in one visible tuple.

All work is counted in contents tried. A strategy only proposes; the judge decides on SQLite, and only legal
contents that it confirms alone are returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from distill.fuzz.generate import generate
from distill.survivors.frame import Content, Frame
from distill.survivors.judge import Judge, Seen
from distill.survivors.small import SmallContents
from distill.survivors.values import Wanted, read_pair
from testsuite.errors import SuiteError
from testsuite.suite import Row, Value


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a search may try, in counts, so that the result depends on nothing else.

    Attributes:
        wanted: separating instances to return at most.
        generated: instances of the ordinary generator, made for the two queries alone.
        small: contents of few rows over few values.
        thresholds: contents with groups as large as conditions on counts ask for.
        climbed: contents made by changing those that came nearest.
    """

    wanted: int = 3
    generated: int = 120
    small: int = 320
    thresholds: int = 60
    climbed: int = 160


@dataclass(frozen=True)
class Task:
    """One search: the pair, what it asks for, what is legal, who judges, and how much may be tried."""

    frame: Frame
    queries: tuple[str, str]
    wanted: Wanted
    judge: Judge
    budget: Budget


@dataclass(frozen=True)
class Strategy:
    """A way to look for a separating content; ``run`` yields batches that separate, not yet confirmed."""

    name: str
    run: Callable[[Task, np.random.Generator], Iterator[list[Content]]]


_BATCH = 80


def _in_batches(
    task: Task, count: int, make: Callable[[], Content], seen: Callable[[list[Content], Seen], None] | None = None
) -> Iterator[list[Content]]:
    tried: set[int] = set()
    for start in range(0, count, _BATCH):
        batch = []
        for _ in range(min(_BATCH, count - start)):
            content = make()
            mark = hash(tuple((name, tuple(rows)) for name, rows in content.items()))
            if mark not in tried:
                tried.add(mark)
                batch.append(content)
        if not batch:
            continue
        judged = task.judge.contents(batch)
        if seen is not None:
            seen(batch, judged)
        yield [batch[i] for i in np.flatnonzero(judged.separated)]


def small_contents(task: Task, rng: np.random.Generator) -> Iterator[list[Content]]:
    """Few rows over few values; then, from those whose answers came nearest, small changes."""
    maker = SmallContents(task.frame, task.wanted)
    best: list[tuple[float, int, Content]] = []

    def remember(batch: list[Content], judged: Seen) -> None:
        for i, content in enumerate(batch):
            if judged.usable[i]:
                gold, other = judged.rows[i].tolist()
                # Both answers hold something, not too much of it, in a small content.
                score = (gold > 0) + (other > 0) - 0.02 * sum(len(rows) for rows in content.values())
                best.append((score, len(best), content))

    yield from _in_batches(task, task.budget.small, lambda: maker.make(rng), remember)
    best.sort(key=lambda entry: (-entry[0], entry[1]))
    parents = [content for _, _, content in best[:24]]
    if not parents:
        return
    yield from _in_batches(
        task,
        task.budget.climbed,
        lambda: maker.pruned(_changed(parents[int(rng.integers(len(parents)))], maker, task, rng)),
    )


def _changed(content: Content, maker: SmallContents, task: Task, rng: np.random.Generator) -> Content:
    """A content with one to three changes: a cell, a repeated row with another cell, or a row less."""
    changed = {name: list(rows) for name, rows in content.items()}
    tables = [t for t in sorted(task.wanted.tables) if changed[task.frame.schema.tables[t].name]]
    if not tables:
        return maker.make(rng)
    for _ in range(int(rng.integers(1, 4))):
        t = tables[int(rng.integers(len(tables)))]
        rows = changed[task.frame.schema.tables[t].name]
        if not rows:
            continue
        at = int(rng.integers(len(rows)))
        kind = rng.random()
        if kind < 0.15:
            del rows[at]
            continue
        cells: list[Value] = list(rows[at])
        places = [c for c in range(len(cells)) if (t, c) in task.wanted.columns] or list(range(len(cells)))
        for _ in range(int(rng.integers(1, 3))):
            c = places[int(rng.integers(len(places)))]
            cells[c] = None if maker.may_be_null((t, c)) and rng.random() < 0.25 else maker.cell((t, c), rng)
        row: Row = tuple(cells)
        if kind < 0.6:
            rows[at] = row
        else:
            key = task.frame.rules.keys[t][0] if task.frame.rules.keys[t] else ()
            for c in key[:1]:
                cells[c] = maker.cell((t, c), rng)
            rows.append(tuple(cells))
    return changed


def threshold_groups(task: Task, rng: np.random.Generator) -> Iterator[list[Content]]:
    """Groups with one row less than, as many as, and one more than a condition on a count asks for."""
    maker = SmallContents(task.frame, task.wanted)
    children = sorted(task.wanted.tables)
    targets = [n + d for n in task.wanted.counts for d in (0, -1, 1)]
    if not targets or not children:
        return
    state = [0]

    def make() -> Content:
        size = targets[state[0] % len(targets)]
        big = children[(state[0] // len(targets)) % len(children)]
        state[0] += 1
        sizes = {t: size if t == big else int(rng.choice([1, 2])) for t in range(len(task.frame.schema.tables))}
        return maker.make(rng, sizes)

    yield from _in_batches(task, task.budget.thresholds, make)


def generated_for_both(task: Task, rng: np.random.Generator) -> Iterator[list[Content]]:
    """Instances of the ordinary generator, made for these two queries and nothing else."""
    if not task.budget.generated:
        return
    frame = task.frame
    stack = generate(frame.schema, task.queries, frame.shipped_stack(), task.budget.generated, rng, frame.policies)
    judged = task.judge.stack(stack)
    yield [stack.rows(int(i)) for i in np.flatnonzero(judged.separated)]


STRATEGIES: tuple[Strategy, ...] = (
    Strategy("small contents", small_contents),
    Strategy("groups at a threshold", threshold_groups),
    Strategy("generated for both", generated_for_both),
)


def search(
    frame: Frame,
    queries: tuple[str, str],
    judge: Judge,
    rng: np.random.Generator,
    budget: Budget,
    strategies: Sequence[Strategy] = STRATEGIES,
) -> tuple[str, list[Content]]:
    """The first strategy that separates the pair and up to ``budget.wanted`` confirmed contents; ("", []) for none."""
    task = Task(frame, queries, read_pair(frame, queries), judge, budget)
    found: list[Content] = []
    name = ""
    for strategy, own in zip(strategies, rng.spawn(len(strategies)), strict=True):
        try:
            for batch in strategy.run(task, own):
                batch.sort(key=_rows)
                found += judge.confirmed(batch, budget.wanted - len(found))
                if len(found) >= budget.wanted:
                    break
        except SuiteError:
            continue  # the generator cannot serve this schema
        if found and not name:
            name = strategy.name
        if len(found) >= budget.wanted:
            break
    return name, found


def _rows(content: Content) -> int:
    return sum(len(rows) for rows in content.values())
