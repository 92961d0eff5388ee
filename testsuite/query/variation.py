"""What the rewrites of open choices share: which way to take them, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from testsuite.query.probes import Probe


@dataclass(slots=True)
class Variation:
    """One way of taking all choices, and the record of those met.

    Attributes:
        high: which way.
        constructs: what was met.
        forced: whether some choice can neither be varied nor probed.
        probes: what tells where low and high are not enough, in one order for both ways.
        uncut: whether some choice is not a cut with a probe.
    """

    high: bool
    constructs: list[str] = field(default_factory=list)
    forced: bool = False
    probes: list[Probe] = field(default_factory=list)
    uncut: bool = False

    def open(self, construct: str, *, forced: bool = False) -> None:
        """Note an open choice; ``forced`` where it cannot be varied."""
        self.constructs.append(construct)
        self.forced |= forced

    def probe(self, construct: str, query: exp.Query | None, *, cut: bool = False, covered: bool = False) -> None:
        """Note an open choice and the query that tells where low and high do not cover it (None: forced)."""
        self.open(construct, forced=query is None)
        if query is not None:
            self.probes.append(Probe(query, cut, covered))

    def shown(self, construct: str) -> None:
        """Note an open choice whose lowest and highest way the answer itself shows."""
        self.open(construct)
        self.uncut = True

    def ordered(self, term: exp.Expr) -> exp.Ordered:
        """A sort term that takes ties low or high."""
        return exp.Ordered(this=term.copy(), desc=self.high, nulls_first=not self.high)


def aggregates(select: exp.Select) -> list[exp.Expr]:
    """The aggregate calls of a SELECT itself, not of its subqueries, and not those used as windows."""
    found = []
    for key in ("expressions", "having", "order", "qualify"):
        value = select.args.get(key)
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, exp.Expr):
                found.extend(_aggregates(node))
    return found


def _aggregates(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Query):
        return []
    if isinstance(node, exp.Window):
        # The call is a window, its arguments and keys may hold aggregates of the SELECT.
        inner = node.this.this if isinstance(node.this, exp.Filter) else node.this
        children = [*inner.iter_expressions(), *(c for c in node.iter_expressions() if c is not node.this)]
        return [found for child in children for found in _aggregates(child)]
    if is_aggregate_call(node):
        return [node]
    return [found for child in node.iter_expressions() for found in _aggregates(child)]


_AGGREGATE_NAMES = frozenset(("total", "json_group_array", "json_group_object", "string_agg"))
_SCALAR_WITH_SEVERAL = (exp.Max, exp.Min)


def is_aggregate_call(node: exp.Expr) -> bool:
    """Whether a node is an aggregate call (MAX and MIN of several arguments are scalar in SQLite)."""
    if isinstance(node, _SCALAR_WITH_SEVERAL) and node.expressions:
        return False
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower() in _AGGREGATE_NAMES
    return isinstance(node, exp.AggFunc)


def is_aggregate(select: exp.Select) -> bool:
    """Whether a SELECT without GROUP BY gives one row because it aggregates."""
    return bool(aggregates(select))


def nested_in_expression(query: exp.Expr) -> bool:
    """Whether a query stands where one value is expected."""
    wrapper = query.parent
    if not isinstance(wrapper, exp.Subquery):
        return False
    parent: exp.Expr | None = wrapper.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    if isinstance(parent, (exp.From, exp.Join, exp.SetOperation, exp.Subquery, exp.CTE, exp.Exists, exp.Table)):
        return False
    return not (isinstance(parent, exp.In) and parent.this is not wrapper)
