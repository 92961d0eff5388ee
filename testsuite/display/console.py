"""The console that tables go to."""

from __future__ import annotations

import os
import sys

from rich.console import Console

# A file or a pipe has no width of its own; narrower, names of databases would be cut.
_WIDTH_ELSEWHERE = 120


def output() -> Console:
    """Standard output: as wide as the terminal, 120 columns elsewhere (COLUMNS changes that)."""
    fixed = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _WIDTH_ELSEWHERE
    return Console(width=fixed)
