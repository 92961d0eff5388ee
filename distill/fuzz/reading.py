"""Read golds into shapes: joins, conditions, subqueries, set operations and HAVING of SQLite queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, pairwise

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from distill.fuzz.calculation import calculated
from distill.fuzz.shapes import Condition, Place, Shape, merged, same_entity, settled
from testsuite.schema import Schema

MAX_SHAPES = 6
COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
Scope = list[tuple[str, Mapping[str, Place | None]]]  # alias and its columns


@dataclass(slots=True)
class _Context:
    schema: Schema
    ctes: dict[str, tuple[exp.Query, tuple[str, ...]]] = field(default_factory=dict)
    depth: int = 0


def read_golds(schema: Schema, golds: Sequence[str]) -> tuple[tuple[Shape, ...], ...]:
    """The shapes of each gold; empty for a gold that cannot be read. Tables unknown to the schema are left out."""
    found = []
    for sql in golds:
        try:
            tree = sqlglot.parse_one(sql, read="sqlite")
            shapes = _shapes(tree, _Context(schema), []) if isinstance(tree, exp.Query) else []
        except (SqlglotError, RecursionError):
            shapes = []
        found.append(tuple(shape for shape in shapes if shape.tables)[: 2 * MAX_SHAPES])
    return tuple(found)


def _shapes(query: exp.Expr, context: _Context, outer: Scope) -> list[Shape]:
    if context.depth > 12:
        return []
    with_ = query.args.get("with_") or query.args.get("with")
    inner = _Context(context.schema, dict(context.ctes), context.depth + 1)
    if isinstance(with_, exp.With):
        for cte in with_.expressions:
            if isinstance(cte.this, exp.Query):
                inner.ctes[cte.alias.lower()] = (cte.this, tuple(c.lower() for c in cte.alias_column_names))
    if isinstance(query, exp.Subquery | exp.Paren):
        return _shapes(query.this, inner, outer)
    if isinstance(query, exp.SetOperation):
        left, right = (_shapes(side, inner, outer)[:3] for side in (query.left, query.right))
        if isinstance(query, exp.Union):
            return left + right
        left, right = ([settled(s, context.schema) for s in side] for side in (left, right))
        pairs = [(a, b, list(zip(a.outputs, b.outputs, strict=False))) for a in left for b in right]
        if isinstance(query, exp.Intersect):
            both = [m for a, b, _ in pairs if (m := same_entity(a, b)) is not None]
            return (both + [merged(a, b, links) for a, b, links in pairs])[:MAX_SHAPES]
        return [
            replace(a, absent=a.absent + tuple(merged(a, b, links) for x, b, links in pairs if x is a)) for a in left
        ]
    if isinstance(query, exp.Select):
        return _select(query, inner, outer)
    return []


def _source(node: exp.Expr, context: _Context, outer: Scope) -> tuple[Shape, Scope] | None:
    """The shape of one FROM item alone, and its columns."""
    name = node.alias_or_name.lower()
    if isinstance(node, exp.Table):
        table = node.name.lower()
        if table in context.ctes and not node.args.get("db"):
            query, names = context.ctes[table]
            inside = _Context(context.schema, {k: v for k, v in context.ctes.items() if k != table}, context.depth)
            return _derived(query, names, name, inside, [])
        if table not in context.schema:
            return None
        columns: dict[str, Place | None] = {
            c.name.lower(): (0, c.name.lower()) for c in context.schema.table(table).columns
        }
        return Shape(tables=(table,)), [(name, columns)]
    if isinstance(node, exp.Subquery):
        return _derived(node.this, (), name, context, outer)
    return None


def _derived(
    query: exp.Expr, names: Sequence[str], alias: str, context: _Context, outer: Scope
) -> tuple[Shape, Scope] | None:
    shapes = _shapes(query, context, outer)
    if not shapes or not isinstance(query, exp.Query):
        return None
    shown = [n.lower() for n in names] or [s.alias_or_name.lower() for s in query.selects]
    columns = dict(zip(shown, shapes[0].outputs, strict=False))
    inside = settled(shapes[0], context.schema)
    return replace(inside, outputs=(), absent=(), grouped=(), counts=()), [(alias, columns)]


def _resolve(column: exp.Column, scope: Scope) -> Place | None:
    name, table = column.name.lower(), column.table.lower()
    for alias, columns in scope:
        if (not table or alias == table) and name in columns:
            return columns[name]
    return None


def _is_text(column: exp.Column, scope: Scope, outer: Scope) -> bool:
    """Whether a double-quoted name is no column, hence text for SQLite."""
    if column.table or not isinstance(column.this, exp.Identifier) or not column.this.quoted:
        return False
    name = column.name.lower()
    return not any(name in columns for part in (scope, outer) for _, columns in part)


def _select(query: exp.Select, context: _Context, outer: Scope) -> list[Shape]:
    shape, scope = Shape(), Scope()
    from_ = query.args.get("from_") or query.args.get("from")
    joins = query.args.get("joins") or []
    conjuncts: list[exp.Expr] = []
    for node in ([from_.this] if from_ else []) + [join.this for join in joins]:
        found = _source(node, context, outer)
        if found is None:
            continue
        by = len(shape.tables)
        shape = replace(merged(shape, found[0]), outputs=())
        for alias, columns in found[1]:
            scope.append((alias, {k: (p[0] + by, p[1]) if p else None for k, p in columns.items()}))
    for join in joins:
        if join.args.get("on"):
            conjuncts += list(join.args["on"].flatten()) if isinstance(join.args["on"], exp.And) else [join.args["on"]]
        for used in join.args.get("using") or []:
            places = [columns[used.name.lower()] for _, columns in scope if used.name.lower() in columns]
            pairs = [(a, b) for a, b in pairwise(places) if a and b]
            shape = replace(shape, equals=shape.equals + tuple(pairs))
    if where := query.args.get("where"):
        conjuncts.append(where.this)
    shape = replace(shape, outputs=tuple(_outputs(query, scope)))
    shapes = [shape]
    for conjunct in conjuncts:
        shapes = [s for one in shapes for s in _apply(one, conjunct, scope, outer, context)][:MAX_SHAPES]
    if group := query.args.get("group"):
        grouped = tuple(
            place for e in group.expressions if isinstance(e, exp.Column) and (place := _resolve(e, scope)) is not None
        )
        shapes = [replace(s, grouped=grouped) for s in shapes]
    if having := query.args.get("having"):
        for conjunct in having.this.flatten() if isinstance(having.this, exp.And) else [having.this]:
            shapes = [s for one in shapes for s in _having(one, conjunct, scope, outer, context)][:MAX_SHAPES]
    return shapes


def _outputs(query: exp.Select, scope: Scope) -> Iterator[Place | None]:
    for item in query.expressions:
        item = item.unalias()
        if isinstance(item, exp.Star):
            for _, columns in scope:
                yield from columns.values()
        elif isinstance(item, exp.Column):
            yield _resolve(item, scope)
        else:
            inside = list(item.find_all(exp.Column)) if isinstance(item, exp.Max | exp.Min) else []
            yield _resolve(inside[0], scope) if inside else None


def _apply(shape: Shape, node: exp.Expr, scope: Scope, outer: Scope, context: _Context) -> list[Shape]:
    """The shapes in which a condition holds too (several for OR)."""
    node = node.unnest()
    if isinstance(node, exp.And):
        shapes = [shape]
        for part in node.flatten():
            shapes = [s for one in shapes for s in _apply(one, part, scope, outer, context)][:MAX_SHAPES]
        return shapes
    single = _condition(node, scope, outer)
    if single is not None:
        return [replace(shape, conditions=(*shape.conditions, single))]
    if isinstance(node, exp.Or):
        parts = [s for part in node.flatten() for s in _apply(shape, part, scope, outer, context)]
        return parts[:MAX_SHAPES]
    if isinstance(node, exp.EQ) and isinstance(node.left, exp.Column) and isinstance(node.right, exp.Column):
        a, b = _resolve(node.left, scope), _resolve(node.right, scope)
        return [replace(shape, equals=(*shape.equals, (a, b)))] if a and b and a != b else [shape]
    negated = isinstance(node, exp.Not)
    core = node.this.unnest() if negated else node
    inner = next(iter(core.find_all(exp.Select, exp.SetOperation)), None)
    if inner is None:
        return [shape]
    if isinstance(core, COMPARISONS) and (counted := _counted(shape, core, inner, scope, context, outer)) is not None:
        return [counted]
    shapes = [settled(s, context.schema) for s in _shapes(inner, context, scope + outer)[:2]]
    operand = core.this if isinstance(core, exp.In | exp.EQ | exp.NEQ) else None
    link = _resolve(operand, scope) if isinstance(operand, exp.Column) else None
    merged = [
        _correlate(shape, s, inner, ((link, s.outputs[0] if s.outputs else None),), scope, context) for s in shapes
    ]
    if negated or isinstance(core, exp.NEQ):
        return [replace(shape, absent=shape.absent + tuple(merged))]
    return merged or [shape]


def _counted(
    shape: Shape, node: exp.Expr, inner: exp.Expr, scope: Scope, context: _Context, outer: Scope
) -> Shape | None:
    """The shape where ``node`` compares a number with how many rows a correlated subquery has; None elsewhere."""
    literal = node.args["expression"] if node.this.find(exp.Query) else node.this
    if not isinstance(literal, exp.Literal) or not isinstance(inner, exp.Select) or len(inner.expressions) != 1:
        return None
    if not isinstance(inner.expressions[0].unalias(), exp.Count) or inner.args.get("group"):
        return None
    inside = _shapes(inner, context, scope + outer)[:1]
    if not inside:
        return None
    merged = _correlate(shape, inside[0], inner, (), scope, context)
    own = len(shape.tables)
    grouped = tuple(
        place for pair in merged.equals for place, other in (pair, pair[::-1]) if place[0] < own <= other[0]
    )
    return replace(merged, grouped=grouped, counts=_whole_numbers(node)) if grouped else None


def _correlate(
    shape: Shape,
    inside: Shape,
    inner: exp.Expr,
    links: Sequence[tuple[Place | None, Place | None]],
    scope: Scope,
    context: _Context,
) -> Shape:
    """Merge a subquery's rows, with the equalities that tie them to the outer query's columns."""
    extra: list[tuple[Place | None, Place | None]] = list(links)
    where = inner.args.get("where")
    if where is not None:
        own = _own_scope(inner, context)
        for equal in where.find_all(exp.EQ):
            if isinstance(equal.left, exp.Column) and isinstance(equal.right, exp.Column):
                for mine, other in ((equal.left, equal.right), (equal.right, equal.left)):
                    there, here = _resolve(mine, own), _resolve(other, scope)
                    outside = _resolve(other, own) is None
                    if there is not None and here is not None and outside:
                        extra.append((here, there))
    return merged(shape, inside, extra)


def _own_scope(inner: exp.Expr, context: _Context) -> Scope:
    """Aliases of the base tables of a select, numbered as ``_select`` numbers them."""
    scope, number = Scope(), count()
    from_ = inner.args.get("from_") or inner.args.get("from")
    for node in ([from_.this] if from_ else []) + [j.this for j in inner.args.get("joins") or []]:
        if not isinstance(node, exp.Table) or node.name.lower() not in context.schema:
            return []
        place = next(number)
        table = context.schema.table(node.name)
        scope.append((node.alias_or_name.lower(), {c.name.lower(): (place, c.name.lower()) for c in table.columns}))
    return scope


def _condition(node: exp.Expr, scope: Scope, outer: Scope) -> Condition | None:
    """The node as a condition on one column of this query's own tables, if it is one."""
    if node.find(exp.Select, exp.AggFunc, exp.Window):
        return None
    node = node.copy()
    wrapper = exp.Paren(this=node)
    place: Place | None = None
    for column in list(wrapper.find_all(exp.Column)):
        if _is_text(column, scope, outer):
            column.replace(exp.Literal.string(column.name))
            continue
        found = _resolve(column, scope)
        if found is None or (place is not None and place != found):
            return None
        place = found
        column.replace(exp.column("v"))
    if place is None:
        return None
    constants, patterns = _constants(wrapper)
    return Condition(place, wrapper.this.sql(dialect="sqlite"), constants, patterns)


