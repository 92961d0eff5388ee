"""Tables of suites, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from testsuite.display.console import output

_COLUMNS = ("instances", "rows", "golds", "neighbours", "separated", "equivalent", "unknown")
_ENDS = ("neighbours", "separated", "unknown", "equivalent")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def print_inspection(data: Mapping[str, Any], title: str) -> None:
    """One row a database, one for all, then how neighbours ended by operator, and the rules of proofs."""
    console = output()
    table = Table(title=title, title_justify="left")
    table.add_column("database")
    for name in (*_COLUMNS, "separated %"):
        table.add_column(name, justify="right")
    for row in data["databases"]:
        table.add_row(row["db_id"], *(str(row[name]) for name in _COLUMNS), _share(row["separated"], row["neighbours"]))
    table.add_section()
    total = data["total"]
    table.add_row(
        "all",
        *(str(total[name]) for name in _COLUMNS),
        _share(total["separated"], total["neighbours"]),
        style="bold",
    )
    console.print(table)
    operators = Table()
    operators.add_column("operator")
    for name in (*_ENDS, "separated %"):
        operators.add_column(name, justify="right")
    for name, tally in sorted(total["operators"].items(), key=lambda pair: -pair[1]["neighbours"]):
        counts = {**tally, "unknown": tally["neighbours"] - tally["separated"]}
        share = _share(tally["separated"], tally["neighbours"])
        operators.add_row(name, *(str(counts.get(end, 0)) for end in _ENDS), share)
    console.print(operators)
    if total["rules"]:
        rules = Table()
        rules.add_column("proved equivalent by")
        rules.add_column("neighbours", justify="right")
        for name, count in sorted(total["rules"].items(), key=lambda pair: (-pair[1], pair[0])):
            rules.add_row(name, str(count))
        console.print(rules)
    console.print(
        f"median of a database: {total['median_instances']:g} instances, {total['median_rows']:g} rows",
        highlight=False,
    )
    audit = total["audit"]
    console.print(
        f"golds non-empty on 5 or more kept instances: {total['informative_items']} of {total['items']} "
        f"({_share(total['informative_items'], total['items'])}); "
        f"stacked: {total['stacked_items']} ({_share(total['stacked_items'], total['items'])})",
        highlight=False,
    )
    console.print(
        f"every gold also on SQLite, on every kept instance: {audit.get('cells', 0)} answers, "
        f"{audit.get('disagreements', 0)} disagreements, {audit.get('tie_dependent', 0)} tie-dependent",
        highlight=False,
    )


def print_golds(data: Mapping[str, Any]) -> None:
    """Golds that don't run, golds that say something on few instances, and neighbours that nothing separates."""
    console = output()
    for row in data["databases"]:
        for gold in row["broken_golds"]:
            console.print(f"{row['db_id']}: does not run ({gold['reason']}): {gold['sql']}", highlight=False)
        for gold in row["poor_golds"]:
            console.print(
                f"{row['db_id']}: informative on {gold['informative']} kept instances, undetermined on "
                f"{gold['undetermined']}: {gold['sql']}",
                highlight=False,
            )
        for left in row["unknown_neighbours"]:
            why = f" ({left['reason']})" if left["reason"] else ""
            console.print(f"{row['db_id']}: not separated, {left['operator']}{why}: {left['sql']}", highlight=False)
            console.print(f"  of the gold: {left['gold']}", highlight=False)
