"""Accepted predictions on fresh instances made for both queries: a figure beside test-suite accuracy, not of it."""

from distill.probe.record import PROBE, Outcome, ProbeRecord, load_probe, write_probe
from distill.probe.run import ProbeOptions, ProbeReport, probe_results
from distill.probe.settle import Ground, fresh_instances, settle

__all__ = [
    "PROBE",
    "Ground",
    "Outcome",
    "ProbeOptions",
    "ProbeRecord",
    "ProbeReport",
    "fresh_instances",
    "load_probe",
    "probe_results",
    "settle",
    "write_probe",
]
