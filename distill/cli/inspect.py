"""``distill inspect``: how strong suites are."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command(epilog="Example: distill inspect SUITES --json")
@click.argument("suites", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--golds", "show_golds", is_flag=True, help="List the golds and neighbours that need a look.")
def inspect(suites: Path, as_json: bool, show_golds: bool) -> None:
    """Show instances, rows, neighbours and how many of them are separated, by database and in all."""
    from distill.cli.tables import print_golds, print_inspection
    from distill.inspection import inspect_suites

    data = inspect_suites(suites)
    if as_json:
        print(json.dumps(data, indent=1, ensure_ascii=False))
        return
    print_inspection(data, title=str(suites))
    if show_golds:
        print_golds(data)
