"""What a probe found, for a terminal and as JSON."""

from __future__ import annotations

from rich.text import Text

from distill.probe import PROBE, Outcome, ProbeOptions, ProbeReport
from testsuite.display.console import output
from testsuite.score.results import Results
from testsuite.versions import tool_versions


def probe_data(report: ProbeReport, results: Results, options: ProbeOptions) -> dict[str, object]:
    """Plain JSON data: counts of accepted items by outcome, reasons, and the refuted items with their queries."""
    return {
        "results": str(results.directory),
        "suites": str(report.suites),
        "instances": options.instances,
        "seed": options.seed,
        "items": len(results.items),
        "accepted": len(report.records),
        **{outcome.value: report.count(outcome) for outcome in Outcome},
        "reasons": report.reasons,
        "refuted_items": [
            {**record.to_dict(), "gold": pair.golds[0], "prediction": pair.prediction}
            for record in report.records
            if record.refuted and (pair := report.pairs[record.id])
        ],
        "versions": tool_versions(),
    }


def print_probe(report: ProbeReport, results: Results, options: ProbeOptions) -> None:
    """The figure, how the others ended, and the refuted items."""
    console = output()
    for record in report.records:
        if not record.refuted:
            continue
        pair = report.pairs[record.id]
        console.print(f"refuted: {record.id} [{record.db_id}], {record.rows} rows", style="bold", markup=False)
        console.print(Text(f"  gold        {pair.golds[0]}"), soft_wrap=True)
        console.print(Text(f"  prediction  {pair.prediction}"), soft_wrap=True)
    accepted, refuted = len(report.records), report.count(Outcome.REFUTED)
    counts = {outcome: report.count(outcome) for outcome in Outcome}
    lines = [
        f"test-suite accuracy accepts {accepted} of {len(results.items)} items; the probe does not change that",
        f"of {accepted} accepted, {refuted} {'is' if refuted == 1 else 'are'} refuted by the probe "
        f"({options.instances} fresh instances each, seed {options.seed})",
        f"  {counts[Outcome.HOLDS]} hold, {counts[Outcome.TIES]} differ in ties only, "
        f"{counts[Outcome.SAME]} are the gold but for spelling, {counts[Outcome.UNPROBED]} could not be probed",
        *(f"    {count}: {reason}" for reason, count in report.reasons.items()),
    ]
    if refuted:
        lines.append("distill counterexample SCHEMA GOLD PREDICTION shows the smallest content for a pair")
    lines.append(f"written: {results.directory / PROBE}")
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
