"""Two runs side by side."""

from __future__ import annotations

import csv
import io

from testsuite.display.grid import Grid, Kind, Row, Section
from testsuite.metrics import Change, Comparison, Share, percent
from testsuite.metrics.measures import BY_NAME

_LISTED = (("lost", "lost"), ("gained", "gained"), ("no_verdict", "no verdict"))


def points(value: float) -> str:
    """A difference of two shares in percentage points, signed."""
    return f"{100 * value:+.1f}"


def paired_line(found: Comparison) -> str:
    """The paired test in one sentence."""
    test = found.test
    low, high = test.interval or (0.0, 0.0)
    return (
        f"B - A: {points(test.difference or 0.0)} points, 95 % interval [{points(low)}, {points(high)}]; "
        f"McNemar's exact test on {test.only_a + test.only_b} items that changed: p = {test.p:.3g}, "
        + ("significant at 5 %" if test.significant else "not significant at 5 %")
    )


def comparison_grids(found: Comparison) -> list[Grid]:
    """The four counts with both accuracies, and the items that changed."""
    test = found.test
    a, b = Share(test.both + test.only_a, test.items), Share(test.both + test.only_b, test.items)
    rows = []
    for label, one in (("A", a), ("B", b)):
        low, high = one.interval or (0.0, 0.0)
        rows.append(
            Row(label, (f"{percent(one.value)} ({one.correct}/{one.of})", f"[{percent(low)}, {percent(high)}]"))
        )
    counts = Grid(
        "",
        BY_NAME[found.measure].title,
        ("right", "95 % interval"),
        (
            Section("", tuple(rows)),
            Section(
                "",
                tuple(
                    Row(label, (str(count), ""), Kind.DETAIL)
                    for label, count in (
                        ("right in both", test.both),
                        ("right in A only", test.only_a),
                        ("right in B only", test.only_b),
                        ("wrong in both", test.neither),
                        ("without a verdict", len(found.no_verdict)),
                    )
                ),
            ),
        ),
    )
    sections = tuple(
        Section(f"{title} ({len(changes)})", tuple(map(_change_row, changes)))
        for name, title in _LISTED
        if (changes := getattr(found, name))
    )
    if not sections:
        return [counts]
    return [counts, Grid("", "item", ("database", "hardness", "fate in A", "fate in B"), sections)]


def _change_row(change: Change) -> Row:
    return Row(change.id, (change.db_id, change.hardness or "-", change.fate_a.value, change.fate_b.value))


def comparison_csv(found: Comparison) -> str:
    """One line per item that changed or has no verdict in one of the runs."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("change", "id", "db_id", "hardness", "fate_a", "fate_b"))
    for name, _ in _LISTED:
        for change in getattr(found, name):
            writer.writerow((name, change.id, change.db_id, change.hardness, change.fate_a, change.fate_b))
    return text.getvalue()
