"""A sort key that can be NULL, ascending, with a LIMIT: SQLite puts NULLs first, so they are what is kept."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from testsuite.doctor.conditions import never_null, sort_terms
from testsuite.doctor.findings.base import Finding, Found, Subject, share
from testsuite.doctor.records import Severity
from testsuite.query.scope import Scope, Source

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Neg, exp.Paren, exp.Column, exp.Identifier, exp.Literal)


def _find(subject: Subject) -> Iterator[Found]:
    if subject.tree is None or subject.scopes is None:
        return
    seen: set[str] = set()
    for term in sort_terms(subject.tree, subject.scopes):
        if term.descending or not term.nulls_first or not term.limited:
            continue
        # NULL in any column of plain arithmetic makes the key NULL; what functions do is not looked at.
        if not all(isinstance(node, _ARITHMETIC) for node in term.key.walk()):
            continue
        for column in term.key.find_all(exp.Column):
            found = term.scope.lookup(column)
            if found is None or found[2].origin is None or never_null(column, term.scope):
                continue
            origin = found[2].origin
            name = ".".join(origin)
            if name in seen:
                continue
            seen.add(name)
            holding = subject.contents.nulls(origin)
            if holding:
                yield (
                    Severity.WARNING,
                    f"{name} holds NULL on {share(holding, subject.contents.stack.count)}, and NULLs sort first",
                )
            elif _outer(found[1], found[0]):
                yield Severity.WARNING, f"{name} comes from an outer join; its NULLs sort first"
            elif subject.contents.nullable(origin):
                yield Severity.NOTE, f"{name} may be NULL by the schema, and would sort first"


def _outer(source: Source, scope: Scope) -> bool:
    """Whether an outer join fills rows of the source with NULL."""
    joins = scope.select.args.get("joins") or []
    for join in joins:
        if join.side == "LEFT" and join.this is source.node:
            return True
        if join.side in ("RIGHT", "FULL"):
            return True
    return False


NULL_FIRST = Finding("null_first", "ORDER BY .. ASC LIMIT over a key that can be NULL keeps the NULLs", _find)
