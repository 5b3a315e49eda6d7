"""What is killed with -9 in the middle of a job: no verdict on the script, and nothing is left."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from docker.errors import NotFound
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.docker import docker_owners
from slicefunc.verifier.execution.executors.docker.docker_client import connect
from slicefunc.verifier.execution.executors.docker.docker_executor import DockerExecutor
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.executor_pool import Pool
from slicefunc.verifier.execution.executors.interface import Executor, Job, Limits, Outcome, Profile

from tests.verifier.execution.executors.own_daemon import OwnDaemon

NAMED = "in the middle"
SOURCE = f"""
import ctypes, time
ctypes.CDLL(None).prctl(15, b"{NAMED}")   # as the machine sees this process
time.sleep(2)
print("done")
"""
JOB = Job(SOURCE, limits=Limits(wall_seconds=30))
_INSIDE = ("forker", "template", "first of the tree")
DEPTHS = {
    "embedded": ("bubblewrap", "its first process", "zygote", *_INSIDE),
    "docker": ("supervisor", "zygote", *_INSIDE),
}
"""Each process started the next; the last one started the script's."""
SETTLING_SECONDS = 120

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may end what runs in there")


@pytest.fixture(params=["embedded", "docker"])
def kind(request: pytest.FixtureRequest) -> str:
    """Name of an executor that works here."""
    executor = _make(request.param)
    try:
        executor.start(Profile())
    except SandboxError as error:
        pytest.skip(str(error))
    finally:
        executor.close()
    return request.param


def _make(name: str) -> EmbeddedExecutor | DockerExecutor:
    return EmbeddedExecutor() if name == "embedded" else DockerExecutor()


def _chain(top: int) -> list[int]:
    """A process, the one that it has started, and so on."""
    found = [top]
    while True:
        place = Path(f"/proc/{found[-1]}/task/{found[-1]}/children")
        try:
            words = place.read_text().split()
        except OSError:
            return found
        if not words:
            return found
        found.append(int(words[0]))


def _chain_in_the_middle(executor: EmbeddedExecutor | DockerExecutor) -> list[int]:
    """All processes from the sandbox's outermost to the script's, once the script runs."""
    deadline = time.monotonic() + SETTLING_SECONDS
    while time.monotonic() < deadline:
        top = _top(executor)
        if top:
            chain = _chain(top)
            if _named(chain[-1]) == NAMED:
                return chain
        time.sleep(0.01)
    raise TimeoutError("the script does not run")


def _top(executor: EmbeddedExecutor | DockerExecutor) -> int:
    """The outermost process, or 0 while there is none."""
    try:
        return executor.process_id or 0
    except SandboxError:
        return 0


def _named(process: int) -> str:
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""


