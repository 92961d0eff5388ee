"""Fuzzing: many small instances of a schema, made for the queries that will be compared on them."""

from distill.fuzz.constraints import violations
from distill.fuzz.generate import Generated, assumptions, generate, generate_with_assumptions
from distill.fuzz.policies import Policies
from distill.fuzz.storage import suite_storage
from testsuite.shrink.rules import Assumptions, NullPolicy

__all__ = [
    "Assumptions",
    "Generated",
    "NullPolicy",
    "Policies",
    "assumptions",
    "generate",
    "generate_with_assumptions",
    "suite_storage",
    "violations",
]
