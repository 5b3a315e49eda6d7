"""Run a repository's own command on a copy of its files, in bubblewrap: no network, another user,
and no system call that ordinary programs do without.

Scripts of ours run in warm sandboxes; this is for programs of any language that take seconds. What
they print is not trusted more than the code that runs: a candidate shares their process.
"""

from __future__ import annotations

import os
import platform
import re
import select
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

from ...errors import SandboxError
from ...sandbox.isolation import seccomp
from ..executors.host.bubblewrap import files_of_sandbox, find_bubblewrap
from ..executors.host.control_groups import Group, make_group
from ..executors.host.other_user import as_other_user, next_slot, user_of

WORK = "/repository"
"""Where the copy is inside."""
_SYSTEM = ("usr", "opt", "etc/alternatives", "etc/ssl", "etc/java-*", "etc/maven")
"""Patterns of what is shown of the machine: its programs, and the settings that they need."""
_LINKS = ("/bin", "/lib", "/lib64", "/sbin")
_HOME = "/tmp/home"  # noqa: S108 - of the sandbox
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class CommandLimits:
    """Limits of one command, for its whole process tree."""

    wall_seconds: float = 600.0
    memory_bytes: int = 4 << 30
    processes: int = 1024
    file_bytes: int = 1 << 30
    """Size of the largest file."""
    output_bytes: int = 16 << 20
    disk_bytes: int = 4 << 30
    """By how much the copy may grow."""


@dataclass(frozen=True, slots=True)
class Command:
    """What is run."""

    words: tuple[str, ...]
    folder: str = ""
    """Folder in the copy where it starts."""
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    readable: tuple[Path, ...] = ()
    """Further folders of this machine that it may read, at their own paths."""
    path: tuple[str, ...] = ()
    """Folders that come first on PATH."""


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """How a command ended."""

    end: Literal["exited", "timeout", "output", "disk", "signaled"]
    status: int
    output: str
    """Standard output and standard error, as they came."""
    seconds: float


def run_command(
    copy: Path, command: Command, limits: CommandLimits | None = None
) -> CommandOutcome:
    """Run a command in a folder, which it may change, and which lies at `/repository` inside.

    Args:
        copy: a folder that belongs to nobody else; its files go to the sandbox's user.
        command: what is run.
        limits: when it is ended.

    Raises:
        SandboxError: the sandbox does not start.
    """
    limits = limits or CommandLimits()
    if not (copy / command.folder).is_dir():
        raise SandboxError(f"the sandbox does not start: no folder {command.folder} in the copy")
    slot = next_slot()
    is_root = os.geteuid() == 0
    if is_root:
        _give(copy, user_of(slot))
    with tempfile.TemporaryDirectory(prefix="slice-func-etc-") as etc:
        words, sources = _words(copy, command, limits, Path(etc))
        ready, go = os.pipe()
        told, tells = os.pipe()
        words[1:1] = ["--block-fd", str(ready), "--json-status-fd", str(tells)]
        rules = _filter()
        if rules is not None:
            words[1:1] = ["--seccomp", str(rules)]
        if is_root:
            words = as_other_user(user_of(slot), sources, words)
        group = make_group(slot)
        try:
            return _run(words, _Pipes(ready, go, told, tells, rules), group, copy, limits)
        finally:
            group.remove()
            if is_root:
                _give(copy, 0)


def _words(
    copy: Path, command: Command, limits: CommandLimits, etc: Path
) -> tuple[list[str], list[str]]:
    """Return the command of the sandbox, and the paths of this machine that it shows."""
    shown = [each for pattern in _SYSTEM for each in sorted(Path("/").glob(pattern))]
    shown += [each.resolve() for each in command.readable]
    words = [
        find_bubblewrap(), "--unshare-all", "--die-with-parent", "--new-session", "--clearenv",
        "--hostname", "sandbox", "--uid", "1000", "--gid", "1000",
    ]  # fmt: skip
    words += ["--tmpfs", "/tmp"]  # noqa: S108 - of the sandbox, below what is shown
    for path in shown:
        words += ["--ro-bind", str(path), str(path)]
    for link in map(Path, _LINKS):
        if link.is_symlink():
            words += ["--symlink", str(link.readlink()), str(link)]
        elif link.exists():
            words += ["--ro-bind", str(link), str(link)]
            shown.append(link)
    etc.chmod(0o755)
    for path, text in files_of_sandbox().items():
        file = etc / Path(path).name
        file.write_text(text)
        words += ["--ro-bind", str(file), path]
        shown.append(file)
    words += ["--bind", str(copy), WORK, "--proc", "/proc", "--dev", "/dev"]
    words += ["--dir", _HOME]
    path = ":".join((*command.path, "/usr/local/bin", "/usr/bin", "/bin"))
    variables = {
        "PATH": path, "HOME": _HOME, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC",
        "USER": "sandbox", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
        **command.variables,
    }  # fmt: skip
    for name, value in sorted(variables.items()):
        words += ["--setenv", name, value]
    words += ["--chdir", f"{WORK}/{command.folder}".rstrip("/"), "--"]
    words += ["/usr/bin/prlimit", f"--fsize={limits.file_bytes}", "--core=0", "--nofile=4096"]
    if os.geteuid() == 0:  # the limit counts a user's processes, and root gives each run a user
        words.append(f"--nproc={limits.processes}")
    words.append("--")
    return [*words, *command.words], [*map(str, shown), str(copy)]


