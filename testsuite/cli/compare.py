"""``testsuite compare``: two finished runs over the same golds, item by item, with a paired test."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from testsuite.cli.common import BELOW
from testsuite.errors import InputError


@click.command(epilog="Example: testsuite compare results/old results/new --fail-if-worse")
@click.argument("results_a", type=click.Path(path_type=Path))
@click.argument("results_b", type=click.Path(path_type=Path))
@click.option(
    "--metric",
    type=click.Choice(["test_suite", "execution", "exact", "exact_strict", "bird_ex"]),
    help="Whose verdicts [default: test_suite; exact where nothing was run].",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
    default="table",
    show_default=True,
    help="How it is printed; csv has one changed item a line.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--fail-if-worse", is_flag=True, help="Exit 1 where B is significantly worse than A (p < 0.05).")
def compare(
    results_a: Path, results_b: Path, metric: str | None, form: str, as_json: bool, fail_if_worse: bool
) -> None:
    """List what changed from RESULTS_A to RESULTS_B, and say whether it is more than chance.

    Both must be scored over the same golds. Other inputs or options that differ are warned of: then it is not the
    predictions alone that are compared.
    """
    from testsuite.display.comparison import comparison_csv, comparison_grids, paired_line
    from testsuite.display.console import output
    from testsuite.display.formats import print_grids
    from testsuite.metrics import compare_items, differing_inputs
    from testsuite.score.results import load_results

    a, b = load_results(results_a), load_results(results_b)
    differing = differing_inputs(a.summary, b.summary)
    if "gold" in differing:
        raise InputError(
            f"{results_a} and {results_b} were scored over different gold files (differing: {'; '.join(differing)}); "
            "score both over the same one"
        )
    for what in differing:
        print(f"testsuite: warning: the runs differ in more than predictions: {what}", file=sys.stderr)
    if metric is None:
        metric = "exact" if "match" in (a.etype, b.etype) else "test_suite"
    found = compare_items(a.items, b.items, metric)
    if as_json or form == "json":
        data = {"results": [str(results_a), str(results_b)], **found.to_dict(), "differing_inputs": differing}
        print(json.dumps(data, indent=1, ensure_ascii=False))
    elif form == "csv":
        print(comparison_csv(found), end="")
    else:
        console = output()
        if form == "table":
            console.print(f"A: {results_a}\nB: {results_b}", highlight=False, markup=False, soft_wrap=True)
        print_grids(comparison_grids(found), form, console)
        comment = "% " if form == "latex" else ""
        console.print(comment + paired_line(found), highlight=False, markup=False, soft_wrap=True)
    if fail_if_worse and found.test.worse:
        raise click.exceptions.Exit(BELOW)
