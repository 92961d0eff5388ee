"""A counterexample for a terminal: what to run, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from distill.counterexample import Counterexample, Difference, Shown
from testsuite.counterexample.record import literal
from testsuite.display.console import output
from testsuite.suite.stack import Row

_ROWS = 20
_GOLD = {
    "both": "whichever of the two is taken as the gold",
    "a": "with A as the gold; with B as the gold A would be accepted, or says nothing",
    "b": "with B as the gold; with A as the gold B would be accepted, or says nothing",
}


def print_counterexample(found: Counterexample | None, queries: Sequence[str], tried: str) -> None:
    """The content as a script, both answers side by side, and what the finding rests on.

    Args:
        found: the counterexample; None where none was found.
        queries: A and B.
        tried: what was tried, for people.
    """
    console = output()
    if found is None:
        console.print(
            f"no counterexample found ({tried}); that is no proof that the two mean the same", highlight=False
        )
        return
    rows = "1 row" if found.rows == 1 else f"{found.rows} rows"
    console.print(f"counterexample with {rows}, {found.label}, from {found.source}", highlight=False)
    console.print(Text(found.script.rstrip()), soft_wrap=True)
    for name, sql, shown, only in zip("AB", queries, (found.a, found.b), _only(found.difference), strict=True):
        _print_answer(console, name, sql, shown, only)
    if found.only_open:
        console.print("They differ only in what SQL leaves open: SQLite may answer alike.", highlight=False)
    console.print(f"The answers differ {_GOLD[found.gold]}.", highlight=False)
    if found.label == "schema-legal":
        console.print("It needs NULL where the schema allows it but the content has none.", highlight=False)


def _only(difference: Difference | None) -> tuple[Row | None, Row | None]:
    return (None, None) if difference is None else (difference.a, difference.b)


def _print_answer(console: Console, name: str, sql: str, shown: Shown, only: Row | None) -> None:
    console.print(Text(f"{name}: {sql}"), soft_wrap=True)
    table = Table()
    for column in shown.columns:
        table.add_column(Text(column))
    marked = False
    for row in shown.rows[:_ROWS]:
        first = not marked and row == only
        marked |= first
        table.add_row(*(Text(literal(cell)) for cell in row), style="bold red" if first else None)
    left = len(shown.rows) - _ROWS
    counted = "no rows" if not shown.rows else f"and {left} more rows" if left > 0 else ""
    console.print(table)
    if counted:
        console.print(counted, highlight=False)
