"""Figures of a run laid out as tables: the published layout, dialogues by turn, one row per database or component."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence

from testsuite.display.grid import Grid, Kind, Row, Section
from testsuite.metrics import DIMENSIONS, Figures, Group, Share, percent
from testsuite.metrics.figures import group_of
from testsuite.metrics.measures import SOFT_F1, SOFT_F1_TITLE
from testsuite.official import COMPONENTS, LEVELS

_INTERVAL, _NO_VERDICT = "95 % interval", "without a verdict"
_HARDNESS = LEVELS[:-1]
_TITLES = {dimension.name: dimension.title for dimension in DIMENSIONS}


# With more columns than these, a line of 120 characters has no room for counts beside figures.
_ROOMY = 5


def _value(found: Share, counted: bool = True) -> str:
    counts = f" ({found.correct}/{found.of})" if counted and found.of else ""
    return percent(found.value) + counts


def _interval(found: Share) -> str:
    ends = found.interval
    if ends is None:
        return "-"
    # A decimal less where it is round, so that seven columns fit.
    high = "100" if ends[1] == 1 else percent(ends[1])
    return f"[{percent(ends[0])}, {high}]"


def _runs(figures: Figures) -> bool:
    return any(measure.name == "test_suite" for measure in figures.measures)


def _accuracies(figures: Figures, groups: Sequence[Group]) -> Section:
    """A row per measure, its intervals beneath, and what it leaves out where it leaves out anything."""
    rows = []
    for measure in figures.measures:
        shares = [group.shares[measure.name] for group in groups]
        rows.append(Row(measure.title, tuple(_value(found, len(groups) <= _ROOMY) for found in shares)))
        rows.append(Row(_INTERVAL, tuple(map(_interval, shares)), Kind.DETAIL))
        left_out = [group.no_verdict(measure.name) for group in groups]
        if any(left_out):
            rows.append(Row(_NO_VERDICT, tuple(map(str, left_out)), Kind.DETAIL))
    if any(group.soft_f1.of for group in groups):
        rows.append(Row(SOFT_F1_TITLE, tuple(percent(group.soft_f1.value) for group in groups)))
    if _runs(figures):
        rows.append(Row("lucky passes", tuple(str(group.lucky_passes) for group in groups)))
    return Section("", tuple(rows))


def _count(groups: Sequence[Group]) -> Section:
    return Section("", (Row("count", tuple(str(group.items) for group in groups)),))


def _columns(figures: Figures, by: str) -> list[Group]:
    """Groups of the columns; hardness has its four levels even where no item is of one, as the published tables do."""
    found = {group.name: group for group in figures.by.get(by, ())}
    names = [*_HARDNESS, *(name for name in found if name not in _HARDNESS)] if by == "hardness" else list(found)
    return [found.get(name) or group_of(name, ()) for name in names]


def _partial(figures: Figures, levels: Sequence[str]) -> Section | None:
    if figures.partial is None:
        return None
    rows = []
    for component in COMPONENTS:
        cells = []
        for level in levels:
            score = figures.partial[level][component]
            accuracy = percent(score.accuracy if score.predictions else None)
            recall = percent(score.recall if score.golds else None)
            either = score.predictions or score.golds
            cells.append(f"{accuracy}/{recall}/{percent(score.f1)}" if either else "-")
        rows.append(Row(component, tuple(cells)))
    over = "" if figures.partial_items == figures.total.items else f", {figures.partial_items} items"
    return Section(f"partial acc/recall/F1{over}", tuple(rows))


def main_grid(figures: Figures, by: str = "hardness") -> Grid:
    """The layout of the published tables: columns by hardness (or difficulty) and in all."""
    groups = _columns(figures, by)
    groups.append(figures.total)
    sections = [_count(groups), _accuracies(figures, groups)]
    partial = _partial(figures, [group.name for group in groups]) if by == "hardness" else None
    if partial is not None:
        sections.append(partial)
    return Grid("", _TITLES[by], tuple(group.name for group in groups), tuple(sections))


def dialogue_grid(figures: Figures) -> Grid | None:
    """Dialogues by turn; question match (QM) is over all turns, interaction match (IM) over interactions.

    None where there are no dialogues.
    """
    dialogue = figures.dialogue
    if dialogue is None:
        return None
    groups = [*dialogue.turns, dialogue.questions, dialogue.interactions]
    columns = (*(f"turn {group.name}" for group in dialogue.turns), "QM", "IM")
    return Grid("", "turn", columns, (_count(groups), _accuracies(figures, groups)))


def rows_grid(figures: Figures, by: str) -> Grid | None:
    """One row per group, then all items; None where the items have no such breakdown."""
    groups = figures.by.get(by)
    if not groups:
        return None
    measures = figures.measures
    columns = ["items", *(measure.title for measure in measures)]
    soft = figures.total.soft_f1.of > 0
    columns += [SOFT_F1_TITLE] * soft + ["lucky passes"] * _runs(figures)

    def row(group: Group) -> Row:
        cells = [str(group.items)]
        for measure in measures:
            found = group.shares[measure.name]
            cells.append(f"{_value(found)} {_interval(found)}" if found.of else "-")
        cells += [percent(group.soft_f1.value)] * soft + [str(group.lucky_passes)] * _runs(figures)
        return Row(group.name, tuple(cells))

    sections = (Section("", tuple(map(row, groups))), Section("", (row(figures.total),)))
    return Grid("", _TITLES[by], tuple(columns), sections)


_BY: dict[str, Callable[[Figures], Grid | None]] = {
    "hardness": main_grid,
    "difficulty": lambda figures: main_grid(figures, "difficulty") if "difficulty" in figures.by else None,
    "database": lambda figures: rows_grid(figures, "database"),
    "component": lambda figures: rows_grid(figures, "component"),
    "turn": dialogue_grid,
}
BREAKDOWNS = tuple(_BY)
"""What tables may be asked for."""


def grids(figures: Figures, by: str | None = None) -> list[Grid]:
    """The tables of one breakdown, or those a run shows by itself: by hardness (BIRD: difficulty), and by turn.

    An empty list where the items have no such breakdown.
    """
    wanted = [by] if by else ["difficulty" if "difficulty" in figures.by else "hardness", "turn"]
    return [grid for name in wanted if (grid := _BY[name](figures)) is not None]


CSV_COLUMNS = ("by", "group", "measure", "value", "low", "high", "correct", "of")


def csv_text(figures: Figures, by: str | None = None) -> str:
    """One figure a line, not rounded: all breakdowns, or the one that is asked for (and the total).

    ``value`` is between 0 and 1 (a count for ``lucky_passes``), ``low`` and ``high`` its 95 % interval.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for dimension, groups in (("all", (figures.total,)), *figures.by.items()):
        if by in (None, dimension) or dimension == "all":
            writer.writerows(line for group in groups for line in _lines(figures, dimension, group))
    if figures.dialogue is not None and by in (None, "turn"):
        for name, group in (("QM", figures.dialogue.questions), ("IM", figures.dialogue.interactions)):
            writer.writerows([dimension, name, *rest] for dimension, _, *rest in _lines(figures, "dialogue", group))
    if figures.partial is not None and by in (None, "hardness"):
        for level, row in figures.partial.items():
            for name, score in row.items():
                for what, value, of in (
                    ("accuracy", score.accuracy, score.predictions),
                    ("recall", score.recall, score.golds),
                    ("F1", score.f1, score.predictions or score.golds),
                ):
                    if of:
                        count = "" if what == "F1" else of
                        writer.writerow(("hardness", level, f"partial {what}: {name}", value, "", "", "", count))
    return text.getvalue()


def _lines(figures: Figures, dimension: str, group: Group) -> Iterator[list[object]]:
    for measure in figures.measures:
        found = group.shares[measure.name]
        low, high = found.interval or ("", "")
        value = "" if found.value is None else found.value
        yield [dimension, group.name, measure.name, value, low, high, found.correct, found.of]
    if group.soft_f1.of:
        yield [dimension, group.name, SOFT_F1, group.soft_f1.value, "", "", "", group.soft_f1.of]
    if _runs(figures):
        yield [dimension, group.name, "lucky_passes", group.lucky_passes, "", "", "", group.items]
