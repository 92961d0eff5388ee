"""The two commands as a user starts them."""

from __future__ import annotations

import os
import subprocess
import sys


def command(module: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run one of the two commands in a process of its own."""
    environment = {**os.environ, "COLUMNS": "200", "PYTHONWARNINGS": "default"}
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment,
        stdin=subprocess.DEVNULL,
    )
