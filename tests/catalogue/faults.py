"""One known fault of evaluators a case: a few rows, a gold, a prediction, and the right verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache

import pytest

from testsuite.compare import Policy
from testsuite.engine.session import Session
from testsuite.records import Fate, Item, ItemResult
from testsuite.schema import read_sql_script
from testsuite.score.judge import JudgeOptions, open_judge
from testsuite.suite import InstanceNote, Manifest, Suite, instance_id, stack_rows

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
