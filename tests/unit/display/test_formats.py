"""Tables as text: layout, escaping, one figure a line."""

from __future__ import annotations

import csv
import io

import pytest
from rich.console import Console

from testsuite.cli.compare import compare
from testsuite.cli.score import score
from testsuite.cli.show import show
from testsuite.display.figures import BREAKDOWNS, csv_text, grids, main_grid
from testsuite.display.formats import FORMATS, latex, latex_text, markdown, markdown_text, rich_table
from testsuite.display.grid import Grid, Kind, Row, Section
from testsuite.metrics import MEASURES, figures_of
from testsuite.records import Fate, ItemResult

NASTY = r"a_b|c & 50% #1 {x} \n ~^ <t> $y * `z`"


def figures(etype: str = "all", count: int = 40):
    levels = ("easy", "medium", "hard", "extra")
    return figures_of(
        [
            ItemResult(
                str(n),
                "data_base|1",
                Fate.OK,
                n % 3 > 0,
                n % 4 > 0,
                n % 5 > 0,
                levels[n % 4],
                exact_strict=n % 6 > 0,
                partial={"select": (1, 1, n % 2)},
                components=("where",),
            )
            for n in range(count)
        ],
        etype,
    )


def printed(grid: Grid, width: int = 120) -> str:
    text = io.StringIO()
    Console(file=text, width=width).print(rich_table(grid))
    return text.getvalue()


def test_the_table_has_the_published_columns_and_fits_a_screen():
    grid = main_grid(figures())
    assert grid.columns == ("easy", "medium", "hard", "extra", "all")
    text = printed(grid)
    lines = text.rstrip().splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 120
    assert "…" not in text and "(26/40)" in text
    labels = [line.strip().split("  ")[0] for line in lines if line.strip()]
    wanted = [
        "hardness",
        "count",
        "execution accuracy",
        "test-suite accuracy",
        "exact set match",
        "exact match, strict",
    ]
    assert [label for label in labels if label in wanted] == wanted


def test_levels_without_items_have_no_figures():
    # Three items: easy, medium, hard.
    rows = {row.label: row.cells for section in main_grid(figures(count=3)).sections for row in section.rows}
    assert rows["count"] == ("1", "1", "1", "0", "3")
    assert rows["execution accuracy"][3] == "-"
    assert rows["select"] == ("0.0/0.0/100.0", "100.0/100.0/100.0", "0.0/0.0/100.0", "-", "33.3/33.3/33.3")


def test_only_what_was_asked_for_is_shown():
    exec_text, match_text = printed(main_grid(figures("exec"))), printed(main_grid(figures("match")))
    assert "exact" not in exec_text and "partial" not in exec_text
    assert "accuracy" not in match_text and "lucky" not in match_text


@pytest.mark.parametrize("by", BREAKDOWNS)
def test_every_breakdown_is_written_in_every_form(by):
    for grid in grids(figures(), by):
        for row in (row for section in grid.sections for row in section.rows):
            assert len(row.cells) == len(grid.columns)
        assert printed(grid) and markdown(grid) and latex(grid)


def test_markdown_is_escaped():
    grid = Grid("", "x", (NASTY,), (Section("s", (Row(NASTY, ("[1, 2]",)),)),))
    lines = markdown(grid).splitlines()
    assert lines[1] == "|---|---:|"
    for line in lines[::2]:
        # Two cells, so three bars that are not escaped.
        assert line.replace(r"\|", "").count("|") == 3, line
    assert markdown_text("a_b*c") == r"a\_b\*c"
    assert markdown_text("two\nlines") == "two lines"


def test_latex_is_escaped():
    assert latex_text("50% of a_b & {c} #1 $") == r"50\% of a\_b \& \{c\} \#1 \$"
    assert latex_text(r"\x ~ ^ <t>") == (
        r"\textbackslash{}x \textasciitilde{} \textasciicircum{} \textless{}t\textgreater{}"
    )
    text = latex(Grid("", NASTY, ("n",), (Section(NASTY, (Row("[a]", ("[1, 2]",), Kind.VALUE),)),)))
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 3 and rows[-1] == r"{[a]} & {[1, 2]} \\"
    assert rows[0].replace(r"\&", "").count("&") == 1
    assert text.count("{tabular}") == 2 and r"\begin{tabular}{lr}" in text


def test_csv_has_one_figure_a_line():
    rows = list(csv.DictReader(io.StringIO(csv_text(figures()))))
    found = {(r["by"], r["group"], r["measure"]): r for r in rows}
    assert len(found) == len(rows)
    row = found["all", "all", "test_suite"]
    assert (row["correct"], row["of"], float(row["value"])) == ("26", "40", 0.65)
    assert float(row["low"]) < 0.65 < float(row["high"])
    assert ("database", "data_base|1", "exact") in found
    assert found["hardness", "easy", "partial accuracy: select"]["of"] == "10"
    only = {r["by"] for r in csv.DictReader(io.StringIO(csv_text(figures(), "database")))}
    assert only == {"all", "database"}


def test_commands_offer_what_there_is():
    def choices(command, name):
        return next(tuple(p.type.choices) for p in command.params if p.name == name)

    for command in (score, show, compare):
        assert choices(command, "form") == FORMATS
    assert choices(show, "by") == BREAKDOWNS
    assert set(choices(compare, "metric")) == {measure.name for measure in MEASURES}
