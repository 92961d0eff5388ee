"""A frozen clock: one instant for both engines, so that a query gives the same answer whenever it runs.

SQLite reads the clock in CURRENT_DATE, CURRENT_TIME and CURRENT_TIMESTAMP, in the time value 'now', and in date
functions without a time value (https://sqlite.org/lang_datefunc.html). All are replaced by literals.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlglot import exp

# How many arguments stand before the time value.
_TIME_POSITION = {"date": 0, "time": 0, "datetime": 0, "julianday": 0, "unixepoch": 0, "strftime": 1}
_CURRENT: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.CurrentDate, "%Y-%m-%d"),
    (exp.CurrentTime, "%H:%M:%S"),
    (exp.CurrentTimestamp, "%Y-%m-%d %H:%M:%S"),
)


def _is_now(node: exp.Expr) -> bool:
    if isinstance(node, exp.Literal) and node.is_string:
        return bool(node.this.strip().lower() == "now")
    # "now" in double quotes is a string literal unless a column has that name, which no date function wants.
    return isinstance(node, exp.Column) and not node.table and node.this.quoted and node.name.lower() == "now"


def _date_calls(tree: exp.Expr) -> list[tuple[exp.Anonymous, int]]:
    found = []
    for node in tree.find_all(exp.Anonymous):
        position = _TIME_POSITION.get(str(node.this).lower())
        if position is not None:
            found.append((node, position))
    return found


def _reads(node: exp.Anonymous, position: int) -> bool:
    args = node.expressions
    return len(args) == position or (len(args) > position and _is_now(args[position]))


def uses_clock(tree: exp.Expr) -> bool:
    """Whether the query reads the clock in its own text. A 'now' stored in a cell is not seen here."""
    if any(tree.find(kind) is not None for kind, _ in _CURRENT):
        return True
    return any(_reads(node, position) for node, position in _date_calls(tree))


def freeze(tree: exp.Expr, now: datetime) -> exp.Expr:
    """The same query with ``now`` written in place of every reading of the clock.

    Args:
        tree: a query as ``testsuite.query.parse.parse`` reads it; not changed.
        now: the instant; converted to UTC where it has a time zone, else taken as UTC. SQLite keeps milliseconds.
    """
    if not uses_clock(tree):
        return tree
    tree = tree.copy()
    instant = now.astimezone(UTC) if now.tzinfo else now
    for kind, form in _CURRENT:
        for node in list(tree.find_all(kind)):
            node.replace(exp.Literal.string(instant.strftime(form)))
    stamp = f"{instant:%Y-%m-%d %H:%M:%S}.{instant.microsecond // 1000:03d}"
    for call, position in _date_calls(tree):
        if _reads(call, position):
            args = list(call.expressions)
            args[position : position + 1] = [exp.Literal.string(stamp)]
            call.set("expressions", args)
    return tree
