"""Set-up for all tests: hypothesis profiles."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

# So that every test can say `from data import spider_data`.
sys.path.insert(0, str(Path(__file__).parent))

COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
# The default repeats exactly; HYPOTHESIS_PROFILE=explore looks for new examples.
settings.register_profile("ci", derandomize=True, **COMMON)
settings.register_profile("explore", derandomize=False, max_examples=2000, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
