"""Every finding: golds that show it, golds that don't, over one small schema."""

from __future__ import annotations

from datetime import datetime

import pytest

from testsuite.doctor.contents import Contents
from testsuite.doctor.examine import examine, examined
from testsuite.doctor.findings import FINDINGS, Subject
from testsuite.doctor.records import DoctorOptions, DoctorReport, Examined, GoldReport, Severity
from testsuite.engine.evaluate import Evaluator
from testsuite.engine.referee import Referee
from testsuite.errors import InputError
from testsuite.query.parse import parse
from testsuite.schema import Affinity, Column, ForeignKey, Schema, Table
from testsuite.score.judge import Judge, JudgeOptions
from testsuite.suite import GoldNote, stack_rows

SCHEMA = Schema(
    "club",
    (
        Table(
            "team",
            (
                Column("id", "INTEGER", Affinity.INTEGER, not_null=True),
                Column("name", "TEXT", Affinity.TEXT, not_null=True),
                Column("founded", "TEXT", Affinity.TEXT),
                Column("code", "TEXT", Affinity.TEXT),
            ),
            primary_key=("id",),
        ),
        Table(
            "player",
            (
                Column("id", "INTEGER", Affinity.INTEGER, not_null=True),
                Column("team", "INTEGER", Affinity.INTEGER),
                Column("goals", "INTEGER", Affinity.INTEGER),
                Column("weight", "TEXT", Affinity.TEXT),
            ),
            primary_key=("id",),
            foreign_keys=(ForeignKey(("team",), "team", ("id",)),),
        ),
    ),
)
TEAMS = [(1, "reds", "1899", "a1"), (2, "blues", "1905", "b2"), (3, "greens", "1950", "7")]
PLAYERS = [(1, 1, 5, "90"), (2, 1, 5, "100"), (3, 2, 0, "85"), (4, 3, 2, "77")]
CONTENTS = [
    {"team": TEAMS, "player": PLAYERS},
    {"team": TEAMS[:2], "player": [(1, 1, None, "70"), (2, 2, 7, None)]},
    {"team": [], "player": []},
]
STACK = stack_rows(SCHEMA, CONTENTS)
SEEN = Contents(STACK, shipped=0)


