"""What only containers have: an image of their own, a daemon that may go, and streams to drain."""

from __future__ import annotations

import errno
import io
import json
import shutil
import signal
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.docker import docker_files, docker_filter, docker_image
from slicefunc.verifier.execution.executors.docker.docker_executor import DockerExecutor
from slicefunc.verifier.execution.executors.docker.docker_filter import container_filter
from slicefunc.verifier.execution.executors.docker.docker_stream import ContainerStreams
from slicefunc.verifier.execution.executors.executor_pool import Pool
from slicefunc.verifier.execution.executors.host.interpreters import find_interpreter
from slicefunc.verifier.execution.executors.interface import Job, Limits, Profile


@pytest.fixture
def executor(daemon: object) -> Iterator[DockerExecutor]:
    """One that has been started."""
    executor = DockerExecutor()
    executor.start(Profile())
    yield executor
    executor.close()


# -- the container


def test_a_container_is_given_nothing_that_it_does_not_need(
    daemon: Any, executor: DockerExecutor
) -> None:
    assert executor.container
    told = daemon.inspect_container(executor.container)
    host = told["HostConfig"]
    assert host["NetworkMode"] == "none"
    assert host["ReadonlyRootfs"] is True
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert not host["Privileged"]
    assert host["LogConfig"]["Type"] == "none"
    assert host["PidsLimit"] > 0
    assert 0 < host["Memory"] == host["MemorySwap"]
    assert "no-new-privileges" in host["SecurityOpt"]
    assert any(each.startswith('seccomp={"defaultAction"') for each in host["SecurityOpt"])
    assert all(not mount["RW"] for mount in told["Mounts"])
    assert int(told["Config"]["User"].partition(":")[0]) > 1 << 30


def test_two_workers_are_two_users(daemon: Any) -> None:
    with Pool(DockerExecutor, 2, Profile()) as pool:
        found = [each.container for each in pool._executors if isinstance(each, DockerExecutor)]
        users = {daemon.inspect_container(each)["Config"]["User"] for each in found}
        assert len(users) == 2
        shown = [int(each.stdout) for each in pool.run_all(Job(f"print({n})") for n in range(20))]
        assert shown == list(range(20))


def test_the_machine_is_not_shown(executor: DockerExecutor) -> None:
    source = (
        "import os; print(*map(os.listdir, ('/sys', '/dev/mqueue')), os.environ.get('HOSTNAME'))"
    )
    assert executor.run(Job(source)).stdout == b"[] [] None\n"
    resolver = executor.run(Job("print(open('/etc/resolv.conf').read())")).stdout
    assert b"127.0.0.1" in resolver
    assert resolver.count(b"nameserver") == 1


def test_memory_of_a_tree_is_bounded_and_told(executor: DockerExecutor) -> None:
    source = """
import os
for _ in range(4):
    if os.fork() == 0:
        held = b"x" * (90 << 20)
        os.wait()
held = b"x" * (90 << 20)
while True: os.wait()
"""
    limits = Limits(memory_bytes=120 << 20, disk_bytes=1 << 20, record_bytes=1 << 10)
    outcome = executor.run(Job(source, limits=limits))
    assert outcome.end in {"signaled", "exited"}
    assert outcome.detail == ("out of memory" if outcome.signal == signal.SIGKILL else "")
    assert executor.run(Job("print(1)")).stdout == b"1\n"


def test_much_is_carried_in_and_out(executor: DockerExecutor) -> None:
    size = 20 << 20
    limits = Limits(output_bytes=size, memory_bytes=1 << 30, wall_seconds=30)
    job = Job(
        "import sys; sys.stdout.buffer.write(open('a', 'rb').read()[::-1])",
        files=(("a", bytes(size - 1) + b"x"),),
        limits=limits,
    )
    outcome = executor.run(job)
    assert (len(outcome.stdout), outcome.stdout[:2]) == (size, b"x\0")


# -- its end, and what it does not start with


def test_a_flood_does_not_keep_the_container_from_ending(
    daemon: Any, executor: DockerExecutor
) -> None:
    container = executor.container
    source = "while True: print('x' * 1000)"
    assert executor.run(Job(source)).end == "output"
    start = time.monotonic()
    executor.close()
    assert time.monotonic() - start < 60  # the flood would go on for ever
    assert container not in {each["Id"] for each in daemon.containers(all=True)}


def test_without_a_daemon_the_reason_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(SandboxError, match=r"no Docker (daemon answers|SDK)"):
        DockerExecutor().start(Profile())
    outcome = DockerExecutor().run(Job("print(1)"))
    assert outcome.end == "infrastructure"


def test_a_folder_that_the_daemon_does_not_have_is_told(daemon: object, tmp_path: Path) -> None:
    executor = DockerExecutor()
    with pytest.raises(SandboxError, match="does not exist"):
        executor.start(Profile(readable=(tmp_path / "none",)))


@pytest.mark.parametrize(
    ("call", "number", "told"),
    [
        ("unshare", errno.EPERM, r"unshare.*Operation not permitted"),
        ("unshare", errno.ENOSPC, r"unshare.*No space left"),  # as where the limit is 0
        ("mount", errno.EPERM, r"mount.*Operation not permitted"),
    ],
)
def test_a_kernel_or_profile_that_forbids_user_namespaces_is_told(
    daemon: Any, monkeypatch: pytest.MonkeyPatch, call: str, number: int, told: str
) -> None:
    filtered = json.loads(container_filter(daemon.info()["Architecture"]))
    refused = {"names": [call], "action": "SCMP_ACT_ERRNO", "errnoRet": number}
    filtered["syscalls"].append(refused)
    monkeypatch.setattr(docker_filter, "container_filter", lambda _machine: json.dumps(filtered))
    with pytest.raises(SandboxError, match=f"user namespace.* refused.*{told}") as caught:
        DockerExecutor().start(Profile())
    assert "max_user_namespaces" in str(caught.value)
    assert "Traceback" not in str(caught.value)


