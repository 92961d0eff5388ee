"""Rules on joins."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from distill.equivalent.state import (
    Col,
    Facts,
    State,
    columns_equated,
    facts,
    mentions,
    plain_inner,
    plain_left,
    rejected,
)
from distill.operators.base import (
    add_condition,
    aliased_sources,
    conjuncts,
    identifier,
    remove_condition,
)


def left_as_inner(state: State) -> None:
    """A LEFT JOIN is inner where every row has a partner by a NOT NULL foreign key, or where a condition of WHERE
    is not true for rows without partner.
    """
    for select in state.selects():
        changed = True
        while changed:
            changed = False
            known = facts(state, select)
            for join in select.args.get("joins") or [] if known.base else []:
                alias = join.alias_or_name.lower()
                if not plain_left(join):
                    continue
                seen = any(col[0] == alias for c in known.where for col in rejected(state, c))
                if seen or _always_matches(state, known, alias):
                    join.set("side", None)
                    changed = True
                    break


def _always_matches(state: State, known: Facts, alias: str) -> bool:
    on = known.left_on[alias]
    if len(on) == 1 and isinstance(on[0], exp.Boolean) and on[0].this:
        return never_empty(state, known, alias, known.aliases[: known.aliases.index(alias)])
    pair = columns_equated(state, on[0]) if len(on) == 1 else None
    if pair is None:
        return False
    parent, child = pair if pair[0][0] == alias else pair[::-1]
    if parent[0] != alias or child[0] == alias or child[0] in known.nullable:
        return False
    return state.refers(child, parent, alike=False) and state.declared_not_null(child)


def never_empty(state: State, known: Facts, alias: str, others: Sequence[str]) -> bool:
    """True where a row of one of the other sources must refer to some row of this source's table."""
    name = state.tables[alias].name.lower()
    return any(
        key.declared
        and key.parent.lower() == name
        and all(state.declared_not_null((o, c.lower())) for c in key.columns)
        for o in others
        if o not in known.nullable
        for key in state.tables[o].foreign_keys
    )


def _found_once(state: State, child: Col, parent: Col, nodes: Sequence[exp.Expr]) -> bool:
    """True where a TEXT key refers to an INTEGER one that only the join condition mentions.

    ``=`` makes a number of the text, so it finds the one parent row; the values themselves are not identical.
    """
    return len(nodes) == 1 and state.spells(child, parent)


def unused_left(state: State) -> None:
    """A LEFT JOIN on a unique key of a table that nothing else mentions changes nothing."""
    for select in state.selects():
        for join in list(select.args.get("joins") or []):
            known = facts(state, select)
            if not known.base or not plain_left(join):
                continue
            alias = join.alias_or_name.lower()
            if any(not _below(node, join) for node in mentions(state, alias)):
                continue
            fixed: set[str] = set()
            for part in known.left_on[alias]:
                pair = columns_equated(state, part)
                if pair and state.alike(*pair) and (pair[0][0] == alias) != (pair[1][0] == alias):
                    fixed.add(pair[0][1] if pair[0][0] == alias else pair[1][1])
            if any(set(key) <= fixed for key in state.unique_keys(alias)):
                join.pop()
                del state.tables[alias]


def _below(node: exp.Expr, root: exp.Expr) -> bool:
    walk: exp.Expr | None = node
    while walk is not None and walk is not root:
        walk = walk.parent
    return walk is root


def conditions_in_where(state: State) -> None:
    """ON of inner joins is WHERE; the tables of a FROM with inner joins only have no order."""
    for select in state.selects():
        known = facts(state, select)
        if not known.base:
            continue
        joins = select.args.get("joins") or []
        for join in joins:
            if plain_inner(join):
                for part in conjuncts(join.args.get("on")):
                    if not (isinstance(part, exp.Boolean) and part.this):
                        add_condition(select, part.copy())
                join.set("on", None)
                join.set("kind", "CROSS")
        if joins and not known.nullable:
            set_sources(select, sorted(aliased_sources(select), key=lambda s: s.name.lower()))
    for paren in list(state.tree.find_all(exp.Paren)):
        paren.replace(paren.this)


def set_sources(select: exp.Select, ordered: list[exp.Expr]) -> None:
    copies = [source.copy() for source in ordered]
    select.args["from_"].set("this", copies[0])
    select.set("joins", [exp.Join(this=source, kind="CROSS") for source in copies[1:]])


def equal_columns(state: State) -> None:
    """Columns that inner joins or WHERE make equal are written as the first of them."""
    for select in state.selects():
        known = facts(state, select)
        if not known.base or not known.equal:
            continue
        groups = classes(known)
        for condition in known.where:
            pair = columns_equated(state, condition)
            if pair and pair in known.equal:
                remove_condition(condition)
        first: dict[Col, Col] = {}
        for members in groups:
            first.update(dict.fromkeys(members[1:], members[0]))
        for node in list(state.tree.find_all(exp.Column)):
            col = state.col(node)
            if col in first:
                rename(node, first[col])
        for members in groups:
            for other in members[1:]:
                add_condition(select, exp.EQ(this=_node(members[0]), expression=_node(other)))
    for paren in list(state.tree.find_all(exp.Paren)):
        paren.replace(paren.this)


def classes(known: Facts) -> list[list[Col]]:
    groups: list[set[Col]] = []
    for pair in known.equal:
        touching = [group for group in groups if group & set(pair)]
        merged = set(pair).union(*touching)
        groups = [group for group in groups if group not in touching] + [merged]
    return [sorted(group, key=lambda c: (known.aliases.index(c[0]), c[1])) for group in groups]


def rename(node: exp.Column, col: Col) -> None:
    node.set("table", identifier(col[0]))
    node.set("this", identifier(col[1]))


def _node(col: Col) -> exp.Column:
    return exp.Column(this=identifier(col[1]), table=identifier(col[0]))


def joined_parent(state: State) -> None:
    """An inner join to a parent of which only the referred-to unique key is used adds only ``child IS NOT NULL``."""
    for select in state.selects():
        while _drop_parent(state, select):
            pass


def _drop_parent(state: State, select: exp.Select) -> bool:
    known = facts(state, select)
    if not known.base or known.nullable or len(known.aliases) < 2:
        return False
    pairs = [pair for condition in known.where if (pair := columns_equated(state, condition)) is not None]
    for pair in dict.fromkeys([*known.equal, *pairs]):
        for child, parent in (pair, pair[::-1]):
            if child[0] == parent[0] or (parent[1],) not in state.unique_keys(parent[0]):
                continue
            nodes = list(mentions(state, parent[0]))
            used = {node.name.lower() for node in nodes}
            if used != {parent[1]} or not (state.refers(child, parent) or _found_once(state, child, parent, nodes)):
                continue
            rest = [s for s in aliased_sources(select) if s.alias_or_name.lower() != parent[0]]
            for condition in known.where:
                if columns_equated(state, condition) in ((child, parent), (parent, child)):
                    remove_condition(condition)
            for node in list(mentions(state, parent[0])):
                rename(node, child)
            set_sources(select, rest)
            del state.tables[parent[0]]
            add_condition(select, exp.Not(this=exp.Is(this=_node(child), expression=exp.Null())))
            for paren in list(state.tree.find_all(exp.Paren)):
                paren.replace(paren.this)
            return True
    return False
