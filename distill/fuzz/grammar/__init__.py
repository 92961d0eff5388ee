"""Random schemas, contents and SQLite queries, to try whether two engines agree.

chance.py       where randomness comes from: a numpy generator, or hypothesis
contents.py     a random schema and small stacked contents for it
expressions.py  values and conditions over the columns in sight
queries.py      SELECTs, joins, groups, set operations, CTEs, windows, order and limit
"""

from __future__ import annotations

from distill.fuzz.grammar.chance import Chance, SeededChance
from distill.fuzz.grammar.contents import random_schema, random_stack
from distill.fuzz.grammar.queries import random_query

__all__ = ["Chance", "SeededChance", "random_query", "random_schema", "random_stack"]
