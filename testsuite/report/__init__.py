"""One self-contained HTML page about one or several runs.

``read_runs`` reads results directories, ``render`` makes the page, ``write_report`` does both and writes the file. All
figures come from ``testsuite.metrics``; templates only place them.
"""

from testsuite.report.page import render, write_report
from testsuite.report.runs import Run, read_runs

__all__ = ["Run", "read_runs", "render", "write_report"]