def diagnoses(sql: str, note: GoldNote | None = None, suite_golds: int = 0) -> Examined:
    evaluator = Evaluator(STACK, None, Referee(STACK), datetime(2020, 1, 1), "sqlite")
    judge = Judge(evaluator, ["a", "b", "c"], 0, JudgeOptions(gold_timeout=2.0))
    return examine(judge, SEEN, sql, note, suite_golds)


ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
SHOWN = [
    ("fails", ERROR, "SELECT missing_one FROM team", "no such column"),
    ("fails", ERROR, "DROP TABLE team", "gold_error"),
    ("fails", ERROR, "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT count(*) FROM r", "timeout"),
    ("fails", ERROR, "SELECT abs(-9223372036854775807 - (SELECT count(*) > 2 FROM team))", "1 of 3 instances"),
    (
        "undetermined",
        WARNING,
        "SELECT name, count(*), player.id FROM team JOIN player ON team.id = team GROUP BY name",
        "bare",
    ),
    ("undetermined", NOTE, "SELECT name, founded, max(id) > 0 FROM team GROUP BY name", "on no instance"),
    ("undetermined", ERROR, "SELECT random() FROM team", "random"),
    ("empty", WARNING, "SELECT name FROM team WHERE id > 99", "empty on every instance"),
    ("empty", WARNING, "SELECT max(id) FROM team WHERE id > 99", "all NULL on every instance"),
    (
        "empty",
        ERROR,
        "SELECT id FROM player GROUP BY team HAVING count(*) > 1",
        "empty wherever it is determined (2 of 3 instances)",
    ),
    ("tie_cut", NOTE, "SELECT id FROM player ORDER BY max(id, 2) DESC LIMIT 1", "1 of 3 instances, not on the shipped"),
    ("tie_cut", WARNING, "SELECT id FROM player ORDER BY goals DESC LIMIT 1", "on 1 of 3 instances, the shipped one"),
    ("tie_cut", WARNING, "SELECT id FROM player LIMIT 1", "LIMIT without ORDER BY chooses among rows on 2 of 3"),
    ("clock", WARNING, "SELECT name FROM team WHERE founded < date('now')", "--now"),
    ("numeric_text", WARNING, "SELECT id FROM player ORDER BY weight", "'100' comes before '77'"),
    ("numeric_text", WARNING, "SELECT id FROM player ORDER BY weight DESC LIMIT 1", "ORDER BY"),
    ("numeric_text", WARNING, "SELECT max(weight) FROM player", "player.weight (MAX)"),
    ("numeric_text", WARNING, "SELECT id FROM player WHERE weight > 80", "comparison"),
    ("numeric_text", WARNING, "SELECT id FROM player WHERE weight BETWEEN '80' AND '90'", "BETWEEN"),
    ("numeric_text", WARNING, "SELECT id FROM player WHERE weight = (SELECT min(weight) FROM player)", "MIN"),
    ("numeric_text", WARNING, "SELECT weight AS w FROM player UNION SELECT weight FROM player ORDER BY w", "ORDER BY"),
    ("numeric_text", WARNING, "SELECT goals, max(weight) FROM player GROUP BY goals ORDER BY max(weight)", "ORDER BY"),
    ("numeric_text", NOTE, "SELECT name FROM team ORDER BY founded", "no two of them"),
    ("null_first", WARNING, "SELECT id FROM player ORDER BY goals LIMIT 1", "player.goals holds NULL on 1 of 3"),
    ("null_first", WARNING, "SELECT id, goals + 1 AS g FROM player ORDER BY g LIMIT 1", "player.goals"),
    ("null_first", WARNING, "SELECT id FROM team WHERE id = (SELECT team FROM player ORDER BY goals LIMIT 1)", "goals"),
    (
        "null_first",
        WARNING,
        "SELECT p.id FROM player p LEFT JOIN team t ON t.id = p.team ORDER BY t.name LIMIT 1",
        "outer",
    ),
    ("null_first", NOTE, "SELECT id FROM team ORDER BY founded LIMIT 1", "may be NULL by the schema"),
    ("count_zero", WARNING, "SELECT count(CASE WHEN goals > 1 THEN 1 ELSE 0 END) FROM player", "COUNT(CASE"),
    ("count_zero", WARNING, "SELECT count(CASE WHEN goals > 1 THEN goals ELSE 0 END) FROM player", "COUNT(CASE"),
    ("count_zero", WARNING, "SELECT count(iif(goals > 1, 1, 0)) FROM player", "counts rows"),
    ("count_zero", WARNING, "SELECT count(goals > 1) FROM player", "counts rows"),
    ("cartesian", WARNING, "SELECT * FROM team, player", "team | player"),
    ("cartesian", WARNING, "SELECT * FROM team t JOIN player p WHERE p.goals > 1 AND t.id = 1", "t | p"),
    ("cartesian", WARNING, "SELECT * FROM team t JOIN player p ON p.team = 1", "t | p"),
    (
        "cartesian",
        WARNING,
        "SELECT * FROM team t, player p WHERE t.id = p.team AND p.goals > 1 OR p.goals = 0",
        "t | p",
    ),
    ("cartesian", WARNING, "SELECT id FROM team WHERE id IN (SELECT a.id FROM team a, player b)", "a | b"),
]
SHOWN += [
    (
        "undetermined",
        WARNING,
        "SELECT name, player.id, count(*) FROM team JOIN player ON team.id = team "
        "WHERE abs(-9223372036854775807 - (coalesce(goals, 7) > 6)) GROUP BY name",
        "on 1 of 3 instances",
    ),
    ("null_first", WARNING, "SELECT id FROM player WHERE goals > 0 ORDER BY weight LIMIT 1", "player.weight"),
    (
        "null_first",
        WARNING,
        "SELECT p.id FROM team t LEFT JOIN player p ON p.team = t.id AND p.goals > 1 ORDER BY p.goals LIMIT 1",
        "player.goals",
    ),
    ("numeric_text", WARNING, "SELECT id FROM player WHERE 80 < weight", "comparison"),
    ("numeric_text", WARNING, "SELECT id FROM player ORDER BY weight COLLATE NOCASE", "ORDER BY"),
    ("cartesian", WARNING, 'SELECT * FROM team t, player p WHERE t.name = "reds"', "t | p"),
    (
        "cartesian",
        WARNING,
        "SELECT (SELECT count(*) FROM team a JOIN player b ON b.team = a.id AND a.id = t.id + p.id) "
        "FROM team t, player p",
        "t | p",
    ),
]
WELL = [
    ("null_first", "SELECT id FROM player ORDER BY goals DESC NULLS FIRST LIMIT 1"),
    ("fails", "SELECT name FROM team"),
    ("undetermined", "SELECT name, count(*) FROM team GROUP BY name"),
    ("empty", "SELECT name FROM team WHERE id = 3"),
    ("empty", "SELECT count(*) FROM team WHERE id > 99"),
    ("tie_cut", "SELECT id FROM player ORDER BY goals DESC, id LIMIT 1"),
    ("tie_cut", "SELECT goals FROM player ORDER BY goals DESC LIMIT 1"),
    ("tie_cut", "SELECT id FROM player LIMIT 100"),
    ("clock", "SELECT name FROM team WHERE founded < date('2020-01-01')"),
    ("numeric_text", "SELECT id FROM player ORDER BY CAST(weight AS INTEGER)"),
    ("numeric_text", "SELECT id FROM player WHERE CAST(weight AS INTEGER) > 80"),
    ("numeric_text", "SELECT id FROM player WHERE weight = '80'"),
    ("numeric_text", "SELECT id FROM player WHERE weight > goals"),
    ("numeric_text", "SELECT id FROM team ORDER BY code"),
    ("numeric_text", "SELECT id FROM player ORDER BY goals"),
    ("null_first", "SELECT id FROM player ORDER BY goals DESC LIMIT 1"),
    ("null_first", "SELECT id FROM player ORDER BY goals"),
    ("null_first", "SELECT id FROM player WHERE goals IS NOT NULL ORDER BY goals LIMIT 1"),
    ("null_first", "SELECT id FROM player WHERE goals > 0 ORDER BY goals LIMIT 1"),
    ("null_first", "SELECT id FROM player ORDER BY goals NULLS LAST LIMIT 1"),
    ("null_first", "SELECT id FROM team ORDER BY name LIMIT 1"),
    ("null_first", "SELECT team FROM player GROUP BY team ORDER BY count(*) LIMIT 1"),
    ("count_zero", "SELECT count(CASE WHEN goals > 1 THEN 1 END) FROM player"),
    ("count_zero", "SELECT sum(CASE WHEN goals > 1 THEN 1 ELSE 0 END) FROM player"),
    ("count_zero", "SELECT count(CASE WHEN goals > 1 THEN NULL ELSE 0 END) FROM player"),
    ("count_zero", "SELECT count(CASE WHEN goals > 1 THEN 1 ELSE goals END) FROM player"),
    ("count_zero", "SELECT count(DISTINCT goals) FROM player"),
    ("cartesian", "SELECT * FROM team t JOIN player p ON p.team = t.id"),
    ("cartesian", "SELECT * FROM team t, player p WHERE p.team = t.id"),
    ("cartesian", "SELECT * FROM team NATURAL JOIN player"),
    ("cartesian", "SELECT * FROM team, (SELECT max(goals) AS most FROM player)"),
    ("cartesian", "SELECT * FROM team t JOIN player p ON t.id < p.goals"),
    ("cartesian", "SELECT * FROM team t, player p WHERE t.id = p.team AND p.id > 1 OR t.id = p.goals"),
    (
        "cartesian",
        "SELECT id FROM team t WHERE EXISTS (SELECT 1 FROM player p, player q WHERE p.team = t.id AND q.team = t.id)",
    ),
    ("cartesian", "SELECT * FROM team, (SELECT * FROM team NATURAL JOIN player) q WHERE q.goals = team.id"),
    ("unread", "SELECT name FROM team"),
]


