"""Rules on functions of values: LIKE without wildcards, COALESCE that never acts, CAST before a bound."""

from __future__ import annotations

from sqlglot import exp

from distill.equivalent.constant import number
from distill.equivalent.padding import must_be_true
from distill.equivalent.state import State, facts
from testsuite.schema.model import Affinity, Storage


def exact_like(state: State) -> None:
    """``x LIKE '12'`` is ``x = '12'``: a pattern without wildcards and letters matches one text only.

    Holds for TEXT columns that hold nothing but text, and for INTEGER columns that hold nothing but integers where
    the pattern is a number as SQLite writes it. Needs to know what the columns hold.
    """
    for like in list(state.tree.find_all(exp.Like)):
        pattern, col = like.expression, state.col(like.this)
        if col is None or isinstance(like.parent, exp.Escape) or like.args.get("negate"):
            continue
        if not isinstance(pattern, exp.Literal) or not pattern.is_string:
            continue
        text = str(pattern.this)
        # A letter of another script has no case for LIKE; ASCII letters have.
        if any(c in "%_\x00" or (c.isascii() and c.isalpha()) for c in text):
            continue
        affinity, held = state.column(col).affinity, state.holds(col)
        whole = affinity is Affinity.INTEGER and held is Storage.INTEGER and _as_written(text)
        if whole or (affinity is Affinity.TEXT and held is Storage.TEXT):
            like.replace(exp.EQ(this=like.this, expression=pattern))


def _as_written(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 18 and str(int(text)) == text


def idle_coalesce(state: State) -> None:
    """``COALESCE(x, ...)`` is ``x`` for what is never NULL: a column inside an aggregate, an aggregate of such a column
    over a group (sums are taken to stay finite). In a condition, a substitute that does not meet it changes nothing.
    """
    for call in list(state.tree.find_all(exp.Coalesce)):
        select = call.find_ancestor(exp.Select)
        if select is None:
            continue
        known = facts(state, select)
        if not known.base:
            continue
        aggregate = call.find_ancestor(exp.AggFunc, exp.Select)
        col = state.col(call.this)
        if col is not None:
            # Outside an aggregate the column would lend its affinity to a comparison, which COALESCE does not.
            if isinstance(aggregate, exp.AggFunc) and _bare_argument(call) and known.not_null(col):
                call.replace(call.this)
            continue
        if not isinstance(call.this, (exp.Sum, exp.Avg, exp.Min, exp.Max)) or call.this.expressions:
            continue
        inner = call.this.this
        if isinstance(inner, exp.Distinct) and len(inner.expressions) == 1:
            inner = inner.expressions[0]
        col = state.col(inner)
        never = col is not None and known.not_null(col) and select.args.get("group") is not None
        if never or _substitute_fails(call):
            call.replace(call.this)


def _bare_argument(call: exp.Expr) -> bool:
    above = call.parent
    return isinstance(above, exp.AggFunc) or (isinstance(above, exp.Distinct) and isinstance(above.parent, exp.AggFunc))


def _substitute_fails(call: exp.Coalesce) -> bool:
    """``COALESCE(sum, 0) > 10`` needs the sum: 0 is not above 10, and NULL is not either."""
    part = call.parent
    if not isinstance(part, (exp.LT, exp.LTE, exp.EQ)) or not must_be_true(part) or len(call.expressions) != 1:
        return False
    bound = part.expression if part.this is call else part.this
    substitute, limit = number(call.expressions[0]), number(bound)
    if substitute is None or limit is None:
        return False
    left, right = (substitute, limit) if part.this is call else (limit, substitute)
    if isinstance(part, exp.EQ):
        return left != right
    return not (left < right if isinstance(part, exp.LT) else left <= right)


def cast_of_average(state: State) -> None:
    """``CAST(AVG(x) AS INTEGER) < n`` is ``AVG(x) < n`` for whole n above 0, as is ``>=``: CAST cuts towards 0."""
    for node in list(state.tree.find_all(exp.LT, exp.LTE)):
        cast, bound = (node.this, node.expression) if isinstance(node, exp.LT) else (node.expression, node.this)
        if not isinstance(cast, exp.Cast) or not isinstance(cast.this, exp.Avg):
            continue
        limit = number(bound)
        if cast.to.this in (exp.DType.INT, exp.DType.BIGINT) and limit is not None and limit >= 1 and limit % 1 == 0:
            cast.replace(cast.this)
