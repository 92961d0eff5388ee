"""``testsuite show``: the figures of a finished run, again, without running anything."""

from __future__ import annotations

from pathlib import Path

import click

from testsuite.errors import InputError


@click.command(epilog="Example: testsuite show RESULTS --by database --format latex")
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--by",
    type=click.Choice(["hardness", "difficulty", "database", "component", "turn"]),
    help="One breakdown [default: hardness (BIRD: difficulty), and turns of dialogues].",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
    default="table",
    show_default=True,
    help="How figures are printed; csv has one figure a line.",
)
def show(results: Path, by: str | None, form: str) -> None:
    """Print the figures of RESULTS, a directory that `testsuite score -o` wrote."""
    from testsuite.display.tables import print_run
    from testsuite.score.results import load_results

    found = load_results(results)
    if by is not None and by not in found.figures.by:
        raise InputError(f"{results}: its items have no {by}; there are {', '.join(found.figures.by)}")
    print_run(found.figures, found.summary, form, by)
