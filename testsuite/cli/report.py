"""``testsuite report``: one HTML page about finished runs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(epilog="Example: testsuite report results/model-a results/model-b -o report.html")
@click.argument("results", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report.html"),
    show_default=True,
    help="The file to write.",
)
@click.option(
    "--suite",
    "suites",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The suites [default: where they were when the first run was made].",
)
@click.option("--title", default="", help="Heading of the page.")
def report(results: tuple[Path, ...], output: Path, suites: Path | None, title: str) -> None:
    """Write one HTML page about RESULTS, directories that `testsuite score -o` wrote, side by side.

    The page needs no network: figures with their intervals, lucky passes, breakdowns, which instance tells which
    prediction apart, and every item with its queries. Causes and counterexamples are shown of runs that `testsuite
    explain RESULTS --all` has explained.
    """
    from testsuite.report import write_report

    size = write_report(results, output, suites, title)
    print(f"{output}: {len(results)} {'run' if len(results) == 1 else 'runs'}, {size / 1e6:.1f} MB")
