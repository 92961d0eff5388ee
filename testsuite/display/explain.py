"""Explanations for a terminal: one item in full, or all wrong items in a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from testsuite.display.console import output
from testsuite.explain import Explanation, ShownAnswer
from testsuite.explain.causes import title_of
from testsuite.explain.tokens import Marked, marked
from testsuite.records import ItemResult
from testsuite.score.pairs import Pair

_ROWS = 12
_INSTANCES = 8


def print_item(pair: Pair, item: ItemResult, found: Explanation | None) -> None:
    """Everything that is known of one item.

    Args:
        pair: its queries.
        item: what scoring it concluded.
        found: why it is wrong; None where it is not.
    """
    console = output()
    verdict = {True: "equal", False: "different", None: "no verdict"}
    lines = [f"{pair.id} ({pair.db_id}): {verdict[item.test_suite]}, fate {item.fate.value}"]
    if item.execution is not None:
        lines.append(f"on the shipped instance: {verdict[item.execution]}")
    if item.flags:
        lines.append(f"flags: {', '.join(item.flags)}")
    if item.message:
        lines.append(item.message)
    for line in lines:
        console.print(Text(line), soft_wrap=True)
    gold = pair.golds[min(item.matched_gold or 0, len(pair.golds) - 1)]
    sides = marked(gold, pair.prediction)
    table = Table(show_lines=False, expand=True)
    for name in ("gold", "prediction"):
        table.add_column(name, ratio=1, overflow="fold")
    table.add_row(*map(_words, sides))
    console.print(table)
    if found is None:
        return
    if found.differs_on:
        left = len(found.differs_on) - _INSTANCES
        named = ", ".join(found.differs_on[:_INSTANCES]) + (f" and {left} more" if left > 0 else "")
        text = f"they differ on {len(found.differs_on)} of {found.instances} instances: {named}"
        console.print(Text(text), soft_wrap=True)
    for cause in found.causes:
        said = "confirmed" if cause.confirmed else "not confirmed"
        console.print(Text(f"cause: {title_of(cause.name)} ({cause.name}, {said})"), soft_wrap=True)
    repairs = dict.fromkeys(cause.repair for cause in found.causes if cause.repair)
    for repair in repairs:
        console.print(Text(f"accepted once repaired: {repair}"), soft_wrap=True)
    _print_example(console, found)


def print_list(
    items: Iterable[ItemResult], found: Mapping[str, Explanation], directory: Path, limit: int | None = None
) -> None:
    """The wrong items, one a line, in the order given.

    Args:
        items: what scoring them concluded.
        found: explanations by id; empty where none were made yet.
        directory: the results directory, for the hint how to make them.
        limit: most lines; None for all.
    """
    console = output()
    table = Table()
    for name in ("item", "database", "fate", "lucky", "causes", "rows"):
        table.add_column(name, justify="right" if name == "rows" else "left", overflow="fold")
    shown = list(items)
    for item in shown[:limit]:
        one = found.get(item.id)
        causes = ", ".join(c.name + ("" if c.confirmed else "?") for c in one.causes) if one is not None else ""
        rows = str(one.counterexample.rows) if one is not None and one.counterexample is not None else ""
        lucky = "lucky" if item.execution else ""
        table.add_row(*map(Text, (item.id, item.db_id, item.fate.value, lucky, causes, rows)))
    console.print(table)
    lucky_count = sum(bool(item.execution) for item in shown)
    console.print(f"{len(shown)} items are wrong, {lucky_count} of them lucky passes", highlight=False)
    if found:
        console.print(
            "rows: of the smallest counterexample; ?: cause not confirmed by an accepted repair", highlight=False
        )
    elif shown:
        console.print(Text(f"`testsuite explain {directory} --all` finds causes and counterexamples"), soft_wrap=True)


def _words(pieces: Marked) -> Text:
    text = Text()
    for piece, differs in pieces:
        text.append(piece, style="bold red" if differs else None)
    return text


def _print_example(console: Console, found: Explanation) -> None:
    example = found.counterexample
    if example is None:
        return
    rows = "1 row" if example.rows == 1 else f"{example.rows} rows"
    console.print(f"smallest counterexample, {rows}, made from instance {example.instance}:", highlight=False)
    console.print(Text(example.script.rstrip()), soft_wrap=True)
    answers = Table(expand=True, show_header=True)
    answers.add_column("gold's answer", ratio=1)
    answers.add_column("prediction's answer", ratio=1)
    answers.add_row(_answer(example.gold, example.prediction), _answer(example.prediction, example.gold))
    console.print(answers)
    if example.only_open:
        console.print("They differ only in what SQL leaves open, such as ties or the order of rows.", highlight=False)


def _answer(answer: ShownAnswer, other: ShownAnswer) -> Table | Text:
    """One answer; its first row that the other has not (or not in that place) is marked."""
    if answer.error is not None:
        return Text(answer.error)
    if not answer.rows:
        return Text(f"no rows ({', '.join(answer.columns)})")
    differing = [
        number
        for number, row in enumerate(answer.rows)
        if row not in other.rows or answer.rows.count(row) != other.rows.count(row)
    ] or [n for n, row in enumerate(answer.rows) if n >= len(other.rows) or other.rows[n] != row]
    table = Table(box=None, pad_edge=False)
    for column in answer.columns:
        table.add_column(Text(column), overflow="fold")
    for number, row in enumerate(answer.rows[:_ROWS]):
        style = "bold red" if differing and number == differing[0] else None
        table.add_row(*(Text("NULL" if cell is None else str(cell)) for cell in row), style=style)
    if len(answer.rows) > _ROWS:
        table.add_row(f"and {len(answer.rows) - _ROWS} more")
    return table
