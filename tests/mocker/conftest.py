"""The mocks of a library are tested below the library itself: without it, these tests wait."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).parent
IS_INSTALLED = all(map(importlib.util.find_spec, ("responses", "sqlalchemy", "selenium")))
WITHOUT_LIBRARIES = (
    "test_asked.py",
    "test_mocking.py",
    "test_pieces.py",
    "test_policy.py",
    "test_stubs.py",
)

# these import the libraries at their top
collect_ignore_glob = [] if IS_INSTALLED else ["*test_*_real.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What runs mocked scripts is skipped where their libraries are not installed."""
    if IS_INSTALLED:
        return
    reason = "the libraries are not installed: .venv/bin/uv pip install -e '.[mocks]'"
    for item in items:
        if HERE in item.path.parents and item.path.name not in WITHOUT_LIBRARIES:
            item.add_marker(pytest.mark.skip(reason=reason))
