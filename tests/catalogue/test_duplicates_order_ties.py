"""Duplicates, DISTINCT, row order, ties under a sort key."""

from __future__ import annotations

from faults import Case, both_engines, check, each, policy

VISIT = "CREATE TABLE visit(id INTEGER PRIMARY KEY, town TEXT, score INTEGER)"
# 'Aldo' twice; two rows tie on score 4; no score is missing.
ROWS = ("INSERT INTO visit VALUES (1,'Aldo',4),(2,'Aldo',9),(3,'Brno',4),(4,'Cluj',7)",)
MISSING = ("INSERT INTO visit VALUES (1,'Aldo',4),(2,NULL,9),(3,'Brno',4)",)
NULL_SCORE = ("INSERT INTO visit VALUES (1,'Aldo',NULL),(2,'Aldo',3),(3,'Brno',5)",)
NOTE = "CREATE TABLE note(id INTEGER, text TEXT)"
NOTES = ("INSERT INTO note VALUES (3,'please order by mail'),(1,'please order by mail')",)


def visit(cause: str, gold: str, prediction: str, equal: bool | None, **more: object) -> Case:
    return Case(cause, VISIT, ROWS, gold, prediction, equal, **more)  # type: ignore[arg-type]


DISTINCT = [
    visit(
        "DISTINCT in an aggregate dropped",
        "SELECT COUNT(DISTINCT town) FROM visit",
        "SELECT COUNT(town) FROM visit",
        False,
    ),
    visit("DISTINCT said by GROUP BY", "SELECT DISTINCT town FROM visit", "SELECT town FROM visit GROUP BY town", True),
    visit("DISTINCT missing", "SELECT DISTINCT town FROM visit", "SELECT town FROM visit", False),
    visit("DISTINCT too many", "SELECT town FROM visit", "SELECT DISTINCT town FROM visit", False),
    visit(
        "DISTINCT missing, rows as a set",
        "SELECT DISTINCT town FROM visit",
        "SELECT town FROM visit",
        True,
        options=policy(rows="set"),
    ),
    visit(
        "DISTINCT before LIMIT",
        "SELECT DISTINCT town FROM visit LIMIT 3",
        "SELECT town FROM visit LIMIT 3",
        False,
    ),
    visit(
        "IS DISTINCT FROM is no DISTINCT",
        "SELECT id FROM visit WHERE town IS NOT 'Aldo'",
        "SELECT id FROM visit WHERE town IS DISTINCT FROM 'Aldo'",
        True,
    ),
    Case(
        "IS NOT keeps NULL, <> does not",
        VISIT,
        (*ROWS, *MISSING),
        "SELECT id FROM visit WHERE town IS NOT 'Aldo'",
        "SELECT id FROM visit WHERE town <> 'Aldo'",
        False,
        flags=("lucky_pass",),
    ),
    visit("UNION ALL for UNION", "SELECT town FROM visit UNION SELECT town FROM visit",
          "SELECT town FROM visit UNION ALL SELECT town FROM visit", False),
    visit("as many rows, other multiplicities", "SELECT town FROM visit WHERE id < 4",
          "SELECT max(town, 'Brno') FROM visit WHERE id < 4", False),
]  # fmt: skip

