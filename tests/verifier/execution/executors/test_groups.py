"""Control groups of both versions, on a tree of ordinary files, and no group where none can be."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.host.control_groups import (
    NO_GROUP,
    ControlGroup,
    make_group,
)
from slicefunc.verifier.execution.executors.interface import Job, Limits, Outcome, Profile
from slicefunc.verifier.sandbox.isolation.wire import Order

MINE = f"slice-func-{os.getpid()}-3"
ORDER = Order(1, 1, 1 << 30, 10, 20, 1, 1 << 20, 1)


def _filling(monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...]) -> None:
    """A folder that is made gets a controller's files, as the kernel does it."""
    plain_mkdir = Path.mkdir

    def mkdir(folder: Path, *arguments: int) -> None:
        plain_mkdir(folder, *arguments)
        for name in files:
            (folder / name).write_text(
                "100" if name.endswith(("current", "bytes")) else "oom_kill 0\n"
            )

    monkeypatch.setattr(Path, "mkdir", mkdir)


def test_version_two_is_made_below_our_own_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    own.write_text("0::/user/session\n")
    (tmp_path / "user" / "session").mkdir(parents=True)
    files = (
        "cgroup.procs",
        "memory.max",
        "memory.current",
        "memory.events",
        "pids.max",
        "pids.current",
        "cpu.weight",
    )
    _filling(monkeypatch, files)
    group = make_group(3, tmp_path, own)
    folder = tmp_path / "user" / "session" / MINE
    assert isinstance(group, ControlGroup)
    assert not group.lacks
    group.adopt(77)
    group.measure()
    group.limit(ORDER)
    assert (folder / "cgroup.procs").read_text() == "77"
    assert int((folder / "memory.max").read_text()) > (1 << 30)
    assert int((folder / "pids.max").read_text()) == 112
    killed = Outcome("signaled", signal=9)
    assert group.explain(killed).detail == ""
    (folder / "memory.events").write_text("low 0\noom_kill 1\n")
    assert group.explain(killed).detail == "out of memory"
    assert group.explain(killed).detail == ""


def test_version_one_has_a_folder_for_each_controller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    own.write_text("8:pids:/\n4:memory:/deep/er\n1:cpu,cpuacct:/\n0::/\n")
    (tmp_path / "memory" / "deep" / "er").mkdir(parents=True)
    (tmp_path / "pids").mkdir()
    (tmp_path / "cpu").mkdir()
    _filling(
        monkeypatch,
        ("cgroup.procs", "memory.limit_in_bytes", "memory.usage_in_bytes", "memory.oom_control",
         "memory.max_usage_in_bytes", "pids.max", "pids.current", "cpu.shares"),
    )  # fmt: skip
    group = make_group(3, tmp_path, own)
    group.measure()
    group.limit(ORDER)
    (tmp_path / "memory/deep/er" / MINE / "memory.max_usage_in_bytes").write_text("5100")
    assert group.explain(Outcome("exited")).peak_bytes == 5000
    assert (tmp_path / "pids" / MINE / "pids.max").read_text() == "112"
    group.adopt(77)
    for folder in ("pids", "cpu", "memory/deep/er"):
        assert (tmp_path / folder / MINE / "cgroup.procs").read_text() == "77"


def test_without_shares_of_the_processors_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    own.write_text("0::/\n")
    files = ("cgroup.procs", "memory.max", "memory.current", "memory.events", "pids.max")
    _filling(monkeypatch, files)
    group = make_group(3, tmp_path, own)
    assert isinstance(group, ControlGroup)
    assert "processor group" not in group.protections
    assert any("processors" in each for each in group.lacks)


def test_a_folder_without_controllers_is_no_group_and_is_removed(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("0::/\n")
    group = make_group(3, tmp_path, own)
    assert group.lacks
    assert type(group) is type(NO_GROUP)
    assert [*tmp_path.iterdir()] == [own]


def test_limits_have_defaults_that_fit_a_machine() -> None:
    limits = Limits()
    assert limits.file_bytes <= limits.disk_bytes <= limits.memory_bytes


def test_a_group_whose_process_was_killed_is_swept_away(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("0::/\n")
    (tmp_path / "slice-func-99999999-0").mkdir()
    alive = tmp_path / "slice-func-1-0"
    alive.mkdir()
    make_group(3, tmp_path, own)
    assert {*tmp_path.iterdir()} == {own, alive}


HOG = """\
import os
for _ in range(50):
    if os.fork() == 0:
        os.setsid()
        while True: pass
while True: pass
"""
WORK = """\
import time
while time.process_time() < 0.3: pass
"""


def test_a_busy_script_leaves_those_beside_it_their_share() -> None:
    first, second = EmbeddedExecutor(), EmbeddedExecutor()
    try:
        for executor in (first, second):
            executor.start(Profile())
        if "processor group" not in first.capabilities().protections:
            pytest.skip("no control group of processors can be made here")
        with ThreadPoolExecutor(1) as thread:
            limits = Limits(wall_seconds=3, cpu_seconds=3)
            busy = thread.submit(first.run, Job(HOG, limits=limits))
            while not busy.done():  # the first of these may run before the processes are there
                found = second.run(Job(WORK))
                if not busy.done():
                    assert found.cpu_seconds / found.wall_seconds > 0.1
        assert busy.result().end == "timeout"
    except SandboxError as error:
        pytest.skip(str(error))
    finally:
        first.close()
        second.close()
