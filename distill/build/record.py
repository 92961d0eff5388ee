"""The manifest: what a suite says about how it was made and how strong it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from distill.build.audit import Audit
from distill.build.choice import Choice
from distill.build.golds import AskedGolds
from distill.build.nearness import Nearness
from distill.build.options import BuildTask
from distill.fuzz import assumptions
from distill.matrix import KillRow
from testsuite.suite import GoldNote, InstanceNote, Manifest, Stack, instance_id
from testsuite.versions import tool_versions


def describe_suite(
    task: BuildTask,
    stack: Stack,
    origins: Sequence[str],
    golds: AskedGolds,
    near: Nearness,
    choice: Choice,
    found: Audit,
) -> Manifest:
    """The manifest of a suite.

    Args:
        task: what was asked for.
        stack: the kept instances.
        origins: where each candidate came from: ``shipped``, ``generated`` or ``searched``.
        golds: the golds.
        near: their neighbours on the kept instances.
        choice: which candidates were kept.
        found: the audit of ``stack``.
    """
    sizes = stack.row_counts
    separates = near.kills.sum(axis=0)
    instances = tuple(
        InstanceNote(instance_id(stack, place), origins[candidate], int(sizes[place]), int(separates[place]))
        for place, candidate in enumerate(choice.kept)
    )
    return Manifest(
        db_id=task.schema.db_id,
        instances=instances,
        golds=_gold_notes(golds, near, choice, found),
        seed=task.options.seed,
        options=asdict(task.options),
        versions=tool_versions(),
        operators=_operators(near, choice),
        audit=found.tally,
        assumptions=tuple(assumptions(task.schema, task.shipped)),
        candidates=len(origins),
    )


def _gold_notes(golds: AskedGolds, near: Nearness, choice: Choice, found: Audit) -> tuple[GoldNote, ...]:
    by_gold: list[list[tuple[KillRow, bool]]] = [[] for _ in golds.texts]
    for row, places in zip(near.rows, choice.confirmed, strict=True):
        by_gold[row.gold].append((row, bool(places)))
    notes = []
    for text, pairs, proved, audited in zip(golds.texts, by_gold, near.equivalent, found.golds, strict=True):
        left = tuple(_left(row) for row, separated in pairs if not separated)
        notes.append(
            GoldNote(
                text.sql,
                text.items,
                neighbours=len(pairs),
                separated=len(pairs) - len(left),
                equivalent=len(proved),
                unknown=len(left),
                informative=audited.informative,
                undetermined=audited.undetermined,
                path=audited.path,
                reason=audited.reason,
                left=left,
                rules=dict(sorted(Counter(pair.rule for pair in proved).items())),
            )
        )
    notes += [GoldNote(gold.sql, gold.items, 0, 0, 0, 0, 0, 0, "none", gold.fault) for gold in golds.broken]
    return tuple(notes)


def _left(row: KillRow) -> dict[str, str]:
    entry = {"operator": row.neighbour.operator, "sql": row.neighbour.sql}
    return {**entry, "reason": row.failed} if row.failed else entry


def _operators(near: Nearness, choice: Choice) -> dict[str, dict[str, int]]:
    """Per operator how its neighbours ended."""
    tallies: dict[str, Counter[str]] = {}

    def tally(operator: str) -> Counter[str]:
        return tallies.setdefault(operator, Counter(neighbours=0, separated=0, equivalent=0, unknown=0))

    for row, places in zip(near.rows, choice.confirmed, strict=True):
        counts = tally(row.neighbour.operator)
        counts["neighbours"] += 1
        counts["separated" if places else "unknown"] += 1
    for group in near.equivalent:
        for pair in group:
            tally(pair.operator)["equivalent"] += 1
    return {name: dict(counts) for name, counts in sorted(tallies.items())}
