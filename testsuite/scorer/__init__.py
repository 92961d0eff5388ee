"""A scorer that stays warm: workers, suites, gold answers and verdicts are kept from call to call.

``Scorer``     what callers see: cache of verdicts, order of results, sync and async forms.
``crew``       worker processes that a hanging or dying item cannot take along.
``alone``      the same work in this process, in one thread of its own.
``worker``     what runs in a worker process.
"""

from testsuite.scorer.scorer import Scorer

__all__ = ["Scorer"]
