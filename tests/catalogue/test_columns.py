"""Which column of the prediction stands for which column of the gold."""

from __future__ import annotations

from faults import Case, both_engines, check, each, judged, policy

TEAM = "CREATE TABLE team(name TEXT, won INTEGER, lost INTEGER)"
ROWS = ("INSERT INTO team VALUES ('ants',4,1),('bees',0,3),('cats',1,1)",)


def team(cause: str, gold: str, prediction: str, equal: bool, **more: object) -> Case:
    return Case(cause, TEAM, ROWS, gold, prediction, equal, **more)  # type: ignore[arg-type]


CASES = [
    team("exchanged, any order", "SELECT name, won FROM team", "SELECT won, name FROM team", True,
         flags=("columns_permuted",)),
    team("exchanged, by position", "SELECT name, won FROM team", "SELECT won, name FROM team", False,
         options=policy(columns="strict")),
    team("exchanged, by name", "SELECT name, won FROM team", "SELECT won, name FROM team", True,
         options=policy(columns="name")),
    team("another name, by name", "SELECT name, won FROM team", "SELECT name, won AS wins FROM team", False,
         options=policy(columns="name")),
    team("numbers exchanged, any order", "SELECT won, lost FROM team", "SELECT lost, won FROM team", True,
         flags=("columns_permuted",)),
    team("numbers exchanged, by position", "SELECT won, lost FROM team", "SELECT lost, won FROM team", False,
         options=policy(columns="strict")),
    team("names lie about exchanged numbers", "SELECT won, lost FROM team", "SELECT lost AS won, won AS lost FROM team",
         False, options=policy(columns="name")),
    # Each column alone holds the same values; the rows do not.
    team("rows torn apart", "SELECT name, won FROM team WHERE won <> 1",
         "SELECT name, 4 - won FROM team WHERE won <> 1", False),
    team("a column too many", "SELECT name FROM team", "SELECT name, won FROM team", False, flags=("extra_columns",)),
    team("columns too many, in another order", "SELECT lost, name FROM team ORDER BY won DESC",
         "SELECT won, name, 1, lost FROM team ORDER BY won DESC", False, flags=("extra_columns",)),
    team("a column too few", "SELECT name, won FROM team", "SELECT name FROM team", False),
    team("a column twice for another", "SELECT won, lost FROM team", "SELECT won, won FROM team", False),
    team("two aggregates of one column", "SELECT max(won), count(won) FROM team",
         "SELECT avg(won), count(won) FROM team", False),
    team("* in another order", "SELECT * FROM team", "SELECT lost, name, won FROM team", True),
    Case("an order of columns that fits one instance only", TEAM,
         ("INSERT INTO team VALUES ('ants',1,2)", "INSERT INTO team VALUES ('ants',3,5)"),
         "SELECT won, lost FROM team",
         "SELECT CASE won WHEN 1 THEN 2 ELSE won END, CASE won WHEN 1 THEN 1 ELSE lost END FROM team", False),
]  # fmt: skip


@both_engines()
@each(CASES)
def test_verdict(case: Case, engine: str) -> None:
    check(case, engine)


def test_no_flag_where_columns_stand_as_asked() -> None:
    plain = judged(team("", "SELECT won, lost FROM team", "SELECT won, lost FROM team", True))
    assert "columns_permuted" not in plain.flags


def test_no_flag_where_what_was_asked_is_not_among_the_columns() -> None:
    for prediction in ("SELECT name, lost FROM team WHERE won > 0", "SELECT 4 - won, won - 0, name FROM team"):
        case = team("", "SELECT name FROM team WHERE won < 4", prediction, False)
        assert "extra_columns" not in judged(case).flags
    # The same cells column by column, but torn apart.
    torn = "SELECT a.name, b.won, 1 FROM team a JOIN team b ON b.rowid = 1 + a.rowid % 3"
    assert "extra_columns" not in judged(team("", "SELECT name, won FROM team", torn, False)).flags
