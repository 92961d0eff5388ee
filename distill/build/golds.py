"""The golds of one schema: which differ, which run, and what they answer on the candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from distill.matrix import GoldAnswers, ask_gold
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.engine.session import QueryTimeout
from testsuite.query.normal import normal_text
from testsuite.query.parse import Unparsed, parse


@dataclass(frozen=True, slots=True)
class GoldText:
    """One distinct gold; ``items`` lines hold it. ``fault`` says why it cannot be used, empty where it can."""

    sql: str
    items: int
    fault: str = ""


@dataclass(frozen=True)
class AskedGolds:
    """The golds that run, with their answers on all candidates (same order), and those that don't."""

    texts: tuple[GoldText, ...]
    answers: tuple[GoldAnswers, ...]
    broken: tuple[GoldText, ...]


def distinct_golds(golds: Sequence[str]) -> list[GoldText]:
    """Golds that differ in more than spelling, in order of appearance."""
    lines: dict[str, list[str]] = {}
    for sql in golds:
        try:
            key = normal_text(parse(sql))
        except Unparsed:
            key = sql
        lines.setdefault(key, []).append(sql)
    return [GoldText(same[0], len(same)) for same in lines.values()]


def check_golds(referee: Referee, golds: Sequence[GoldText]) -> tuple[list[GoldText], list[GoldText]]:
    """The golds that SQLite accepts, and those it refuses with its reason."""
    runnable, broken = [], []
    for gold in golds:
        reason = referee.valid(gold.sql)
        if reason is None:
            runnable.append(gold)
        else:
            broken.append(GoldText(gold.sql, gold.items, reason))
    return runnable, broken


def ask_golds(evaluator: Evaluator, golds: Sequence[GoldText], broken: Sequence[GoldText]) -> AskedGolds:
    """Run golds on all candidates; those that take too long join the broken ones."""
    texts, answers, lost = [], [], list(broken)
    for gold in golds:
        try:
            answers.append(ask_gold(evaluator, gold.sql))
            texts.append(gold)
        except QueryTimeout as error:
            lost.append(GoldText(gold.sql, gold.items, str(error) or "timeout"))
    return AskedGolds(tuple(texts), tuple(answers), tuple(lost))
