"""Alarms that end a worker whose query does not come back.

A step inside SQLite can run for a minute without asking anyone whether to go on (``printf('%.*c', 2000000000, 'x')``):
neither a progress handler nor an interrupt reaches it, and Python never gets to run a handler of its own. So the
kernel is asked to end the process. Only workers of the pool do so; a judge that a library user opens has no alarm.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from testsuite.score.pool import Doing, mark

GRACE = 2.0
"""Seconds beyond its budget in which a query may still stop by itself."""

Guard = Callable[[Doing, float], AbstractContextManager[None]]
"""What a judge puts around every run: whose query it is, and the seconds it may take."""


def unguarded(doing: Doing, seconds: float) -> AbstractContextManager[None]:
    """No alarm: a query that nothing stops is waited for."""
    return nullcontext()


@contextmanager
def deadly(doing: Doing, seconds: float) -> Iterator[None]:
    """End this process by SIGALRM if the run is not over ``GRACE`` after its budget; for workers of the pool.

    Guards inside another one do nothing; the outer one goes on.
    """
    if signal.getitimer(signal.ITIMER_REAL)[0] > 0:
        yield
        return
    mark(doing)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.0) + GRACE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        mark(Doing.OTHER)
