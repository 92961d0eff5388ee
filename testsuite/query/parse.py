"""SQL text to a sqlglot tree of the SQLite dialect, or a reason why not."""

from __future__ import annotations

from typing import cast

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from testsuite.query.calls import hide, reveal
from testsuite.query.comments import without_comments
from testsuite.query.text import cast_affinity
from testsuite.schema import affinity_of

# SQLite binds tighter the larger the number (https://sqlite.org/lang_expr.html, section 2).
_PRECEDENCE: dict[type[exp.Expr], int] = {
    exp.Or: 1,
    exp.And: 2,
    exp.EQ: 4,
    exp.NEQ: 4,
    exp.Is: 4,
    exp.NullSafeEQ: 4,
    exp.NullSafeNEQ: 4,
    exp.In: 4,
    exp.Between: 4,
    exp.Like: 4,
    exp.Glob: 4,
    exp.LT: 5,
    exp.LTE: 5,
    exp.GT: 5,
    exp.GTE: 5,
    exp.Escape: 6,
    exp.BitwiseAnd: 7,
    exp.BitwiseOr: 7,
    exp.BitwiseLeftShift: 7,
    exp.BitwiseRightShift: 7,
    exp.Add: 8,
    exp.Sub: 8,
    exp.Mul: 9,
    exp.Div: 9,
    exp.Mod: 9,
    exp.DPipe: 10,
    exp.Collate: 11,
}
# Escape is written after LIKE, but sqlglot puts it around it.
_UNCHECKED = (exp.Escape,)
_MAX_VALUES_ROWS = 200


class Unparsed(Exception):  # noqa: N818 (a reason, not a fault)
    """The text is not one query that can be read with its SQLite meaning; the message says why."""


