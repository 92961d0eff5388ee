"""Tables written out: for a terminal, Markdown, LaTeX. Texts are escaped in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from testsuite.display.grid import Grid, Kind

FORMATS = ("table", "json", "csv", "markdown", "latex")


def rich_table(grid: Grid) -> Table:
    """The grid for a terminal."""
    table = Table(title=escape(grid.title) or None, title_justify="left", box=box.SIMPLE, padding=(0, 1, 0, 0))
    table.add_column(escape(grid.corner), no_wrap=True)
    for column in grid.columns:
        # Never cut: a figure that does not fit goes on beneath.
        table.add_column(escape(column), justify="right", overflow="fold")
    for number, section in enumerate(grid.sections):
        if number:
            table.add_section()
        if section.title:
            table.add_row(f"[italic]{escape(section.title)}[/italic]")
        for row in section.rows:
            detail = row.kind is Kind.DETAIL
            label = f"  {row.label}" if detail else row.label
            table.add_row(escape(label), *map(escape, row.cells), style="dim" if detail else None)
    return table


_MARKDOWN_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#])")


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is, in a cell of a table too."""
    return _MARKDOWN_SPECIAL.sub(r"\\\1", " ".join(text.split()))


def markdown(grid: Grid) -> str:
    """The grid as a table of GitHub's Markdown."""
    lines = [f"**{markdown_text(grid.title)}**", ""] if grid.title else []
    lines.append(_markdown_row([grid.corner, *grid.columns]))
    lines.append("|---|" + "---:|" * len(grid.columns))
    for section in grid.sections:
        if section.title:
            lines.append(f"| *{markdown_text(section.title)}* |" + " |" * len(grid.columns))
        lines += [_markdown_row([row.label, *row.cells]) for row in section.rows]
    return "\n".join(lines) + "\n"


def _markdown_row(cells: list[str]) -> str:
    return "| " + " | ".join(map(markdown_text, cells)) + " |"


_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
}


def latex_text(text: str) -> str:
    """Text that LaTeX sets as it is."""
    return "".join(_LATEX_SPECIAL.get(sign, sign) for sign in " ".join(text.split()))


def latex(grid: Grid) -> str:
    """The grid as a ``tabular`` with the rules of the booktabs package."""
    width = len(grid.columns) + 1
    lines = [r"% needs \usepackage{booktabs}"]
    if grid.title:
        lines.append(f"% {' '.join(grid.title.split())}")
    lines += [rf"\begin{{tabular}}{{l{'r' * len(grid.columns)}}}", r"\toprule"]
    lines.append(_latex_row([grid.corner, *grid.columns]))
    for section in grid.sections:
        lines.append(r"\midrule")
        if section.title:
            lines.append(rf"\multicolumn{{{width}}}{{l}}{{\textit{{{latex_text(section.title)}}}}} \\")
        for row in section.rows:
            lines.append(_latex_row([row.label, *row.cells], small=row.kind is Kind.DETAIL))
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _latex_row(cells: list[str], small: bool = False) -> str:
    texts = [rf"{{\small {latex_text(cell)}}}" if small else latex_text(cell) for cell in cells]
    # In braces, since LaTeX takes a bracket at the start of a row for an argument of the rule or row end before it.
    return " & ".join(text if not text.startswith("[") else f"{{{text}}}" for text in texts) + r" \\"


TEXTS: Mapping[str, Callable[[Grid], str]] = {"markdown": markdown, "latex": latex}


def print_grids(grids: list[Grid], form: str, console: Console) -> None:
    """Print tables in one of ``table``, ``markdown``, ``latex``, a blank line between."""
    if form == "table":
        for grid in grids:
            console.print(rich_table(grid))
    else:
        print("\n".join(TEXTS[form](grid) for grid in grids), end="")
