"""Why predictions are wrong: causes confirmed by experiment, and the smallest counterexample of each.

record      what is said of an item; causes.jsonl
run         all wrong items of a results directory, in worker processes
explain     one item
canonical   two trees written alike
merge       all edits between them, and the tree that some of them give
conditions  conditions taken apart and paired
edits       one edit
causes/     what an edit is called, one cause per file
confirm     which edits make the prediction right
"""

from testsuite.explain.record import Explanation, FoundCause, ShownAnswer, ShownExample, load_causes, save_causes

__all__ = ["Explanation", "FoundCause", "ShownAnswer", "ShownExample", "load_causes", "save_causes"]
