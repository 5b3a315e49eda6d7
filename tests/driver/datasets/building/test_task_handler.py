"""A worker whose process is killed, hangs, or runs out of memory."""

from __future__ import annotations

import gzip
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.driver.batch.supervisor import Supervisor
from slicefunc.driver.datasets.building.plan import RepositoryPlan
from slicefunc.driver.datasets.building.task_handler import TaskHandler
from slicefunc.driver.datasets.building.tasks import (
    BuildOptions,
    Made,
    Make,
    Result,
    Survey,
    Surveyed,
    Task,
)
from slicefunc.driver.settings.cache_folders import cache_folder
from slicefunc.driver.settings.options import Options, Verification
from slicefunc.slicer.model import Target
from slicefunc.verifier.execution.environments.installer.pythons import find_python

from tests.driver.datasets.conftest import Clone

Workers = Supervisor[Task, Result]
NEWER = None if sys.version_info >= (3, 12) else find_python(">=3.12", cache_folder())
needs_newer = pytest.mark.skipif(NEWER is None, reason="no Python that is newer in syntax is here")


@pytest.fixture
def repository(clone: Clone) -> RepositoryPlan:
    return RepositoryPlan("shop/prices", str(clone.folder), clone.commit)


@pytest.fixture
def supervisor() -> Iterator[Workers]:
    options = BuildOptions(Options(), Verification(test=True), seconds=60)
    made = Supervisor(TaskHandler(options))
    yield made
    made.end()


def test_a_process_that_dies_is_started_again(
    supervisor: Workers, repository: RepositoryPlan
) -> None:
    supervisor.channel()
    process = supervisor.process
    assert process is not None
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    found = supervisor.run(Survey(repository))
    assert isinstance(found, Surveyed)
    assert len(found.targets) == 4


def test_a_function_whose_process_dies_each_time_is_a_row(
    supervisor: Workers, repository: RepositoryPlan
) -> None:
    supervisor.run(Survey(repository))
    stop = threading.Event()

    def kill() -> None:
        while not stop.is_set():
            process = supervisor.process
            if process is not None and process.pid is not None:
                os.kill(process.pid, signal.SIGKILL)
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        found = supervisor.run(Make(repository, Target("prices.py", "larger")))
    finally:
        stop.set()
        killer.join()
    assert isinstance(found, Made)
    row = json.loads(gzip.decompress(found.row))
    assert [each["code"] for each in row["entry"]["reasons"]] == ["worker_died"]


def test_a_file_that_is_too_large_for_the_memory_is_a_reason(tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    (tmp_path / "large/m.py").write_text(
        "x = [" + "1, " * 3_000_000 + "]\n\ndef f():\n    return x\n"
    )
    plan = RepositoryPlan("a/large", str(tmp_path / "large"))
    options = BuildOptions(Options(), Verification(test=True), memory_gb=0.25)
    supervisor = Supervisor(TaskHandler(options))
    try:
        found = supervisor.run(Survey(plan))
    finally:
        supervisor.end()
    assert isinstance(found, Surveyed)
    assert found.rule is not None


@needs_newer
def test_code_for_a_newer_python_is_read_by_one(
    supervisor: Workers, repository: RepositoryPlan, tmp_path: Path
) -> None:
    folder = tmp_path / "newer"
    folder.mkdir()
    (folder / "pairs.py").write_text("def pair[T](one: T) -> tuple[T, T]:\n    return one, one\n")
    newer = RepositoryPlan("shop/newer", str(folder))
    pids: list[int | None] = []
    for plan, count in ((repository, 4), (newer, 1)) * 2 + ((repository, 4),):
        found = supervisor.run(Survey(plan))
        assert isinstance(found, Surveyed)
        assert len(found.targets) == count, found.reason
        assert supervisor.process is not None
        pids.append(supervisor.process.pid)
    assert len(set(pids)) == 1
    made = supervisor.run(Make(newer, Target("pairs.py", "pair")))
    assert isinstance(made, Made)
    assert made.is_environment, gzip.decompress(made.row)[:600]