# -- the image


def test_an_image_is_built_once_and_again_when_a_file_of_it_changes(
    daemon: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    interpreter = find_interpreter(None)
    name = docker_image.ensure_image(daemon, interpreter)
    assert daemon.inspect_image(name)["Os"] == "linux"
    with monkeypatch.context() as patched:
        patched.setattr(docker_image, "write_files", pytest.fail)
        assert docker_image.ensure_image(daemon, interpreter) == name
    (tmp_path / "zygote.py").write_text("")
    monkeypatch.setattr(docker_files, "SANDBOXED", tmp_path)
    assert not name.endswith(docker_files.tag_of(interpreter))


def test_the_files_are_an_interpreter_without_what_is_installed(tmp_path: Path) -> None:
    interpreter = find_interpreter(None)
    out = io.BytesIO()
    docker_files.write_files(out, interpreter)
    out.seek(0)
    with tarfile.open(fileobj=out) as archive:
        members = archive.getmembers()
    names = [each.name for each in members]
    assert len(names) == len(set(names))
    assert "runner/_sandboxed/contained.py" in names
    assert any(name.endswith("/json/__init__.py") for name in names)
    assert any("/libc.so" in name or "/libc.musl" in name for name in names)
    assert not [name for name in names if "site-packages/" in name or "/test/" in name]
    assert all((each.uid, each.gid) == (0, 0) for each in members)
    folders = {each.name: each for each in members if each.isdir()}
    assert all(folder.mode == 0o755 for folder in folders.values())


def test_an_image_of_the_dockerfile_is_used_when_it_is_named(
    daemon: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    interpreter = find_interpreter(None)
    base = docker_image.ensure_image(daemon, interpreter)
    shutil.copytree(docker_files.SANDBOXED, tmp_path / "verifier" / "sandbox")
    shutil.copy(Path(docker_image.__file__).with_name("Dockerfile"), tmp_path)
    python = str(interpreter.executable.resolve())
    name = f"{docker_image.REPOSITORY}:test"
    given = {"BASE": base, "PYTHON": python}
    told = [*daemon.build(str(tmp_path), tag=name, buildargs=given, network_mode="none", rm=True)]
    monkeypatch.setenv(docker_image.OWN_IMAGE, name)
    executor = DockerExecutor()
    try:
        executor.start(Profile())
        outcome = executor.run(Job("import getpass, sys; print(sys.executable, getpass.getuser())"))
        assert outcome.stdout.decode() == f"{python} sandbox\n", told
        assert daemon.inspect_container(executor.container)["Config"]["Image"] == name
    finally:
        executor.close()
        daemon.remove_image(name)


def test_an_image_that_is_not_there_or_of_another_kind_is_told(
    daemon: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(docker_image.OWN_IMAGE, "slice-func-nothing:none")
    with pytest.raises(SandboxError, match="has no image slice-func-nothing"):
        DockerExecutor().start(Profile())


# -- its parts


def test_the_filter_leaves_the_zygote_its_calls_and_nobody_other_families() -> None:
    for machine in ("x86_64", "aarch64"):
        profile = json.loads(container_filter(machine))
        named, *sockets = profile["syscalls"]
        assert not {"unshare", "mount", "setns", "umount2", "clone"} & set(named["names"])
        assert {"ptrace", "bpf", "io_uring_setup", "keyctl", "userfaultfd"} <= set(named["names"])
        tests = [rule["args"][0] for rule in sockets]
        equal = {each["value"] for each in tests if each["op"] == "SCMP_CMP_EQ"}
        (above,) = [each["value"] for each in tests if each["op"] == "SCMP_CMP_GT"]
        assert set(range(above + 1)) - equal == {1, 2, 10}


class _Stream:
    """A stream of prepared pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = [*pieces]

    def recv(self, size: int) -> bytes:
        if not self.pieces:
            return b""
        piece = self.pieces.pop(0)
        if piece[size:]:
            self.pieces.insert(0, piece[size:])
        return piece[:size]

    def settimeout(self, seconds: float) -> None:
        assert seconds > 0


def test_two_streams_are_told_apart_however_they_are_cut() -> None:
    def frame(which: int, data: bytes) -> bytes:
        return bytes([which, 0, 0, 0]) + len(data).to_bytes(4, "big") + data

    whole = frame(1, b"abc") + frame(2, b"bad") + frame(1, b"") + frame(1, b"defg")
    for step in (1, 2, 5, 100):
        pieces = [whole[at : at + step] for at in range(0, len(whole), step)]
        attached = ContainerStreams(_Stream(*pieces))
        attached.expect_within(5)
        assert attached.read(5) == b"abcde"
        assert attached.read(2) == b"fg"
        assert attached.stderr_head() == "bad"
        with pytest.raises(EOFError):
            attached.read(1)


def test_a_stream_that_says_nothing_in_time_is_given_up() -> None:
    attached = ContainerStreams(_Stream(b"x"))
    with pytest.raises(TimeoutError):
        attached.read(1)
