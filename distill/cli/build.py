"""``distill build``: suites for the databases of a benchmark."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

from testsuite.cli.common import UNSCORED, cores, logging_options, start_logging


@click.command(epilog="Example: distill build --tables tables.json --database database --gold dev_gold.sql -o SUITES")
@click.option("--tables", type=click.Path(path_type=Path), help="Spider's tables.json, for keys files don't declare.")
@click.option("--database", required=True, type=click.Path(path_type=Path), help="Holds <db_id>/<db_id>.sqlite.")
@click.option("--gold", "golds", required=True, multiple=True, type=click.Path(path_type=Path), help="Gold file(s).")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Directory for the suites.")
@click.option("--db", "only", multiple=True, help="Build only this database (may be repeated).")
@click.option("--instances", type=click.IntRange(min=1), default=500, show_default=True, help="Candidates per schema.")
@click.option("--cover", type=click.IntRange(min=1), default=3, show_default=True, help="Instances per neighbour (K).")
@click.option(
    "--nulls",
    type=click.Choice(["observed", "declared", "never"]),
    default="observed",
    show_default=True,
    help="Where instances hold NULL.",
)
@click.option(
    "--empty-tables",
    type=click.FloatRange(0, 1),
    default=0.03,
    show_default=True,
    help="Share of tables left empty.",
)
@click.option(
    "--duplicates",
    type=click.FloatRange(0, 1),
    default=0.3,
    show_default=True,
    help="Share of instances with repeated rows, keys apart.",
)
@click.option(
    "--neighbours", type=click.IntRange(min=1), default=60, show_default=True, help="Most neighbours per gold."
)
@click.option(
    "--rows",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Rows of a suite above which it is shrunk.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same suites.")
@click.option(
    "--search/--no-search", default=True, show_default=True, help="Prove or search for what few candidates separate."
)
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="Worker processes [default: the cores].")
@logging_options
def build(
    tables: Path | None,
    database: Path,
    golds: tuple[Path, ...],
    output: Path,
    only: tuple[str, ...],
    instances: int,
    cover: int,
    nulls: Literal["observed", "declared", "never"],
    empty_tables: float,
    duplicates: float,
    neighbours: int,
    seed: int,
    rows: int,
    search: bool,
    jobs: int | None,
    log_level: str,
    log_file: Path | None,
) -> None:
    """Fuzz instances of every schema and keep those that separate golds from their near-misses."""
    from distill.build import BuildOptions, BuildOutcome
    from distill.cli.tables import print_inspection
    from distill.inspection import inspect_suites
    from distill.run import build_suites
    from testsuite.display.progress import Reporter

    start_logging(log_level, log_file)
    options = BuildOptions(
        instances=instances,
        cover=cover,
        seed=seed,
        nulls=nulls,
        empty_tables=empty_tables,
        duplicates=duplicates,
        neighbours=neighbours,
        search=search,
        rows=rows,
    )
    with Reporter("built", len(only) or 1) as reporter:

        def on_outcome(outcome: BuildOutcome, done: int, total: int) -> None:
            reporter.resize(total)
            reporter.update(done, f"({outcome.db_id}, {outcome.seconds:.0f} s)")

        report = build_suites(tables, database, golds, output, options, only, jobs or cores(), on_outcome)
    for note in report.notes:
        print(f"distill: note: {note}", file=sys.stderr)
    failed = [outcome for outcome in report.outcomes if outcome.manifest is None]
    for outcome in failed:
        print(f"distill: error: {outcome.db_id}: not built: {outcome.message}", file=sys.stderr)
    if len(failed) < len(report.outcomes):
        print_inspection(inspect_suites(output), title=f"{output}, built in {report.seconds:.0f} s")
    broken = [
        (outcome.db_id, gold)
        for outcome in report.outcomes
        if outcome.manifest is not None
        for gold in outcome.manifest.golds
        if gold.path == "none"
    ]
    for db_id, gold in broken:
        print(f"distill: warning: {db_id}: gold does not run ({gold.reason}): {gold.sql}", file=sys.stderr)
    if failed or broken:
        raise click.exceptions.Exit(UNSCORED)
