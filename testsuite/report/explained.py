"""Explanations of a run, as ``testsuite explain RESULTS --all`` left them in its directory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from testsuite.errors import InputError

CAUSES = "causes.jsonl"


def read_explanations(directory: Path) -> Mapping[str, Mapping[str, Any]] | None:
    """The explanation of each wrong item by its id, as plain data; None where the run has not been explained.

    Each has ``causes`` (``name``, ``confirmed``, ``repair``), ``counterexample`` (``script``, ``rows``, ``instance``,
    both answers; None where there is none) and ``verified``.

    Raises:
        InputError: a line is damaged.
    """
    path = directory / CAUSES
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: can't be read ({error}); run `testsuite explain {directory} --all` again") from error
    found: dict[str, Mapping[str, Any]] = {}
    for number, raw in enumerate(lines, start=1):
        if not raw:
            continue
        try:
            data = json.loads(raw)
            causes = [
                {"name": str(c["name"]), "confirmed": bool(c["confirmed"]), "repair": c.get("repair")}
                for c in data["causes"]
            ]
            example = data.get("counterexample")
            if example is not None:
                example = {
                    "script": str(example["script"]),
                    "rows": example.get("rows"),
                    "instance": example.get("instance"),
                    "gold": _answer(example["gold"]),
                    "prediction": _answer(example["prediction"]),
                }
            found[str(data["id"])] = {
                "causes": causes,
                "counterexample": example,
                "verified": bool(data.get("verified", False)),
            }
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f"{path}:{number}: not an explanation; run `testsuite explain {directory} --all` again"
            ) from None
    return found


def _answer(data: Mapping[str, Any]) -> dict[str, object]:
    return {
        "columns": [str(name) for name in data.get("columns") or ()],
        "rows": [list(row) for row in data.get("rows") or ()],
        "error": data.get("error"),
    }
