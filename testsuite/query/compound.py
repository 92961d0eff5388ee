"""Sort keys of set operations, which SQLite lets sort by output columns only."""

from __future__ import annotations

from sqlglot import exp

from testsuite.query.same import leaves, same_expression
from testsuite.query.scope import Output, Scope, Scopes, star_table
from testsuite.query.terms import KEY_PREFIX, NotLiftable, ordinal_of, split_collation
from testsuite.schema import Schema


def with_compound_keys(core: exp.SetOperation, terms: list[exp.Expr], schema: Schema | None) -> exp.Query:
    """Sort keys of a set operation are output columns: repeat them in every branch, or wrap."""
    branches = leaves(core)
    scopes = Scopes(core, schema)
    places = []
    for term in terms:
        term, collation = split_collation(term)
        place = _compound_place(branches, scopes, term)
        items = [b.expressions[place] for b in branches if len(b.expressions) > place]
        if (collation or "binary") != "binary" or any(item.find(exp.Collate) for item in items):
            raise NotLiftable("COLLATE in a set operation")
        places.append(place)
    plain = all(
        isinstance(branch, exp.Select) and all(star_table(item) is None for item in branch.expressions)
        for branch in branches
    )
    if plain:
        for branch in branches:
            # Rows that were equal stay equal, rows that differed still differ: the new columns are copies.
            items = [branch.expressions[place] for place in places]
            for number, item in enumerate(items):
                inner = item.this if isinstance(item, exp.Alias) else item
                branch.append("expressions", exp.alias_(inner.copy(), f"{KEY_PREFIX}{number}", copy=False))
        return core
    names = [output.name for output in scopes.outputs or ()]
    wrapped = exp.Select(expressions=[exp.Star()])
    for number, place in enumerate(places):
        name = names[place] if place < len(names) else None
        if name is None or names.count(name) > 1:
            raise NotLiftable("set operation sorted by a column without a name of its own")
        column = exp.column(exp.to_identifier(name, quoted=True))
        wrapped.append("expressions", exp.alias_(column, f"{KEY_PREFIX}{number}", copy=False))
    wrapped.set("from_", exp.From(this=exp.Subquery(this=core)))
    return wrapped


def _compound_place(branches: list[exp.Expr], scopes: Scopes, term: exp.Expr) -> int:
    """The output column (from 0) that a sort term of a set operation means: leftmost branch first."""
    ordinal = ordinal_of(term)
    if ordinal is not None:
        return ordinal - 1
    for branch in branches:
        if not isinstance(branch, exp.Select):
            raise NotLiftable("set operation without SELECT")
        scope = scopes.of(branch)
        place = 0
        matches: list[int] = []
        for item in branch.expressions:
            star = star_table(item)
            if star is None:
                if (
                    isinstance(item, exp.Alias)
                    and isinstance(term, exp.Column)
                    and not term.table
                    and item.alias.lower() == term.name.lower()
                ):
                    return place
                inner = item.this if isinstance(item, exp.Alias) else item
                if same_expression(inner, term, merged=scope.merged):
                    matches.append(place)
                place += 1
                continue
            outputs = _star_outputs(scope, star)
            if isinstance(term, exp.Column) and not term.table:
                for n, (_, output) in enumerate(outputs):
                    if output.name == term.name.lower():
                        return place + n
            elif isinstance(term, exp.Column):
                matches.extend(
                    place + n
                    for n, (s, o) in enumerate(outputs)
                    if o.name == term.name.lower() and term.table.lower() in ("", s)
                )
            place += len(outputs)
        if matches:
            return matches[0]
        if isinstance(term, exp.Column) and scope.lookup(term) is None and not scope.known():
            raise NotLiftable("sort term of a set operation")
    raise NotLiftable("sort term of a set operation")


def _star_outputs(scope: Scope, star: str) -> list[tuple[str, Output]]:
    if scope.merged:
        raise NotLiftable("sort term of a set operation")
    found: list[tuple[str, Output]] = []
    for source in scope.sources:
        if star and source.name != star:
            continue
        if source.outputs is None:
            raise NotLiftable("sort term of a set operation")
        found.extend((source.name, output) for output in source.outputs)
    return found
