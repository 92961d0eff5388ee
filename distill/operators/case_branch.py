"""CASE with a branch missing, results exchanged, or without ELSE."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from distill.operators.base import Context, Example, Family, Operator, edit


def apply(tree: exp.Expr, context: Context) -> Iterator[exp.Expr]:
    """Each WHEN dropped, ELSE dropped, results of the first branch and of the next or ELSE exchanged."""
    for node in tree.find_all(exp.Case):
        branches = node.args["ifs"]
        if len(branches) > 1:
            for index in range(len(branches)):
                copy, found = edit(tree, node)
                found.args["ifs"][index].pop()
                yield copy
        if node.args.get("default"):
            copy, found = edit(tree, node)
            found.set("default", None)
            yield copy
        copy, found = edit(tree, node)
        first = found.args["ifs"][0]
        if len(branches) > 1:
            other, key = found.args["ifs"][1], "true"
        elif node.args.get("default"):
            other, key = found, "default"
        else:
            continue
        one, two = first.args["true"].copy(), other.args[key].copy()
        first.set("true", two)
        other.set(key, one)
        yield copy


OPERATOR = Operator(
    "case",
    Family.FUNCTIONS,
    (
        Example(
            "SELECT CASE WHEN age > 20 THEN 'a' ELSE 'b' END FROM player",
            (
                "SELECT CASE WHEN age > 20 THEN 'a' END FROM player",
                "SELECT CASE WHEN age > 20 THEN 'b' ELSE 'a' END FROM player",
            ),
        ),
        Example("SELECT age FROM player"),
    ),
    apply,
)
