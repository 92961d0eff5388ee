"""``distill probe``: accepted predictions of a run on fresh instances."""

from __future__ import annotations

import json
from pathlib import Path

import click

from testsuite.cli.common import LOG_LEVELS, cores, start_logging


@click.command(epilog="Example: distill probe RESULTS --instances 200")
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--suite", type=click.Path(path_type=Path), help="Directory of suites [default: what RESULTS was scored over]."
)
@click.option(
    "--instances", type=click.IntRange(min=1), default=100, show_default=True, help="Fresh instances per prediction."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same result.")
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="Worker processes [default: the cores].")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--log-level", type=click.Choice(LOG_LEVELS), default="error", show_default=True)
def probe(
    results: Path, suite: Path | None, instances: int, seed: int, jobs: int | None, as_json: bool, log_level: str
) -> None:
    """Run each accepted prediction of RESULTS beside its gold on fresh instances made for both queries.

    Constants, columns and joins that only the prediction has are exercised, too. Writes RESULTS/probe.jsonl; the
    figures of RESULTS stay as they are.
    """
    from distill.cli.probe_tables import print_probe, probe_data
    from distill.probe import ProbeOptions, probe_results
    from testsuite.display.progress import Reporter
    from testsuite.score.results import load_results

    start_logging(log_level)
    found = load_results(results)
    with Reporter("probed", len(found.items)) as reporter:

        def on_pair(done: int, total: int) -> None:
            reporter.resize(total)
            reporter.update(done)

        options = ProbeOptions(instances, seed)
        report = probe_results(found, suite, options, jobs or cores(), on_pair)
    if as_json:
        print(json.dumps(probe_data(report, found, options), indent=1, ensure_ascii=False))
    else:
        print_probe(report, found, options)
