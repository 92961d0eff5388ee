"""Every benchmark with a ratio to the baseline, in one run: whole runs (scoring.py), the warm scorer (warm.py).

    python tests/bench/all.py --gold GOLD --pred PRED [--pred PRED] --tables TABLES --database DIR --suite SUITES
                              [--instances 40 1000] [--jobs 2] [--json]

``--suite`` holds distilled suites for the warm scorer; whole runs make their own of fixed sizes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent


def _figures(script: str, *arguments: object) -> Any:
    command = [sys.executable, str(HERE / script), *map(str, arguments), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("gold", "tables", "database", "suite"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--pred", type=Path, action="append", required=True)
    parser.add_argument("--instances", type=int, nargs="+", default=[40, 1000])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    common = ["--gold", given.gold, "--jobs", given.jobs]
    for path in given.pred:
        common += ["--pred", path]
    whole = _figures(
        "scoring.py", *common, "--tables", given.tables, "--database", given.database, "--instances", *given.instances
    )
    warm = _figures("warm.py", *common, "--suite", given.suite)
    if given.json:
        print(json.dumps({"whole_runs": whole, "warm": warm}, indent=1))
        return
    for title, rows in (("whole runs", whole), ("warm scorer", [warm])):
        names = [name for name, value in rows[0].items() if not isinstance(value, dict)]
        table = Table("figure", *(str(n + 1) for n in range(len(rows))), title=title)
        for name in names:
            table.add_row(name.replace("_", " "), *(str(row[name]) for row in rows))
        Console().print(table)


if __name__ == "__main__":
    main()
