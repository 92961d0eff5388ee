"""Near-misses that one database hides and generated instances show; and what no legal instance may show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from faults import NOW, session

from distill.build import BuildOptions, BuildTask, build_suite
from testsuite.records import Item
from testsuite.schema import read_sql_script
from testsuite.score.judge import JudgeOptions, open_judge
from testsuite.suite import load_suite

FARM = """
CREATE TABLE farm(id INTEGER PRIMARY KEY, name TEXT NOT NULL, founded INTEGER NOT NULL);
CREATE TABLE animal(id INTEGER PRIMARY KEY, farm INTEGER NOT NULL REFERENCES farm(id), kind TEXT NOT NULL,
                    age INTEGER CHECK (age >= 0), tag TEXT UNIQUE NOT NULL);
INSERT INTO farm VALUES (1,'North',1901),(2,'South',1950);
INSERT INTO animal VALUES (1,1,'goat',10,'a'),(2,1,'hen',40,'b'),(3,2,'goat',3,'c'),(4,2,'cow',NULL,'d')"""


@dataclass(frozen=True)
class Near:
    """A prediction that the shipped content does not tell from its gold, and whether they mean the same."""

    cause: str
    gold: str
    prediction: str
    same: bool


APART = [
    Near("a bound", "SELECT kind FROM animal WHERE age > 30", "SELECT kind FROM animal WHERE age >= 30", False),
    Near("a bound by one", "SELECT kind FROM animal WHERE age > 30", "SELECT kind FROM animal WHERE age > 31", False),
    Near("a constant a little off", "SELECT name FROM farm WHERE founded < 1920",
         "SELECT name FROM farm WHERE founded < 1930", False),
    Near("parents without children", "SELECT name, COUNT(animal.id) FROM farm LEFT JOIN animal ON farm = farm.id "
         "GROUP BY farm.id", "SELECT name, COUNT(*) FROM farm JOIN animal ON farm = farm.id GROUP BY farm.id", False),
    Near("parents without children, listed", "SELECT name FROM farm", "SELECT name FROM farm WHERE id IN "
         "(SELECT farm FROM animal)", False),
    Near("duplicates", "SELECT DISTINCT name FROM farm", "SELECT name FROM farm", False),
    Near("two groups of one name", "SELECT name, COUNT(*) FROM farm JOIN animal ON farm = farm.id GROUP BY farm.id",
         "SELECT name, COUNT(*) FROM farm JOIN animal ON farm = farm.id GROUP BY name", False),
    Near("the largest of two tied", "SELECT name FROM farm WHERE founded = (SELECT MAX(founded) FROM farm)",
         "SELECT name FROM farm ORDER BY founded DESC LIMIT 1", False),
    Near("another set operation", "SELECT farm FROM animal WHERE kind = 'goat' INTERSECT SELECT farm FROM animal WHERE "
         "age < 20", "SELECT DISTINCT farm FROM animal WHERE kind = 'goat' AND age < 20", False),
    Near("the case of a text", "SELECT id FROM animal WHERE kind = 'goat'",
         "SELECT id FROM animal WHERE kind LIKE 'g%t'",
         False),
]  # fmt: skip
NULLS = [
    Near("COUNT of a column", "SELECT COUNT(*) FROM animal WHERE kind <> 'cow'",
         "SELECT COUNT(age) FROM animal WHERE kind <> 'cow'", False),
    Near("NOT of a condition", "SELECT id FROM animal WHERE kind <> 'cow' AND NOT age > 30",
         "SELECT id FROM animal WHERE kind <> 'cow' AND (age <= 30 OR age IS NULL)", False),
]  # fmt: skip
# Only an instance that breaks a key, a NOT NULL or a CHECK tells these apart.
SAME = [
    Near("a foreign key", "SELECT COUNT(*) FROM animal",
         "SELECT COUNT(*) FROM animal JOIN farm ON farm = farm.id", True),
    Near("NOT NULL", "SELECT COUNT(*) FROM animal", "SELECT COUNT(kind) FROM animal", True),
    Near("a primary key", "SELECT COUNT(*) FROM animal", "SELECT COUNT(DISTINCT id) FROM animal", True),
    Near("UNIQUE", "SELECT tag FROM animal", "SELECT DISTINCT tag FROM animal", True),
    Near("CHECK", "SELECT id FROM animal WHERE age > 5", "SELECT id FROM animal WHERE age > 5 AND age >= 0", True),
    Near("a key decides its row", "SELECT name, COUNT(*) FROM farm JOIN animal ON farm = farm.id GROUP BY farm.id",
         "SELECT name, COUNT(*) FROM farm JOIN animal ON farm = farm.id GROUP BY farm.id, name", True),
]  # fmt: skip
EACH = APART + NULLS + SAME


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """A judge over a suite built from the golds alone: it has not seen the predictions."""
    schema, content = read_sql_script(FARM, "farms")
    output = tmp_path_factory.mktemp("suites")
    golds = tuple(dict.fromkeys(near.gold for near in EACH))
    outcome = build_suite(
        BuildTask(schema, golds, content, output, BuildOptions(instances=80, neighbours=12)), session()
    )
    assert outcome.manifest is not None, outcome.message
    suite = load_suite(Path(output) / "farms")
    return open_judge(suite, session(), NOW, JudgeOptions())


@pytest.mark.parametrize("near", EACH, ids=[near.cause for near in EACH])
def test_verdict(judge, near: Near) -> None:  # type: ignore[no-untyped-def]
    result = judge.judge(Item("0", "farms", near.gold, near.prediction))
    assert result.test_suite is near.same, result
    assert result.execution is True or near in NULLS, "the shipped content must hide the fault"
