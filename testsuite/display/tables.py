"""Tables of a scored run, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from testsuite.score.summary import Ratio


def _ratio(data: Mapping[str, int]) -> str:
    found = Ratio(data["correct"], data["of"])
    return f"{found}  {found.correct}/{found.of}" if found.of else "-"


def accuracy_table(summary: Mapping[str, Any], title: str = "") -> Table:
    """By database, then in all: execution and test-suite accuracy and the passes that were luck."""
    table = Table(title=title or None, title_justify="left")
    table.add_column("database")
    for name in ("items", "execution accuracy", "test-suite accuracy", "lucky passes"):
        table.add_column(name, justify="right")
    for name, group in summary["by"]["database"].items():
        table.add_row(
            name,
            str(group["items"]),
            _ratio(group["execution"]),
            _ratio(group["test_suite"]),
            str(group["lucky_passes"]),
        )
    table.add_section()
    accuracy = summary["accuracy"]
    table.add_row(
        "all",
        str(summary["items"]),
        _ratio(accuracy["execution"]),
        _ratio(accuracy["test_suite"]),
        str(summary["lucky_passes"]),
        style="bold",
    )
    return table


def hardness_table(summary: Mapping[str, Any]) -> Table | None:
    """The same by hardness of the gold; None where no gold has one."""
    groups = summary["by"]["hardness"]
    if not groups:
        return None
    table = Table()
    table.add_column("hardness")
    for name in ("items", "execution accuracy", "test-suite accuracy", "lucky passes"):
        table.add_column(name, justify="right")
    order = [name for name in ("easy", "medium", "hard", "extra", "unknown") if name in groups]
    for name in order:
        group = groups[name]
        table.add_row(
            name,
            str(group["items"]),
            _ratio(group["execution"]),
            _ratio(group["test_suite"]),
            str(group["lucky_passes"]),
        )
    return table


def run_lines(summary: Mapping[str, Any]) -> list[str]:
    """How the run went, one fact a line: fates, paths, policies, audit."""
    fates = ", ".join(f"{name} {count}" for name, count in summary["fates"].items())
    paths = summary["paths"]
    reasons = ", ".join(f"{name} ({count})" for name, count in list(paths["reasons"].items())[:5])
    options = summary["options"]
    lines = [
        f"fates: {fates}",
        f"ran stacked {paths['stacked']}, per instance {paths['instance']}, on SQLite {paths['sqlite']}, "
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
    console = Console()
    console.print(accuracy_table(summary, title))
    by_hardness = hardness_table(summary)
    if by_hardness is not None:
        console.print(by_hardness)
    for line in run_lines(summary):
        console.print(line, highlight=False, soft_wrap=True)
