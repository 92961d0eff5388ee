"""What ``score`` and ``show`` print of a run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from testsuite.display.console import output
from testsuite.display.figures import csv_text, grids
from testsuite.display.formats import print_grids
from testsuite.metrics import Figures


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


def print_run(figures: Figures, summary: Mapping[str, Any], form: str = "table", by: str | None = None) -> None:
    """Print the figures of a run on standard output.

    Args:
        figures: made from its records.
        summary: content of summary.json, which ``json`` prints; ``table`` also says how the run went.
        form: table | json | csv | markdown | latex.
        by: one breakdown only; see ``testsuite.display.figures.BREAKDOWNS``.
    """
    if form == "json":
        data = {**summary, **figures.to_dict()}
        if by is not None:
            data["by"] = {name: groups for name, groups in data["by"].items() if name == by}
        print(json.dumps(data, indent=1, ensure_ascii=False))
        return
    if form == "csv":
        print(csv_text(figures, by), end="")
        return
    console = output()
    print_grids(grids(figures, by), form, console)
    if form == "table" and by is None:
        for line in run_lines(summary):
            console.print(line, highlight=False, soft_wrap=True)
