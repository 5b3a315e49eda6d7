"""Ctrl-C in a build, which reaches all processes of the terminal, and SIGTERM of a scheduler."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset

from tests.driver.datasets.building.test_build import content
from tests.driver.datasets.conftest import build

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="it needs /proc")
MARK = "SLICE_FUNC_TEST_OF_INTERRUPTS"


@dataclass(frozen=True, slots=True)
class Stopped:
    """What an interrupted build left."""

    status: int
    err: str
    seconds: float
    processes: list[int]
    temporary: list[Path]


def _marked(mark: str) -> list[int]:
    """Return the processes with that variable in their environment."""
    wanted, found = f"{MARK}={mark}".encode(), list[int]()
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                variables = (place / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if wanted in variables:
                found.append(int(place.name))
    return found


def _stopped(plan: Path, output: Path, stop: Callable[[int], None], pauses: list[float]) -> Stopped:
    """Stop a build when it has workers and sandboxes, and again after each pause."""
    temporary = output.with_name("temporary")
    temporary.mkdir()
    words = ["build", plan, "-o", output, "--jobs", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "slicefunc.driver.cli.command", *map(str, words)],
        stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, MARK: str(output), "TMPDIR": str(temporary)},
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while len(_marked(str(output))) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.0)
    started = time.monotonic()
    stop(process.pid)
    for pause in pauses:
        time.sleep(pause)
        stop(process.pid)
    err = process.communicate(timeout=60)[1]
    seconds = time.monotonic() - started
    left = list(temporary.iterdir())
    return Stopped(process.returncode, err, seconds, _marked(str(output)), left)


def _interrupt(process: int) -> None:
    os.killpg(process, signal.SIGINT)


def _terminate(process: int) -> None:
    os.kill(process, signal.SIGTERM)


def _check(stopped: Stopped, status: int = 130) -> None:
    assert stopped.status == status
    assert "slice-func: stopped: the same command with --resume goes on\n" in stopped.err
    assert "Traceback" not in stopped.err, stopped.err
    assert (stopped.processes, stopped.temporary) == ([], [])
    assert stopped.seconds < 20, "on a busy machine; some 1.5 s on a quiet one"


def test_an_interrupt_ends_all_processes_and_says_how_to_go_on(tmp_path: Path, plan: Path) -> None:
    _check(_stopped(plan, tmp_path / "dataset", _interrupt, []))


def test_a_terminated_build_ends_as_an_interrupted_one(tmp_path: Path, plan: Path) -> None:
    _check(_stopped(plan, tmp_path / "dataset", _terminate, []), 143)


@pytest.mark.nightly
@pytest.mark.parametrize("pause", [0.0, 0.1, 0.5])
def test_more_interrupts_lose_nothing(
    tmp_path: Path, plan: Path, built: StoredDataset, pause: float
) -> None:
    output = tmp_path / "dataset"
    _check(_stopped(plan, output, _interrupt, [pause, pause]))
    build(plan, output, "--resume")
    assert content(output) == content(Path(built.location))
