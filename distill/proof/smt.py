"""Proofs by z3 that two conditions are true for the same rows, whatever the rows hold.

Two queries of one shape, all of whose clauses are the same text but for WHERE and HAVING, mean the same if these
conditions are true for the same rows and groups. Each value of a row is a symbol of its own, shared by both queries:

- a column that may be NULL has a symbol for that; conditions follow SQL's three-valued logic;
- INTEGER columns are unbounded integers, REAL and NUMBER columns real numbers: more values than SQLite has, so that
  what holds for all of them holds for SQLite's (which compares integers with reals exactly,
  https://sqlite.org/datatype3.html, section 4.2; infinities do not occur in suites);
- TEXT is a linear order without end points into which all texts embed; constants keep their places in it (BINARY
  collation: UTF-8 bytes). Nothing else is known of a text, so that no proof can rest on what lies between two of them;
- a constant compared with a column takes the column's affinity (section 4.2 there);
- COUNT is a whole number, at least 1 for the rows of a group; SUM, AVG and extremes of numbers are reals or NULL;
- everything else (LIKE, functions, arithmetic, subqueries) is a symbol named by its canonical text: nothing is known
  but that the same expression of the same row has the same value. Arithmetic is never computed, for SQLite rounds.

What is not modelled is thus no proof, never a wrong one. The solver's work is bounded in its own units of effort.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import reduce

import z3
from sqlglot import exp

from distill.equivalent.constant import number
from distill.equivalent.key import key
from distill.equivalent.names import final_names
from distill.equivalent.state import State, facts
from distill.operators.base import aliased_sources
from testsuite.schema import Affinity, Storage
from testsuite.suite.stack import looks_numeric

RULE = "conditions true for the same rows (z3)"
# Work of the solver, in its own deterministic units.
EFFORT = 2_000_000
_COMPARE: Mapping[type[exp.Expr], Callable[[z3.ArithRef, z3.ArithRef], z3.BoolRef]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
}
_NUMBERS = (Storage.INTEGER, Storage.REAL, Storage.NUMBER)


@dataclass(frozen=True)
class _Truth:
    """A condition: NULL, else true or false. ``true`` says nothing where ``null`` holds."""

    null: z3.BoolRef
    true: z3.BoolRef

    @property
    def holds(self) -> z3.BoolRef:
        return z3.And(z3.Not(self.null), self.true)


@dataclass(frozen=True)
class _Value:
    """A value: NULL, else a number or a text (as a place in the order of texts). ``affinity`` only for columns."""

    null: z3.BoolRef
    term: z3.ArithRef
    text: bool
    affinity: Affinity | None = None


class _Unmodelled(Exception):  # noqa: N818 (a reason, not a fault)
    """The expression is not modelled; it becomes a symbol."""


@dataclass
class _Model:
    """Symbols of one comparison, and what is known of them."""

    state: State
    names: Mapping[str, str]
    places: Mapping[str, int]
    grouped: bool = False
    known: list[z3.BoolRef] = field(default_factory=list)
    nullable: set[str] = field(default_factory=set)

    def truth(self, node: exp.Expr) -> _Truth:
        """A condition in three-valued logic."""
        if isinstance(node, exp.Paren):
            return self.truth(node.this)
        if isinstance(node, (exp.And, exp.Or)):
            return self._both(node)
        if isinstance(node, exp.Not):
            inner = self.truth(node.this)
            return _Truth(inner.null, z3.Not(inner.true))
        if isinstance(node, exp.Boolean):
            return _Truth(z3.BoolVal(False), z3.BoolVal(bool(node.this)))
        try:
            if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
                return _Truth(z3.BoolVal(False), self._value(node.this).null)
            if isinstance(node, (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)):
                return self._compared(node, node.this, node.expression)
            if isinstance(node, exp.In) and node.expressions:
                parts = [self._compared(exp.EQ(), node.this, item) for item in node.expressions]
                return reduce(_either, parts[1:], parts[0])
        except _Unmodelled:
            pass
        return self._symbol(node)

    def _both(self, node: exp.Expr) -> _Truth:
        left, right = self.truth(node.this), self.truth(node.expression)
        if isinstance(node, exp.Or):
            return _either(left, right)
        flipped = _either(_Truth(left.null, z3.Not(left.true)), _Truth(right.null, z3.Not(right.true)))
        return _Truth(flipped.null, z3.Not(flipped.true))

    def _symbol(self, node: exp.Expr) -> _Truth:
        text = key(node, self.names)
        null = z3.Bool("null " + text)
        if isinstance(node, exp.Like) and isinstance(node.expression, exp.Literal):
            col = self.state.col(node.this)
            if col is not None:
                self.known.append(null == self._column(node.this).null)
        return _Truth(null, z3.Bool("true " + text))

    def _compared(self, node: exp.Expr, left: exp.Expr, right: exp.Expr) -> _Truth:
        if isinstance(left, exp.Tuple) or isinstance(right, exp.Tuple):
            raise _Unmodelled
        first, second = self._operand(left, right), self._operand(right, left)
        null = z3.Or(first.null, second.null)
        if first.text != second.text:
            # Any text is above any number; conversions by affinity have been made.
            return _Truth(null, z3.BoolVal(_outcome(node, 1 if first.text else -1)))
        a, b = first.term, second.term
        return _Truth(null, _COMPARE[type(node)](a, b))

    def _operand(self, node: exp.Expr, other: exp.Expr) -> _Value:
        """The value of one side, converted as SQLite does for the other side."""
        value = self._value(node) if not isinstance(node, (exp.Literal, exp.Neg)) else None
        opposite = self.state.col(other)
        affinity = self.state.column(opposite).affinity if opposite is not None else None
        if value is not None:
            # A column beside one of another kind is converted in ways that are not modelled.
            own = value.affinity
            if own is not None and affinity is not None and (own is Affinity.TEXT) != (affinity is Affinity.TEXT):
                raise _Unmodelled
            if own is None and affinity is Affinity.TEXT and not value.text:
                raise _Unmodelled
            return value
        constant = number(node)
        if constant is not None:
            if affinity is Affinity.TEXT:
                text = str(node.this) if isinstance(node, exp.Literal) else "-" + str(node.this.this)
                if not text.removeprefix("-").isdigit() or str(int(text)) != text:
                    raise _Unmodelled
                return self._text(text)
            return _Value(z3.BoolVal(False), _exact(node), False)
        if not isinstance(node, exp.Literal) or not node.is_string:
            raise _Unmodelled
        text = str(node.this)
        if affinity in (Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC) and looks_numeric(text):
            return _Value(z3.BoolVal(False), _decimal(text), False)
        return self._text(text)

    def _text(self, text: str) -> _Value:
        if text not in self.places:
            raise _Unmodelled
        return _Value(z3.BoolVal(False), z3.RealVal(self.places[text]), True)

    def _value(self, node: exp.Expr) -> _Value:
        if isinstance(node, exp.Paren):
            return self._value(node.this)
        if self.state.col(node) is not None:
            return self._column(node)
        if isinstance(node, (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)) and not node.expressions:
            return self._aggregate(node)
        if isinstance(node, exp.Coalesce) and len(node.expressions) == 1:
            first, substitute = self._value(node.this), number(node.expressions[0])
            if substitute is None or first.text:
                raise _Unmodelled
            term = z3.If(first.null, _exact(node.expressions[0]), first.term)
            return _Value(z3.BoolVal(False), term, False)
        raise _Unmodelled

    def _column(self, node: exp.Expr) -> _Value:
        col = self.state.col(node)
        held = self.state.holds(col) if col is not None else None
        if col is None or held is None or self.state.column(col).affinity is Affinity.BLOB:
            raise _Unmodelled
        affinity = self.state.column(col).affinity
        if (held is Storage.TEXT) != (affinity is Affinity.TEXT):
            raise _Unmodelled
        text = key(node, self.names)
        sure = self.state.declared_not_null(col) and col[0] not in self.nullable
        null = z3.BoolVal(False) if sure else z3.Bool("null " + text)
        if held is Storage.INTEGER:
            return _Value(null, z3.ToReal(z3.Int("whole " + text)), False, affinity)
        return _Value(null, z3.Real("value " + text), held is Storage.TEXT, affinity)

    def _aggregate(self, node: exp.Expr) -> _Value:
        text = key(node, self.names)
        if isinstance(node, exp.Count):
            count = z3.Int("whole " + text)
            least = 1 if self.grouped and isinstance(node.this, exp.Star) else 0
            self.known.append(count >= least)
            return _Value(z3.BoolVal(False), z3.ToReal(count), False)
        argument = node.this
        if isinstance(argument, exp.Distinct) and len(argument.expressions) == 1:
            argument = argument.expressions[0]
        col = self.state.col(argument)
        if isinstance(node, (exp.Min, exp.Max)) and (col is None or self.state.holds(col) not in _NUMBERS):
            raise _Unmodelled
        return _Value(z3.Bool("null " + text), z3.Real("value " + text), False)


def _exact(node: exp.Expr) -> z3.ArithRef:
    sign, literal = ("-", node.this) if isinstance(node, exp.Neg) else ("", node)
    return _decimal(sign + str(literal.this))


def _decimal(text: str) -> z3.ArithRef:
    """A constant as a real number. Up to 15 digits, decimals and the doubles next to them stand in the same order, and
    order is all that is used of a number here.
    """
    digits = text.removeprefix("-").replace(".", "", 1)
    if not digits.isascii() or not digits.isdigit() or len(digits) > 15:
        raise _Unmodelled
    return z3.RealVal(str(Decimal(text)))


def _either(left: _Truth, right: _Truth) -> _Truth:
    true = z3.Or(left.holds, right.holds)
    return _Truth(z3.And(z3.Not(true), z3.Or(left.null, right.null)), true)


def _outcome(node: exp.Expr, order: int) -> bool:
    """The outcome of a comparison whose left side is above (1) or below (-1) the right one."""
    if isinstance(node, exp.EQ):
        return False
    if isinstance(node, exp.NEQ):
        return True
    return order > 0 if isinstance(node, (exp.GT, exp.GTE)) else order < 0


def conditions_alike(one: State, other: State, effort: int = EFFORT) -> bool:
    """True where the two queries are the same but for conditions that z3 shows to be true for the same rows.

    Args:
        one: a query after some of the canonical rules, with what its columns hold (``State.storage``).
        other: another one.
        effort: bound on the solver's work for each pair of conditions (z3's ``rlimit``).
    """
    return one.storage is not None and _same(one.tree, other.tree, _Pair(one, other, effort))


@dataclass
class _Pair:
    one: State
    other: State
    effort: int

    def __post_init__(self) -> None:
        self.names, self.names_ = final_names(self.one), final_names(self.other)

    def texts_alike(self, a: object, b: object) -> bool:
        if isinstance(a, exp.Expr) and isinstance(b, exp.Expr):
            return key(a, self.names) == key(b, self.names_)
        return (a or None) == (b or None)


def _same(a: exp.Expr, b: exp.Expr, pair: _Pair) -> bool:
    if pair.texts_alike(a, b):
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, exp.Select):
        return _same_select(a, b, pair)
    if not isinstance(a, (exp.SetOperation, exp.Subquery, exp.Exists)):
        return False
    if any(not pair.texts_alike(a.args.get(n), b.args.get(n)) for n in (a.args.keys() | b.args.keys()) - _PARTS):
        return False
    return all(
        _same(a.args[n], b.args[n], pair)
        for n in ("this", "expression")
        if isinstance(a.args.get(n), exp.Expr) and isinstance(b.args.get(n), exp.Expr)
    )


_PARTS = {"this", "expression"}
_CONDITIONS = ("where", "having")


def _same_select(a: exp.Select, b: exp.Expr, pair: _Pair) -> bool:
    for name in (a.args.keys() | b.args.keys()) - set(_CONDITIONS):
        mine, theirs = a.args.get(name) or None, b.args.get(name) or None
        if isinstance(mine, list) and isinstance(theirs, list):
            if len(mine) != len(theirs) or not all(map(pair.texts_alike, mine, theirs)):
                return False
        elif not pair.texts_alike(mine, theirs):
            return False
    return all(_true_alike(a, b, clause, pair) for clause in _CONDITIONS)


def _true_alike(a: exp.Select, b: exp.Expr, clause: str, pair: _Pair) -> bool:
    mine, theirs = a.args.get(clause), b.args.get(clause)
    if pair.texts_alike(mine, theirs):
        return True
    nodes = [part.this if part else exp.Boolean(this=True) for part in (mine, theirs)]
    # Ungrouped, HAVING makes an aggregate of a SELECT: it cannot just be there or not.
    if clause == "having" and not (mine and theirs) and not a.args.get("group"):
        return False
    words = {str(n.this) for node in nodes for n in node.find_all(exp.Literal)}
    words |= {"-" + word for word in words}
    places = {word: place for place, word in enumerate(sorted(words, key=lambda w: w.encode("utf-8", "replace")))}
    truths = []
    known: list[z3.BoolRef] = []
    for state, names, node, select in (
        (pair.one, pair.names, nodes[0], a),
        (pair.other, pair.names_, nodes[1], b),
    ):
        grouped = clause == "having" and bool(a.args.get("group"))
        model = _Model(state, names, places, grouped)
        model.nullable = _nullable(state, select)
        truths.append(model.truth(node).holds)
        known += model.known
    solver = z3.Solver()
    solver.set("rlimit", pair.effort)
    solver.add(*known, truths[0] != truths[1])
    return bool(solver.check() == z3.unsat)


def _nullable(state: State, select: exp.Expr) -> set[str]:
    """Aliases whose columns may be NULL whatever is declared: padded by an outer join, here or in a query around."""
    found: set[str] = set()
    node: exp.Expr | None = select
    while node is not None:
        if isinstance(node, exp.Select):
            known = facts(state, node)
            # Columns of groups without rows, and sources about which nothing is known, may be NULL too.
            whole = not known.base or (node.args.get("group") is None and node.args.get("having") is not None)
            aliases = [s.alias_or_name.lower() for s in aliased_sources(node)]
            found |= set(aliases) if whole else known.nullable
        node = node.parent
    return found


__all__ = ["EFFORT", "RULE", "conditions_alike"]
