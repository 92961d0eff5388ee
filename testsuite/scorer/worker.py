"""The worker process of a ``Crew``: reads batches of tasks from its standard input, writes one result per task.

It is a plain child process, not a fork: the caller may be a trainer with threads, GPU contexts and DuckDB connections
of its own, none of which survive a fork.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import sys

from testsuite.engine.limits import die_with_parent
from testsuite.score.pool import Doing, mark, mark_in
from testsuite.score.worker import score_task, start_worker

READY = "ready"


def main() -> None:
    """Serve until the input ends, which it does when the caller is gone.

    Arguments: the caller's process id, and the descriptor of a file of one byte in which to say what is being done.
    """
    parent, marks = (int(word) for word in sys.argv[1:3])
    die_with_parent(parent)
    # Ctrl-C at a terminal reaches the whole process group; the caller decides what becomes of its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    incoming = sys.stdin.buffer
    outgoing = os.fdopen(os.dup(1), "wb")
    # What a library prints must not get between the results.
    os.dup2(2, 1)
    mark_in(mmap.mmap(marks, 1))
    start_worker(pickle.load(incoming))
    _send(outgoing, READY)
    while True:
        try:
            tasks = pickle.load(incoming)
        except EOFError:
            return
        for task in tasks:
            mark(Doing.OTHER)
            _send(outgoing, score_task(task))


def _send(outgoing: object, message: object) -> None:
    pickle.dump(message, outgoing, protocol=pickle.HIGHEST_PROTOCOL)  # type: ignore[arg-type]
    outgoing.flush()  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
