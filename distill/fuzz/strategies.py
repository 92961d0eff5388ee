"""Hypothesis strategies for schemas and for instances of a schema, shared by tests and searches."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from distill.fuzz.generate import generate
from distill.fuzz.policies import Policies
from testsuite.schema import Column, ForeignKey, Schema, Table, affinity_of
from testsuite.shrink.rules import NullPolicy
from testsuite.suite.stack import Stack

_TYPES = ("INTEGER", "TEXT", "REAL", "VARCHAR(20)", "NUMERIC(8,2)", "DATE", "INT", "BOOLEAN")
_NAMES = ("name", "age", "price", "city", "code", "day", "flag", "note")


@st.composite
def columns(draw: st.DrawFn, name: str) -> Column:
    """A column of that name, of any common type, with or without NOT NULL."""
    declared = draw(st.sampled_from(_TYPES))
    return Column(name, declared, affinity_of(declared), draw(st.booleans()))


@st.composite
def tables(draw: st.DrawFn, number: int, parents: tuple[Table, ...]) -> Table:
    """A table ``t<number>`` with a key of one or two columns, or none, and references to some of the parents."""
    key = draw(st.sampled_from(("none", "integer", "text", "pair")))
    own: list[Column] = []
    primary: tuple[str, ...] = ()
    if key in ("integer", "text"):
        declared = "INTEGER" if key == "integer" else "TEXT"
        own.append(Column("id", declared, affinity_of(declared), key == "integer"))
        primary = ("id",)
    names = draw(st.lists(st.sampled_from(_NAMES), min_size=1, max_size=4, unique=True))
    own += [draw(columns(name)) for name in names]
    foreign = []
    # The table itself may be its own parent.
    possible = [*parents, *([Table(f"t{number}", tuple(own), primary)] if primary else [])]
    keyed = [table for table in possible if len(table.primary_key) == 1]
    for place, parent in enumerate(draw(st.lists(st.sampled_from(keyed), max_size=2)) if keyed else []):
        name = f"ref{place}"
        # A TEXT column may refer to an INTEGER key: it holds the number's text.
        declared = draw(st.sampled_from(("TEXT", parent.column(parent.primary_key[0]).declared_type)))
        own.append(Column(name, declared, affinity_of(declared), draw(st.booleans())))
        foreign.append(ForeignKey((name,), parent.name, parent.primary_key))
    if key == "pair" and len(own) > 1:
        primary = (own[0].name, own[-1].name)
    uniques = ((own[-1].name,),) if draw(st.integers(0, 4)) == 0 else ()
    return Table(f"t{number}", tuple(own), primary, uniques, tuple(foreign))


@st.composite
def schemas(draw: st.DrawFn, max_tables: int = 4) -> Schema:
    """A schema of one to ``max_tables`` tables with keys, references (also to itself), UNIQUE and NOT NULL."""
    made: tuple[Table, ...] = ()
    for number in range(draw(st.integers(1, max_tables))):
        made = (*made, draw(tables(number, made)))
    return Schema("drawn", made)


@st.composite
def instances(
    draw: st.DrawFn,
    schema: Schema,
    golds: tuple[str, ...] = (),
    count: int = 4,
    nulls: NullPolicy = "declared",
) -> Stack:
    """A stack of ``count`` instances of the schema, made for the golds. Shrinks in the seed only."""
    seed = draw(st.integers(0, 2**32 - 1))
    return generate(schema, golds, None, count, np.random.default_rng(seed), Policies(nulls=nulls))


__all__ = ["columns", "instances", "schemas", "tables"]
