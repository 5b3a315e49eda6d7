"""Ctrl-C in a build, which reaches all processes of the terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
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


def _interrupted(plan: Path, output: Path, pauses: list[float]) -> Stopped:
    """Interrupt a build when it has workers and sandboxes, and again after each pause."""
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
    os.killpg(process.pid, signal.SIGINT)
    for pause in pauses:
        time.sleep(pause)
        os.killpg(process.pid, signal.SIGINT)
    err = process.communicate(timeout=60)[1]
    seconds = time.monotonic() - started
    left = list(temporary.iterdir())
    return Stopped(process.returncode, err, seconds, _marked(str(output)), left)


def _check(stopped: Stopped) -> None:
    assert stopped.status == 130
    assert "slice-func: stopped: the same command with --resume goes on\n" in stopped.err
    assert "Traceback" not in stopped.err, stopped.err
    assert (stopped.processes, stopped.temporary) == ([], [])
    assert stopped.seconds < 20, "on a busy machine; some 1.5 s on a quiet one"


def test_an_interrupt_ends_all_processes_and_says_how_to_go_on(tmp_path: Path, plan: Path) -> None:
    _check(_interrupted(plan, tmp_path / "dataset", []))


@pytest.mark.nightly
@pytest.mark.parametrize("pause", [0.0, 0.1, 0.5])
def test_more_interrupts_lose_nothing(
    tmp_path: Path, plan: Path, built: StoredDataset, pause: float
) -> None:
    output = tmp_path / "dataset"
    _check(_interrupted(plan, output, [pause, pause]))
    build(plan, output, "--resume")
    assert content(output) == content(Path(built.location))
