"""One process that slices targets for `benchmarks.slices.hubs.hubs`, with any state of the code."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...common.report import ROOT
from ...sources.slicing import answers

_CHILD = Path(__file__).with_name("hub_children") / "slice_targets.py"
_FOLDERS = ("slicer", "mocker", "verifier", "llm", "driver")


def rows_of(
    code: Path, folder: Path, targets: Sequence[str], seconds: float
) -> Iterator[dict[str, Any]]:
    """What comes of each target, in order; a new process follows where one was ended or died.

    Args:
        code: checkout whose slicer runs.
        folder: the repository that is sliced.
        targets: each as `path::qualname`.
        seconds: CPU time after which a target is given up.
    """
    left = list(targets)
    with tempfile.TemporaryDirectory() as place:
        for name in _FOLDERS:
            Path(place, "slicefunc").mkdir(exist_ok=True)
            Path(place, "slicefunc", name).symlink_to(code / name)
        while left:
            for row in _one_process(place, folder, left, seconds):
                yield row
                left.pop(0)


def _one_process(
    place: str, folder: Path, targets: Sequence[str], seconds: float
) -> Iterator[dict[str, Any]]:
    """Rows up to and with the target on which the process ended."""
    child = subprocess.Popen(
        (sys.executable, str(_CHILD), str(folder)),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": place, "PYTHONHASHSEED": "0"},
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None
    output = child.stdout
    try:
        for target in tuple(targets):
            child.stdin.write(f"{target}\n")
            child.stdin.flush()
            if not answers(_readiness(output.fileno()), child.pid, seconds):
                yield {"why_not": f"not done after {seconds:.0f} s of CPU"}
                return
            line = output.readline()
            if not line:
                yield {"why_not": f"the process ended with {child.wait()}"}
                return
            yield json.loads(line)
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        output.close()


def _readiness(descriptor: int) -> Callable[[float], bool]:
    """A function that waits so many seconds at most for something to read."""
    return lambda wait: bool(select.select([descriptor], [], [], wait)[0])