def found(examined_: Examined, name: str) -> list[tuple[Severity, str]]:
    return [(d.severity, d.detail) for d in examined_.diagnoses if d.finding == name]


@pytest.mark.parametrize(("name", "severity", "sql", "detail"), SHOWN)
def test_shown(name: str, severity: Severity, sql: str, detail: str) -> None:
    seen = found(diagnoses(sql), name)
    assert [s for s, _ in seen] == [severity]
    assert detail in seen[0][1]


@pytest.mark.parametrize(("name", "sql"), WELL)
def test_not_shown(name: str, sql: str) -> None:
    assert found(diagnoses(sql), name) == []


def test_every_finding_has_an_example_of_both_kinds() -> None:
    names = {finding.name for finding in FINDINGS}
    assert len(names) == len(FINDINGS)
    # These two need more than a text and are tested below.
    assert {name for name, *_ in SHOWN} == names - {"unseparated", "unread"}
    assert {name for name, _ in WELL} == names - {"unseparated"}


def test_what_cannot_be_read_is_told() -> None:
    seen = diagnoses("SELECT +(id) FROM team")
    assert seen.scorable
    assert found(seen, "unread")[0][0] is NOTE


def note(left: int, neighbours: int) -> GoldNote:
    lost = tuple({"operator": "limit", "sql": f"SELECT {n}"} for n in range(left))
    return GoldNote("SELECT 1", 1, neighbours, neighbours - left, 0, left, 2, 0, "stacked", left=lost)


