"""What workers log reaches the person who started the command, and names its item."""

from __future__ import annotations

import re
from pathlib import Path


def test_records_of_workers_name_their_items(bench, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    log = tmp_path / "run.log"
    done = bench.score("--jobs", 2, "--log-level", "debug", "--log-file", log)
    assert done.returncode == 0 and "DEBUG" not in done.stderr, done.stderr
    text = log.read_text(encoding="utf-8")
    told = re.findall(r"^\d{4}-\S+ \S+ DEBUG testsuite.score.worker \[item (\d+) of shop\]: ok in ", text, re.MULTILINE)
    assert sorted(told) == ["0", "1", "2", "3"]


def test_without_a_file_the_log_goes_to_standard_error(bench) -> None:  # type: ignore[no-untyped-def]
    assert "INFO testsuite.score.worker [item" in bench.score("--log-level", "info").stderr
    assert "INFO" not in bench.score().stderr


def test_a_log_that_cannot_be_written_is_one_message(bench) -> None:  # type: ignore[no-untyped-def]
    done = bench.score("--log-file", "/proc/nothing/run.log")
    assert done.returncode == 2 and "Traceback" not in done.stderr and "--log-file" in done.stderr
