"""summary.json: figures with their denominators, how they were made, and what they were made from. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from testsuite.metrics import figures_of
from testsuite.records import UNSCORED_FATES, ItemResult


def summarise(
    results: Sequence[ItemResult],
    options: Mapping[str, object],
    inputs: Mapping[str, object],
    versions: Mapping[str, str],
) -> dict[str, object]:
    """Content of summary.json.

    Args:
        results: records of all items.
        options: those that decided verdicts, by name; ``etype`` says which figures there are.
        inputs: hashes of all files.
    """
    audited = [r.audit for r in results if r.audit is not None]
    reasons = Counter(r.path_reason for r in results if r.path_reason)
    fates = Counter(r.fate.value for r in results)
    return {
        "items": len(results),
        "scored": sum(r.fate not in UNSCORED_FATES for r in results),
        **figures_of(results, str(options.get("etype", "exec"))).to_dict(),
        "fates": dict(sorted(fates.items())),
        "flags": dict(sorted(Counter(f for r in results for f in set(r.flags)).items())),
        "paths": {
            **{p: sum(r.path == p for r in results) for p in ("stacked", "instance", "sqlite")},
            "none": sum(r.path is None for r in results),
            "reasons": dict(reasons.most_common()),
        },
        "audit": {
            "pairs": len(audited),
            "queries": sum(a[0] for a in audited),
            "disagreements": sum(a[1] for a in audited),
            "tie_dependent": sum(a[2] for a in audited),
        },
        "options": dict(options),
        "inputs": dict(inputs),
        "versions": dict(versions),
    }
