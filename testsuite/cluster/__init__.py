"""Scoring on the machines of a Ray cluster: the same unit of work, the same records."""

from testsuite.cluster.ray_runner import run_on_ray

__all__ = ["run_on_ray"]
