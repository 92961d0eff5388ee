"""Put answers of parts of a list of instances together again. Pure arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from testsuite.compare.answer import Answer, Cells


def merge_answers(instances: int, parts: Sequence[tuple[Sequence[int], Answer]]) -> Answer:
    """One answer over ``instances`` positions from answers over disjoint lists of positions.

    Args:
        instances: how many positions there are in all.
        parts: for each answer the positions that its own positions 0, 1, .. stand for.

    Raises:
        ValueError: the parts have different widths.
    """
    if len(parts) == 1 and list(parts[0][0]) == list(range(instances)):
        return parts[0][1]
    errors = {int(places[p]): m for places, answer in parts for p, m in answer.errors.items()}
    filled = [(np.asarray(places, dtype=np.int32), answer) for places, answer in parts if len(places)]
    # A part on which the query failed everywhere has no columns to speak of.
    shaped = [(p, a) for p, a in filled if a.columns or not a.errors]
    if not shaped:
        return Answer(instances, np.empty(0, dtype=np.int32), (), errors=errors)
    if len({len(answer.columns) for _, answer in shaped}) > 1:
        raise ValueError("parts of one answer have different widths")
    instance = np.concatenate([places[answer.instance] for places, answer in shaped]).astype(np.int32)
    order = np.argsort(instance, kind="stable")
    columns = []
    for cells in zip(*(answer.columns for _, answer in shaped), strict=True):
        columns.append(
            Cells(
                np.concatenate([c.kind for c in cells])[order],
                np.concatenate([c.number for c in cells])[order],
                np.concatenate([c.code for c in cells])[order],
            )
        )
    first = shaped[0][1]
    rank = None
    if all(answer.rank is not None for _, answer in shaped):
        rank = np.concatenate([answer.rank for _, answer in shaped if answer.rank is not None])[order]
    return Answer(
        instances, instance[order], tuple(columns), first.names, first.ordered, rank, first.limit, first.offset, errors
    )


def take_answer(answer: Answer, places: Sequence[int]) -> Answer:
    """The answer on some of its instances, renumbered 0, 1, .. in the given order (no repeats)."""
    target = np.full(answer.instances, -1, dtype=np.int64)
    target[np.asarray(places, dtype=np.int64)] = np.arange(len(places))
    moved = target[answer.instance]
    chosen = np.flatnonzero(moved >= 0)
    chosen = chosen[np.argsort(moved[chosen], kind="stable")]
    return Answer(
        len(places),
        moved[chosen].astype(np.int32),
        tuple(Cells(c.kind[chosen], c.number[chosen], c.code[chosen]) for c in answer.columns),
        answer.names,
        answer.ordered,
        None if answer.rank is None else answer.rank[chosen],
        answer.limit,
        answer.offset,
        {int(target[p]): m for p, m in answer.errors.items() if target[p] >= 0},
    )
