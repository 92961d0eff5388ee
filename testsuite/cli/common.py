"""What both commands share: exit codes, one message per error, logging."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from testsuite.errors import InputError, SuiteError
from testsuite.score.logs import FORMAT, ItemFilter

DONE, BELOW, BAD_INPUT, UNSCORED = 0, 1, 2, 3

LOG_LEVELS = ("debug", "info", "warning", "error")


def cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


F = TypeVar("F", bound=Callable[..., Any])


def logging_options(command: F) -> F:
    """Give a command ``--log-level`` and ``--log-file``, for ``start_logging``."""
    command = click.option(
        "--log-file",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Log there, with times, instead of to standard error.",
    )(command)
    return click.option("--log-level", type=click.Choice(LOG_LEVELS), default="warning", show_default=True)(command)


def start_logging(level: str, file: Path | None = None) -> None:
    """Log to standard error, or at the end of a file; workers join when the pool starts.

    Raises:
        InputError: the file can't be written.
    """
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if file is not None:
        try:
            handler = logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise InputError(f"--log-file {file}: can't be written: {error.strerror or error}") from error
    handler.setFormatter(logging.Formatter(FORMAT if file is None else f"%(asctime)s {FORMAT}"))
    handler.addFilter(ItemFilter())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


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
