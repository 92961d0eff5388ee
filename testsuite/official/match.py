"""Exact set match: ten components, each counted in the prediction, in the gold, and in both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from testsuite.official.normal import normalise
from testsuite.official.structure import Condition, Conditions, Query

COMPONENTS = (
    "select",
    "select(no AGG)",
    "where",
    "where(no OP)",
    "group(no Having)",
    "group",
    "order",
    "and/or",
    "IUEN",
    "keywords",
)
"""Names of the components as the published tables print them."""


@dataclass(frozen=True, slots=True)
class Component:
    """How many parts of one kind the prediction has, the gold has, and both have."""

    prediction: int
    gold: int
    matched: int

    @property
    def equal(self) -> bool:
        """Nothing missing, nothing extra (the component's precision, recall and F1 are all 1; else all 0)."""
        return self.prediction == self.gold == self.matched


@dataclass(frozen=True, slots=True)
class Match:
    """Result of exact set match.

    equal: whether all ten components are equal and the FROM units too.
    components: by name, in the order of COMPONENTS.
    tables_equal: whether the FROM units are equal as bags (true where the gold has none).
    """

    equal: bool
    components: Mapping[str, Component]
    tables_equal: bool


def exact_match(gold: Query, prediction: Query, key_columns: Mapping[str, str]) -> Match:
    """Exact set match of two parsed queries.

    prediction: `EMPTY` for one that is not parsed.
    key_columns: see `OfficialTables.key_columns`.
    """
    return _match(normalise(gold, key_columns), normalise(prediction, key_columns))


def _match(gold: Query, prediction: Query) -> Match:
    components = dict(
        zip(
            COMPONENTS,
            (
                _bags(prediction.items, gold.items),
                _bags((item.unit for item in prediction.items), (item.unit for item in gold.items)),
                _bags(prediction.where[::2], gold.where[::2]),
                _bags(_subjects(prediction.where), _subjects(gold.where)),
                _bags(_bare_groups(prediction), _bare_groups(gold)),
                _grouping(prediction, gold),
                _ordering(prediction, gold),
                _connectives(prediction, gold),
                _branches(prediction, gold),
                _keyword_sets(keywords(prediction), keywords(gold)),
            ),
            strict=True,
        )
    )
    tables_equal = not gold.units or Counter(gold.units) == Counter(prediction.units)
    return Match(
        equal=tables_equal and all(component.equal for component in components.values()),
        components=components,
        tables_equal=tables_equal,
    )


def _bags(prediction: Iterable[Hashable], gold: Iterable[Hashable]) -> Component:
    ours, theirs = Counter(prediction), Counter(gold)
    return Component(ours.total(), theirs.total(), (ours & theirs).total())


def _subjects(conditions: Conditions) -> list[Hashable]:
    """Left sides; of a connective that stands where a condition should, the word itself."""
    return [entry.unit if isinstance(entry, Condition) else entry for entry in conditions[::2]]


def _bare_groups(query: Query) -> list[str]:
    return [unit.column.rpartition(".")[2] for unit in query.groups]


def _grouping(prediction: Query, gold: Query) -> Component:
    both = bool(prediction.groups) and bool(gold.groups)
    equal = (
        both
        and [unit.column for unit in prediction.groups] == [unit.column for unit in gold.groups]
        and prediction.having == gold.having
    )
    return Component(int(bool(prediction.groups)), int(bool(gold.groups)), int(equal))


def _ordering(prediction: Query, gold: Query) -> Component:
    equal = gold.order is not None and prediction.order == gold.order and prediction.limit == gold.limit
    return Component(int(prediction.order is not None), int(gold.order is not None), int(equal))


def _connectives(prediction: Query, gold: Query) -> Component:
    ours, theirs = frozenset(prediction.where[1::2]), frozenset(gold.where[1::2])
    return Component(1, 1, 1) if ours == theirs else Component(len(ours), len(theirs), 0)


def _branches(prediction: Query, gold: Query) -> Component:
    pairs = (
        (prediction.intersect, gold.intersect),
        (prediction.except_, gold.except_),
        (prediction.union, gold.union),
    )
    return Component(
        sum(ours is not None for ours, _ in pairs),
        sum(theirs is not None for _, theirs in pairs),
        sum(ours is not None and theirs is not None and _match(theirs, ours).equal for ours, theirs in pairs),
    )


def _keyword_sets(prediction: frozenset[str], gold: frozenset[str]) -> Component:
    return Component(len(prediction), len(gold), len(prediction & gold))


def keywords(query: Query) -> frozenset[str]:
    """Keywords a query uses, outside nested queries and branches."""
    present = {
        "where": bool(query.where),
        "group": bool(query.groups),
        "having": bool(query.having),
        "order": query.order is not None,
        "limit": query.limit,
        "except": query.except_ is not None,
        "union": query.union is not None,
        "intersect": query.intersect is not None,
        "or": "or" in tuple(query.connectives()),
    }
    found = {word for word, there in present.items() if there}
    if query.order is not None:
        found.add(query.order.direction)
    for entry in query.conditions():
        # A connective out of its place reads as a negated condition in the script's tuples.
        if not isinstance(entry, Condition) or entry.negated:
            found.add("not")
        if isinstance(entry, Condition) and entry.comparison in ("in", "like"):
            found.add(entry.comparison)
    return frozenset(found)
