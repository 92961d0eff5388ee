"""The doctor's report, for a terminal."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from testsuite.display.console import output
from testsuite.doctor.findings import FINDINGS
from testsuite.doctor.records import SEVERITIES, DoctorReport, GoldReport, Severity

_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


# Items named in a row before the rest is counted.
_NAMED_ITEMS = 4


def diagnosis_table(report: DoctorReport, least: Severity = Severity.NOTE) -> Table:
    """One row per distinct gold and finding that is at least so bad, in the order of the gold file.

    Items with the same gold share a row; the gold itself stands under the first finding on it.
    """
    table = Table()
    table.add_column("items", justify="right", overflow="fold")
    table.add_column("database", no_wrap=True)
    table.add_column("finding", no_wrap=True)
    table.add_column("severity", no_wrap=True)
    table.add_column("detail", overflow="fold")
    shown = SEVERITIES[: SEVERITIES.index(least) + 1]
    groups: dict[tuple[str, str], list[GoldReport]] = {}
    for gold in report.golds:
        groups.setdefault((gold.db_id, gold.sql), []).append(gold)
    for (db_id, sql), golds in groups.items():
        items = escape(_items([gold.id for gold in golds]))
        under = f"\n[dim]{escape(sql)}[/dim]"
        for found in golds[0].examined.diagnoses:
            if found.severity in shown:
                style = _STYLES[found.severity]
                word = f"[{style}]{found.severity}[/{style}]"
                table.add_row(items, escape(db_id), found.finding, word, escape(found.detail) + under)
                under = ""
    return table


def _items(ids: list[str]) -> str:
    more = len(ids) - _NAMED_ITEMS
    return ", ".join(ids[:_NAMED_ITEMS]) + (f" and {more} more" if more > 0 else "")


def _listed(report: DoctorReport, least: Severity) -> int:
    shown = SEVERITIES[: SEVERITIES.index(least) + 1]
    return sum(found.severity in shown for gold in report.golds for found in gold.examined.diagnoses)


def totals_table(report: DoctorReport) -> Table:
    """Items per finding, by their worst severity, with what the finding means."""
    table = Table()
    table.add_column("finding")
    for name in ("items", *SEVERITIES):
        table.add_column(str(name), justify="right")
    table.add_column("what it means")
    about = {finding.name: finding.about for finding in FINDINGS}
    for name, count in report.counts().items():
        table.add_row(name, *(str(value) for value in count.values()), about.get(name, ""))
    return table


def print_doctor(report: DoctorReport, least: Severity = Severity.NOTE) -> None:
    """Both tables on standard output, and one line of totals."""
    console = output()
    rows = diagnosis_table(report, least)
    if rows.row_count:
        console.print(rows)
    console.print(totals_table(report))
    hidden = _listed(report, Severity.NOTE) - _listed(report, least)
    data = report.to_dict()
    console.print(
        f"{data['items']} items, {data['healthy']} of them without error or warning, "
        f"{data['unscorable']} can't be scored"
        + (f"; {hidden} lesser findings are not listed (--severity note lists them)" if hidden else ""),
        highlight=False,
        soft_wrap=True,
    )
