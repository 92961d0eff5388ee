"""The proof that instances honour their keys: repair, and a count of violations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from testsuite.shrink.rules import Columns, Reference, Rules, broken_rows
from testsuite.suite.stack import Row, Stack, StackedTable


def joint(
    first: Sequence[NDArray[np.int64]], second: Sequence[NDArray[np.int64]] = ()
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers that are equal exactly where whole tuples are, over both sets of columns."""
    size = len(first[0])
    numbers = np.zeros(size + (len(second[0]) if second else 0), dtype=np.int64)
    for i, column in enumerate(first):
        both = np.concatenate([column, second[i]]) if second else column
        width = int(both.max(initial=0)) + 1
        numbers = numbers * width + both
        if i + 1 < len(first) and int(numbers.max(initial=0)) > 1 << 40:
            numbers = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return numbers[:size], numbers[size:]


@dataclass
class Draft:
    """The rows of one table while instances are being made: codes into value lists, 0 is NULL.

    Attributes:
        instance: int64 per row.
        codes: int64, rows x columns.
        planted: rows that repair keeps in favour of others.
    """

    instance: NDArray[np.int64]
    codes: NDArray[np.int64]
    planted: NDArray[np.bool_]

    def keep(self, mask: NDArray[np.bool_]) -> None:
        """Leave out the rows where ``mask`` is false."""
        self.instance, self.codes, self.planted = self.instance[mask], self.codes[mask], self.planted[mask]

    def extend(self, other: Draft) -> None:
        """Add rows at the end."""
        self.instance = np.concatenate([self.instance, other.instance])
        self.codes = np.concatenate([self.codes, other.codes])
        self.planted = np.concatenate([self.planted, other.planted])


def dangling(drafts: Sequence[Draft], reference: Reference) -> NDArray[np.bool_]:
    """Rows of the child that have no parent, per row."""
    child, parent = drafts[reference.child], drafts[reference.parent]
    mine, theirs = joint(
        [child.instance, *(child.codes[:, c] for c in reference.columns)],
        [parent.instance, *(parent.codes[:, c] for c in reference.parent_columns)],
    )
    complete: NDArray[np.bool_] = np.all(child.codes[:, list(reference.columns)] > 0, axis=1)
    lost: NDArray[np.bool_] = complete & ~np.isin(mine, theirs)
    return lost


def repair(
    drafts: Sequence[Draft],
    rules: Rules,
    nullable: Sequence[NDArray[np.bool_]],
    usable: Sequence[Sequence[NDArray[np.bool_]]],
    checks: Mapping[int, Callable[[Draft], NDArray[np.int64]]],
    equal_rows: bool = True,
) -> None:
    """Make every rule hold, by leaving rows out or by NULL in foreign keys that may be NULL. Ends: both only shrink.

    Args:
        drafts: per table, changed in place.
        rules: the keys to honour.
        nullable: per table and column whether NULL may stand there.
        usable: per table, column and code whether the column can hold it.
        checks: per table a function from its draft to the numbers of rows that break a CHECK over several columns.
        equal_rows: whether rows of a table may be equal in every column, NULL counting as equal to NULL.
    """
    for draft, masks in zip(drafts, usable, strict=True):
        for c, mask in enumerate(masks):
            draft.codes[:, c] = np.where(mask[draft.codes[:, c]], draft.codes[:, c], 0)
    for t, check in checks.items():
        failing = check(drafts[t])
        mask = np.ones(len(drafts[t].instance), dtype=np.bool_)
        mask[failing] = False
        drafts[t].keep(mask)
    for t, draft in enumerate(drafts):
        forbidden = ~nullable[t]
        draft.keep(~np.any((draft.codes == 0) & forbidden[None, :], axis=1))
        for at in rules.keys[t]:
            _drop_repeats(draft, at)
    changed = True
    while changed:
        changed = False
        for reference in rules.hard:
            lost = dangling(drafts, reference)
            if not lost.any():
                continue
            changed = True
            draft = drafts[reference.child]
            free = [c for c in reference.columns if nullable[reference.child][c]]
            if free:
                draft.codes[lost, free[0]] = 0
            else:
                draft.keep(~lost)
    if not equal_rows:
        # Last, for NULL put into a foreign key may make rows equal; the row that stays keeps its children.
        for draft in drafts:
            _drop_repeats(draft, tuple(range(draft.codes.shape[1])), nulls_differ=False)


def _drop_repeats(draft: Draft, at: Columns, nulls_differ: bool = True) -> None:
    if not len(draft.instance):
        return
    order = np.argsort(~draft.planted, kind="stable")
    numbers, _ = joint([draft.instance, *(draft.codes[:, c] for c in at)])
    _, first = np.unique(numbers[order], return_index=True)
    keep = np.zeros(len(order), dtype=np.bool_)
    keep[order[first]] = True
    if nulls_differ:
        keep |= np.any(draft.codes[:, list(at)] == 0, axis=1)
    draft.keep(keep)


def violations(stack: Stack, rules: Rules) -> list[str]:
    """What a finished stack breaks, one line per rule and instance (empty when all is well). Slow and plain."""
    found = []
    for number in range(stack.count):
        content = stack.rows(number)
        for t, stacked in enumerate(stack.tables):
            rows = content[stacked.table.name]
            found += [f"{number}: {text}" for text in _table_violations(stacked, rows, rules, t)]
        for reference in rules.hard:
            child, parent = stack.schema.tables[reference.child], stack.schema.tables[reference.parent]
            broken = broken_rows(content[child.name], reference.columns, content[parent.name], reference.parent_columns)
            if broken:
                found.append(f"{number}: {broken} rows of {child.name} have no {parent.name}")
    return found


def _table_violations(stacked: StackedTable, rows: Sequence[Row], rules: Rules, t: int) -> list[str]:
    found = []
    name = stacked.table.name
    for at in rules.keys[t]:
        values = [v for row in rows if None not in (v := tuple(row[c] for c in at))]
        if len(set(values)) < len(values):
            found.append(f"{name} repeats a key")
        if rules.has_primary[t] and at == rules.keys[t][0] and len(values) < len(rows):
            found.append(f"{name} has NULL in its primary key")
    for c, column in enumerate(stacked.table.columns):
        if column.not_null and any(row[c] is None for row in rows):
            found.append(f"{name}.{column.name} is NULL")
    return found
