"""What a worker process may take of the machine: memory, files, and no life beyond its parent's."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from contextlib import suppress

GIB = 1 << 30
_PR_SET_PDEATHSIG = 1
# Looked up before any fork: a child of a process with threads should not have to load a library.
_LIBC = ctypes.CDLL(None)


def confine(memory: int = 8 * GIB, writes_files: bool = True) -> None:
    """Bound this process from here on, for good.

    Address space counts what is reserved, so it stands far above the memory that DuckDB is given; it is there for
    what no engine counts, such as the cells of a result on their way to Python.

    Args:
        memory: bytes of address space; beyond them an allocation fails with MemoryError.
        writes_files: whether regular files may be written at all. Pipes and sockets always may.
    """
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_AS, memory)
    if not writes_files:
        _lower(resource.RLIMIT_FSIZE, 0)


def _lower(which: int, limit: int) -> None:
    # A machine or a batch system may have set a lower one, which stands.
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(which, (limit, limit))


def die_with_parent(parent: int) -> None:
    """Let the kernel kill this process when the thread that forked it ends, however it does (Linux).

    Args:
        parent: the parent's process id; if it is gone already, this process ends at once.
    """
    if hasattr(_LIBC, "prctl"):
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
