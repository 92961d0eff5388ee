"""Figures from records: every number of a report, with its denominator. Pure; nothing is read or run.

``figures_of`` makes all figures of one run, ``compare_items`` sets two runs side by side. A measure is one line of
``measures.MEASURES``, a breakdown one of ``groups.DIMENSIONS``.
"""

from testsuite.metrics.comparison import Change, Comparison, compare_items, differing_inputs
from testsuite.metrics.figures import Dialogue, Figures, Group, figures_of
from testsuite.metrics.groups import DIMENSIONS, Dimension
from testsuite.metrics.measures import MEASURES, Measure, is_lucky
from testsuite.metrics.paired import PairedTest, mcnemar_exact, paired_interval
from testsuite.metrics.shares import Mean, Share, percent, share, wilson

__all__ = [
    "DIMENSIONS",
    "MEASURES",
    "Change",
    "Comparison",
    "Dialogue",
    "Dimension",
    "Figures",
    "Group",
    "Mean",
    "Measure",
    "PairedTest",
    "Share",
    "compare_items",
    "differing_inputs",
    "figures_of",
    "is_lucky",
    "mcnemar_exact",
    "paired_interval",
    "percent",
    "share",
    "wilson",
]
