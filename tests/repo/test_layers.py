"""Who may import whom, read from the source text of every module."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from data import ROOT

# Lower layers first; a module imports only its own layer and those before it.
LAYERS = (
    {"errors", "versions"},
    {"jsonl"},
    {"schema"},
    {"query", "compare", "official"},
    {"dialect"},
    {"suite"},
    {"shrink"},
    {"records"},
    {"metrics"},
    {"engine"},
    {"score", "benchmark", "doctor", "counterexample"},
    {"explain", "scorer"},
    {"cluster", "display", "report", "rewards"},
    {"cli"},
)
# Packages of one layer that may also see a sibling.
SIBLINGS = {("official", "query"), ("score", "benchmark"), ("doctor", "score")}
# Who else may import a library that one module is responsible for.
OWNERS = {
    "duckdb": {"testsuite/engine/session.py"},
    "z3": {"distill/proof/smt.py"},
    "multiprocessing": {"testsuite/score/pool.py", "testsuite/score/logs.py"},
    "multiprocessing_logging": {"testsuite/score/logs.py"},
}
MODULES = sorted(p for top in ("testsuite", "distill") for p in (ROOT / top).rglob("*.py"))


def imported(file: Path) -> set[str]:
    """Dotted names that a module imports, wherever the statement stands; relative ones made absolute."""
    package = list(file.relative_to(ROOT).parent.parts)
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


def layer(package: str) -> int:
    numbers = [i for i, members in enumerate(LAYERS) if package in members]
    assert numbers, f"{package} has no layer yet; give it one in LAYERS"
    return numbers[0]


@pytest.mark.parametrize("file", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports(file: Path) -> None:
    own = file.relative_to(ROOT)
    for name in imported(file):
        parts = name.split(".")
        if parts[0] in OWNERS:
            assert own.as_posix() in OWNERS[parts[0]], f"{own} imports {name}"
        if own.parts[0] != "testsuite":
            continue
        assert parts[0] != "distill", f"{own} imports {name}"
        if parts[0] == "testsuite" and len(parts) > 1 and len(own.parts) > 1:
            mine, other = own.parts[1].removesuffix(".py"), parts[1]
            if mine in {"__init__", "__main__", other} or (mine, other) in SIBLINGS:
                continue
            assert layer(other) < layer(mine), f"{own} imports {name}, a layer not below its own"


def test_pure_packages_need_no_engine() -> None:
    """Comparison, schemas, queries and the official metric load without duckdb, and without its cost."""
    packages = [
        "testsuite.compare",
        "testsuite.schema",
        "testsuite.query",
        "testsuite.official",
        "testsuite.metrics",
        "testsuite.doctor.findings",
    ]
    files = [
        str(p.relative_to(ROOT).with_suffix("")).replace("/", ".").removesuffix(".__init__")
        for p in MODULES
        if str(p.relative_to(ROOT).parent).replace("/", ".") in packages
    ]
    code = f"import sys, importlib\nsys.modules['duckdb'] = None\nfor m in {files!r}: importlib.import_module(m)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
