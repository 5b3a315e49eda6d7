"""One run of a mocked slice in the sandbox, and what `mocks_child.py` tells about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from slicefunc.slicer import Slice
from slicefunc.verifier.execution.executors.interface import Executor, Job, Limits

from ..common.report import without_places

LIMITS = Limits(wall_seconds=60, cpu_seconds=60, memory_bytes=4 << 30)
CHILD = Path(__file__).with_name("mocked_child.py")


def run_child(executor: Executor, sliced: Slice, plan: dict[str, Any]) -> dict[str, Any]:
    """Load the slice and follow the plan; an empty plan only loads it.

    A run that tells nothing has not imported: the reason is how it ended.
    """
    files = (
        ("sliced.py", sliced.source.encode("utf-8", "surrogatepass")),
        ("plan.json", json.dumps(plan).encode()),
    )
    outcome = executor.run(Job(CHILD.read_text(), files=files, limits=LIMITS))
    told = without_places(outcome.stdout.decode("utf-8", "replace"))
    lines = told.strip().splitlines()
    try:
        return dict(json.loads(lines[-1]))
    except (IndexError, ValueError):
        last = outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        why = f"{outcome.end}: {outcome.detail} {last}"
        return {"imports": False, "called": "", "why": why, "attempts": []}
