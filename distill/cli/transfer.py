"""``distill import`` and ``distill export``: suites from SQLite files, and back."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(name="import", epilog="Example: distill import database -o SUITES --tables tables.json")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Directory for the suites.")
@click.option("--tables", type=click.Path(path_type=Path), help="Spider's tables.json, for keys files don't declare.")
def import_(directory: Path, output: Path, tables: Path | None) -> None:
    """Make suites of SQLite files: DIRECTORY/<db_id>/<db_id>*.sqlite, as published suites come."""
    from distill.importing import import_suites

    for done in import_suites(directory, output, tables):
        print(f"{done.db_id}: {done.instances} instances -> {done.folder}")


@click.command(epilog="Example: distill export SUITES -o database")
@click.argument("suites", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Directory for the files.")
def export(suites: Path, output: Path) -> None:
    """Write suites as SQLite files: <db_id>/<db_id>.sqlite is the shipped instance, <db_id>_0001.sqlite .. others."""
    from distill.importing import export_suites

    for done in export_suites(suites, output):
        print(f"{done.db_id}: {done.instances} instances -> {done.folder}")
