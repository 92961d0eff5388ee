"""The ``testsuite`` command."""

from __future__ import annotations

import click

from testsuite.cli.common import run
from testsuite.cli.compare import compare
from testsuite.cli.demo import demo
from testsuite.cli.doctor import doctor
from testsuite.cli.explain import explain
from testsuite.cli.report import report
from testsuite.cli.score import score
from testsuite.cli.show import show


@click.group(name="testsuite", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="testsuite-accuracy", prog_name="testsuite")
def commands() -> None:
    """Tell whether predicted SQL means the same as the gold SQL, on a suite of database instances."""


commands.add_command(score)
commands.add_command(show)
commands.add_command(compare)
commands.add_command(explain)
commands.add_command(doctor)
commands.add_command(report)
commands.add_command(demo)


def main() -> None:
    """Entry point of the ``testsuite`` command."""
    run(commands, "testsuite")
