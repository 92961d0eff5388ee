"""Which queries provably mean the same: a canonical form, made by rules that each keep the meaning.

Two queries are proved equal if their canonical forms are the same text. Each rule is sound for bags with NULLs and
SQLite's typing, with the outermost column order free, under what a suite's instances guarantee:

- PRIMARY KEY, UNIQUE, NOT NULL and the foreign keys declared in the database hold;
- primary key columns hold no NULL (``keys_not_null``; SQLite itself allows NULL in keys that are not INTEGER
  PRIMARY KEY, so pass False for instances that have them);
- a TEXT column that refers to an INTEGER key holds the number as SQLite writes it;
- sums stay finite;
- INTEGER-affinity columns hold no fractions; text compares by the BINARY collation;
- what SQL leaves open (bare columns beside aggregates, rows cut by a tied LIMIT) is the same choice in both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from distill.equivalent import conditions, extremes, folding, joins, names, padding, rows, sets, subqueries, values
from distill.equivalent.key import key
from distill.equivalent.state import Opaque, State
from testsuite.query.text import render
from testsuite.schema.model import Schema, Storage


@dataclass(frozen=True, slots=True)
class Rule:
    """One step towards the canonical form. ``rewrite`` changes the state's tree in place and keeps its meaning."""

    name: str
    rewrite: Callable[[State], None]


RULES: tuple[Rule, ...] = (
    Rule("names and operand order", names.qualify),
    Rule("comparison forms", conditions.forms),
    Rule("whole-number bounds", conditions.whole_numbers),
    Rule("like without wildcards", values.exact_like),
    Rule("substitutes of what is never null", values.idle_coalesce),
    Rule("average cut before a bound", values.cast_of_average),
    Rule("at the extreme", extremes.at_the_extreme),
    Rule("rows with null that cannot matter", padding.null_rows),
    Rule("outer join that always or never pads", joins.left_as_inner),
    Rule("padded rows that change nothing", padding.padding_without_effect),
    Rule("unused outer join", joins.unused_left),
    Rule("join conditions in where", joins.conditions_in_where),
    Rule("equal columns", joins.equal_columns),
    Rule("columns that make the groups", rows.group_keys),
    Rule("join to a parent row", joins.joined_parent),
    Rule("equal columns again", joins.equal_columns),
    Rule("having on group keys", rows.having_on_keys),
    Rule("never null", conditions.never_null),
    Rule("aggregates ignore nulls", rows.ignored_nulls),
    Rule("branches of set operations", sets.set_branches),
    Rule("branches apart", sets.apart),
    Rule("union as or", sets.one_source),
    Rule("common conditions", sets.common_conditions),
    Rule("set operation as membership", sets.as_membership),
    Rule("sources that add nothing to a set", folding.folded),
    Rule("never null again", conditions.never_null),
    Rule("membership", subqueries.membership),
    Rule("row of the extreme", extremes.row_of_extreme),
    Rule("first row", subqueries.first_row),
    Rule("one member", subqueries.one_member),
    Rule("extreme by sorting", subqueries.sorted_extreme),
    Rule("determined group keys", rows.group_keys),
    Rule("grouping as distinct", rows.group_as_distinct),
    Rule("distinct rows", rows.distinct_rows),
    Rule("first of distinct rows", rows.first_of_distinct),
    Rule("counted rows", rows.counts),
    Rule("counts from one", rows.counts_from_one),
    Rule("extremes of a constant", rows.constant_extremes),
    Rule("determined sort keys", rows.sort_keys),
    Rule("order of select items", subqueries.item_order),
)


class Equivalence:
    """Canonical forms of queries over one schema. Trees come from ``distill.operators.scope.prepare``."""

    def __init__(
        self,
        schema: Schema,
        keys_not_null: bool = True,
        storage: Mapping[tuple[str, str], Storage] | None = None,
    ) -> None:
        """``storage``: what every column holds and nothing else, where that is known; some rules need it."""
        self._schema = schema
        self._keys_not_null = keys_not_null
        self._storage = storage

    def canonical(self, tree: exp.Expr) -> str:
        """A text that two queries share only if they mean the same; the argument is not changed."""
        try:
            return _final(self._rewritten(tree, len(RULES)))
        except Opaque:
            return "as written: " + render(tree)

    def rewritten(self, tree: exp.Expr, rules: int) -> exp.Expr:
        """The tree after the first ``rules`` rules, still a query of the same meaning.

        Raises:
            Opaque: no rule applies to this query.
        """
        return self._rewritten(tree, rules).tree

    def state(self, tree: exp.Expr, until: str | None = None) -> State:
        """The state after all rules, or after the one named ``until``.

        Raises:
            Opaque: no rule applies to this query.
        """
        count = len(RULES) if until is None else [rule.name for rule in RULES].index(until) + 1
        return self._rewritten(tree, count)

    def steps(self, tree: exp.Expr) -> list[str]:
        """The text after each rule, for ``rule``; empty where no rule applies."""
        state = State(tree.copy(), self._schema, self._keys_not_null, self._storage)
        texts = []
        try:
            for rule in RULES:
                rule.rewrite(state)
                texts.append(_final(state))
        except Opaque:
            return []
        return texts

    def rule(self, one: Sequence[str], other: Sequence[str]) -> str | None:
        """The name of the rule from which on two queries' ``steps`` agree; None where they differ in the end."""
        if not one or not other or one[-1] != other[-1]:
            return None
        first = len(RULES) - 1
        while first and one[first - 1] == other[first - 1]:
            first -= 1
        return RULES[first].name

    def _rewritten(self, tree: exp.Expr, rules: int) -> State:
        state = State(tree.copy(), self._schema, self._keys_not_null, self._storage)
        for rule in RULES[:rules]:
            rule.rewrite(state)
        return state


def _final(state: State) -> str:
    return key(state.tree, names.final_names(state))


def provably_equal(
    gold: exp.Expr,
    neighbour: exp.Expr,
    schema: Schema,
    keys_not_null: bool = True,
    storage: Mapping[tuple[str, str], Storage] | None = None,
) -> str | None:
    """The name of the rule that shows two prepared queries to mean the same; None where nothing shows it."""
    equivalence = Equivalence(schema, keys_not_null, storage)
    return equivalence.rule(equivalence.steps(gold), equivalence.steps(neighbour))
