"""``testsuite score``: a prediction file over suites."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from testsuite.cli.common import BELOW, UNSCORED, cores, logging_options, start_logging

if TYPE_CHECKING:
    from testsuite.compare.policy import Columns
    from testsuite.records import ItemResult
    from testsuite.score.options import ScoreOptions
    from testsuite.score.run import Runner


def _dashes(word: str) -> str:
    """``--plug_value`` is ``--plug-value``: scripts written for evaluation.py go on with another first word."""
    return word.replace("_", "-")


@click.command(
    epilog="Example: testsuite score --gold dev_gold.sql --pred model.txt --suite SUITES -o RESULTS --audit 0.05. "
    "The options of Spider's evaluation.py are understood, with underscores too; verdicts are strict even so, unless "
    "--semantics official is given.",
    context_settings={"token_normalize_func": _dashes},
)
@click.option(
    "--gold",
    required=True,
    type=click.Path(path_type=Path),
    help="SQL<TAB>db_id a line, JSONL, or the JSON of Spider, SParC, CoSQL or BIRD.",
)
@click.option(
    "--pred", required=True, type=click.Path(path_type=Path), help="One prediction a line, JSONL by id, or BIRD's JSON."
)
@click.option("--suite", type=click.Path(path_type=Path), help="Directory of suites (distill build, distill import).")
@click.option(
    "--db",
    type=click.Path(path_type=Path),
    help="In place of --suite: <db_id>/*.sqlite, made into suites once; with --semantics official run as they are.",
)
@click.option(
    "--cache", type=click.Path(path_type=Path), help="Where --db keeps suites [default: the user's cache directory]."
)
@click.option("--tables", "--table", type=click.Path(path_type=Path), help="Spider's tables.json, for exact set match.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Results directory; a killed run goes on there.")
@click.option(
    "--etype",
    type=click.Choice(["exec", "match", "all"]),
    default="exec",
    show_default=True,
    help="Execution, exact set match (nothing is run), or both.",
)
@click.option(
    "--semantics",
    type=click.Choice(["strict", "official"]),
    default="strict",
    show_default=True,
    help="official: the published script's verdicts, quirks included.",
)
@click.option("--plug-value", is_flag=True, help="Also try the gold's values in place of the prediction's own.")
@click.option("--keep-distinct", is_flag=True, help="DISTINCT counts (strict semantics: always).")
@click.option("--bird", is_flag=True, help="Also BIRD's execution accuracy and soft F1 [default: with BIRD's files].")
@click.option(
    "--progress-bar-for-each-datapoint",
    "unused",
    is_flag=True,
    expose_value=False,
    help="Taken from evaluation.py's options, and does nothing.",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "duckdb", "sqlite"]),
    default="auto",
    show_default=True,
    help="sqlite: everything on the referee.",
)
@click.option(
    "--columns",
    type=click.Choice(["any", "strict", "name"]),
    default="any",
    show_default=True,
    help="How result columns are matched.",
)
@click.option(
    "--tolerance",
    type=float,
    default=1e-9,
    show_default=True,
    help="Reals are equal within this part of the greater.",
)
@click.option(
    "--absolute-tolerance",
    type=float,
    default=0.0,
    show_default=True,
    help="Reals are also equal within this distance.",
)
@click.option("--timeout", type=float, default=30.0, show_default=True, help="Seconds a prediction may take in all.")
@click.option("--gold-timeout", type=float, default=120.0, show_default=True, help="Seconds a gold may take in all.")
@click.option("--audit", type=float, default=0.0, show_default=True, help="Share of pairs to run on SQLite too.")
@click.option("--now", default="2020-01-01T00:00:00", show_default=True, help="What date functions see as now.")
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="Worker processes [default: the cores].")
@click.option(
    "--executor",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="ray: on the Ray cluster at RAY_ADDRESS, one worker per CPU of it.",
)
@click.option(
    "--fail-under",
    type=float,
    help="Exit 1 when test-suite accuracy (0 to 100; with --etype match, exact set match) is below this.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
    default="table",
    show_default=True,
    help="How figures are printed.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json: print summary.json.")
@logging_options
def score(
    gold: Path,
    pred: Path,
    suite: Path | None,
    db: Path | None,
    cache: Path | None,
    tables: Path | None,
    output: Path | None,
    etype: str,
    semantics: str,
    plug_value: bool,
    keep_distinct: bool,
    bird: bool,
    engine: str,
    columns: Columns,
    tolerance: float,
    absolute_tolerance: float,
    timeout: float,
    gold_timeout: float,
    audit: float,
    now: str,
    jobs: int | None,
    executor: str,
    fail_under: float | None,
    form: str,
    as_json: bool,
    log_level: str,
    log_file: Path | None,
) -> None:
    """Score predictions against golds over suites: test-suite accuracy beside execution accuracy."""
    from datetime import datetime

    from testsuite.display.progress import Reporter
    from testsuite.display.tables import print_run
    from testsuite.metrics import figures_of
    from testsuite.score.files import read_gold
    from testsuite.score.run import ScoreOptions, score_files

    start_logging(log_level, log_file)
    try:
        datetime.fromisoformat(now)
    except ValueError:
        raise click.BadParameter(
            f"{now!r} is not an ISO instant like 2020-01-01T00:00:00", param_hint="--now"
        ) from None
    options = ScoreOptions(
        columns=columns,
        tolerance=tolerance,
        absolute_tolerance=absolute_tolerance,
        engine=engine,
        timeout=timeout,
        gold_timeout=gold_timeout,
        audit=audit,
        now=now,
        etype=etype,
        semantics=semantics,
        plug_value=plug_value,
        keep_distinct=keep_distinct,
        bird=bird,
    )
    if suite is None and db is None and (options.executes or tables is None):
        raise click.UsageError("Missing option '--suite' or '--db' (for --etype match alone, --tables will do).")
    runner: Runner | None = None
    if executor == "ray":
        from testsuite.cluster import run_on_ray

        runner = run_on_ray
    with Reporter("scored", len(read_gold(gold))) as reporter:

        def on_result(result: ItemResult, done: int, total: int) -> None:
            reporter.update(done)

        report = score_files(gold, pred, suite, options, jobs or cores(), output, on_result, tables, db, cache, runner)
    for note in report.notes:
        print(f"testsuite: warning: {note}", file=sys.stderr)
    summary = report.summary
    print_run(figures_of(report.results, etype), summary, "json" if as_json else form)
    unscored = [result for result in report.results if _is_open(result, options)]
    for result in unscored[:20]:
        print(f"testsuite: item {result.id} ({result.db_id}): {result.fate}: {result.message}", file=sys.stderr)
    if len(unscored) > 20:
        print(f"testsuite: .. and {len(unscored) - 20} more items that could not be scored", file=sys.stderr)
    accuracy = summary["accuracy"]["test_suite" if options.executes else "exact"]  # type: ignore[index]
    if fail_under is not None and 100 * accuracy["correct"] < fail_under * max(accuracy["of"], 1):
        raise click.exceptions.Exit(BELOW)
    if unscored:
        raise click.exceptions.Exit(UNSCORED)


def _is_open(result: ItemResult, options: ScoreOptions) -> bool:
    """Whether something that was asked for could not be said of an item."""
    return (options.executes and result.test_suite is None) or (options.matches and result.exact is None)
