"""Golds that SQL determines only where they answer nothing: then whatever answers nothing there too is as good."""

from __future__ import annotations

from sqlglot import exp

from distill.equivalent.constant import number
from distill.equivalent.key import key
from distill.equivalent.names import final_names
from distill.equivalent.state import Facts, State, facts, group_columns
from distill.operators.base import bare, conjuncts

RULE = "gold determined only where it is empty"


def silent_alike(gold: State, other: State) -> bool:
    """True where the gold picks one of several key values of each group it shows, and the other query can only be
    empty where the gold is.

    The gold groups one table, keeps groups of more than n >= 1 rows, and shows a unique column that the group does not
    determine. Wherever it shows a row SQL leaves open which one, so no instance with rows is evidence. The other
    query takes no more rows of the same table, groups them at least as finely, and asks for a count above n too.
    """
    ours, theirs = _grouped(gold), _grouped(other)
    if ours is None or theirs is None:
        return False
    (select, known, bounds), (select_, known_, bounds_) = ours, theirs
    having = conjuncts(select.args["having"].this)
    if len(having) != 1 or not isinstance(bounds[0], tuple) or not bounds[0][1] or bounds[0][0] < 1:
        return False
    if select.args.get("limit") or select.find(exp.Min, exp.Max):
        return False  # SQLite takes bare columns from the row of the extreme
    alias, alias_ = known.aliases[0], known_.aliases[0]
    if gold.tables[alias] is not other.tables[alias_]:
        return False
    keys, keys_ = group_columns(gold, select), group_columns(other, select_)
    if not keys or not keys_:
        return False
    shown = {gold.col(bare(item)) for item in select.expressions} - known.closure(keys)
    unique = any(
        col is not None and (col[1],) in gold.unique_keys(alias) and gold.declared_not_null(col) for col in shown
    )
    finer = {c for _, c in keys} <= {c for _, c in known_.closure(keys_)}
    texts = {key(part, final_names(gold)) for part in known.where}
    texts_ = {key(part, final_names(other)) for part in known_.where}
    stricter = any(bound is not None and bound[0] >= bounds[0][0] for bound in bounds_)
    return unique and finer and texts <= texts_ and stricter


def _grouped(state: State) -> tuple[exp.Select, Facts, list[tuple[float, bool] | None]] | None:
    """A SELECT of one table with HAVING, and the least counts that its conditions ask for (exclusive; of all rows?)."""
    select = state.tree
    if not isinstance(select, exp.Select) or not select.args.get("group") or not select.args.get("having"):
        return None
    known = facts(state, select)
    if not known.base or len(known.aliases) != 1 or select.args.get("offset"):
        return None
    bounds: list[tuple[float, bool] | None] = []
    for part in conjuncts(select.args["having"].this):
        if not isinstance(part, (exp.LT, exp.LTE)) or not isinstance(part.expression, exp.Count):
            bounds.append(None)
            continue
        least = number(part.this)
        # "At least n" of whole rows is "more than n - 1"; a bound between whole numbers is left alone.
        if least is None or least % 1:
            bounds.append(None)
            continue
        counted = part.expression.this
        bounds.append((least - isinstance(part, exp.LTE), isinstance(counted, exp.Star)))
    return select, known, bounds
