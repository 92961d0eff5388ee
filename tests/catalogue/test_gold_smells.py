"""Golds that are at fault themselves: what is said of each before any prediction is scored."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from faults import NOW, session, suite_of

from testsuite.doctor.contents import Contents
from testsuite.doctor.examine import examine
from testsuite.doctor.records import Severity
from testsuite.score.judge import JudgeOptions, open_judge

SHOP = """
CREATE TABLE shop(id INTEGER PRIMARY KEY, name TEXT, rank INTEGER, opened TEXT, pages TEXT);
CREATE TABLE sale(id INTEGER PRIMARY KEY, shop INTEGER REFERENCES shop(id), paid INTEGER, note TEXT)"""
ROWS = (
    "INSERT INTO shop VALUES (1,'Ada',3,'2019-01-01','9'),(2,'Bea',3,'2020-02-02','10'),(3,'Cy',NULL,'2021-03-03','7');"
    "INSERT INTO sale VALUES (1,1,5,'y'),(2,1,9,'n'),(3,2,NULL,'n')",
    # One row each: nothing is left open here.
    "INSERT INTO shop VALUES (1,'Dee',1,'2019-01-01','9'); INSERT INTO sale VALUES (1,1,5,'y')",
)


@dataclass(frozen=True)
class Smell:
    """A gold, the finding it must have, and words of its detail."""

    finding: str
    gold: str
    said: str
    severity: Severity = Severity.WARNING


SMELLS = [
    Smell("fails", "SELECT nme FROM shop", "no such column: nme", Severity.ERROR),
    Smell("fails", "SELECT DISTINCT ON (id) id FROM shop", "syntax error", Severity.ERROR),
    Smell("empty", "SELECT name FROM shop WHERE name = 'ada'", "empty on every instance"),
    Smell("empty", "SELECT MAX(paid) FROM sale WHERE id > 9", "all NULL"),
    Smell("tie_cut", "SELECT name FROM shop WHERE rank > 0 ORDER BY rank LIMIT 1", "the shipped one among them"),
    Smell("tie_cut", "SELECT name FROM shop LIMIT 1", "LIMIT without ORDER BY"),
    Smell("null_first", "SELECT name FROM shop ORDER BY rank LIMIT 1", "shop.rank holds NULL"),
    Smell("undetermined", "SELECT shop, note, COUNT(*) FROM sale GROUP BY shop", "bare column"),
    Smell("undetermined", "SELECT name FROM shop WHERE id = (SELECT shop FROM sale)", "scalar subquery"),
    Smell("undetermined", "SELECT GROUP_CONCAT(name) FROM shop", "group_concat"),
    Smell("undetermined", "SELECT name, ROW_NUMBER() OVER (ORDER BY rank) FROM shop", "window"),
    Smell("undetermined", "SELECT random() FROM shop", "random", Severity.ERROR),
    Smell("clock", "SELECT name FROM shop WHERE opened > date('now', '-5 years')", "--now"),
    Smell("numeric_text", "SELECT name FROM shop ORDER BY pages DESC", "'10' comes before"),
    Smell("count_zero", "SELECT COUNT(CASE WHEN note = 'y' THEN id ELSE 0 END) FROM sale", "fail the condition too"),
    Smell("count_zero", "SELECT COUNT(paid > 6) FROM sale", "fail the condition too"),
    Smell("cartesian", "SELECT shop.name, sale.paid FROM shop JOIN sale", "shop | sale"),
    Smell("cartesian", "SELECT name FROM shop, sale WHERE paid > 3", "shop | sale"),
]
WELL = "SELECT name, COUNT(*) FROM shop JOIN sale ON shop = shop.id GROUP BY shop.id, name ORDER BY name"


def examined(sql: str) -> list[tuple[str, Severity, str]]:
    suite = suite_of(SHOP, ROWS)
    judge = open_judge(suite, session(), NOW, JudgeOptions(gold_timeout=5.0))
    return [(d.finding, d.severity, d.detail) for d in examine(judge, Contents(suite.stack, 0), sql).diagnoses]


@pytest.mark.parametrize("smell", SMELLS, ids=[f"{smell.finding}: {smell.said}" for smell in SMELLS])
def test_said(smell: Smell) -> None:
    seen = [(severity, detail) for name, severity, detail in examined(smell.gold) if name == smell.finding]
    assert seen, examined(smell.gold)
    assert seen[0][0] is smell.severity and smell.said.lower() in seen[0][1].lower(), seen


def test_a_sound_gold_has_nothing() -> None:
    assert examined(WELL) == []