def _constants(node: exp.Expr) -> tuple[tuple[int | float | str, ...], tuple[str, ...]]:
    constants: list[int | float | str] = []
    patterns: list[str] = []
    for literal in node.find_all(exp.Literal):
        if isinstance(literal.parent, exp.Like | exp.ILike | exp.Glob) and literal.is_string:
            patterns.append(str(literal.this))
        elif literal.is_string:
            constants.append(str(literal.this))
        else:
            text = str(literal.this)
            try:
                value: int | float = int(text) if text.isdigit() else float(text)
            except ValueError:
                continue
            constants.append(-value if isinstance(literal.parent, exp.Neg) else value)
    for between in node.find_all(exp.Between):
        low, high = between.args["low"], between.args["high"]
        if isinstance(low, exp.Literal) and isinstance(high, exp.Literal) and not (low.is_string or high.is_string):
            middle = (float(low.this) + float(high.this)) / 2
            constants.append(int(middle) if "." not in low.this else middle)
    return (*constants, *calculated(node)), tuple(patterns)


def _having(shape: Shape, node: exp.Expr, scope: Scope, outer: Scope, context: _Context) -> list[Shape]:
    """HAVING COUNT: rows per group. HAVING of another aggregate: the condition for every row of the group."""
    node = node.unnest()
    counted = node.find(exp.Count)
    if counted is not None:
        return [replace(shape, counts=shape.counts + _whole_numbers(node))]
    plain = exp.Paren(this=node.copy())
    for aggregate in list(plain.find_all(exp.AggFunc)):
        if isinstance(aggregate.this, exp.Expr):
            inner = aggregate.this.expressions[0] if isinstance(aggregate.this, exp.Distinct) else aggregate.this
            aggregate.replace(inner.copy())
    found = _apply(shape, plain.this, scope, outer, context)
    summed = node.find(exp.Sum)
    if summed is not None and isinstance(summed.this, exp.Column):
        place, totals = _resolve(summed.this, scope), _whole_numbers(node)
        if place is not None and totals:
            found = [replace(s, totals=((place, totals[0]),)) for s in found]
    return found


def _whole_numbers(node: exp.Expr) -> tuple[int, ...]:
    """The first two whole numbers a condition mentions."""
    numbers = [int(n.this) for n in node.find_all(exp.Literal) if not n.is_string and n.this.isdigit()]
    return tuple(numbers[:2])
