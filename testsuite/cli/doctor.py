"""``testsuite doctor``: what is wrong with golds."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from testsuite.cli.common import UNSCORED, cores, logging_options, start_logging


@click.command(epilog="Example: testsuite doctor --gold dev_gold.sql --suite SUITES --severity note")
@click.option("--gold", required=True, type=click.Path(path_type=Path), help="SQL<TAB>db_id a line, or JSONL.")
@click.option("--suite", required=True, type=click.Path(path_type=Path), help="Directory of suites (distill build).")
@click.option(
    "--severity",
    type=click.Choice(["error", "warning", "note"]),
    default="warning",
    show_default=True,
    help="List findings at least so bad; totals and --json have all.",
)
@click.option("--gold-timeout", type=float, default=120.0, show_default=True, help="Seconds a gold may take in all.")
@click.option("--now", default="2020-01-01T00:00:00", show_default=True, help="What date functions see as now.")
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="Worker processes [default: the cores].")
@click.option("--json", "as_json", is_flag=True, help="Print the whole report as JSON instead of tables.")
@logging_options
def doctor(
    gold: Path,
    suite: Path,
    severity: str,
    gold_timeout: float,
    now: str,
    jobs: int | None,
    as_json: bool,
    log_level: str,
    log_file: Path | None,
) -> None:
    """Examine golds: which fail, are empty, undetermined, unstable or not told from near-misses.

    Exits with 3 when some gold can't be scored on any instance.
    """
    from testsuite.display.doctor import print_doctor
    from testsuite.display.progress import Reporter
    from testsuite.doctor.records import DoctorOptions, Severity
    from testsuite.doctor.run import doctor_files
    from testsuite.score.files import read_gold

    start_logging(log_level, log_file)
    options = DoctorOptions(gold_timeout=gold_timeout, now=now)
    with Reporter("examined", len(read_gold(gold))) as reporter:

        def on_result(done: int, total: int) -> None:
            reporter.resize(total)
            reporter.update(done)

        report = doctor_files(gold, suite, options, jobs or cores(), on_result)
    for note in report.notes:
        print(f"testsuite: warning: {note}", file=sys.stderr)
    if as_json:
        print(json.dumps(report.to_dict(), indent=1, ensure_ascii=False))
    else:
        print_doctor(report, Severity(severity))
    if report.unscorable:
        raise click.exceptions.Exit(UNSCORED)
