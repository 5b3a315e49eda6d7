"""Hypothesis profiles: `ci` (the default, small, always the same) and `thorough`; the collector."""

from __future__ import annotations

import gc
import os

from hypothesis import HealthCheck, settings

SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)

settings.register_profile(
    "ci", max_examples=10, derandomize=True, deadline=None, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "thorough",
    max_examples=int(os.environ.get("PROPERTY_EXAMPLES", "2000")),
    deadline=None,
    suppress_health_check=SLOW_IS_FINE,
    report_multiple_bugs=True,
)
# `--hypothesis-profile` is applied after this file was read, so it has the last word.
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_collection_finish() -> None:
    """Collect seldom, as the command does, and none of the tests that are waiting themselves.

    Each of these is an object that is looked at again and again: a tenth of a test that slices.
    """
    gc.set_threshold(40_000, 20, 20)
    gc.collect()
    gc.freeze()
