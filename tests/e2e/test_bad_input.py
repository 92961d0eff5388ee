"""Bad input: one clear message naming file and line or item, exit code 2, never a traceback, results stay."""

from __future__ import annotations

import pytest


def refused(done, *said):
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr + done.stdout
    for words in said:
        assert words in done.stderr, done.stderr


CASES = {
    "missing gold": (lambda b: {"gold": b.folder / "absent.sql"}, ["absent.sql: no such file"]),
    "missing predictions": (lambda b: {"pred": b.folder / "absent.txt"}, ["absent.txt: no such file"]),
    "too few": (lambda b: {"pred": b.write("few.txt", "SELECT 1\n")}, ["few.txt: 1 lines", "4 golds"]),
    "too many": (lambda b: {"pred": b.write("many.txt", "SELECT 1\n" * 9)}, ["many.txt: 9 lines", "4 golds"]),
    "no tab": (lambda b: {"gold": b.write("g.sql", "SELECT 1 shop\n" * 4)}, ["g.sql:1: expected SQL<TAB>db_id"]),
    "no suite at all": (lambda b: {"gold": b.write("g.sql", "SELECT 1\tx\n" * 4)}, ["holds no suite", "distill build"]),
}


@pytest.mark.parametrize("name", CASES)
def test_files(bench, name):
    change, said = CASES[name]
    refused(bench.score(**change(bench)), *said)


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (["--columns", "most"], "--columns"),
        (["--engine", "oracle"], "--engine"),
        (["--audit", "2"], "--audit"),
        (["--timeout", "0"], "above 0"),
        (["--now", "yesterday"], "--now"),
        (["--jobs", "0"], "--jobs"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_flags(bench, extra, said):
    refused(bench.score(*extra), said)


def test_a_damaged_suite_is_refused_and_earlier_results_stay(bench):
    folder = bench.folder / "r"
    assert bench.score("-o", folder).returncode == 0
    before = (folder / "items.jsonl").read_bytes()
    table = next((bench.suites / "shop").glob("*.parquet"))
    table.write_bytes(table.read_bytes()[:-8])
    refused(bench.score("-o", folder), str(table), "build the suite again")
    assert (folder / "items.jsonl").read_bytes() == before
    (bench.suites / "shop" / "manifest.json").write_text("{")
    refused(bench.score("-o", folder), "manifest.json", "damaged")
    assert (folder / "items.jsonl").read_bytes() == before


def test_results_of_another_run_are_refused(bench):
    folder = bench.folder / "r"
    assert bench.score("-o", folder).returncode == 0
    refused(bench.score("-o", folder, "--columns", "strict"), "another run")
