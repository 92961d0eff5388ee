"""The pipeline of one schema, one phase per module, in the order of work.

options     what decides a suite's content; a task and its outcome
pipeline    the phases in order
golds       which golds run, and what they answer on the candidates
nearness    the neighbours of every gold and which candidates separate them
settling    neighbours that (almost) no candidate separates: proofs and searches for further instances
choice      the cover, each separation it rests on confirmed on SQLite
shrinking   the largest kept instances made smaller
audit       every gold on every kept instance on both engines
record      the manifest
"""

from distill.build.options import BuildOptions, BuildOutcome, BuildTask
from distill.build.pipeline import build_suite

__all__ = ["BuildOptions", "BuildOutcome", "BuildTask", "build_suite"]
