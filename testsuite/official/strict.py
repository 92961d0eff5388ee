"""Exact set match done right: the same question asked of the whole of SQL, without the published parser's slips.

Aliases have their scopes, columns of joined keys are kept apart (in an outer join, or with orphan rows, they differ),
join conditions and DISTINCT count, and nearly every query of SQLite's dialect is read. Like exact set match, it looks
at the form of queries: with values counted, equal forms have one meaning (up to the order of columns, and of rows
that nothing orders); different forms say nothing. Reported apart from the published figure, never instead of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sqlglot import exp

from testsuite.query.parse import Unparsed, parse
from testsuite.query.scope import Scope, Scopes, Source, star_table, unwrap
from testsuite.schema import Schema

_COMMUTING = (exp.EQ, exp.NEQ)
_FLIPPED: Mapping[type[exp.Expr], str] = {exp.GT: "LT", exp.GTE: "LTE"}
_INNER = frozenset(("", "INNER", "CROSS"))
_NO_FORM = ("alias", "comments", "with_", "quoted")


def exact_strict(gold: str, prediction: str, schema: Schema, *, values: bool = False) -> bool | None:
    """Whether two queries are equal up to spelling, aliases and the order of things that have none.

    schema: tables and columns, to find what a name means.
    values: count literals too; otherwise any value equals any other, as in exact set match.

    No order have: items of the outermost select list, tables and conditions of inner joins together with WHERE,
    operands of AND, OR, = and !=, GROUP BY columns, operands of UNION and INTERSECT. None where either is not read.
    """
    try:
        return query_form(gold, schema, values=values) == query_form(prediction, schema, values=values)
    except (Unparsed, RecursionError):
        return None


def query_form(sql: str, schema: Schema, *, values: bool = False) -> str:
    """The text that equal queries share. Raises Unparsed."""
    tree = parse(sql)
    return _Writer(Scopes(tree, schema), values).query(tree, {}, free=True)


class _Writer:
    """Writes forms of one tree."""

    def __init__(self, scopes: Scopes, values: bool) -> None:
        self._scopes = scopes
        self._values = values

    def query(self, tree: exp.Expr, ctes: Mapping[str, str], free: bool) -> str:
        """Form of a query. free: whether its columns may stand in any order."""
        with_ = tree.args.get("with_")
        if isinstance(with_, exp.With):
            seen = dict(ctes)
            for cte in with_.expressions:
                # A recursive one sees itself under a name; any other stands for its query.
                recursive = with_.args.get("recursive")
                within = {**seen, cte.alias.lower(): f"itself {len(seen)}"} if recursive else seen
                seen[cte.alias.lower()] = self.query(cte.this, within, free=False)
            ctes = seen
        if isinstance(tree, exp.Subquery):
            tail = self._args(tree, None, ctes, ("order", "limit", "offset"))
            inside = self.query(tree.this, ctes, free and not tail)
            return f"subquery({inside} {tail})" if tail else inside
        if isinstance(tree, exp.SetOperation):
            sides = [self.query(side, ctes, free=False) for side in (tree.this, tree.expression)]
            if isinstance(tree, (exp.Union, exp.Intersect)):
                sides.sort()
            tail = self._args(tree, None, ctes, ("order", "limit", "offset"))
            return f"{tree.key}({tree.args.get('distinct')} {' '.join(sides)} {tail})"
        if isinstance(tree, exp.Select):
            return self._select(tree, ctes, free)
        return self._node(tree, None, ctes)

    def _select(self, select: exp.Select, ctes: Mapping[str, str], free: bool) -> str:
        scope = self._scopes.of(select)
        items = [self._node(item, scope, ctes) for item in select.expressions]
        if free and not any(star_table(item) is not None for item in select.expressions):
            items.sort()
        where = select.args.get("where")
        conditions = self._conjuncts(where.this if where is not None else None, scope, ctes)
        joins = select.args.get("joins") or []
        sources = [self._source(scope, source, ctes) for source in scope.sources]
        starred = any(star_table(item) == "" for item in select.expressions)
        if all(_is_inner(join) for join in joins) and len(sources) == len(joins) + 1:
            for join in joins:
                conditions += self._conjuncts(join.args.get("on"), scope, ctes)
            # `*` gives columns in the order of FROM, which may be any only where columns may.
            tables = " ".join(sources if starred and not free else sorted(sources))
        else:
            tables = " ".join(sources) + " " + " ".join(self._node(join, scope, ctes) for join in joins)
        group = select.args.get("group")
        having = select.args.get("having")
        groups = [] if group is None else sorted(self._term(term, scope, ctes, False) for term in group.expressions)
        parts = {
            "distinct": str(select.args.get("distinct") is not None),
            "items": ", ".join(items),
            "from": tables,
            "where": " & ".join(sorted(conditions)),
            "group": ", ".join(groups),
            "having": " & ".join(sorted(self._conjuncts(having.this if having is not None else None, scope, ctes))),
            "tail": self._args(select, scope, ctes, ("order", "limit", "offset", "windows", "qualify")),
        }
        return "select(" + "; ".join(f"{name}: {text}" for name, text in parts.items() if text) + ")"

    def _source(self, scope: Scope, source: Source, ctes: Mapping[str, str]) -> str:
        if source.table is not None:
            return _label(scope, source)
        if isinstance(source.node, exp.Table):
            return f"{_label(scope, source)}={ctes.get(source.node.name.lower(), source.node.name.lower())}"
        inside = source.node.this if isinstance(source.node, exp.Subquery) else source.node
        return f"{_label(scope, source)}={self.query(inside, ctes, free=False)}"

    def _conjuncts(self, node: exp.Expr | None, scope: Scope, ctes: Mapping[str, str]) -> list[str]:
        if node is None:
            return []
        return [self._node(part, scope, ctes) for part in _operands(node, exp.And)]

    def _term(self, node: exp.Expr, scope: Scope | None, ctes: Mapping[str, str], order: bool) -> str:
        """A term of GROUP BY or ORDER BY, which may be the number or the alias of a select item."""
        inner = unwrap(node)
        if scope is not None:
            items = scope.select.expressions
            if isinstance(inner, exp.Literal) and not inner.is_string:
                number = int(inner.this) if inner.this.isdigit() else 0
                if 0 < number <= len(items) and star_table(items[0]) is None:
                    return self._node(items[number - 1], scope, ctes)
                return f"place {inner.this}"
            if isinstance(inner, exp.Column) and not inner.table and (order or _unbound(inner, scope)):
                for item in items:
                    if isinstance(item, exp.Alias) and item.alias.lower() == inner.name.lower():
                        return self._node(item, scope, ctes)
        elif isinstance(inner, exp.Literal):
            return f"place {inner.this}"
        return self._node(inner, scope, ctes)

    def _args(self, node: exp.Expr, scope: Scope | None, ctes: Mapping[str, str], names: tuple[str, ...]) -> str:
        written = []
        for name in names:
            value = node.args.get(name)
            if isinstance(value, exp.Order):
                terms = [
                    f"{self._term(term.this, scope, ctes, True)} {bool(term.args.get('desc'))} "
                    f"{term.args.get('nulls_first')}"
                    for term in value.expressions
                ]
                written.append(f"order {', '.join(terms)}")
            elif value:
                written.append(f"{name} {self._value(value, scope, ctes)}")
        return " ".join(written)

    def _value(self, value: object, scope: Scope | None, ctes: Mapping[str, str]) -> str:
        if isinstance(value, list):
            return "[" + ", ".join(self._value(entry, scope, ctes) for entry in value) + "]"
        if isinstance(value, exp.Expr):
            return self._node(value, scope, ctes)
        return str(value).lower() if isinstance(value, str) else repr(value)

    def _node(self, node: exp.Expr, scope: Scope | None, ctes: Mapping[str, str]) -> str:
        if isinstance(node, (exp.Paren, exp.Alias)):
            return self._node(node.this, scope, ctes)
        if isinstance(node, (exp.Select, exp.SetOperation)) or (
            isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query)
        ):
            return self.query(node, ctes, free=False)
        if isinstance(node, exp.Column):
            return self._column(node, scope, ctes)
        if isinstance(node, exp.Literal):
            return self._literal(node)
        if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal) and not self._values:
            return "?"
        for kind in (exp.And, exp.Or):
            if isinstance(node, kind):
                forms = sorted(self._node(part, scope, ctes) for part in _operands(node, kind))
                return f"{kind.__name__}({', '.join(forms)})"
        if isinstance(node, exp.Binary) and type(node) in (*_COMMUTING, *_FLIPPED, exp.LT, exp.LTE):
            sides = [self._node(node.this, scope, ctes), self._node(node.expression, scope, ctes)]
            if type(node) in _FLIPPED:
                sides.reverse()
            elif type(node) in _COMMUTING:
                sides.sort()
            return f"{_FLIPPED.get(type(node), type(node).__name__)}({', '.join(sides)})"
        if isinstance(node, exp.Order):
            return self._args(exp.Select(order=node), scope, ctes, ("order",))
        parts = [
            f"{name}={self._value(value, scope, ctes)}"
            for name, value in sorted(node.args.items())
            if name not in _NO_FORM and value not in (None, False, [])
        ]
        return f"{type(node).__name__}({', '.join(parts)})"

    def _literal(self, node: exp.Literal) -> str:
        if not self._values:
            return "?"
        return repr(node.this) if node.is_string else str(node.this)

    def _column(self, node: exp.Column, scope: Scope | None, ctes: Mapping[str, str]) -> str:
        name = node.name.lower()
        if scope is None:
            return f"?.{name}"
        if isinstance(node.this, exp.Star):
            owner = next((source for source in scope.sources if source.name == node.table.lower()), None)
            return f"{node.table.lower() if owner is None else _label(scope, owner)}.*"
        found = scope.lookup(node)
        if found is not None:
            home, source, output = found
            # Columns of derived tables go by their place, since their names are aliases.
            place = name if source.table else f"#{(source.outputs or ()).index(output)}"
            return f"{_label(home, source)}.{place}"
        if _unbound(node, scope):
            for item in scope.select.expressions:
                if isinstance(item, exp.Alias) and item.alias.lower() == name and unwrap(item.this) is not node:
                    return self._node(item, scope, ctes)
            if isinstance(node.this, exp.Identifier) and node.this.args.get("quoted"):
                # In double quotes and no column: SQLite reads a text.
                return repr(node.name) if self._values else "?"
        return f"{node.table.lower()}.{name}"


def _unbound(node: exp.Column, scope: Scope) -> bool:
    """Whether a name surely is no column of a source: it is an alias of the select list, or a text."""
    return not node.table and scope.known() and scope.lookup(node) is None


def _is_inner(join: exp.Expr) -> bool:
    return (
        isinstance(join, exp.Join)
        and join.kind in _INNER
        and not join.side
        and not join.method
        and not join.args.get("using")
    )


def _operands(node: exp.Expr, kind: type[exp.Expr]) -> list[exp.Expr]:
    found: list[exp.Expr] = []
    left = [node]
    while left:
        part = unwrap(left.pop())
        if isinstance(part, kind):
            left += [part.args["expression"], part.args["this"]]
        else:
            found.append(part)
    return found


def _label(scope: Scope, source: Source) -> str:
    """A name for a source that its alias has no part in; alike ones in a FROM are numbered as they come."""
    depth = 0
    above = scope.parent
    while above is not None:
        depth, above = depth + 1, above.parent
    name = source.table or "derived"
    alike = Counter(other.table or "derived" for other in scope.sources)[name]
    if alike == 1:
        return f"{depth}:{name}"
    number = [other for other in scope.sources if (other.table or "derived") == name].index(source)
    return f"{depth}:{name}/{number}"
