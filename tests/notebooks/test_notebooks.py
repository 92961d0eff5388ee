"""Every notebook runs on the embedded benchmark, is stored without outputs, and holds no logic of its own."""

from __future__ import annotations

import ast
import json
import os
import time
from pathlib import Path

import pytest
from data import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# Seconds, on a machine that does other things too; alone each takes less than 20.
PATIENCE = 300

books = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_of(path: Path) -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_notebooks_are_there() -> None:
    assert [path.stem[:2] for path in NOTEBOOKS] == ["01", "02", "03", "04"]


@books
def test_stored_without_outputs(path: Path) -> None:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None, cell["source"]


@books
def test_holds_no_logic(path: Path) -> None:
    """What could be wrong belongs to the packages, where it is tested: no functions, no classes, no branches."""
    for source in code_of(path):
        for node in ast.walk(ast.parse(source)):
            forbidden = ast.FunctionDef | ast.ClassDef | ast.If | ast.While | ast.Try
            assert not isinstance(node, forbidden), ast.unparse(node)


@books
def test_paths_are_one_variable(path: Path) -> None:
    """The first code cell chooses the data; nothing else names a path."""
    first, *others = code_of(path)
    assert "STUDY = embedded_study()" in first
    assert not [source for source in others if "Path(" in source or "embedded_study" in source]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One working folder for all: suites are built and models scored once."""
    return tmp_path_factory.mktemp("study")


@pytest.mark.slow
@books
def test_runs(path: Path, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    book = nbformat.read(path, as_version=4)
    for cell in book.cells:
        cell.source = cell.source.replace("STUDY = embedded_study()", f"STUDY = embedded_study({str(work)!r})")
    started = time.perf_counter()
    client = nbclient.NotebookClient(
        book, timeout=PATIENCE, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    print(f"{path.stem}: {time.perf_counter() - started:.0f} s")
    outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
    assert any(output.output_type in ("display_data", "execute_result") for output in outputs)
    told = "".join(output["text"] for output in outputs if output.output_type == "stream" and output.name == "stderr")
    # Builds log sums that hang on the order of addition; anything else would be a surprise to the reader.
    known = ("SQLite sees no difference", "not confirmed by SQLite")
    assert [line for line in told.splitlines() if not any(words in line for words in known)] == []
    if not path.stem.startswith("01"):
        assert any("image/png" in output.get("data", {}) for output in outputs), "no picture"
