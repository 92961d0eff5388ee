"""Versions of everything that can change a verdict."""

from __future__ import annotations

import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version


def tool_versions() -> dict[str, str]:
    """Versions by name: this package, Python, SQLite and the libraries that read or run queries."""
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for name in ("testsuite-accuracy", "duckdb", "sqlglot", "numpy", "pyarrow"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return dict(sorted(found.items()))
