"""What both commands share: exit codes, one message per error, logging."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from typing import NoReturn

import click

from testsuite.errors import SuiteError

DONE, BELOW, BAD_INPUT, UNSCORED = 0, 1, 2, 3

LOG_LEVELS = ("debug", "info", "warning", "error")


def cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_logging(level: str) -> None:
    """Log to standard error; workers join through multiprocessing-logging when the pool starts."""
    logging.basicConfig(
        level=level.upper(), stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s", force=True
    )


def run(command: Callable[..., object], name: str) -> NoReturn:
    """Run a click command: our errors become one line and exit code 2, never a traceback."""
    try:
        # Outside standalone mode click returns the code that a command exits with.
        code = command(prog_name=name, standalone_mode=False)
        sys.exit(code if isinstance(code, int) else DONE)
    except click.exceptions.Abort:
        print(f"{name}: stopped; results already written are kept", file=sys.stderr)
        sys.exit(130)
    except KeyboardInterrupt:
        print(f"{name}: stopped; results already written are kept", file=sys.stderr)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(BAD_INPUT)
    except SuiteError as error:
        print(f"{name}: error: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - nothing is listening any more
        sys.exit(DONE)
