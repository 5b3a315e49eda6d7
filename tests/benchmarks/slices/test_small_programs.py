"""The small programs whose slices did the same as they stand, when they were last measured."""

from __future__ import annotations

import json

import pytest

from benchmarks.common.report import RESULTS
from benchmarks.slices.small_programs import PROGRAMS, differs
from tests.nightly import one_in

GROUPS = json.loads(PROGRAMS.read_text(encoding="utf-8"))
MEASURED = json.loads((RESULTS / "small_programs.json").read_text(encoding="utf-8"))
SAME = [
    (group, name)
    for group, programs in GROUPS.items()
    for name in programs
    if name not in MEASURED[group]["differing"]
]


@pytest.mark.parametrize(("group", "name"), one_in(5, SAME))
def test_the_slice_still_does_the_same(group: str, name: str) -> None:
    assert differs(GROUPS[group][name]) == ""
