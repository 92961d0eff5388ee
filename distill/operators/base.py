"""What an operator is, and the tree surgery all operators share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlglot import exp

from testsuite.schema.model import Affinity, Schema


class Family(StrEnum):
    """The kind of model error an operator imitates."""

    COLUMNS = "columns"
    TABLES = "tables"
    CONDITIONS = "conditions"
    VALUES = "values"
    FUNCTIONS = "functions"
    CLAUSES = "clauses"
    DISTINCT = "distinct"
    SUBQUERIES = "subqueries"


@dataclass(frozen=True, slots=True)
class Example:
    """``before`` and some of the neighbours made of it, over the schema of ``distill.operators.sample``.

    An empty ``after`` says that the operator finds no occurrence.
    """

    before: str
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """What an operator may look at beside the tree.

    ``constants`` maps (table, column), both lower case, to the literals that golds of the schema compare it with.
    """

    schema: Schema
    constants: Mapping[tuple[str, str], tuple[exp.Literal, ...]]


@dataclass(frozen=True, slots=True)
class Operator:
    """Makes neighbours of one kind.

    ``apply`` yields whole new trees (sqlglot, dialect sqlite); it never changes its argument and may yield trees
    that are invalid, duplicates or equivalent: ``distill.neighbours`` sorts those out.
    """

    name: str
    family: Family
    examples: tuple[Example, ...]
    apply: Callable[[exp.Expr, Context], Iterator[exp.Expr]]


COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)


def edit(tree: exp.Expr, node: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    """A copy of ``tree`` and the node of that copy which stands where ``node`` stands in ``tree``."""
    path: list[tuple[str, int | None]] = []
    walk = node
    while walk is not tree:
        assert walk.arg_key is not None and walk.parent is not None
        path.append((walk.arg_key, walk.index))
        walk = walk.parent
    copy = tree.copy()
    found = copy
    for key, index in reversed(path):
        found = found.args[key] if index is None else found.args[key][index]
    return copy, found


def replaced(tree: exp.Expr, node: exp.Expr, new: exp.Expr) -> exp.Expr:
    """A copy of ``tree`` with ``new`` in place of ``node``."""
    if node is tree:
        return new
    copy, found = edit(tree, node)
    found.replace(new)
    return copy


def with_arg(tree: exp.Expr, node: exp.Expr, key: str, value: object) -> exp.Expr:
    """A copy of ``tree`` whose counterpart of ``node`` has argument ``key`` set to ``value`` (None removes it)."""
    copy, found = edit(tree, node)
    found.set(key, value)
    return copy


def selects(tree: exp.Expr) -> Iterator[exp.Select]:
    """Every SELECT of the tree, outermost first."""
    yield from tree.find_all(exp.Select)


def leaves(condition: exp.Expr | None) -> Iterator[exp.Expr]:
    """The conditions below AND, OR and parentheses. NOT is a leaf."""
    stack = [] if condition is None else [condition]
    while stack:
        node = stack.pop()
        if isinstance(node, (exp.And, exp.Or)):
            stack += [node.expression, node.this]
        elif isinstance(node, exp.Paren):
            stack.append(node.this)
        else:
            yield node


def conjuncts(condition: exp.Expr | None) -> list[exp.Expr]:
    """The top-level AND operands, parentheses around conjunctions opened."""
    found: list[exp.Expr] = []
    stack = [] if condition is None else [condition]
    while stack:
        node = stack.pop()
        inner = node.unnest() if isinstance(node, exp.Paren) else node
        if isinstance(inner, exp.And):
            stack += [inner.expression, inner.this]
        else:
            found.append(inner)
    return found


def conditions(select: exp.Select) -> Iterator[exp.Expr]:
    """The leaf conditions of WHERE, HAVING and ON of one SELECT (not of its subqueries)."""
    for clause in ("where", "having"):
        if select.args.get(clause):
            yield from leaves(select.args[clause].this)
    for join in select.args.get("joins") or []:
        yield from leaves(join.args.get("on"))


def remove_condition(node: exp.Expr) -> None:
    """Take one condition out of the tree it stands in, together with the AND, NOT or clause it leaves empty."""
    parent = node.parent
    if isinstance(parent, (exp.And, exp.Or)):
        parent.replace(parent.expression if parent.this is node else parent.this)
    elif isinstance(parent, (exp.Paren, exp.Not)):
        remove_condition(parent)
    elif isinstance(parent, exp.Join):
        parent.set("on", None)
    elif isinstance(parent, (exp.Where, exp.Having)):
        parent.pop()
    else:
        node.pop()


def add_condition(select: exp.Select, condition: exp.Expr, clause: str = "where") -> None:
    """AND a condition to WHERE (or HAVING) of a SELECT, in place."""
    present = select.args.get(clause)
    if present is None:
        kind = exp.Where if clause == "where" else exp.Having
        select.set(clause, kind(this=condition))
        return
    old = present.this
    left = exp.Paren(this=old) if isinstance(old, exp.Or) else old
    right = exp.Paren(this=condition) if isinstance(condition, exp.Or) else condition
    present.set("this", exp.And(this=left, expression=right))


def aggregates(node: exp.Expr) -> list[exp.Expr]:
    """Aggregate calls of an expression that belong to the SELECT it stands in (no windows, no subqueries)."""
    found: list[exp.Expr] = []
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, (exp.Query, exp.Window)):
            continue
        if isinstance(here, exp.AggFunc) and not _scalar_extreme(here):
            found.append(here)
            continue
        stack.extend(here.iter_expressions())
    return found


def _scalar_extreme(node: exp.Expr) -> bool:
    return isinstance(node, (exp.Max, exp.Min)) and bool(node.expressions)


def is_aggregate(select: exp.Select) -> bool:
    """True where the SELECT has no GROUP BY but aggregates: it returns at most one row."""
    if select.args.get("group"):
        return False
    parts = list(select.expressions)
    if select.args.get("having"):
        parts.append(select.args["having"].this)
    return any(aggregates(part) for part in parts)


def bare(item: exp.Expr) -> exp.Expr:
    """A select item without its alias."""
    return item.this if isinstance(item, exp.Alias) else item


def aliased_sources(select: exp.Select) -> list[exp.Expr]:
    """The FROM and JOIN sources in order (tables or subqueries)."""
    from_ = select.args.get("from_")
    found = [from_.this] if from_ else []
    return found + [join.this for join in select.args.get("joins") or []]


def column(table: str | None, name: str) -> exp.Column:
    """A column node; names that are not plain words are quoted."""
    return exp.Column(this=identifier(name), table=identifier(table) if table else None)


def identifier(name: str) -> exp.Identifier:
    """An identifier, quoted where it is not a plain word."""
    plain = name.isascii() and name.replace("_", "a").isalnum() and not name[0].isdigit()
    return exp.Identifier(this=name, quoted=not plain or name.lower() in _RESERVED)


# Words SQLite refuses as a bare column or table name.
_RESERVED = frozenset(
    {
        "add",
        "all",
        "and",
        "as",
        "asc",
        "between",
        "by",
        "case",
        "cast",
        "check",
        "column",
        "create",
        "cross",
        "default",
        "delete",
        "desc",
        "distinct",
        "drop",
        "else",
        "end",
        "escape",
        "except",
        "exists",
        "foreign",
        "from",
        "full",
        "group",
        "having",
        "if",
        "in",
        "index",
        "inner",
        "insert",
        "intersect",
        "into",
        "is",
        "isnull",
        "join",
        "key",
        "left",
        "like",
        "limit",
        "natural",
        "not",
        "notnull",
        "null",
        "offset",
        "on",
        "or",
        "order",
        "outer",
        "primary",
        "references",
        "right",
        "select",
        "set",
        "table",
        "then",
        "to",
        "transaction",
        "union",
        "unique",
        "update",
        "using",
        "values",
        "when",
        "where",
        "with",
    }
)


def integer(value: int) -> exp.Expr:
    """An integer literal; negative ones as a negation."""
    literal = exp.Literal.number(abs(value))
    return exp.Neg(this=literal) if value < 0 else literal


def similar(one: Affinity, other: Affinity) -> bool:
    """Both text-like or both number-like."""
    text = (Affinity.TEXT, Affinity.BLOB)
    return (one in text) == (other in text)