def parse(sql: str) -> exp.Query:
    """Read exactly one SELECT, WITH, VALUES or set operation.

    A bare ``VALUES`` becomes a UNION ALL of selects with SQLite's column names (column1, column2 ...).
    Comments are dropped. Where sqlglot would read other operator precedence, or another type affinity in a
    CAST, than SQLite does, the text is refused, since the tree would mean something else.

    Whether SQLite accepts the text is not decided here (``testsuite.engine.referee`` does that).

    Raises:
        Unparsed: anything else; the message is short and stable, without positions.
    """
    try:
        tokens = sqlglot.tokenize(without_comments(sql), dialect="sqlite")
    except (SqlglotError, ValueError, RecursionError) as error:
        raise Unparsed("cannot be tokenized") from error
    words = [token for token in tokens if token.token_type is not TokenType.SEMICOLON]
    if not words:
        raise Unparsed("empty")
    if words[0].token_type not in (TokenType.SELECT, TokenType.WITH, TokenType.VALUES):
        raise Unparsed("not a query")
    if any(map(_strips_affinity, [None, *words], words, words[1:])):
        raise Unparsed("unary plus")
    try:
        parser = sqlglot.Dialect.get_or_raise("sqlite").parser()
        trees = [tree for tree in parser.parse(hide(tokens), sql) if tree is not None]
        trees = [tree for tree in trees if not isinstance(tree, exp.Semicolon)]
    except (SqlglotError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise Unparsed("cannot be parsed") from error
    if len(trees) != 1:
        raise Unparsed("more than one statement")
    tree: exp.Expr = trees[0]
    if isinstance(tree, exp.Values):
        tree = _values_as_selects(tree)
    if not isinstance(tree, (exp.Select, exp.SetOperation)):
        raise Unparsed("not a query")
    if not reveal(tree):
        raise Unparsed("function name as an identifier")
    try:
        _check(tree)
    except RecursionError as error:
        raise Unparsed("nested too deeply") from error
    _check_casts(words)
    return cast(exp.Query, tree)


# Words after which a value begins.
_BEFORE_OPERAND = frozenset(
    {
        *(TokenType.SELECT, TokenType.DISTINCT, TokenType.WHERE, TokenType.HAVING, TokenType.ON, TokenType.LIMIT),
        *(TokenType.AND, TokenType.OR, TokenType.NOT, TokenType.IN, TokenType.IS, TokenType.LIKE, TokenType.GLOB),
        *(TokenType.BETWEEN, TokenType.CASE, TokenType.WHEN, TokenType.THEN, TokenType.ELSE, TokenType.OFFSET),
        *(TokenType.ALL, TokenType.RETURNING, TokenType.ESCAPE, TokenType.VALUES),
    }
)
_ENDS_OPERAND = frozenset(
    {
        *(TokenType.VAR, TokenType.IDENTIFIER, TokenType.NUMBER, TokenType.STRING, TokenType.R_PAREN),
        *(TokenType.END, TokenType.NULL, TokenType.TRUE, TokenType.FALSE, TokenType.HEX_STRING),
        *(TokenType.CURRENT_DATE, TokenType.CURRENT_TIME, TokenType.CURRENT_TIMESTAMP),
    }
)


def _strips_affinity(before: Token | None, token: Token, after: Token) -> bool:
    """Whether a token may be a unary plus over a value: it takes affinity away, and sqlglot drops it."""
    if token.token_type is not TokenType.PLUS or after.token_type is TokenType.NUMBER:
        return False
    if before is None or before.token_type in _ENDS_OPERAND:
        return before is None
    # Other words may be column names (date, value ...), unless a value has to follow them.
    return not before.text.isidentifier() or before.token_type in _BEFORE_OPERAND


def _check(tree: exp.Expr) -> None:
    """Drop comments; refuse commands and groupings that SQLite would read differently."""
    for node in tree.walk():
        node.comments = None
        if isinstance(node, exp.Command):
            raise Unparsed("not a query")
        level = _PRECEDENCE.get(type(node))
        if level is None:
            continue
        for side in ("this", "expression", "low", "high"):
            child = node.args.get(side)
            if isinstance(child, exp.Not) and level > 3 and side != "this":
                raise Unparsed("operator precedence")
            if isinstance(child, exp.Not) and level > 3 and not isinstance(node, exp.Is):
                raise Unparsed("operator precedence")
            inner = _PRECEDENCE.get(type(child)) if child is not None else None
            if inner is None or isinstance(node, _UNCHECKED) or isinstance(child, _UNCHECKED):
                continue
            # Left-associative: an operand without parentheses binds tighter, on the left at least as tight.
            if inner < level or (inner == level and side != "this" and not _associative(node, child)):
                raise Unparsed("operator precedence")


def _associative(node: exp.Expr, child: exp.Expr | None) -> bool:
    return isinstance(node, exp.Connector) and type(node) is type(child)


def _check_casts(tokens: list[Token]) -> None:
    """sqlglot renames types (STRING to TEXT, LONG to BIGINT); refuse where that changes SQLite's affinity."""
    for position, token in enumerate(tokens):
        if token.text.upper() != "CAST" or position + 1 == len(tokens):
            continue
        if tokens[position + 1].token_type is not TokenType.L_PAREN:
            continue
        depth, start, end = 0, 0, 0
        for place in range(position + 1, len(tokens)):
            kind = tokens[place].token_type
            if kind is TokenType.L_PAREN:
                depth += 1
            elif kind is TokenType.R_PAREN:
                depth -= 1
                if depth == 0:
                    end = place
                    break
            elif depth == 1 and tokens[place].text.upper() == "AS":
                start = place + 1
        written = " ".join(word.text for word in tokens[start:end])
        try:
            read = exp.DataType.build(written, dialect="sqlite", udt=True)
        except (SqlglotError, ValueError) as error:
            raise Unparsed("CAST type") from error
        if affinity_of(written) is not cast_affinity(read):
            raise Unparsed("CAST type")


def _values_as_selects(values: exp.Values) -> exp.Expr:
    rows = [row.expressions if isinstance(row, exp.Tuple) else [row] for row in values.expressions]
    if not rows or len(rows) > _MAX_VALUES_ROWS or len({len(row) for row in rows}) != 1:
        raise Unparsed("VALUES")
    if any(value for key, value in values.args.items() if key != "expressions"):
        raise Unparsed("VALUES")
    selects: list[exp.Query] = []
    for number, row in enumerate(rows):
        items = [item.copy() for item in row]
        if number == 0:
            items = [exp.alias_(item, f"column{place}") for place, item in enumerate(items, 1)]
        selects.append(exp.Select(expressions=items))
    tree = selects[0]
    for select in selects[1:]:
        tree = exp.Union(this=tree, expression=select, distinct=False)
    return tree
