"""ORDER BY: other direction, other key, key dropped, clause dropped."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, bare, edit, with_arg


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each direction turned, each key by another select item, each key and the whole clause dropped, keys swapped."""
    for order in tree.find_all(exp.Order):
        holder = order.parent
        if not isinstance(holder, (exp.Select, exp.SetOperation)):
            continue
        terms = order.expressions
        for index, term in enumerate(terms):
            copy, found = edit(tree, term)
            _turn(found)
            yield copy
            if len(terms) > 1:
                copy, found = edit(tree, order)
                found.expressions[index].pop()
                yield copy
            if isinstance(holder, exp.Select):
                for item in holder.expressions:
                    key = bare(item)
                    if key != term.this and not isinstance(key, (exp.Star, exp.Literal)) and not key.is_star:
                        copy, found = edit(tree, term)
                        found.set("this", key.copy())
                        yield copy
        if len(terms) == 2:
            copy, found = edit(tree, order)
            found.set("expressions", [found.expressions[1], found.expressions[0]])
            yield copy
            copy, found = edit(tree, order)
            for term in found.expressions:
                _turn(term)
            yield copy
        yield with_arg(tree, holder, "order", None)


def _turn(term: exp.Expr) -> None:
    descending = not term.args.get("desc")
    term.set("desc", descending or None)
    # NULLs are smallest in SQLite: first when ascending, last when descending.
    term.set("nulls_first", not descending)


OPERATOR = Operator(
    "order",
    Family.CLAUSES,
    (
        Example(
            "SELECT name, city FROM club ORDER BY founded DESC",
            (
                "SELECT name, city FROM club ORDER BY founded",
                "SELECT name, city FROM club ORDER BY name DESC",
                "SELECT name, city FROM club ORDER BY city DESC",
                "SELECT name, city FROM club",
            ),
        ),
        Example(
            "SELECT id FROM player ORDER BY age, name",
            ("SELECT id FROM player ORDER BY age", "SELECT id FROM player ORDER BY name, age"),
        ),
        Example("SELECT id FROM player"),
    ),
    apply,
)
