"""Pure comparison of answers: numpy only, no engine.

canonical   engine values to cells with 64-bit codes
answer      a query's answer on many instances at once
policy      what counts as equal, and the record of a comparison
window      tie groups inside LIMIT and OFFSET
sums        sums over cells, to rule out early
admit       the exact test: all that the prediction can give is something the gold can give
layout      both answers side by side, so that an order of columns is tested by one hash per instance
tolerance   reals within a tolerance get one code
columns     the search for an order of columns
verdict     compare: all of these together
open        answers that SQL leaves open
extra       the gold's answer among too many columns
merge       parts of answers put together
"""

from testsuite.compare.answer import Answer, Cells, Kind
from testsuite.compare.canonical import cells_from_arrow, cells_from_python
from testsuite.compare.extra import holds_gold
from testsuite.compare.merge import merge_answers, take_answer
from testsuite.compare.open import compare_open, determined
from testsuite.compare.policy import Comparison, Policy, Reason
from testsuite.compare.verdict import compare

__all__ = [
    "Answer",
    "Cells",
    "Comparison",
    "Kind",
    "Policy",
    "Reason",
    "cells_from_arrow",
    "cells_from_python",
    "compare",
    "compare_open",
    "determined",
    "holds_gold",
    "merge_answers",
    "take_answer",
]
