"""Take the outermost ORDER BY, LIMIT and OFFSET off a query, keeping the sort keys as columns.

SQLite reads an ORDER BY term first as the number of an output column, then as an output alias, then as an
expression, in which source columns come before aliases (https://sqlite.org/lang_select.html#orderby; checked on
SQLite itself). The terms become extra trailing select items ``__key0`` ..., so that ties can be told apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from testsuite.query.compound import with_compound_keys
from testsuite.query.same import same_expression
from testsuite.query.scope import Scope, Scopes, star_table, unwrap
from testsuite.query.terms import KEY_PREFIX, NotLiftable, ordinal_of, split_collation
from testsuite.query.variation import is_aggregate
from testsuite.schema import Schema

__all__ = ["KEY_PREFIX", "Lifted", "NotLiftable", "lift"]

_ARITHMETIC = (
    exp.Abs,
    exp.Add,
    exp.Column,
    exp.Identifier,
    exp.Literal,
    exp.Mul,
    exp.Neg,
    exp.Paren,
    exp.Sub,
)

_RANDOM = ("random", "randomblob")


@dataclass(frozen=True, slots=True)
class Lifted:
    """A query without its outermost ORDER BY, LIMIT and OFFSET.

    Attributes:
        core: the query; its last ``keys`` output columns are the sort keys, the others are as they were.
        keys: number of sort keys.
        descending, nulls_first: per key, with SQLite's defaults made explicit.
        ordered: whether the outermost query has an ORDER BY.
        limit: rows asked for, None without a LIMIT or where it is negative.
        offset: rows skipped.
        chosen: whether a sort key comes from any of the rows that SELECT DISTINCT takes for one.
    """

    core: exp.Query
    keys: int
    descending: tuple[bool, ...]
    nulls_first: tuple[bool, ...]
    ordered: bool
    limit: int | None
    offset: int
    chosen: bool = False


def lift(tree: exp.Query, schema: Schema | None = None) -> Lifted:
    """Lift the outermost ORDER BY, LIMIT and OFFSET off a SQLite tree (as ``parse`` gives it).

    With the schema more can be lifted: numbers of columns behind a star, and aliases inside expressions.

    Raises:
        NotLiftable: a LIMIT that is no constant, a sort key that SELECT DISTINCT and GROUP BY hide, a COLLATE that
            cannot be expressed as a column, or a name whose meaning is not certain.
    """
    limit = _constant(tree.args.get("limit"))
    offset = _constant(tree.args.get("offset"))
    core = tree.copy()
    for part in ("order", "limit", "offset"):
        core.set(part, None)
    order = tree.args.get("order")
    keys: list[exp.Expr] = []
    chosen = False
    terms: list[exp.Ordered] = list(order.expressions) if order is not None else []
    if terms:
        if isinstance(core, exp.Select):
            scopes = Scopes(core, schema)
            try:
                keys = [_select_key(core, scopes.of(core), term.this) for term in terms]
            except _Hidden:
                # Of the rows that DISTINCT takes for one, any may give the sort key, as with a bare column of a group.
                chosen = True
                _group_by_outputs(core)
                keys = [_select_key(core, scopes.of(core), term.this) for term in terms]
            for number, key in enumerate(keys):
                core.append("expressions", exp.alias_(key, f"{KEY_PREFIX}{number}", copy=False))
        elif isinstance(core, exp.SetOperation):
            core = with_compound_keys(core, [term.this for term in terms], schema)
        else:
            raise NotLiftable("not a query")
    descending = tuple(bool(term.args.get("desc")) for term in terms)
    nulls = tuple(
        (not down) if term.args.get("nulls_first") is None else bool(term.args["nulls_first"])
        for term, down in zip(terms, descending, strict=True)
    )
    # A negative LIMIT means no limit, a negative OFFSET none (https://sqlite.org/lang_select.html#limitoffset).
    return Lifted(
        core=core,
        keys=len(terms),
        descending=descending,
        nulls_first=nulls,
        ordered=bool(terms),
        limit=None if limit is None or limit < 0 else limit,
        offset=max(offset or 0, 0),
        chosen=chosen,
    )


def _constant(node: exp.Expr | None) -> int | None:
    """The integer a LIMIT or OFFSET clause gives, None without one."""
    if node is None:
        return None
    value = _integer(node.args.get("expression"))
    if value is None or not -(2**63) <= value < 2**63:
        raise NotLiftable("LIMIT is not an integer constant")
    return value


def _integer(node: exp.Expr | None) -> int | None:
    if node is None:
        return None
    node = unwrap(node)
    if isinstance(node, exp.Literal) and not node.is_string and node.this.isdigit():
        return int(node.this)
    if isinstance(node, exp.Neg):
        inner = _integer(node.this)
        return None if inner is None else -inner
    if isinstance(node, (exp.Add, exp.Sub, exp.Mul)):
        left, right = _integer(node.this), _integer(node.expression)
        if left is None or right is None:
            return None
        if isinstance(node, exp.Mul):
            return left * right
        return left + right if isinstance(node, exp.Add) else left - right
    return None


def _select_key(select: exp.Select, scope: Scope, term: exp.Expr) -> exp.Expr:
    """One sort key of a simple SELECT as an expression over its sources."""
    term, collation = split_collation(term)
    ordinal = ordinal_of(term)
    if ordinal is not None:
        key = _item(scope, ordinal)
    else:
        aliased = _named(scope, term) if isinstance(term, exp.Column) and not term.table else None
        key = aliased.copy() if aliased is not None else _substitute(select, scope, term.copy())
    key, inner = split_collation(key)
    if (collation or inner) and scope.collated:
        raise NotLiftable("COLLATE beside columns with a collation")
    key = _collated(key, collation or inner)
    if key.find(exp.Rand) is not None or any(f.name.lower() in _RANDOM for f in key.find_all(exp.Anonymous)):
        return exp.Null()  # any order is as good: all rows tie
    if select.args.get("distinct") is not None:
        _check_distinct(select, scope, key)
    return key


def _collated(key: exp.Expr, collation: str | None) -> exp.Expr:
    if key.find(exp.Collate) is not None:
        raise NotLiftable("COLLATE inside a sort key")
    if collation is None or collation == "binary":
        return key
    if collation == "nocase":
        # NOCASE folds ASCII letters of text, as lower() does, and leaves other storage classes alone.
        lowered = exp.Lower(this=key.copy())
        kind = exp.Anonymous(this="typeof", expressions=[key.copy()])
        return exp.Case(this=kind, ifs=[exp.If(this=exp.Literal.string("text"), true=lowered)], default=key)
    raise NotLiftable(f"COLLATE {collation} in a sort key")


def _item(scope: Scope, ordinal: int) -> exp.Expr:
    """The expression of the output column of that number (from 1)."""
    place = 0
    for item in scope.select.expressions:
        star = star_table(item)
        if star is None:
            place += 1
            if place == ordinal:
                inner: exp.Expr = item.this if isinstance(item, exp.Alias) else item
                return inner.copy()
            continue
        if scope.merged:
            raise NotLiftable("number of a column behind a star")
        for source in scope.sources:
            if star and source.name != star:
                continue
            if source.outputs is None or not source.name:
                raise NotLiftable("number of a column behind a star")
            if ordinal <= place + len(source.outputs):
                name = source.outputs[ordinal - place - 1].name
                if name is None or [o.name for o in source.outputs].count(name) > 1:
                    raise NotLiftable("number of a column behind a star")
                if [s.name for s in scope.sources].count(source.name) > 1:
                    raise NotLiftable("number of a column behind a star")
                return exp.column(
                    exp.to_identifier(name, quoted=True), table=exp.to_identifier(source.name, quoted=True)
                )
            place += len(source.outputs)
    raise NotLiftable("number of a column that is not there")


def _named(scope: Scope, column: exp.Column) -> exp.Expr | None:
    """The first select item of that name: an alias, or a column that a star brings (SQLite names those too)."""
    name = column.name.lower()
    aliased = _aliased(scope.select, column)
    for item in scope.select.expressions:
        if isinstance(item, exp.Alias) and item.alias.lower() == name:
            return aliased
        star = star_table(item)
        if star is None:
            continue
        for source in scope.sources:
            if star and source.name != star:
                continue
            if source.outputs is None:
                if aliased is not None:
                    raise NotLiftable("alias behind a star of unknown columns")
                return None
            if any(output.name == name for output in source.outputs):
                if scope.merged or not source.name:
                    return column
                if [s.name for s in scope.sources].count(source.name) > 1:
                    raise NotLiftable("alias behind a star")
                return exp.column(column.this.copy(), table=exp.to_identifier(source.name, quoted=True))
    return aliased


def _aliased(select: exp.Select, column: exp.Column) -> exp.Expr | None:
    """The expression of the first select item with that alias."""
    for item in select.expressions:
        if isinstance(item, exp.Alias) and item.alias.lower() == column.name.lower():
            inner: exp.Expr = item.this
            return inner
    return None


def _substitute(select: exp.Select, scope: Scope, key: exp.Expr) -> exp.Expr:
    """Replace aliases inside an expression: only names that no source column bears."""
    for column in list(key.find_all(exp.Column)):
        aliased = None if column.table else _aliased(select, column)
        if aliased is None:
            continue
        own = unwrap(aliased)
        if isinstance(own, exp.Column) and own.name.lower() == column.name.lower() and not scope.merged:
            # The alias repeats the name of the column it stands for: whichever is meant, if the name is
            # unambiguous among the sources, it is this column.
            found = scope.lookup(column)
            if found is not None:
                continue
        if column.find_ancestor(exp.Select) is not None or not scope.known():
            raise NotLiftable("alias inside a sort expression")
        if any(o.name == column.name.lower() for s in scope.sources for o in s.outputs or ()):
            continue
        if key is column:
            return aliased.copy()
        column.replace(exp.Paren(this=aliased.copy()))
    return key


def _check_distinct(select: exp.Select, scope: Scope, key: exp.Expr) -> None:
    """Refuse keys that SELECT DISTINCT would have to choose from several hidden values."""
    if isinstance(select.args["distinct"], exp.Distinct) and select.args["distinct"].args.get("on"):
        raise NotLiftable("DISTINCT ON")
    if not list(key.find_all(exp.Column)) and not key.find(exp.Query, exp.AggFunc, exp.Window, exp.Func):
        return
    if _is_output(select, scope, key):
        return
    # Arithmetic over output columns is the same for rows that DISTINCT takes for equal (1 and 1.0 too).
    if all(isinstance(node, _ARITHMETIC) for node in key.walk()) and all(
        _is_output(select, scope, column) for column in key.find_all(exp.Column)
    ):
        return
    group = select.args.get("group")
    if (
        group is not None
        and group.expressions
        and all(_is_output(select, scope, term) or ordinal_of(term) is not None for term in group.expressions)
    ):
        return  # one row per group, and the groups differ in their outputs: DISTINCT drops nothing
    raise _Hidden("sort key hidden by DISTINCT")


def _group_by_outputs(select: exp.Select) -> None:
    """Turn a SELECT DISTINCT without groups into one that groups by what it gives."""
    items = [unwrap(item.unalias()) for item in select.expressions]
    plain = all(star_table(item) is None and item.find(exp.Query, exp.Window) is None for item in items)
    terms = [item.copy() for item in items if not isinstance(item, exp.Literal)]
    if not plain or not terms or select.args.get("group") is not None or is_aggregate(select):
        raise NotLiftable("sort key hidden by DISTINCT")
    select.set("distinct", None)
    select.set("group", exp.Group(expressions=terms))


class _Hidden(NotLiftable):
    """A sort key that SELECT DISTINCT hides."""


def _is_output(select: exp.Select, scope: Scope, key: exp.Expr) -> bool:
    for item in select.expressions:
        star = star_table(item)
        if star is not None:
            if isinstance(key, exp.Column) and not scope.merged and (not star or key.table.lower() == star):
                return True
            continue
        if same_expression(item.this if isinstance(item, exp.Alias) else item, key, merged=scope.merged):
            return True
    return False
