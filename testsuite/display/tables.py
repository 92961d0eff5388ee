"""Tables of a scored run, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from testsuite.display.console import output
from testsuite.metrics import Share


def _ratio(data: Mapping[str, int]) -> str:
    found = Share(data["correct"], data["of"])
    return f"{found}  {found.correct}/{found.of}" if found.of else "-"


_COLUMNS = {"execution": "execution accuracy", "test_suite": "test-suite accuracy", "exact": "exact set match"}
_SHOWN = {"exec": ("execution", "test_suite"), "match": ("exact",), "all": ("execution", "test_suite", "exact")}


def _table(summary: Mapping[str, Any], first: str, title: str = "") -> tuple[Table, tuple[str, ...]]:
    """A table with a column for each accuracy that was asked for; and their names."""
    shown = _SHOWN[summary["options"].get("etype", "exec")]
    table = Table(title=title or None, title_justify="left")
    table.add_column(first)
    for name in ("items", *(_COLUMNS[accuracy] for accuracy in shown)):
        table.add_column(name, justify="right")
    if "test_suite" in shown:
        table.add_column("lucky passes", justify="right")
    return table, shown


def _cells(group: Mapping[str, Any], accuracy: Mapping[str, Any], shown: tuple[str, ...]) -> list[str]:
    cells = [str(group["items"]), *(_ratio(accuracy[name]) for name in shown)]
    return [*cells, str(group["lucky_passes"])] if "test_suite" in shown else cells


def accuracy_table(summary: Mapping[str, Any], title: str = "") -> Table:
    """By database, then in all: the accuracies that were asked for, and the passes that were luck."""
    table, shown = _table(summary, "database", title)
    for name, group in summary["by"]["database"].items():
        table.add_row(name, *_cells(group, group, shown))
    table.add_section()
    table.add_row("all", *_cells(summary, summary["accuracy"], shown), style="bold")
    return table


def hardness_table(summary: Mapping[str, Any]) -> Table | None:
    """The same by hardness of the gold; None where no gold has one."""
    groups = summary["by"]["hardness"]
    if not groups:
        return None
    table, shown = _table(summary, "hardness")
    for name in ("easy", "medium", "hard", "extra", "unknown"):
        if name in groups:
            table.add_row(name, *_cells(groups[name], groups[name], shown))
    return table


def run_lines(summary: Mapping[str, Any]) -> list[str]:
    """How the run went, one fact a line: fates, paths, policies, audit."""
    fates = ", ".join(f"{name} {count}" for name, count in summary["fates"].items())
    paths = summary["paths"]
    reasons = ", ".join(f"{name} ({count})" for name, count in list(paths["reasons"].items())[:5])
    options = summary["options"]
    lines = [
        f"fates: {fates}",
        "nothing was run: exact set match alone"
        if options.get("etype") == "match"
        else f"ran stacked {paths['stacked']}, per instance {paths['instance']}, on SQLite {paths['sqlite']}, "
        f"not run {paths['none']}" + (f"; why not stacked: {reasons}" if reasons else ""),
        "decided by: " + ", ".join(f"{name} {value}" for name, value in options.items()),
    ]
    if summary["flags"]:
        lines.append("flags: " + ", ".join(f"{name} {count}" for name, count in summary["flags"].items()))
    if summary["audit"]["pairs"]:
        audit = summary["audit"]
        lines.append(
            f"audit: {audit['pairs']} pairs ({audit['queries']} queries) also on SQLite, "
            f"{audit['disagreements']} disagreements, {audit['tie_dependent']} tie-dependent"
        )
    return lines


def print_summary(summary: Mapping[str, Any], title: str = "") -> None:
    """Tables and facts of a run on standard output."""
    console = output()
    console.print(accuracy_table(summary, title))
    by_hardness = hardness_table(summary)
    if by_hardness is not None:
        console.print(by_hardness)
    for line in run_lines(summary):
        console.print(line, highlight=False, soft_wrap=True)
