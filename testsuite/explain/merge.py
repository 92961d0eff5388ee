"""A prediction with some parts of its gold put in: all edits there are, and the tree that any choice of them gives.

Both trees are walked side by side. Where they differ and can't be followed further, an edit is noted; if it is among
those chosen, the gold's part goes in, else the prediction's stays. All edits together give the gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from testsuite.explain.conditions import combine, comparable, parts_of, similar
from testsuite.explain.edits import Edit, Key, text
from testsuite.query.same import leaves
from testsuite.query.scope import unwrap


@dataclass
class Merge:
    """One merge of two canonical trees.

    Args:
        chosen: keys of the edits that are made; None for all.
    """

    chosen: Collection[Key] | None
    edits: dict[Key, Edit] = field(default_factory=dict)
    _limited: bool = False

    def query(self, p: exp.Expr, g: exp.Expr, key: Key = ()) -> exp.Expr:
        """The prediction's query with the chosen parts of the gold's.

        Args:
            p: the prediction's, or a query in it.
            g: the gold's.
            key: where it stands.
        """
        if text(p) == text(g):
            return p.copy()
        if text(p.args.get("with_")) != text(g.args.get("with_")):
            return g.copy() if self._takes((*key, "with"), "set", "query", p, g) else p.copy()
        mine, theirs = leaves(p), leaves(g)
        plain = all(isinstance(leaf, exp.Select) for leaf in (*mine, *theirs))
        if not plain:
            return g.copy() if self._takes((*key, "query"), "set", "query", p, g) else p.copy()
        if len(mine) == len(theirs) == 1:
            return self._select(_inner(p), _inner(g), key)
        if len(mine) == len(theirs) and _shape(p) == _shape(g):
            return self._leaves(p, mine, [(a, b) for a, b in zip(mine, theirs, strict=True)], g, key)
        return self._shapes(p, mine, g, theirs, key)

    def _shapes(
        self, p: exp.Expr, mine: Sequence[exp.Expr], g: exp.Expr, theirs: Sequence[exp.Expr], key: Key
    ) -> exp.Expr:
        """Queries put together in different ways: the gold's way, with the prediction's parts in it, or its own."""
        takes = self._takes((*key, "set"), "set", "set", p, g)
        if len(mine) > len(theirs):
            best = max(range(len(mine)), key=lambda i: _alike(mine[i], theirs[0]))
            pairs = [(mine[best], theirs[0]), *zip(mine[:best], theirs[1:], strict=False)]
        else:
            best = max(range(len(theirs)), key=lambda i: _alike(mine[0], theirs[i])) if len(mine) == 1 else 0
            pairs = [(mine[0], theirs[best])] if len(mine) == 1 else list(zip(mine, theirs, strict=False))
        if not takes:
            return self._leaves(p, mine, pairs, None, key)
        result = g.copy()
        places = leaves(result)
        for number, (a, b) in enumerate(pairs):
            place = next(places[i] for i, leaf in enumerate(theirs) if leaf is b)
            merged = self._select(a, b, (*key, "leaf", number), bare=len(theirs) > 1)
            if place is result:
                return merged
            place.replace(merged)
        return result

    def _leaves(
        self,
        p: exp.Expr,
        mine: Sequence[exp.Expr],
        pairs: Sequence[tuple[exp.Expr, exp.Expr]],
        g: exp.Expr | None,
        key: Key,
    ) -> exp.Expr:
        result = p.copy()
        places = leaves(result)
        for number, (a, b) in enumerate(pairs):
            place = next(places[i] for i, leaf in enumerate(mine) if leaf is a)
            merged = self._select(a, b, (*key, "leaf", number), bare=g is not None)
            if place is result:
                return merged
            place.replace(merged)
        if g is not None:
            self._tail(result, p, g, key)
        return result

    def _select(self, p: exp.Expr, g: exp.Expr, key: Key, bare: bool = False) -> exp.Expr:
        result = p.copy()
        if text(p.args.get("distinct")) != text(g.args.get("distinct")):
            gold = g.args.get("distinct")
            if self._takes((*key, "distinct"), "select", "distinct", p.args.get("distinct"), gold):
                result.set("distinct", None if gold is None else gold.copy())
        result.set("expressions", self._items(p.expressions, g.expressions, (*key, "select")))
        self._from(result, p, g, key)
        outer, self._limited = self._limited, _limits(p) != _limits(g)
        for clause in ("where", "having"):
            own, gold = p.args.get(clause), g.args.get(clause)
            merged = self._condition(own and own.this, gold and gold.this, (*key, clause), clause)
            maker = exp.Where if clause == "where" else exp.Having
            result.set(clause, None if merged is None else maker(this=merged))
        own, gold = p.args.get("group"), g.args.get("group")
        keys = [Counter(map(text, part.expressions)) if part is not None else Counter() for part in (own, gold)]
        if keys[0] != keys[1] and self._takes((*key, "group"), "group", "group", own, gold):
            result.set("group", None if gold is None else gold.copy())
        if not bare:
            self._tail(result, p, g, key)
        self._limited = outer
        return result

    def _tail(self, result: exp.Expr, p: exp.Expr, g: exp.Expr, key: Key) -> None:
        """ORDER BY, LIMIT and OFFSET."""
        outer, self._limited = self._limited, _limits(p) != _limits(g)
        own, gold = p.args.get("order"), g.args.get("order")
        if text(own) != text(gold):
            if own is not None and gold is not None and len(own.expressions) == len(gold.expressions):
                items = [
                    self._ordered(a, b, (*key, "order", n))
                    for n, (a, b) in enumerate(zip(own.expressions, gold.expressions, strict=True))
                ]
                result.set("order", exp.Order(expressions=items))
            elif self._takes((*key, "order"), "order", "order", own, gold):
                result.set("order", None if gold is None else gold.copy())
        tails = [p.args.get("limit"), p.args.get("offset")], [g.args.get("limit"), g.args.get("offset")]
        if list(map(text, tails[0])) != list(map(text, tails[1])) and self._takes(
            (*key, "limit"), "limit", "limit", tails[0][0], tails[1][0]
        ):
            for name, part in zip(("limit", "offset"), tails[1], strict=True):
                result.set(name, None if part is None else part.copy())
        self._limited = outer

    def _ordered(self, p: exp.Expr, g: exp.Expr, key: Key) -> exp.Expr:
        item = p.copy()
        item.set("this", self._value(p.this, g.this, (*key, "by"), "order"))
        if bool(p.args.get("desc")) != bool(g.args.get("desc")) and self._takes(
            (*key, "direction"), "order", "direction", p, g
        ):
            item.set("desc", g.args.get("desc"))
            item.set("nulls_first", g.args.get("nulls_first"))
        return item

    def _from(self, result: exp.Expr, p: exp.Expr, g: exp.Expr, key: Key) -> None:
        own, gold = _joined(p), _joined(g)
        if own == gold:
            return
        alone = not p.args.get("joins") and not g.args.get("joins")
        mine, theirs = (part.this if (part := select.args.get("from_")) is not None else None for select in (p, g))
        if alone and isinstance(mine, exp.Subquery) and isinstance(theirs, exp.Subquery):
            derived = mine.copy()
            derived.set("this", self.query(mine.this, theirs.this, (*key, "from")))
            result.set("from_", exp.From(this=derived))
            return
        kind = "join_path"
        if own[0] == gold[0]:
            kind = "join_condition" if own[1] == gold[1] else "join_type"
        if self._takes((*key, "from"), "from", kind, p, g):
            for name in ("from_", "joins"):
                part = g.args.get(name)
                result.set(name, [join.copy() for join in part] if isinstance(part, list) else part and part.copy())

    def _items(self, own: Sequence[exp.Expr], gold: Sequence[exp.Expr], key: Key) -> list[exp.Expr]:
        """The output columns. Where the two have as many, those left over are paired; else the list is one edit."""
        left = Counter(map(text, own)) - Counter(map(text, gold))
        right = Counter(map(text, gold)) - Counter(map(text, own))
        if not left and not right:
            return [item.copy() for item in own]
        if left.total() != right.total():
            takes = self._takes(
                (*key, "columns"), "select", "columns", exp.Tuple(expressions=own), exp.Tuple(expressions=gold)
            )
            return [item.copy() for item in (gold if takes else own)]
        waiting = [item for item in gold if _spend(right, text(item))]
        items: list[exp.Expr] = []
        for number, item in enumerate(own):
            if not _spend(left, text(item)):
                items.append(item.copy())
                continue
            other = max(waiting, key=lambda candidate: _alike(item, candidate))
            waiting.remove(other)
            items.append(self._value(item, other, (*key, number), "select"))
        return items

    def _condition(self, p: exp.Expr | None, g: exp.Expr | None, key: Key, place: str) -> exp.Expr | None:
        if text(p) == text(g):
            return None if p is None else p.copy()
        kinds = [type(unwrap(part)) for part in (p, g) if part is not None]
        kinds = [kind for kind in kinds if kind in (exp.And, exp.Or)]
        if len(set(kinds)) == 2 and p is not None and g is not None:
            same = Counter(map(text, parts_of(p, kinds[0]))) == Counter(map(text, parts_of(g, kinds[1])))
            takes = self._takes(key, place, "connector" if same else "condition", p, g)
            return (g if takes else p).copy()
        connector = kinds[0] if kinds else exp.And
        own, gold = parts_of(p, connector), parts_of(g, connector)
        pairs = similar(own, gold)
        found: list[exp.Expr] = []
        for number, part in enumerate(own):
            other = pairs.get(number)
            if other is not None:
                found.append(self._predicate(part, gold[other], (*key, number), place))
            elif not self._takes((*key, number), place, "extra", part, None):
                found.append(part.copy())
        for number, part in enumerate(gold):
            if number not in pairs.values() and self._takes((*key, "gold", number), place, "missing", None, part):
                found.append(part.copy())
        return combine(found, connector)

    def _predicate(self, p: exp.Expr, g: exp.Expr, key: Key, place: str) -> exp.Expr:
        p, g = unwrap(p), unwrap(g)
        if text(p) == text(g):
            return p.copy()
        if isinstance(p, (exp.And, exp.Or)) and isinstance(g, (exp.And, exp.Or)):
            inside = self._condition(p, g, (*key, "in"), place)
            return exp.Paren(this=inside)
        if isinstance(p, exp.Not) or isinstance(g, exp.Not):
            inner = [unwrap(part.this) if isinstance(part, exp.Not) else part for part in (p, g)]
            negated = isinstance(p, exp.Not)
            if negated != isinstance(g, exp.Not) and self._takes((*key, "not"), place, "negation", p, g):
                negated = not negated
            value = self._predicate(inner[0], inner[1], (*key, "inner"), place)
            return exp.Not(this=exp.Paren(this=value)) if negated else value
        if comparable(p) and comparable(g):
            kind: type[exp.Expr] = type(p)
            if type(p) is not type(g) and self._takes((*key, "operator"), place, "operator", p, g):
                kind = type(g)
            return kind(
                this=self._value(p.this, g.this, (*key, "left"), place),
                expression=self._value(p.expression, g.expression, (*key, "right"), place),
            )
        if isinstance(p, exp.Between) and isinstance(g, exp.Between):
            names = ("this", "low", "high")
            return exp.Between(**{n: self._value(p.args[n], g.args[n], (*key, n), place) for n in names})
        if isinstance(p, exp.In) and isinstance(g, exp.In):
            return self._membership(p, g, key, place)
        return (g if self._takes(key, place, "predicate", p, g) else p).copy()

    def _membership(self, p: exp.In, g: exp.In, key: Key, place: str) -> exp.Expr:
        result = p.copy()
        result.set("this", self._value(p.this, g.this, (*key, "left"), place))
        own, gold = p.args.get("query"), g.args.get("query")
        if own is not None and gold is not None:
            result.set("query", exp.Subquery(this=self.query(_query_in(own), _query_in(gold), (*key, "query"))))
        elif Counter(map(text, p.expressions)) != Counter(map(text, g.expressions)) or own is not gold:
            kind = "literal" if own is gold else "predicate"
            if self._takes((*key, "list"), place, kind, p, g):
                for name in ("query", "expressions"):
                    part = g.args.get(name)
                    result.set(name, [v.copy() for v in part] if isinstance(part, list) else part and part.copy())
        return result

    def _value(self, p: exp.Expr, g: exp.Expr, key: Key, place: str) -> exp.Expr:
        p, g = unwrap(p), unwrap(g)
        if text(p) == text(g):
            return p.copy()
        if isinstance(p, exp.Subquery) and isinstance(g, exp.Subquery):
            return exp.Subquery(this=self.query(p.this, g.this, (*key, "query")))
        kind = "expression"
        if _constant(p) and _constant(g):
            kind = "literal"
        elif isinstance(p, exp.Column) and isinstance(g, exp.Column):
            kind = "column"
        elif isinstance(p, exp.AggFunc) or isinstance(g, exp.AggFunc):
            kind = "aggregate"
            if type(p) is type(g):
                return self._aggregate(p, g, key, place)
        elif type(p) is type(g) and isinstance(p, exp.Binary):
            return type(p)(
                this=self._value(p.this, g.this, (*key, "left"), place),
                expression=self._value(p.expression, g.expression, (*key, "right"), place),
            )
        return (g if self._takes(key, place, kind, p, g) else p).copy()

    def _aggregate(self, p: exp.Expr, g: exp.Expr, key: Key, place: str) -> exp.Expr:
        own, gold = (part.this for part in (p, g))
        inner = [part.expressions[0] if _single_distinct(part) else part for part in (own, gold)]
        distinct = _single_distinct(own)
        if distinct != _single_distinct(gold) and self._takes((*key, "distinct"), place, "count_distinct", p, g):
            distinct = not distinct
        if any(part is None or isinstance(part, exp.Distinct) for part in inner):
            return (g if self._takes((*key, "all"), place, "aggregate", p, g) else p).copy()
        value = self._value(inner[0], inner[1], (*key, "argument"), place)
        result = p.copy()
        result.set("this", exp.Distinct(expressions=[value]) if distinct else value)
        return result

    def _takes(self, key: Key, place: str, kind: str, p: exp.Expr | None, g: exp.Expr | None) -> bool:
        self.edits.setdefault(key, Edit(key, place, kind, p, g, self._limited))
        return self.chosen is None or key in self.chosen


def _inner(query: exp.Expr) -> exp.Expr:
    return leaves(query)[0]


def _shape(query: exp.Expr) -> str:
    if isinstance(query, exp.SetOperation):
        return f"{type(query).__name__}{query.args.get('distinct')}({_shape(query.this)},{_shape(query.expression)})"
    return "s"


def _limits(query: exp.Expr) -> bool:
    return query.args.get("limit") is not None


def _alike(p: exp.Expr, g: exp.Expr) -> int:
    """How many nodes two parts share, by text."""
    mine = Counter(text(node) for node in p.walk() if not isinstance(node, exp.Identifier))
    theirs = Counter(text(node) for node in g.walk() if not isinstance(node, exp.Identifier))
    return 4 * (mine & theirs).total() - (mine | theirs).total() + 2 * (type(p) is type(g))


def _joined(select: exp.Expr) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """The sources, how each is joined, and the conditions of all joins."""
    sources: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    conditions: Counter[str] = Counter()
    first = select.args.get("from_")
    if first is not None:
        sources[text(first.this)] += 1
    for join in select.args.get("joins") or ():
        sources[text(join.this)] += 1
        outer = join.side or ("" if join.method != "NATURAL" else "NATURAL")
        if outer:
            ways[f"{outer} {text(join.this)}"] += 1
        on = join.args.get("on")
        for part in parts_of(on, exp.And) if on is not None else ():
            conditions[text(part)] += 1
        for name in join.args.get("using") or ():
            conditions[f"USING {text(name)}"] += 1
    return sources, ways, conditions


def _query_in(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, exp.Subquery) else node


def _constant(node: exp.Expr) -> bool:
    return isinstance(node, (exp.Literal, exp.Null, exp.Boolean)) or (
        isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal)
    )


def _single_distinct(node: exp.Expr | None) -> bool:
    return isinstance(node, exp.Distinct) and len(node.expressions) == 1


def _spend(counter: Counter[str], name: str) -> bool:
    if counter[name] <= 0:
        return False
    counter[name] -= 1
    return True
