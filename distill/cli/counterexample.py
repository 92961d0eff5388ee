"""``distill counterexample``: the smallest content on which two queries differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import click

from testsuite.cli.common import LOG_LEVELS, start_logging

FOUND = 1


@click.command(
    epilog='Example: distill counterexample shop.sql "SELECT name FROM item WHERE price > 5" '
    '"SELECT name FROM item WHERE price >= 5"'
)
@click.argument("schema")
@click.argument("sql_a", metavar="SQL_A")
@click.argument("sql_b", metavar="SQL_B")
@click.option(
    "--nulls",
    type=click.Choice(["observed", "declared", "never"]),
    default="observed",
    show_default=True,
    help="Where contents hold NULL; declared is tried after all that observed allows.",
)
@click.option(
    "--empty-tables",
    type=click.FloatRange(0, 1),
    default=0.03,
    show_default=True,
    help="Share of tables left empty; 0 forbids empty tables.",
)
@click.option("--content", type=click.Path(path_type=Path), help="SQLite file with a content to take after.")
@click.option(
    "--gold",
    type=click.Choice(["either", "a", "b"]),
    default="either",
    show_default=True,
    help="Whose ORDER BY and open choices decide.",
)
@click.option(
    "--columns",
    type=click.Choice(["any", "strict", "name"]),
    default="any",
    show_default=True,
    help="How result columns correspond.",
)
@click.option("--instances", type=click.IntRange(min=1), default=500, show_default=True, help="Random contents to try.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same result.")
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), default=30.0, show_default=True, help="Seconds to search."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--log-level", type=click.Choice(LOG_LEVELS), default="error", show_default=True)
def counterexample(
    schema: str,
    sql_a: str,
    sql_b: str,
    nulls: Literal["observed", "declared", "never"],
    empty_tables: float,
    content: Path | None,
    gold: Literal["either", "a", "b"],
    columns: Literal["any", "strict", "name"],
    instances: int,
    seed: int,
    timeout: float,
    as_json: bool,
    log_level: str,
) -> None:
    """Find the smallest content of a schema on which two queries answer differently.

    SCHEMA is a .sql script of CREATE TABLEs, an SQLite file, or tables.json:DB_ID. Rows that the script or the file
    holds are taken as its content. Exits with 1 where a counterexample is found, 0 where none is.
    """
    import numpy as np

    from distill.cli.counterexample_tables import print_counterexample
    from distill.counterexample import CounterexampleOptions, find_counterexample
    from distill.counterexample.subject import load_subject
    from testsuite.compare import Policy
    from testsuite.versions import tool_versions

    start_logging(log_level)
    known, shipped = load_subject(schema, content)
    options = CounterexampleOptions(
        nulls=nulls,
        instances=instances,
        timeout=timeout,
        policy=Policy(columns=columns),
        gold=gold,
        empty_tables=empty_tables,
    )
    found = find_counterexample(known, sql_a, sql_b, np.random.default_rng(seed), shipped, options)
    if as_json:
        asked = {"nulls": nulls, "empty_tables": empty_tables, "gold": gold, "columns": columns}
        asked |= {"instances": instances, "seed": seed, "timeout": timeout}
        record = {
            "found": found is not None,
            "schema": known.db_id,
            "sql_a": sql_a,
            "sql_b": sql_b,
            "counterexample": None if found is None else found.to_dict(),
            "options": asked,
            "versions": tool_versions(),
        }
        print(json.dumps(record, indent=1, ensure_ascii=False))
    else:
        print_counterexample(found, (sql_a, sql_b), f"{instances} random instances, nulls {nulls}, seed {seed}")
    if found is not None:
        raise click.exceptions.Exit(FOUND)
