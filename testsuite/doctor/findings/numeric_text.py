"""Numbers kept as text are sorted and compared as text: '10' comes before '9'."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from testsuite.doctor.conditions import sort_terms
from testsuite.doctor.contents import Origin
from testsuite.doctor.findings.base import Finding, Found, Subject
from testsuite.doctor.records import Severity
from testsuite.query.scope import Scopes, unwrap
from testsuite.schema import Affinity

_COMPARED = (exp.GT, exp.GTE, exp.LT, exp.LTE)
_NUMERIC = (Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC)


def _find(subject: Subject) -> Iterator[Found]:
    if subject.tree is None or subject.scopes is None:
        return
    uses: dict[Origin, list[str]] = {}
    for use, origin in _uses(subject, subject.tree, subject.scopes):
        known = uses.setdefault(origin, [])
        if use not in known:
            known.append(use)
    for origin, names in uses.items():
        seen = subject.contents.numeric_texts(origin)
        if seen is None:
            continue
        column = f"{'.'.join(origin)} ({', '.join(names)}) is TEXT that holds numbers"
        if seen.inverted is None:
            yield Severity.NOTE, f"{column}; no two of them in the suite sort differently as numbers"
            continue
        wrong = f"{column}; as text {seen.inverted[0]!r} comes before {seen.inverted[1]!r}"
        if seen.generated:
            yield Severity.NOTE, f"{wrong}, though not in the shipped instance"
        else:
            yield Severity.WARNING, wrong


def _uses(subject: Subject, tree: exp.Query, scopes: Scopes) -> Iterator[tuple[str, Origin]]:
    """Where the order of a column's values matters."""
    for term in sort_terms(tree, scopes):
        for use, key in _extremes("ORDER BY", term.key):
            origin = term.scope.origin(key)
            if origin is not None:
                yield use, origin
    for node in tree.find_all(exp.Max, exp.Min, exp.Between, *_COMPARED):
        if isinstance(node, (exp.Max, exp.Min)):
            pairs = [] if node.expressions else [(node.this, None)]
            name = "MAX" if isinstance(node, exp.Max) else "MIN"
        elif isinstance(node, exp.Between):
            pairs, name = [(node.this, node.args.get("low"))], "BETWEEN"
        else:
            pairs, name = [(node.this, node.expression), (node.expression, node.this)], "comparison"
        for side, other in pairs:
            origin = _origin(side, scopes)
            if origin is not None and not _made_numeric(other, subject, scopes):
                yield name, origin


def _extremes(name: str, key: exp.Expr) -> list[tuple[str, exp.Column]]:
    """The column a sort key stands for, plain or inside MAX or MIN."""
    if isinstance(key, (exp.Max, exp.Min)) and not key.expressions:
        key = unwrap(key.this)
    return [(name, key)] if isinstance(key, exp.Column) else []


def _origin(side: object, scopes: Scopes) -> Origin | None:
    if not isinstance(side, exp.Expr):
        return None
    side = unwrap(side)
    if not isinstance(side, exp.Column):
        return None
    scope = scopes.around(side)
    return scope.origin(side) if scope is not None else None


def _made_numeric(other: object, subject: Subject, scopes: Scopes) -> bool:
    """Whether the other side of a comparison makes SQLite compare numbers (its affinity is numeric)."""
    if not isinstance(other, exp.Expr):
        return False
    other = unwrap(other)
    if isinstance(other, exp.Cast):
        return other.to.this in (*exp.DataType.NUMERIC_TYPES,)
    origin = _origin(other, scopes)
    return origin is not None and subject.contents.schema.table(origin[0]).column(origin[1]).affinity in _NUMERIC


NUMERIC_TEXT = Finding("numeric_text", "numbers stored as text are sorted or compared as text", _find)
