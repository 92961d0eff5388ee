"""A query while its canonical form is made, and what can be known of one SELECT."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from distill.operators.base import aliased_sources, conjuncts, is_aggregate
from testsuite.schema.model import Affinity, Column, Schema, Storage, Table

# (alias, column name), both lower case; aliases are unique in a whole query after the first rule.
Col = tuple[str, str]


class Opaque(Exception):  # noqa: N818 (a reason, not a fault)
    """The query holds something about which no rule here is known to be sound."""


@dataclass(slots=True)
class State:
    """The query being rewritten in place.

    ``tables`` maps each base-table alias to its table. ``storage`` says what each column holds, and nothing else, by
    (table, column) in lower case; None where that is not known.
    """

    tree: exp.Expr
    schema: Schema
    keys_not_null: bool
    storage: Mapping[tuple[str, str], Storage] | None = None
    tables: dict[str, Table] = field(default_factory=dict)

    def col(self, node: object) -> Col | None:
        """The base-table column a node is, else None."""
        if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
            alias = node.table.lower()
            if alias in self.tables and node.name in self.tables[alias]:
                return alias, node.name.lower()
        return None

    def column(self, col: Col) -> Column:
        """The schema's record of a column."""
        return self.tables[col[0]].column(col[1])

    def holds(self, col: Col) -> Storage | None:
        """What a column holds, where that is known."""
        return self.storage.get((self.tables[col[0]].name.lower(), col[1])) if self.storage else None

    def refers(self, child: Col, parent: Col, alike: bool = True) -> bool:
        """True where a declared foreign key gives each non-NULL child value a parent row that ``=`` finds.

        With ``alike`` the two values are identical too, so that either can stand for the other.
        """
        table, other = self.tables[child[0]], self.tables[parent[0]]
        return (self.alike(child, parent) or not alike) and any(
            key.declared
            and key.parent.lower() == other.name.lower()
            and tuple(c.lower() for c in key.columns) == (child[1],)
            and tuple(c.lower() for c in key.parent_columns) == (parent[1],)
            for key in table.foreign_keys
        )

    def spells(self, child: Col, parent: Col) -> bool:
        """True where a TEXT column refers to an INTEGER one: it holds the number as SQLite writes it."""
        affinities = self.column(child).affinity, self.column(parent).affinity
        return affinities == (Affinity.TEXT, Affinity.INTEGER) and self.refers(child, parent, alike=False)

    def declared_not_null(self, col: Col) -> bool:
        """True where no row of the table holds NULL there."""
        table = self.tables[col[0]]
        in_key = self.keys_not_null and col[1] in {name.lower() for name in table.primary_key}
        return in_key or table.column(col[1]).not_null

    def alike(self, one: Col, other: Col) -> bool:
        """True where equal values of both columns are identical: same affinity, and one that unifies 1 and 1.0."""
        affinity = self.column(one).affinity
        return affinity is self.column(other).affinity and affinity is not Affinity.BLOB

    def unique_keys(self, alias: str) -> list[tuple[str, ...]]:
        """Column sets whose non-NULL values are unique in the table, lower case."""
        table = self.tables[alias]
        keys = [table.primary_key, *table.uniques] if table.primary_key else list(table.uniques)
        return [tuple(name.lower() for name in key) for key in keys]

    def selects(self) -> list[exp.Select]:
        """Every SELECT, outermost first."""
        return list(self.tree.find_all(exp.Select))


@dataclass(slots=True)
class Facts:
    """What holds for the rows that FROM and WHERE of one SELECT let through.

    ``base``: all sources are base tables and all joins inner or LEFT with plain conditions; where it is False
    nothing else here may be relied on. ``where`` holds the conjuncts of WHERE and of inner joins' ON.
    """

    state: State
    base: bool
    aliases: list[str]
    nullable: set[str]
    where: list[exp.Expr]
    equal: list[tuple[Col, Col]]
    constant: set[Col]
    left_on: dict[str, list[exp.Expr]]
    # TEXT children and the INTEGER parents they are joined to: each determines the other, though they are not equal.
    spelled: list[tuple[Col, Col]] = field(default_factory=list)

    def not_null(self, col: Col, ignoring: exp.Expr | None = None) -> bool:
        """True where the column is not NULL in any row; ``ignoring`` names a conjunct not to rely on."""
        if col[0] not in self.aliases:
            return False
        if col[0] not in self.nullable and self.state.declared_not_null(col):
            return True
        return any(col in rejected(self.state, c) for c in self.where if c is not ignoring)

    def closure(self, start: Iterable[Col]) -> set[Col]:
        """All columns whose values are determined by those of ``start`` (rows equal there are equal in all of them)."""
        known = set(start) | self.constant
        size = -1
        while size != len(known):
            size = len(known)
            for one, other in (*self.equal, *self.spelled):
                if one in known or other in known:
                    known |= {one, other}
            for alias in self.aliases:
                if self._covers(alias, known) or self._matched_once(alias, known):
                    known |= {(alias, c.name.lower()) for c in self.state.tables[alias].columns}
        return known

    def identifies(self, start: Iterable[Col], apart_from: str = "") -> bool:
        """True where no two rows agree on all of ``start``; ``apart_from`` leaves out one source."""
        known = self.closure(start)
        aliases = [alias for alias in self.aliases if alias != apart_from]
        return all(self._covers(a, known) or self._matched_once(a, known) for a in aliases)

    def _covers(self, alias: str, known: set[Col]) -> bool:
        for key in self.state.unique_keys(alias):
            cols = [(alias, name) for name in key]
            if all(c in known and (self.state.declared_not_null(c) or self.not_null(c)) for c in cols):
                return True
        return False

    def _matched_once(self, alias: str, known: set[Col]) -> bool:
        """A LEFT JOIN on a unique key whose other side is determined: its one row is determined too."""
        on = self.left_on.get(alias)
        if not on:
            return False
        mine: set[str] = set()
        for part in on:
            pair = columns_equated(self.state, part)
            if pair is None:
                return False
            own, other = pair if pair[0][0] == alias else pair[::-1]
            if own[0] != alias or other not in known or not self.state.alike(own, other):
                return False
            mine.add(own[1])
        return any(set(key) <= mine for key in self.state.unique_keys(alias))


