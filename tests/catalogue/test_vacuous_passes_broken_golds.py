"""Passes that prove nothing, and golds that fail, never end, or read the clock."""

from __future__ import annotations

from pathlib import Path

import pytest
from faults import Case, both_engines, check, each, judged, refusal, saved_suite, scored

from testsuite.records import Fate
from testsuite.score.judge import JudgeOptions

CLUB = "CREATE TABLE club(name TEXT, goals INTEGER, founded TEXT)"
SHIPPED = "INSERT INTO club VALUES ('Rot',3,'2022-01-01'),('Blau',5,'2023-09-09')"
LATER = "INSERT INTO club VALUES ('Gold',300,'2023-02-28'),('Grau',1,'2024-02-29')"
ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r"


def club(cause: str, rows: tuple[str, ...], gold: str, prediction: str, equal: bool | None, **more: object) -> Case:
    return Case(cause, CLUB, rows, gold, prediction, equal, **more)  # type: ignore[arg-type]


CASES = [
    club("both empty, another width", (SHIPPED,), "SELECT name FROM club WHERE goals > 100",
         "SELECT goals, name, 1 FROM club WHERE name = 'Weiss'", False),
    club("both empty, the same width, is flagged", (SHIPPED,), "SELECT name FROM club WHERE goals > 100",
         "SELECT name FROM club WHERE name = 'Weiss'", True, flags=("no_informative_instance",)),
    club("both NULL is flagged", (SHIPPED,), "SELECT MAX(goals) FROM club WHERE goals > 100",
         "SELECT MIN(goals) FROM club WHERE name = 'Weiss'", True, flags=("no_informative_instance",)),
    club("both empty on the shipped instance only", (SHIPPED, LATER), "SELECT name FROM club WHERE goals > 100",
         "SELECT name FROM club WHERE name = 'Weiss'", False, flags=("lucky_pass",)),
    club("the gold does not run", (SHIPPED,), "SELECT wins FROM club", "SELECT goals FROM club", None,
         fate=Fate.GOLD_ERROR),
    club("gold and prediction fail alike", (SHIPPED,), "SELECT wins FROM club", "SELECT wins FROM club", None,
         fate=Fate.GOLD_ERROR),
    club("gold and prediction fail when run", (SHIPPED,), "SELECT abs(-9223372036854775807 - 1) FROM club",
         "SELECT abs(-9223372036854775807 - 1) FROM club", None, fate=Fate.GOLD_ERROR),
    club("only the prediction fails when run", (SHIPPED,), "SELECT 1 FROM club",
         "SELECT abs(-9223372036854775807 - 1) FROM club", False, fate=Fate.PREDICTION_ERROR),
    club("the gold never ends", (SHIPPED,), ENDLESS, "SELECT 1", None, fate=Fate.GOLD_TIMEOUT,
         options=JudgeOptions(gold_timeout=0.3)),
    # On the shipped dates both count nothing; a clock that stands still, and dates around it, tell them apart.
    club("the gold reads the clock", (SHIPPED, LATER),
         "SELECT COUNT(*) FROM club WHERE founded >= date('now', '-1 month')",
         "SELECT COUNT(*) FROM club WHERE founded >= '2030-01-01'", False, flags=("lucky_pass",)),
    club("the clock said otherwise", (SHIPPED, LATER), "SELECT name FROM club WHERE founded < date('now', '-1 year')",
         "SELECT name FROM club WHERE julianday('now') - julianday(founded) > 366", True),
]  # fmt: skip


@both_engines()
@each(CASES)
def test_verdict(case: Case, engine: str) -> None:
    check(case, engine)


def test_a_gold_agrees_with_itself_whatever_it_is() -> None:
    for sql in ("SELECT * FROM club LIMIT 1", "SELECT name, MAX(goals), MIN(goals) FROM club", "SELECT 0.0 / 0"):
        assert judged(club(sql, (SHIPPED, LATER), sql, sql, True)).test_suite is True


def test_instances_that_say_nothing_are_counted() -> None:
    gold = "SELECT name FROM club WHERE goals > 100"
    result = judged(club("", (SHIPPED, LATER), gold, gold, True))
    assert (result.instances, result.informative) == (2, 1)


@pytest.mark.parametrize("made", [False, True], ids=["no directory", "an empty directory"])
def test_without_instances_nothing_is_scored_and_nothing_is_made(tmp_path: Path, made: bool) -> None:
    gold, suites = tmp_path / "gold.sql", tmp_path / "typo"
    gold.write_text("SELECT 1\tclub\n")
    if made:
        (suites / "club").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    assert "holds no suite" in refusal("score", "--gold", gold, "--pred", gold, "--suite", suites)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_broken_gold_costs_only_itself_and_is_told(tmp_path: Path) -> None:
    suites = saved_suite(tmp_path, CLUB, (SHIPPED, LATER), "club")
    gold, pred = tmp_path / "gold.sql", tmp_path / "pred.txt"
    gold.write_text("SELECT wins FROM club\tclub\nSELECT name FROM club\tclub\n")
    pred.write_text("SELECT wins FROM club\nSELECT name FROM club\n")
    run = scored(tmp_path, suites, gold, pred)
    assert (run.code, run.items["0"]["fate"], run.items["1"]["test_suite"]) == (3, "gold_error", True)
    assert run.summary["accuracy"]["test_suite"] == {"correct": 1, "of": 1}
    assert "item 0 (club): gold_error: no such column: wins" in run.errors
    # The answers kept are of these golds: others are never scored against them.
    gold.write_text("SELECT goals FROM club\tclub\nSELECT name FROM club\tclub\n")
    said = refusal("score", "--gold", gold, "--pred", pred, "--suite", suites, "-o", tmp_path / "results")
    assert "results" in said
