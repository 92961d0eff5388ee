"""Which parts of a query a wrong prediction changed: a comparison of what each clause says, aliases resolved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from distill.equivalent import Equivalence
from distill.equivalent.state import Opaque
from distill.operators.base import COMPARISONS, aliased_sources, bare, conditions
from testsuite.query.text import render

_MATCHES = (*COMPARISONS, exp.Like, exp.In, exp.Between, exp.Is)


@dataclass
class Parts:
    """What a query says, clause by clause; texts name tables, not aliases."""

    items: Counter[str] = field(default_factory=Counter)
    inner_items: Counter[str] = field(default_factory=Counter)
    distinct: Counter[str] = field(default_factory=Counter)
    tables: Counter[str] = field(default_factory=Counter)
    joins: Counter[str] = field(default_factory=Counter)
    sides: Counter[str] = field(default_factory=Counter)
    conditions: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    groups: Counter[str] = field(default_factory=Counter)
    having: Counter[str] = field(default_factory=Counter)
    orders: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    sets: Counter[str] = field(default_factory=Counter)
    shape: tuple[str, ...] = ()
    connectives: Counter[str] = field(default_factory=Counter)


def parts_of(tree: exp.Expr, equivalence: Equivalence) -> Parts:
    """The parts of a prepared query; columns are spelled table.column where that is known."""
    try:
        tree = equivalence.rewritten(tree, 2)
    except Opaque:
        tree = tree.copy()
    names = {
        source.alias.lower(): source.name.lower()
        for select in tree.find_all(exp.Select)
        for source in aliased_sources(select)
        if isinstance(source, exp.Table) and source.alias
    }
    for column in tree.find_all(exp.Column):
        if column.table.lower() in names:
            column.set("table", exp.to_identifier(names[column.table.lower()]))
    found = Parts()
    order: list[str] = []
    limits: list[str] = []
    shape: list[str] = []
    for select in tree.find_all(exp.Select):
        outer = select is tree or isinstance(select.parent, exp.SetOperation)
        items = [render(bare(item)).lower() for item in select.expressions]
        (found.items if outer else found.inner_items).update(items)
        found.distinct["outer" if outer else "inner"] += bool(select.args.get("distinct"))
        if not outer:
            shape.append("from" if select.find_ancestor(exp.From, exp.Join) else type(select.parent).__name__)
        for source in aliased_sources(select):
            found.tables[source.name.lower() if isinstance(source, exp.Table) else "(subquery)"] += 1
        for join in select.args.get("joins") or []:
            found.sides[join.side or "inner"] += 1
        for node in conditions(select):
            _condition(found, node)
        if select.args.get("group"):
            found.groups.update(render(key).lower() for key in select.args["group"].expressions)
        if select.args.get("having"):
            found.having[render(select.args["having"].this).lower()] += 1
    for node in tree.find_all(exp.Order):
        order += [render(term).lower() for term in node.expressions]
    for limit in tree.find_all(exp.Limit):
        limits.append(render(limit.expression))
    for operation in tree.find_all(exp.SetOperation):
        kind = type(operation).__name__.lower()
        found.sets[kind if operation.args.get("distinct") or kind != "union" else "union all"] += 1
    found.connectives["or"] = len(list(tree.find_all(exp.Or)))
    found.orders, found.limits, found.shape = tuple(order), tuple(limits), tuple(sorted(shape))
    return found


def _condition(found: Parts, node: exp.Expr) -> None:
    negated = "not " if isinstance(node, exp.Not) else ""
    core = node.this.unnest() if isinstance(node, exp.Not) else node
    if isinstance(core, exp.EQ) and isinstance(core.this, exp.Column) and isinstance(core.expression, exp.Column):
        found.joins[" = ".join(sorted((render(core.this).lower(), render(core.expression).lower())))] += 1
        return
    if not isinstance(core, _MATCHES) or core.find(exp.AggFunc):
        if not core.find(exp.AggFunc):
            found.conditions[render(core).lower(), negated + type(core).__name__, ""] += 1
        return
    sides = [core.this, core.args.get("expression")]
    column = next((render(side).lower() for side in sides if isinstance(side, exp.Expr) and side.find(exp.Column)), "")
    literals = [
        str(x.this) for x in core.find_all(exp.Literal) if x.find_ancestor(exp.Select) is node.find_ancestor(exp.Select)
    ]
    kind = type(core).__name__
    if isinstance(core, (exp.GT, exp.GTE, exp.LT, exp.LTE)) and isinstance(core.this, exp.Literal):
        kind = {"GT": "LT", "GTE": "LTE", "LT": "GT", "LTE": "GTE"}[kind]
    if core.find(exp.Query):
        literals = []
        column = render(core.this).lower() if isinstance(core.this, exp.Column) else "?"
        kind += " query"
    found.conditions[column, negated + kind, "|".join(literals)] += 1


def kinds_of(gold: Parts, wrong: Parts) -> Iterator[str]:
    """The kinds of edits that lead from gold to the wrong query, each once."""
    yield from _swapped("select item", gold.items, wrong.items)
    if +gold.items == +wrong.items:
        yield from _swapped("inner select item", gold.inner_items, wrong.inner_items)
    for where in ("outer", "inner"):
        if gold.distinct[where] != wrong.distinct[where]:
            yield f"DISTINCT {'added' if wrong.distinct[where] > gold.distinct[where] else 'missing'} ({where})"
    yield from _swapped("table", gold.tables, wrong.tables)
    if gold.tables == wrong.tables:
        yield from _swapped("join condition", gold.joins, wrong.joins)
        if gold.sides != wrong.sides:
            yield "INNER against OUTER join"
    yield from _conditions(gold, wrong)
    if gold.connectives != wrong.connectives:
        yield "AND against OR"
    yield from _swapped("group key", gold.groups, wrong.groups)
    yield from _swapped("having", gold.having, wrong.having)
    if gold.orders != wrong.orders:
        if not gold.orders or not wrong.orders:
            yield f"ORDER BY {'missing' if gold.orders else 'added'}"
        elif [o.removesuffix(" desc") for o in gold.orders] == [o.removesuffix(" desc") for o in wrong.orders]:
            yield "ORDER BY direction"
        else:
            yield "ORDER BY key"
    if gold.limits != wrong.limits:
        yield f"LIMIT {'other' if gold.limits and wrong.limits else 'missing' if gold.limits else 'added'}"
    if gold.sets != wrong.sets:
        yield "set operation " + ("other" if +gold.sets and +wrong.sets else "missing" if +gold.sets else "added")
    if gold.shape != wrong.shape:
        more, less = len(wrong.shape) > len(gold.shape), len(wrong.shape) < len(gold.shape)
        yield "subquery " + ("added" if more else "missing" if less else "of another kind")


def _conditions(gold: Parts, wrong: Parts) -> Iterator[str]:
    lost, new = gold.conditions - wrong.conditions, wrong.conditions - gold.conditions
    for one in list(lost):
        for name, same in (("value", (0, 1)), ("comparison", (0, 2)), ("condition's column", (1, 2)), ("value", (0,))):
            other = next((o for o in new if all(o[i] == one[i] for i in same)), None)
            if other is not None and lost[one] and new[other]:
                yield f"{name} other"
                lost[one] -= 1
                new[other] -= 1
    lost, new = +lost, +new
    if lost and new:
        yield "condition other"
    elif lost:
        yield "condition missing"
    elif new:
        yield "condition added"


def _swapped(what: str, gold: Counter[str], wrong: Counter[str]) -> Iterator[str]:
    lost, new = gold - wrong, wrong - gold
    if lost and new:
        yield f"{what} other"
    elif lost:
        yield f"{what} missing"
    elif new:
        yield f"{what} added"
