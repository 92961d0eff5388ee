"""``testsuite demo``: the whole job on the embedded benchmark, from schemas to lucky passes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from testsuite.cli.common import cores


@click.command(epilog="Example: testsuite demo -o demo-output")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Keep everything here [default: a temporary one]."
)
@click.option("--instances", type=click.IntRange(min=1), default=200, show_default=True, help="Candidates per schema.")
@click.option("--jobs", type=click.IntRange(min=1), default=None, help="Worker processes [default: the cores].")
def demo(output: Path | None, instances: int, jobs: int | None) -> None:
    """Build suites for the embedded benchmark, score four models on them, and show who passed by luck."""
    if output is not None:
        _demo(output, instances, jobs or cores())
        return
    with tempfile.TemporaryDirectory(prefix="testsuite-demo-") as folder:
        _demo(Path(folder), instances, jobs or cores())


def _demo(folder: Path, instances: int, jobs: int) -> None:
    from rich.table import Table

    from testsuite.benchmark import materialise
    from testsuite.display.console import output
    from testsuite.display.demo import lucky_table, model_row, model_table, right_verdicts
    from testsuite.score.run import score_files

    console = output()
    started = time.perf_counter()
    paths = materialise(folder / "benchmark")
    suites = folder / "suites"
    console.print(
        "\n[bold]1. distill build[/bold]: fuzz instances of every schema of the embedded benchmark and keep those on "
        "which near-misses of the gold queries (neighbours) give different answers\n"
    )
    # A command of its own, as a user would give it: this package never imports the other.
    command = [sys.executable, "-m", "distill", "build", "--tables", str(paths.tables), "--database"]
    command += [str(paths.database), "--gold", str(paths.gold), "-o", str(suites), "--instances", str(instances)]
    built = subprocess.run([*command, "--jobs", str(jobs)], check=False)
    if built.returncode:
        raise click.exceptions.Exit(built.returncode)
    console.print(
        "\n[bold]2. testsuite score[/bold]: four prediction files over these suites; execution accuracy looks at the "
        "shipped database alone, test-suite accuracy at every kept instance\n"
    )
    table: Table = model_table()
    lucky = lucky_table()
    wrong = 0
    for name, prediction in sorted(paths.predictions.items()):
        report = score_files(paths.gold, prediction, suites, jobs=jobs, output=folder / "results" / name)
        wrong += model_row(table, lucky, name, report, right_verdicts(paths.verdicts[name]), paths.gold, prediction)
    console.print(table)
    console.print("\n[bold]3. Passed by luck[/bold]: right on the shipped database, wrong in meaning\n")
    console.print(lucky)
    console.print(f"\nDone in {time.perf_counter() - started:.0f} s.", highlight=False)
    if wrong:
        console.print(f"[bold red]{wrong} verdicts are not the known right ones: please report this.[/bold red]")
        raise click.exceptions.Exit(1)