def columns_equated(state: State, node: exp.Expr) -> tuple[Col, Col] | None:
    """The two base-table columns of an equality."""
    if not isinstance(node, exp.EQ):
        return None
    left, right = state.col(node.this), state.col(node.expression)
    return (left, right) if left and right and left != right else None


def rejected(state: State, condition: exp.Expr) -> set[Col]:
    """Columns whose being NULL keeps ``condition`` from being true."""
    found: set[Col | None] = set()
    if isinstance(condition, (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)):
        found = {state.col(condition.this), state.col(condition.expression)}
    elif isinstance(condition, (exp.Like, exp.In, exp.Between)):
        found = {state.col(condition.this)}
    elif isinstance(condition, exp.And):
        return rejected(state, condition.this) | rejected(state, condition.expression)
    elif isinstance(condition, exp.Or):
        return rejected(state, condition.this) & rejected(state, condition.expression)
    elif isinstance(condition, exp.Not):
        inner = condition.this
        listed = isinstance(inner, exp.In) and bool(inner.expressions)
        tested = isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null)
        if listed or tested or isinstance(inner, (exp.Like, exp.Between)):
            found = {state.col(inner.this)}
    return {col for col in found if col is not None}


def plain_inner(join: exp.Join) -> bool:
    """True for an inner or cross join without USING or NATURAL."""
    kind = (join.args.get("kind") or "").upper()
    odd = join.args.get("using") or join.args.get("method") or join.args.get("side")
    return not odd and kind in ("", "INNER", "CROSS")


def plain_left(join: exp.Join) -> bool:
    """True for a LEFT JOIN with ON."""
    side = (join.args.get("side") or "").upper()
    odd = join.args.get("using") or join.args.get("method")
    return not odd and side == "LEFT" and join.args.get("on") is not None


def facts(state: State, select: exp.Select) -> Facts:
    """What is known of one SELECT now; ask again after a change."""
    names = [source.alias_or_name.lower() for source in aliased_sources(select)]
    joins = select.args.get("joins") or []
    base = all(n in state.tables for n in names) and all(plain_inner(j) or plain_left(j) for j in joins)
    base = base and all(isinstance(source, exp.Table) for source in aliased_sources(select))
    found = Facts(state, base, names, set(), [], [], set(), {})
    if not base:
        return found
    where = select.args.get("where")
    found.where = conjuncts(where.this) if where else []
    for join in joins:
        if plain_left(join):
            alias = join.alias_or_name.lower()
            found.nullable.add(alias)
            found.left_on[alias] = conjuncts(join.args["on"])
        else:
            found.where += conjuncts(join.args.get("on"))
    for condition in found.where:
        pair = columns_equated(state, condition)
        if pair and all(c[0] in names for c in pair) and state.alike(*pair):
            found.equal.append(pair)
        elif pair and all(c[0] in names for c in pair) and (state.spells(*pair) or state.spells(*pair[::-1])):
            found.spelled.append(pair if state.spells(*pair) else pair[::-1])
        elif isinstance(condition, exp.EQ):
            for one, other in ((condition.this, condition.expression), (condition.expression, condition.this)):
                col = state.col(one)
                fixed = isinstance(other, (exp.Literal, exp.Neg)) and other.find(exp.Column) is None
                if fixed and col and col[0] in names and state.column(col).affinity is not Affinity.BLOB:
                    found.constant.add(col)
    return found


def group_columns(state: State, select: exp.Select) -> set[Col] | None:
    """The GROUP BY keys (empty without GROUP BY); None where one is not a base-table column."""
    group = select.args.get("group")
    cols = [state.col(key) for key in group.expressions] if group else []
    return None if None in cols or (group and _odd_group(group)) else {c for c in cols if c is not None}


def _odd_group(group: exp.Group) -> bool:
    return any(value for key, value in group.args.items() if key != "expressions")


def at_most_one_row(state: State, select: exp.Select) -> bool:
    """True for an aggregate without GROUP BY and for a SELECT fixed to one row by constants on keys."""
    if is_aggregate(select):
        return True
    known = facts(state, select)
    return known.base and bool(known.aliases) and not select.args.get("group") and known.identifies(())


def mentions(state: State, alias: str) -> Iterator[exp.Column]:
    """Every column of the whole query qualified with an alias."""
    for node in state.tree.find_all(exp.Column):
        if node.table.lower() == alias:
            yield node
