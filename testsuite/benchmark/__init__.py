"""A small benchmark of our own, in Spider's layout: six databases, golds, and predictions with known verdicts."""

from testsuite.benchmark.materialise import BenchmarkPaths, materialise

__all__ = ["BenchmarkPaths", "materialise"]
