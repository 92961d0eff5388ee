"""Neighbours that fewer candidates separate than the cover wants: proved equal, searched for, or left unknown.

What a search finds are further candidates. A neighbour is first tried on what was found for those before it: one
content often separates several. Every pair has a chance of its own, and budgets are counts, so that the outcome
depends on neither time nor the order of schemas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from distill.build.nearness import Nearness
from distill.build.options import BuildTask, seeded_rng
from distill.matrix import GoldAnswers
from distill.neighbours import Equivalent
from distill.survivors import Budget, Content, Judge, make_frame, settle
from testsuite.schema import Schema, Storage
from testsuite.score.run import ScoreOptions


@dataclass(frozen=True)
class Settlement:
    """What the searches and proofs gave.

    Attributes:
        near: as before, the neighbours proved equal moved to ``equivalent``.
        contents: legal contents that separate neighbours, none twice.
        searched: neighbours that were settled, by outcome.
    """

    near: Nearness
    contents: tuple[Content, ...]
    searched: Mapping[str, int]


def settle_left(
    task: BuildTask,
    assumed: Schema,
    storage: Mapping[tuple[str, str], Storage],
    golds: tuple[GoldAnswers, ...],
    near: Nearness,
) -> Settlement:
    """Settle each neighbour that fewer than ``task.options.cover`` candidates separate.

    Args:
        task: the schema, its shipped content and the options.
        assumed: the constraints that hold in every instance.
        storage: what each column holds.
        golds: the golds that ``near`` counts.
        near: the neighbours and the candidates that separate them.
    """
    options = task.options
    policies, now = options.policies, ScoreOptions(now=options.now).instant
    frame = make_frame(task.schema, task.shipped, storage, policies)
    contents: list[Content] = []
    marks: set[tuple[tuple[str, tuple[object, ...]], ...]] = set()
    kept_rows = []
    equivalent = [list(group) for group in near.equivalent]
    searched = {"separated": 0, "equivalent": 0, "unknown": 0}
    for row in near.rows:
        killed = int(row.kills.sum())
        if killed >= options.cover:
            kept_rows.append(row)
            continue
        gold, neighbour = golds[row.gold].sql, row.neighbour
        if contents:
            judged = Judge(frame, gold, neighbour.sql, now).contents(contents)
            killed += int(judged.separated.sum())
            if killed >= options.cover:
                searched["separated"] += 1
                kept_rows.append(row)
                continue
        settled = settle(
            gold,
            neighbour.sql,
            task.schema,
            assumed,
            task.shipped,
            storage,
            seeded_rng(options.seed, task.schema.db_id, gold, neighbour.sql),
            policies,
            Budget(wanted=options.cover - killed),
            now,
        )
        proved = settled.state == "equivalent" and not killed
        searched["equivalent" if proved else "separated" if settled.instances or killed else "unknown"] += 1
        if proved:
            equivalent[row.gold].append(Equivalent(neighbour.sql, neighbour.operator, settled.rule))
            continue
        kept_rows.append(row)
        for content in settled.instances:
            mark = tuple((name, tuple(rows)) for name, rows in content.items())
            if mark not in marks:
                marks.add(mark)
                contents.append(content)
    groups = tuple(tuple(group) for group in equivalent)
    return Settlement(replace(near, rows=tuple(kept_rows), equivalent=groups), tuple(contents), searched)


__all__ = ["Settlement", "settle_left"]