@dataclass(frozen=True, slots=True)
class _Pipes:
    """Descriptors of pipes to the sandbox's first process."""

    ready: int
    """Where it waits until it is in its control group."""
    go: int
    """Where it is told to go on."""
    told: int
    """Where it says that the command has started: the command itself cannot say so."""
    tells: int
    rules: int | None
    """Where it reads the filter of system calls."""

    @property
    def theirs(self) -> tuple[int, ...]:
        """The ends of the other process."""
        return (self.ready, self.tells, *(() if self.rules is None else (self.rules,)))

    def close_theirs(self) -> None:
        """Close the ends of the other process."""
        for each in self.theirs:
            os.close(each)


def _filter() -> int | None:
    """Return a descriptor of the filter of system calls; `None` on an unknown architecture."""
    if not seccomp.is_known():
        return None
    rules = os.memfd_create("filter")
    os.write(rules, seccomp.program(platform.machine()))
    os.lseek(rules, 0, os.SEEK_SET)
    return rules


def _run(
    words: Sequence[str], pipes: _Pipes, group: Group, copy: Path, limits: CommandLimits
) -> CommandOutcome:
    start = time.monotonic()
    try:
        process = subprocess.Popen(  # noqa: S603 - this is the sandbox
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"PATH": os.defpath},
            pass_fds=pipes.theirs,
            start_new_session=True,
        )
    except OSError as error:
        os.close(pipes.go)
        os.close(pipes.told)
        raise SandboxError(f"the sandbox does not start: {error}") from error
    finally:
        pipes.close_theirs()
    first = _first_process(pipes.told)
    with suppress(OSError):  # without the right to make control groups
        group.adopt(process.pid)
        if first is not None:  # bubblewrap has started it, and it waits for `go`
            group.adopt(first)
        group.measure()
        group.limit(_Bounds(limits.memory_bytes, 0, limits.processes))
    os.write(pipes.go, b"x")
    os.close(pipes.go)
    assert process.stdout is not None
    output, end = _drained(process, process.stdout, copy, start + limits.wall_seconds, limits)
    _kill(process)
    status = process.wait()
    os.close(pipes.told)
    text = output.decode("utf-8", "replace")
    if first is None:
        raise SandboxError(f"the sandbox does not start: {(text.splitlines() or ['?'])[0]}")
    if end == "exited" and status < 0:
        end = "signaled"
    return CommandOutcome(end, status, text, round(time.monotonic() - start, 3))


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The limits of a control group."""

    memory_bytes: int
    disk_bytes: int
    processes: int


_CHILD = re.compile(rb'"child-pid": (\d+)')
_STARTS_IN = 60.0
"""Seconds in which the sandbox must tell its first process."""


def _first_process(told: int) -> int | None:
    """Return the number of the sandbox's first process; `None` if it does not start."""
    said = b""
    until = time.monotonic() + _STARTS_IN
    while not (found := _CHILD.search(said)):
        if not select.select([told], [], [], max(0.0, until - time.monotonic()))[0]:
            return None
        part = os.read(told, _CHUNK)
        if not part:
            return None
        said += part
    return int(found[1])


def _drained(
    process: subprocess.Popen[bytes],
    pipe: IO[bytes],
    copy: Path,
    until: float,
    limits: CommandLimits,
) -> tuple[bytes, Literal["exited", "timeout", "output", "disk"]]:
    """Return what a process prints until it ends, or has to be ended."""
    found = bytearray()
    disk = _DiskWatch(copy, limits.disk_bytes)
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            left = until - time.monotonic()
            if left <= 0:
                return bytes(found), "timeout"
            if disk.is_over():
                return bytes(found), "disk"
            if selector.select(min(left, 1.0)):
                part = os.read(pipe.fileno(), _CHUNK)
                if not part:
                    return bytes(found), "exited"
                found += part
                if len(found) > limits.output_bytes:
                    return bytes(found), "output"
            elif process.poll() is not None:
                return bytes(found), "exited"


class _DiskWatch:
    """Tells when a folder has grown too much, at most once a second.

    What is free on its disk says whether it is worth counting: others use that disk too.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self._folder, self._most = folder, most
        self._free, self._seen = shutil.disk_usage(folder).free, time.monotonic()

    def is_over(self) -> bool:
        """Whether the folder holds more than it may."""
        if time.monotonic() - self._seen < 1:
            return False
        self._seen = time.monotonic()
        if self._free - shutil.disk_usage(self._folder).free < self._most:
            return False
        words = ["du", "-s", "-B1", "--", str(self._folder)]
        said = subprocess.run(words, check=False, capture_output=True, text=True).stdout  # noqa: S603 - our own folder
        used = said.split("\t")[0]
        return not used.isdecimal() or int(used) > self._most


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End what may be left; the namespace ends with its first process."""
    try:
        process.wait(0.2)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _give(folder: Path, user: int) -> None:
    """Let all files of a folder belong to a user, however deep they lie."""
    words = ["chown", "-R", "-h", "--", f"{user}:{user}", str(folder)]
    subprocess.run(words, check=True, capture_output=True)  # noqa: S603 - our own folder


def remove(folder: Path) -> None:
    """Remove a folder that a command has changed, however deep it has made it."""
    subprocess.run(["rm", "-rf", "--", str(folder)], check=False)  # noqa: S603, S607 - our own folder


def copied(source: Path, place: Path) -> None:
    """Copy a repository's files to a new folder, without what git keeps."""
    shutil.copytree(
        source, place, symlinks=True, ignore=shutil.ignore_patterns(".git"), dirs_exist_ok=True
    )