def test_unseparated() -> None:
    sql = "SELECT name FROM team"
    assert found(diagnoses(sql, note(0, 9), 5), "unseparated") == []
    assert found(diagnoses(sql), "unseparated") == []
    few = found(diagnoses(sql, note(2, 9), 5), "unseparated")
    assert few == [(NOTE, "2 of 9 near-misses are not separated, the first (limit): SELECT 0")]
    assert found(diagnoses(sql, note(5, 9), 5), "unseparated")[0][0] is WARNING
    assert "none of them" in found(diagnoses(sql, None, 5), "unseparated")[0][1]


def test_where_a_gold_can_be_scored() -> None:
    well = diagnoses("SELECT name FROM team")
    assert (well.scorable, well.instances, well.determined, well.informative) == (True, 3, 3, 2)
    assert not diagnoses("SELECT random() FROM team").scorable
    partly = diagnoses("SELECT abs(-9223372036854775807 - (SELECT count(*) > 2 FROM team))")
    assert (partly.scorable, partly.determined) == (True, 2)
    assert not diagnoses("SELECT nothing FROM team").scorable
    assert diagnoses("SELECT name FROM team WHERE id > 99").scorable
    assert not diagnoses("SELECT id FROM player GROUP BY team HAVING count(*) > 1").scorable


def test_without_an_answer_no_finding_of_answers() -> None:
    seen = examined(Subject(SEEN, None, failure="lost"))
    assert [(d.finding, d.severity) for d in seen.diagnoses] == [("fails", ERROR)]
    assert not seen.scorable


def test_a_dirty_cell_is_not_null() -> None:
    rows = [{"player": [(1, 1, "many", None)]}, {"player": [(1, 1, None, None)]}, {"player": [(1, 1, 3, None)]}]
    stack = stack_rows(SCHEMA, rows)
    assert stack.dirty
    assert Contents(stack).nulls(("player", "goals")) == 1
    assert Contents(stack).nulls(("player", "weight")) == 3


def test_the_shipped_instance_decides_what_looks_numeric() -> None:
    generated = {"team": [(n, "t", text, "c") for n, text in enumerate(["x", "y", "z", "7"])]}
    stack = stack_rows(SCHEMA, [CONTENTS[0], generated])
    assert Contents(stack, 0).numeric_texts(("team", "founded")) is not None
    assert Contents(stack).numeric_texts(("team", "founded")) is None


def test_text_order_that_is_wrong_in_generated_instances_alone() -> None:
    later = {"team": [(1, "t", "20130", "c"), (2, "t", "2014", "c")]}
    stack = stack_rows(SCHEMA, [CONTENTS[0], later])
    shipped = Contents(stack, 0).numeric_texts(("team", "founded"))
    assert shipped is not None and shipped.inverted == ("20130", "2014") and shipped.generated
    seen = examined(Subject(Contents(stack, 0), parse("SELECT name FROM team ORDER BY founded")))
    assert found(seen, "numeric_text")[0][0] is NOTE
    seen = examined(Subject(Contents(stack_rows(SCHEMA, [later])), parse("SELECT name FROM team ORDER BY founded")))
    assert found(seen, "numeric_text")[0][0] is WARNING


def test_report_counts_each_item_once_by_its_worst() -> None:
    two = diagnoses("SELECT max(weight) FROM player WHERE weight > 1 AND id IN (SELECT id FROM team ORDER BY founded)")
    assert len(found(two, "numeric_text")) == 2
    golds = tuple(GoldReport(str(n), "club", "..", "f:1", two) for n in range(3))
    report = DoctorReport(golds, [finding.name for finding in FINDINGS])
    assert report.counts()["numeric_text"] == {"items": 3, "error": 0, "warning": 3, "note": 0}
    assert report.counts()["empty"]["items"] == 0
    assert report.to_dict()["healthy"] == 0
    assert report.unscorable == ()


@pytest.mark.parametrize("options", [{"gold_timeout": 0}, {"now": "yesterday"}])
def test_options(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        DoctorOptions(**options)
