"""Hypothesis profiles: `ci` (the default: new examples each day) and `thorough`; the collector."""

from __future__ import annotations

import datetime as dt
import gc
import os
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from hypothesis.database import DirectoryBasedExampleDatabase

SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
FOUND = Path(os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY", ".hypothesis"), "examples").absolute()
"""Examples that have failed: each is tried first, until it passes."""
SEED = os.environ.setdefault("HYPOTHESIS_SEED", f"{dt.datetime.now(dt.UTC):%Y%m%d}")
"""Of all examples that are drawn; set in the environment, so that workers have it over midnight."""

settings.register_profile(
    "ci",
    max_examples=15,
    derandomize=False,
    database=DirectoryBasedExampleDatabase(FOUND),
    print_blob=True,
    deadline=None,
    suppress_health_check=SLOW_IS_FINE,
)
settings.register_profile(
    "thorough",
    parent=settings.get_profile("ci"),
    max_examples=int(os.environ.get("PROPERTY_EXAMPLES", "2000")),
    report_multiple_bugs=True,
)
# `--hypothesis-profile` is applied after this file was read, so it has the last word.
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


LONG = "tests/driver/"
"""Most of its tests build an environment, or several."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how to draw the same examples again."""
    terminalreporter.write_line(f"Hypothesis: HYPOTHESIS_SEED={SEED}, failures kept in {FOUND}")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give each property the seed of the day.

    `hypothesis.seed` and `--hypothesis-seed` do the same, but switch the database off.
    """
    test = getattr(item, "function", None)
    if is_hypothesis_test(test):
        test._hypothesis_internal_use_seed = int(SEED)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have each worker begin with some of the files that take long, so that none ends with them.

    `worksteal` gives each worker an equal piece of the list, in its order; a worker that is done
    takes the end of another one's.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    short = [item for item in items if not item.nodeid.startswith(LONG)]
    long = [item for item in items if item.nodeid.startswith(LONG)]
    files = [list(tests) for _, tests in groupby(long, lambda item: item.path)]
    ordered: list[pytest.Item] = []
    for number in range(workers):
        end = (number + 1) * len(items) // workers
        ordered += [item for tests in files[number::workers] for item in tests]
        cut = max(0, end - len(ordered))
        ordered += short[:cut]
        del short[:cut]
    items[:] = ordered + short


def pytest_collection_finish() -> None:
    """Collect seldom, as the command does, and none of the tests that are waiting themselves.

    Each of these is an object that is looked at again and again: a tenth of a test that slices.
    """
    gc.set_threshold(40_000, 20, 20)
    gc.collect()
    gc.freeze()
