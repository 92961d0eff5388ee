"""What rows a gold asks for: its tables, which columns must be equal, which conditions single columns must meet.

A shape is a recipe for one witness: one row per occurrence of a table, such that joins and conditions hold. It
is a help for planting, not a meaning: what it does not understand it leaves to chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from testsuite.schema import Schema

Place = tuple[int, str]  # occurrence in the shape, column name in lower case
MAX_SHAPES = 6


@dataclass(frozen=True, slots=True)
class Condition:
    """A predicate on one column, as SQLite text over the name ``v``, with the constants it mentions."""

    place: Place
    sql: str
    constants: tuple[int | float | str, ...] = ()
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """A recipe for the rows of one witness.

    Attributes:
        tables: the table (lower case) of each occurrence.
        equals: pairs of places that hold the same value.
        conditions: what single places must meet.
        outputs: the place of each selected item, None where it is not a plain column.
        absent: shapes that extend this one with rows that make a NOT IN, NOT EXISTS or EXCEPT bite.
        grouped: places of GROUP BY.
        counts: how many rows per group HAVING speaks of.
    """

    tables: tuple[str, ...] = ()
    equals: tuple[tuple[Place, Place], ...] = ()
    conditions: tuple[Condition, ...] = ()
    outputs: tuple[Place | None, ...] = ()
    absent: tuple[Shape, ...] = ()
    grouped: tuple[Place, ...] = ()
    counts: tuple[int, ...] = ()


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


def _shift(shape: Shape, by: int) -> Shape:
    def move(place: Place) -> Place:
        return place[0] + by, place[1]

    return replace(
        shape,
        equals=tuple((move(a), move(b)) for a, b in shape.equals),
        conditions=tuple(replace(c, place=move(c.place)) for c in shape.conditions),
        outputs=tuple(move(o) if o else None for o in shape.outputs),
        absent=tuple(_shift(a, by) for a in shape.absent),
        grouped=tuple(move(g) for g in shape.grouped),
    )


def _merge(left: Shape, right: Shape, links: Sequence[tuple[Place | None, Place | None]] = ()) -> Shape:
    """Both shapes side by side; ``links`` pair places of left with places of right (before moving)."""
    by = len(left.tables)
    moved = _shift(right, by)
    joined = tuple((a, (b[0] + by, b[1])) for a, b in links if a is not None and b is not None)
    return replace(
        left,
        tables=left.tables + moved.tables,
        equals=left.equals + moved.equals + joined,
        conditions=left.conditions + moved.conditions,
        absent=left.absent,
    )


def closure(shape: Shape, places: Sequence[Place]) -> set[Place]:
    """All places that hold the same value as one of the given ones."""
    reached, grown = set(places), True
    while grown:
        grown = False
        for a, b in shape.equals:
            if (a in reached) != (b in reached):
                reached |= {a, b}
                grown = True
    return reached


def repeated(shape: Shape, times: int, schema: Schema) -> Shape:
    """The shape with ``times`` rows in one group of its GROUP BY.

    Rows that the group determines (their key is part of it) stay single, the others are repeated.
    """
    group = closure(shape, shape.grouped)
    keys = [schema.table(t).primary_key for t in shape.tables]
    single = {i for i, key in enumerate(keys) if key and all((i, column.lower()) in group for column in key)}
    if not single:
        single = {place[0] for place in shape.grouped}
    if len(single) == len(shape.tables):
        single = set()
    tables, equals, conditions = list(shape.tables), list(shape.equals), list(shape.conditions)
    for _ in range(times - 1):
        moved = {i: i for i in single}
        for i, table in enumerate(shape.tables):
            if i not in single:
                moved[i] = len(tables)
                tables.append(table)
        for a, b in shape.equals:
            if a[0] not in single or b[0] not in single:
                equals.append(((moved[a[0]], a[1]), (moved[b[0]], b[1])))
        equals += [(g, (moved[g[0]], g[1])) for g in shape.grouped if g[0] not in single]
        conditions += [
            replace(c, place=(moved[c.place[0]], c.place[1])) for c in shape.conditions if c.place[0] not in single
        ]
    return replace(shape, tables=tuple(tables), equals=tuple(equals), conditions=tuple(conditions), counts=())


def _settled(shape: Shape, schema: Schema) -> Shape:
    """The shape with the rows its HAVING COUNT asks for, to be merged into another."""
    if not shape.counts:
        return shape
    return repeated(shape, min(max(shape.counts) + 1, 6), schema)


def _same_entity(left: Shape, right: Shape) -> Shape | None:
    """INTERSECT by way of one and the same row of the table the output comes from, with its other rows apart."""
    if len(left.tables) < 2 or len(right.tables) < 2 or not left.outputs or not right.outputs:
        return None
    a, b = left.outputs[0], right.outputs[0]
    if a is None or b is None or left.tables[a[0]] != right.tables[b[0]] or a[1] != b[1]:
        return None
    merged = _merge(left, right)
    by = len(left.tables)
    gone, kept = b[0] + by, a[0]

    def move(place: Place) -> Place:
        occurrence = kept if place[0] == gone else place[0]
        return (occurrence - (occurrence > gone), place[1])

    return replace(
        merged,
        tables=merged.tables[:gone] + merged.tables[gone + 1 :],
        equals=tuple((move(x), move(y)) for x, y in merged.equals),
        conditions=tuple(replace(c, place=move(c.place)) for c in merged.conditions),
    )


def _shapes(query: exp.Expression, context: _Context, outer: Scope) -> list[Shape]:
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
        left, right = ([_settled(s, context.schema) for s in side] for side in (left, right))
        pairs = [(a, b, list(zip(a.outputs, b.outputs, strict=False))) for a in left for b in right]
        if isinstance(query, exp.Intersect):
            both = [m for a, b, _ in pairs if (m := _same_entity(a, b)) is not None]
            return (both + [_merge(a, b, links) for a, b, links in pairs])[:MAX_SHAPES]
        return [
            replace(a, absent=a.absent + tuple(_merge(a, b, links) for x, b, links in pairs if x is a)) for a in left
        ]
    if isinstance(query, exp.Select):
        return _select(query, inner, outer)
    return []


def _source(node: exp.Expression, context: _Context, outer: Scope) -> tuple[Shape, Scope] | None:
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
    query: exp.Expression, names: Sequence[str], alias: str, context: _Context, outer: Scope
) -> tuple[Shape, Scope] | None:
    shapes = _shapes(query, context, outer)
    if not shapes or not isinstance(query, exp.Query):
        return None
    shown = [n.lower() for n in names] or [s.alias_or_name.lower() for s in query.selects]
    columns = dict(zip(shown, shapes[0].outputs, strict=False))
    inside = _settled(shapes[0], context.schema)
    return replace(inside, outputs=(), absent=(), grouped=(), counts=()), [(alias, columns)]


def _resolve(column: exp.Column, scope: Scope, outer: Scope) -> Place | None:
    name, table = column.name.lower(), column.table.lower()
    for part in (scope, outer):
        for alias, columns in part:
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
    conjuncts: list[exp.Expression] = []
    for node in ([from_.this] if from_ else []) + [join.this for join in joins]:
        found = _source(node, context, outer)
        if found is None:
            continue
        by = len(shape.tables)
        shape = replace(_merge(shape, found[0]), outputs=())
        for alias, columns in found[1]:
            scope.append((alias, {k: (p[0] + by, p[1]) if p else None for k, p in columns.items()}))
    for join in joins:
        if join.args.get("on"):
            conjuncts += list(join.args["on"].flatten()) if isinstance(join.args["on"], exp.And) else [join.args["on"]]
        for used in join.args.get("using") or []:
            places = [columns[used.name.lower()] for _, columns in scope if used.name.lower() in columns]
            pairs = [(a, b) for a, b in zip(places, places[1:], strict=False) if a and b]
            shape = replace(shape, equals=shape.equals + tuple(pairs))
    if where := query.args.get("where"):
        conjuncts.append(where.this)
    shape = replace(shape, outputs=tuple(_outputs(query, scope, outer)))
    shapes = [shape]
    for conjunct in conjuncts:
        shapes = [s for one in shapes for s in _apply(one, conjunct, scope, outer, context)][:MAX_SHAPES]
    if group := query.args.get("group"):
        grouped = tuple(
            place
            for e in group.expressions
            if isinstance(e, exp.Column) and (place := _resolve(e, scope, outer)) is not None
        )
        shapes = [replace(s, grouped=grouped) for s in shapes]
    if having := query.args.get("having"):
        for conjunct in having.this.flatten() if isinstance(having.this, exp.And) else [having.this]:
            shapes = [s for one in shapes for s in _having(one, conjunct, scope, outer, context)][:MAX_SHAPES]
    return shapes


def _outputs(query: exp.Select, scope: Scope, outer: Scope) -> Iterator[Place | None]:
    for item in query.expressions:
        item = item.unalias()
        if isinstance(item, exp.Star):
            for _, columns in scope:
                yield from columns.values()
        elif isinstance(item, exp.Column):
            yield _resolve(item, scope, outer)
        else:
            inside = list(item.find_all(exp.Column)) if isinstance(item, exp.Max | exp.Min) else []
            yield _resolve(inside[0], scope, outer) if inside else None


def _apply(shape: Shape, node: exp.Expression, scope: Scope, outer: Scope, context: _Context) -> list[Shape]:
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
        a, b = _resolve(node.left, scope, outer), _resolve(node.right, scope, outer)
        return [replace(shape, equals=(*shape.equals, (a, b)))] if a and b and a != b else [shape]
    negated = isinstance(node, exp.Not)
    core = node.this.unnest() if negated else node
    inner = next(iter(core.find_all(exp.Select, exp.SetOperation)), None)
    if inner is None:
        return [shape]
    shapes = [_settled(s, context.schema) for s in _shapes(inner, context, scope + outer)[:2]]
    operand = core.this if isinstance(core, exp.In | exp.EQ | exp.NEQ) else None
    link = _resolve(operand, scope, outer) if isinstance(operand, exp.Column) else None
    merged = [
        _correlate(shape, s, inner, ((link, s.outputs[0] if s.outputs else None),), scope, context) for s in shapes
    ]
    if negated or isinstance(core, exp.NEQ):
        return [replace(shape, absent=shape.absent + tuple(merged))]
    return merged or [shape]


def _correlate(
    shape: Shape,
    inside: Shape,
    inner: exp.Expression,
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
                    there, here = _resolve(mine, own, []), _resolve(other, scope, [])
                    outside = _resolve(other, own, []) is None
                    if there is not None and here is not None and outside:
                        extra.append((here, there))
    return _merge(shape, inside, extra)


def _own_scope(inner: exp.Expression, context: _Context) -> Scope:
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


def _condition(node: exp.Expression, scope: Scope, outer: Scope) -> Condition | None:
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
        found = _resolve(column, scope, [])
        if found is None or (place is not None and place != found):
            return None
        place = found
        column.replace(exp.column("v"))
    if place is None:
        return None
    constants, patterns = _constants(wrapper)
    return Condition(place, wrapper.this.sql(dialect="sqlite"), constants, patterns)


def _constants(node: exp.Expression) -> tuple[tuple[int | float | str, ...], tuple[str, ...]]:
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
        if isinstance(low, exp.Literal) and isinstance(high, exp.Literal) and not low.is_string:
            middle = (float(low.this) + float(high.this)) / 2
            constants.append(int(middle) if "." not in low.this else middle)
    return tuple(constants), tuple(patterns)


def _having(shape: Shape, node: exp.Expression, scope: Scope, outer: Scope, context: _Context) -> list[Shape]:
    """HAVING COUNT: rows per group. HAVING of another aggregate: the condition for every row of the group."""
    node = node.unnest()
    counted = node.find(exp.Count)
    if counted is not None:
        numbers = [int(n.this) for n in node.find_all(exp.Literal) if not n.is_string and n.this.isdigit()]
        return [replace(shape, counts=shape.counts + tuple(min(n, 8) for n in numbers[:2]))]
    plain = exp.Paren(this=node.copy())
    for aggregate in list(plain.find_all(exp.AggFunc)):
        if isinstance(aggregate.this, exp.Expression):
            aggregate.replace(aggregate.this.copy())
    return _apply(shape, plain.this, scope, outer, context)