def _wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + SETTLING_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _is_gone(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def _listed(daemon: Any) -> set[str]:
    return {each["Id"] for each in daemon.containers(all=True)}


def _known(daemon: Any) -> set[str]:
    """Containers that are listed and there: a killed daemon may list some that are gone."""
    found: set[str] = set()
    for each in daemon.containers(all=True):
        with contextlib.suppress(NotFound):
            found.add(daemon.inspect_container(each["Id"])["Id"])
    return found


def _mounts() -> str:
    return Path("/proc/mounts").read_text(encoding="utf-8")


@as_root
@pytest.mark.parametrize(
    ("kind", "depth"),
    [
        pytest.param(kind, depth, id=f"{kind}: {name}")
        for kind, names in DEPTHS.items()
        for depth, name in enumerate(names)
    ],
    indirect=["kind"],
)
def test_a_process_of_the_sandbox_is_killed_in_the_middle(kind: str, depth: int) -> None:
    executor = _make(kind)
    executor.start(Profile())
    container = executor.container if isinstance(executor, DockerExecutor) else None
    outcomes: list[Outcome] = []
    running = threading.Thread(target=lambda: outcomes.append(executor.run(JOB)))
    running.start()
    chain = _chain_in_the_middle(executor)
    assert len(chain) == len(DEPTHS[kind]) + 1
    os.kill(chain[depth], signal.SIGKILL)
    running.join()
    (outcome,) = outcomes
    assert outcome.end == "infrastructure" or outcome.stdout == b"done\n", outcome
    assert executor.run(Job("print(1)")).stdout == b"1\n"
    executor.close()
    _wait_until(lambda: all(map(_is_gone, chain)))
    if container is not None:
        assert container not in _mounts()


@as_root
def test_a_pool_runs_the_job_again(kind: str) -> None:
    executors: list[EmbeddedExecutor | DockerExecutor] = []

    def make() -> Executor:
        executors.append(_make(kind))
        return executors[-1]

    with Pool(make, 1, Profile()) as pool:
        future = pool.submit(JOB)
        os.kill(_chain_in_the_middle(executors[0])[0], signal.SIGKILL)
        assert future.result().stdout == b"done\n"
        future = pool.submit(JOB)
        for _ in range(2):  # that would be two executors lost by one job
            top = _chain_in_the_middle(executors[0])[0]
            os.kill(top, signal.SIGKILL)
            _wait_until(lambda top=top: _top(executors[0]) != top)
        assert future.result().end == "infrastructure"


# -- containers


def test_a_container_that_the_daemon_kills_is_infrastructure(daemon: Any) -> None:
    executor = DockerExecutor()
    executor.start(Profile())
    container = executor.container
    assert container
    killer = threading.Timer(0.5, daemon.kill, (container,))
    killer.start()
    assert executor.run(JOB).end == "infrastructure"
    killer.join()
    assert executor.run(Job("print(1)")).stdout == b"1\n"
    assert executor.container not in {container, None}
    assert container not in _listed(daemon)
    executor.close()


@pytest.mark.parametrize("is_running", [False, True], ids=["idle", "in the middle of a job"])
def test_an_owner_that_is_killed_leaves_no_container(daemon: Any, is_running: bool) -> None:
    job = "executor.run(Job('import time; time.sleep(200)', limits=Limits(wall_seconds=300)))"
    program = f"""
import time
from slicefunc.verifier.execution.executors.docker.docker_executor import DockerExecutor
from slicefunc.verifier.execution.executors.interface import Job, Limits, Profile
executor = DockerExecutor()
executor.start(Profile())
print(executor.container, flush=True)
{job if is_running else "time.sleep(100)"}
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        container = owner.stdout.readline().decode().strip()
        assert len(container) == 64
        time.sleep(0.3)
        owner.kill()
    _wait_until(lambda: container not in _listed(daemon))


def test_what_an_owner_left_that_was_killed_before_the_start_is_removed_by_the_next(
    daemon: Any,
) -> None:
    program = """
import os, signal
from slicefunc.verifier.execution.executors.docker import docker_container
from slicefunc.verifier.execution.executors.docker.docker_executor import DockerExecutor
from slicefunc.verifier.execution.executors.interface import Profile
make = docker_container._create
def make_and_die(*given):
    print(make(*given), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
docker_container._create = make_and_die
DockerExecutor().start(Profile())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    container = done.stdout.decode().strip()
    assert (len(container), done.returncode) == (64, -signal.SIGKILL)
    executor = DockerExecutor()
    executor.start(Profile())
    executor.close()
    assert container not in _listed(daemon)


def test_containers_of_living_owners_stay(daemon: Any) -> None:
    program = """
from slicefunc.verifier.execution.executors.docker.docker_executor import DockerExecutor
from slicefunc.verifier.execution.executors.interface import Job, Profile
executor = DockerExecutor()
executor.start(Profile())
print(executor.container, flush=True)
input()
print(executor.run(Job("print(7)")).stdout)
executor.close()
"""
    words = [sys.executable, "-c", program]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout is not None
        container = other.stdout.readline().strip()
        with Pool(DockerExecutor, 2, Profile()) as pool:
            shown = [each.stdout for each in pool.run_all([Job("print(1)")] * 4)]
        assert shown == [b"1\n"] * 4
        assert container in _listed(daemon)
        told, _ = other.communicate("\n")
    assert told == "b'7\\n'\n"


class _Listing:
    """A daemon that tells containers."""

    def __init__(self, *containers: dict[str, Any]) -> None:
        self._containers = containers

    def containers(self, **_asked: object) -> list[dict[str, Any]]:
        return [*self._containers]


def _orphans(owner: str, state: str, serial: str = "0") -> bool:
    labels = {"slice-func.owner": owner, "slice-func.serial": serial}
    client: Any = _Listing({"Id": "it", "State": state, "Labels": labels})
    return docker_owners.orphans(client) == ["it"]


def test_an_owner_is_one_process_at_one_time_on_one_machine() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        dead = ended.wait() or ended.pid
    labels = docker_owners.owner_labels()
    own = labels["slice-func.owner"]
    boot, namespace, process, started = own.split(":")
    serial = labels["slice-func.serial"]
    assert not _orphans(own, "running", serial)
    docker_owners.release(labels)
    assert _orphans(own, "running", serial)
    assert _orphans(f"{boot}:{namespace}:{dead}:{started}", "running")
    assert _orphans(f"{boot}:{namespace}:{process}:{int(started) - 1}", "running")
    assert not _orphans(f"{boot}:{namespace}:1:{_started_of(1)}", "running")
    assert not _orphans(f"{boot}:1:{dead}:{started}", "running")  # numbers of another namespace
    assert not _orphans(f"other:{namespace}:{dead}:{started}", "running")
    assert _orphans(f"other:{namespace}:{dead}:{started}", "created")
    assert not _orphans("somebody else's", "exited")


def _started_of(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]


# -- the daemon


@pytest.fixture
def own_daemon(monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnDaemon]:
    """A daemon that the test may kill."""
    memory = "/dev/shm"  # where removing what was synced costs nothing
    folder = Path(tempfile.mkdtemp(prefix="sf-", dir=memory if Path(memory).is_dir() else None))
    daemon = OwnDaemon(folder, sys.executable)
    try:
        try:
            daemon.start()
        except RuntimeError as error:
            pytest.skip(str(error))
        monkeypatch.setenv("DOCKER_HOST", daemon.url)
        yield daemon
    finally:
        daemon.remove()


def test_the_daemon_is_killed_in_the_middle(own_daemon: OwnDaemon) -> None:
    executor = DockerExecutor()
    executor.start(Profile())
    for options in ((), ("--live-restore",)):  # with it, containers outlive their daemon
        chain, mounts = _killed_in_the_middle(own_daemon, executor)
        assert executor.run(JOB).end == "infrastructure"  # nobody answers
        own_daemon.start(*options)
        assert executor.run(Job("print(1)")).stdout == b"1\n"
        _wait_until(lambda chain=chain: all(map(_is_gone, chain)))
        client: Any = connect()
        _wait_until(lambda client=client: _known(client) == {executor.container})
        client.close()
        assert not set(mounts) & set(own_daemon.mounts())
    executor.close()
    own_daemon.stop()
    assert own_daemon.mounts() == []
    _wait_until(lambda: own_daemon.processes() == [])


def _killed_in_the_middle(
    own_daemon: OwnDaemon, executor: DockerExecutor
) -> tuple[list[int], list[str]]:
    """Processes and mounts of the container whose daemon was killed."""
    outcomes: list[Outcome] = []
    running = threading.Thread(target=lambda: outcomes.append(executor.run(JOB)))
    running.start()
    chain = _chain_in_the_middle(executor)
    mounts = [each for each in own_daemon.mounts() if not each.endswith("/data")]
    own_daemon.kill()
    running.join()
    assert [each.end for each in outcomes] == ["infrastructure"]
    assert mounts
    return chain, mounts


# -- and our own side may have nothing left


def test_a_parent_without_descriptors_gets_no_verdict_and_loses_none(executor: Executor) -> None:
    assert executor.run(Job("print(1)")).stdout == b"1\n"
    before = len([*Path("/proc/self/fd").iterdir()])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before + 20, hard))
    held: list[int] = []
    ends: list[str] = []
    try:
        with contextlib.suppress(OSError):
            while True:
                held.append(os.dup(0))
        while held:
            ends.append(executor.run(Job("print(1)")).end)
            os.close(held.pop())
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert set(ends) <= {"infrastructure", "exited"}
    assert ends[-1] == "exited"
    assert executor.run(Job("print(1)")).stdout == b"1\n"
    assert len([*Path("/proc/self/fd").iterdir()]) <= before