ORDER = [
    Case(
        "the words 'order by' in a text",
        NOTE,
        NOTES,
        "SELECT id FROM note WHERE text = 'please order by mail'",
        "SELECT id FROM note WHERE text = 'please order by mail' AND id > 0 ORDER BY id",
        True,
    ),
    visit("two blanks in ORDER  BY", "SELECT id FROM visit ORDER  BY score DESC, id", "SELECT id FROM visit", False),
    visit("a newline in ORDER BY", "SELECT id FROM visit ORDER\nBY score DESC, id", "SELECT id FROM visit", False),
    visit("a comment in ORDER BY", "SELECT id FROM visit ORDER/**/BY score DESC, id", "SELECT id FROM visit", False),
    visit(
        "ORDER BY in a window only",
        "SELECT id, RANK() OVER (ORDER BY score) FROM visit",
        "SELECT id, 1 + (SELECT COUNT(*) FROM visit b WHERE b.score < a.score) FROM visit a ORDER BY id DESC",
        True,
    ),
    visit(
        "ORDER BY in a subquery only",
        "SELECT id FROM visit WHERE score IN (SELECT score FROM visit ORDER BY score DESC LIMIT 2)",
        "SELECT id FROM visit WHERE score >= 7 ORDER BY id DESC",
        True,
    ),
    visit(
        "ORDER BY in a derived table only",
        "SELECT id FROM (SELECT id FROM visit ORDER BY score DESC)",
        "SELECT id FROM visit ORDER BY id",
        True,
    ),
    visit(
        "the other direction",
        "SELECT id FROM visit ORDER BY score, id",
        "SELECT id FROM visit ORDER BY score DESC, id",
        False,
    ),
    visit(
        "rows that tie may change places",
        "SELECT id FROM visit ORDER BY score",
        "SELECT id FROM visit ORDER BY score, id DESC",
        True,
    ),
    visit(
        "what the gold settles is left open",
        "SELECT id FROM visit ORDER BY score, id DESC",
        "SELECT id FROM visit ORDER BY score",
        False,
        flags=("differs_only_in_ties",),
    ),
    visit("an order nobody asked for", "SELECT town FROM visit", "SELECT town FROM visit ORDER BY score DESC", True),
    visit(
        "a sort key that is not selected",
        "SELECT town FROM visit ORDER BY id",
        "SELECT town FROM visit ORDER BY town",
        True,
    ),
    visit(
        "order of a set operation",
        "SELECT id FROM visit WHERE id < 3 UNION SELECT id FROM visit WHERE id = 4 ORDER BY id DESC",
        "SELECT id FROM visit WHERE id <> 3",
        False,
    ),
]

TIES = [
    visit(
        "LIMIT cuts a tie of groups",
        "SELECT town FROM visit GROUP BY town HAVING COUNT(*) = 1 ORDER BY COUNT(*) DESC LIMIT 1",
        "SELECT town FROM visit GROUP BY town HAVING COUNT(*) = 1 ORDER BY COUNT(*) DESC, town DESC LIMIT 1",
        True,
    ),
    visit(
        "LIMIT cuts a tie, a row outside the tie",
        "SELECT id FROM visit ORDER BY score LIMIT 1",
        "SELECT id FROM visit ORDER BY score DESC LIMIT 1",
        False,
    ),
    visit(
        "LIMIT cuts a tie that the gold does not have",
        "SELECT id FROM visit ORDER BY score, id LIMIT 1",
        "SELECT id FROM visit ORDER BY score LIMIT 1",
        False,
        flags=("differs_only_in_ties",),
    ),
    visit(
        "all of the tie instead of one of it",
        "SELECT id FROM visit ORDER BY score LIMIT 1",
        "SELECT id FROM visit WHERE score = (SELECT MIN(score) FROM visit)",
        False,
    ),
    visit("LIMIT without ORDER BY", "SELECT id FROM visit WHERE score > 0 LIMIT 2",
          "SELECT id FROM visit WHERE score > 0 ORDER BY id DESC LIMIT 2", True),
    visit("LIMIT without ORDER BY, a row the gold can't give", "SELECT id FROM visit WHERE score > 4 LIMIT 1",
          "SELECT id FROM visit WHERE score = 4 LIMIT 1", False),
    visit("LIMIT without ORDER BY, too many rows", "SELECT id FROM visit LIMIT 1",
          "SELECT id FROM visit LIMIT 2", False),
    visit("an index hint does not choose rows", "SELECT id FROM visit WHERE score > 0 LIMIT 1",
          "SELECT id FROM visit NOT INDEXED WHERE score > 0 LIMIT 1", True),
    Case("NULLs sort first", VISIT, NULL_SCORE, "SELECT id FROM visit ORDER BY score LIMIT 1",
         "SELECT id FROM visit WHERE score = (SELECT MIN(score) FROM visit)", False),
    Case("NULLs sort last when descending", VISIT, NULL_SCORE, "SELECT id FROM visit ORDER BY score DESC",
         "SELECT id FROM visit ORDER BY score IS NULL, score DESC", True),
]  # fmt: skip


@both_engines()
@each(DISTINCT + ORDER + TIES)
def test_verdict(case: Case, engine: str) -> None:
    check(case, engine)
