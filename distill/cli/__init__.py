"""The ``distill`` command."""

from __future__ import annotations

import click

from distill.cli.build import build
from distill.cli.counterexample import counterexample
from distill.cli.inspect import inspect
from distill.cli.probe import probe
from distill.cli.transfer import export, import_
from testsuite.cli.common import run


@click.group(name="distill", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="testsuite-accuracy", prog_name="distill")
def commands() -> None:
    """Distil suites of database instances on which near-miss queries give different answers."""


commands.add_command(build)
commands.add_command(inspect)
commands.add_command(counterexample)
commands.add_command(probe)
commands.add_command(import_)
commands.add_command(export)


def main() -> None:
    """Entry point of the ``distill`` command."""
    run(commands, "distill")
