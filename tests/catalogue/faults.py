"""One known fault of evaluators a case: a few rows, a gold, a prediction, and the right verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from testsuite.cli import commands
from testsuite.cli.common import BAD_INPUT
from testsuite.compare import Policy
from testsuite.engine.session import Session
from testsuite.errors import SuiteError
from testsuite.records import Fate, Item, ItemResult
from testsuite.schema import read_sql_script
from testsuite.score.judge import JudgeOptions, open_judge
from testsuite.suite import InstanceNote, Manifest, Suite, instance_id, save_suite, stack_rows

NOW = datetime(2024, 3, 1)
ENGINES = ("auto", "sqlite")


@dataclass(frozen=True)
class Case:
    """A pair and what must be concluded of it.

    Attributes:
        cause: the fault, in a few words.
        rows: the INSERTs of each instance, run after ``tables``; the first instance is the shipped one.
        equal: the verdict over all instances; None where there must be none.
        flags: flags that the record must carry.
        options: policy and budgets.
    """

    cause: str
    tables: str
    rows: tuple[str, ...]
    gold: str
    prediction: str
    equal: bool | None
    fate: Fate = Fate.OK
    flags: tuple[str, ...] = ()
    options: JudgeOptions = field(default_factory=JudgeOptions)


def policy(**given: object) -> JudgeOptions:
    """Options with another policy."""
    return JudgeOptions(Policy(**given))  # type: ignore[arg-type]


@cache
def session() -> Session:
    """One DuckDB session for all cases of a test process; opening one takes longer than a case."""
    return Session()


def suite_of(tables: str, rows: Iterable[str], name: str = "case") -> Suite:
    """A suite in memory from scripts, the first instance being the shipped one."""
    read = [read_sql_script(f"{tables};{script}", name) for script in rows]
    stack = stack_rows(read[0][0], [content for _, content in read])
    notes = tuple(
        InstanceNote(instance_id(stack, number), "generated" if number else "shipped", 0, 0)
        for number in range(stack.count)
    )
    return Suite(stack, Manifest(name, notes))


def judged(case: Case, engine: str = "auto") -> ItemResult:
    """The record that scoring the pair gives."""
    suite = suite_of(case.tables, case.rows)
    judge = open_judge(suite, None if engine == "sqlite" else session(), NOW, case.options, engine)
    return judge.judge(Item("0", "case", case.gold, case.prediction))


def check(case: Case, engine: str = "auto") -> ItemResult:
    """Judge a case, and insist on fate, verdict and flags."""
    result = judged(case, engine)
    assert (result.fate, result.test_suite) == (case.fate, case.equal), result
    assert set(case.flags) <= set(result.flags), result
    assert "engines_disagree" not in result.flags, result
    return result


def each(cases: Iterable[Case]) -> pytest.MarkDecorator:
    """Parametrize a test over cases, named by their causes."""
    listed = list(cases)
    assert len({case.cause for case in listed}) == len(listed), "two cases of one name"
    return pytest.mark.parametrize("case", listed, ids=[case.cause for case in listed])


def both_engines() -> pytest.MarkDecorator:
    """Parametrize a test over the ways a query may be run."""
    return pytest.mark.parametrize("engine", ENGINES)


def refusal(*arguments: object) -> str:
    """What ``testsuite`` says when it refuses its input, in this process; the exit code must be that of bad input."""
    done = CliRunner().invoke(commands, [str(argument) for argument in arguments])
    if isinstance(done.exception, SuiteError):
        return str(done.exception)
    assert done.exit_code == BAD_INPUT, (done.output, done.exception)
    return done.output


@dataclass(frozen=True)
class Run:
    """A finished ``testsuite score``: exit code, records by id, summary.json, and what went to standard error."""

    code: int
    items: dict[str, dict[str, object]]
    summary: dict[str, Any]
    errors: str


def scored(folder: Path, suites: Path, gold: Path, prediction: Path, *extra: object) -> Run:
    """Run ``testsuite score`` in a process of its own, results into ``folder / "results"``."""
    output = folder / "results"
    arguments = ["score", "--gold", gold, "--pred", prediction, "--suite", suites, "-o", output, "--jobs", 1, *extra]
    done = subprocess.run(
        [sys.executable, "-m", "testsuite", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    lines = (output / "items.jsonl").read_text().splitlines()
    items = {item["id"]: item for item in map(json.loads, lines)}
    return Run(done.returncode, items, json.loads((output / "summary.json").read_text()), done.stderr)


def saved_suite(folder: Path, tables: str, rows: Iterable[str], name: str = "case") -> Path:
    """A directory of suites with one suite in it."""
    suite = suite_of(tables, rows, name)
    save_suite(folder / "suites", suite.stack, suite.manifest)
    return folder / "suites"
