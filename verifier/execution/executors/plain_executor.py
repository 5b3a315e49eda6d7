"""The plain executor: a subprocess with limits and filters, for machines without namespaces.

It keeps honest scripts in bounds and makes reading and writing elsewhere hard. It is no sandbox,
and reports what it lacks.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from functools import lru_cache
from pathlib import Path

from ...errors import SandboxError
from ...sandbox.isolation import landlock, seccomp
from ...sandbox.isolation.supervise import Runner, SandboxLost, settle, supervise
from ...sandbox.isolation.wire import Order
from ...sandbox.unshielded import protections
from .host import system_files
from .host.bubblewrap import SANDBOXED, environment
from .host.interpreters import Interpreter, exposed, find_interpreter, pythons_in, refuse_exposed
from .host.other_user import as_other_user, next_slot, user_of
from .host.run_outcome import outcome_of
from .host.wire_format import caps_of, more_of, order_of, request_of
from .interface import Capabilities, Job, Outcome, Profile

_LACKS = (
    "process namespace: a script sees other processes, and can leave some behind",
    "mount namespace: files stay until the run's folder is removed; disk space is not bounded",
    "network namespace: internet sockets are refused, sockets of the file system are not",
    "memory of a whole tree: each process is bounded by itself",
    "preloaded modules: each run starts an interpreter",
)
_LACKS_LANDLOCK = "Landlock: a script can read and write what its user can"
_SYSTEM = ("/etc/localtime", "/etc/alternatives", "/etc/ssl/certs")
_ENTRY = "import sys; sys.path.insert(0, {!r}); from {}.unshielded import main; del sys.path[:2]; main(sys.argv[1])"  # noqa: E501


class PlainExecutor:
    """Runs each job in an interpreter of its own."""

    name = "plain"

    def __init__(self) -> None:
        self._profile = Profile()
        self._interpreter: Interpreter | None = None
        self._slot = 0

    def start(self, profile: Profile) -> None:
        """Find the interpreter. Nothing keeps running."""
        if not seccomp.is_known(platform.machine()):
            raise SandboxError(f"no system-call filter for {platform.machine()}", "use Docker")
        self._profile = profile
        self._interpreter = find_interpreter(profile.python)
        if not landlock.version():
            refuse_exposed(profile.hidden, ("/",))
        self._slot = next_slot()

    def run(self, job: Job) -> Outcome:
        """Run one job in a folder of its own, which is removed afterwards."""
        try:
            return self._run(job)
        except (SandboxError, OSError) as error:
            return Outcome("infrastructure", detail=str(error))

    def _run(self, job: Job) -> Outcome:
        if self._interpreter is None:
            self.start(self._profile)
        order = order_of(job.limits)
        with self._folder() as folder:
            started: list[subprocess.Popen[bytes]] = []

            def start(writing: dict[str, int], folder: str = folder) -> int:
                return self._start(writing, order, folder, started)

            runner = Runner(start, _terminate)
            more = more_of(job)
            request = request_of(job, folder, goes_on=more is not None)
            try:
                report = supervise(runner, order, request, caps_of(job.limits), more)
                settle(report)
            finally:
                for process in started:
                    _end(process)
        return outcome_of(report, job.limits, promised=protections())

    def close(self) -> None:
        """Forget the interpreter; nothing else is kept between runs."""
        self._interpreter = None

    def capabilities(self) -> Capabilities:
        """Return its protections, which are few."""
        lacks = _LACKS if landlock.version() else (*_LACKS, _LACKS_LANDLOCK)
        return Capabilities(self.name, protections(), lacks)

    @contextlib.contextmanager
    def _folder(self) -> Generator[str]:
        folder = tempfile.mkdtemp(prefix="slice-func-")
        try:
            if os.geteuid() == 0:
                os.chown(folder, user_of(self._slot), user_of(self._slot))
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _start(
        self,
        writing: dict[str, int],
        order: Order,
        folder: str,
        started: list[subprocess.Popen[bytes]],
    ) -> int:
        interpreter = self._interpreter
        assert interpreter is not None
        shown = (*interpreter.folders, *interpreter.programs, *self._profile.readable)
        hidden = exposed(self._profile.hidden, shown)
        readable, listed = _allowed(shown, frozenset((*interpreter.covered, *hidden)))
        passed = {name: writing[name] for name in ("request", "status", "records")}
        arguments = {
            **passed,
            "order": order._asdict(),
            "folder": folder,
            "readable": [*readable, folder],
            "listed": listed,
        }
        entry = _ENTRY.format(str(SANDBOXED.parent), SANDBOXED.name)
        words = [str(interpreter.executable), "-s", "-B", "-c", entry, json.dumps(arguments)]
        if os.geteuid() == 0:
            linked = (link for _, link in interpreter.links)
            needed = [*map(str, (*shown, SANDBOXED)), *linked]
            words = as_other_user(user_of(self._slot), needed, words)
        variables = {**environment(interpreter, self._profile.hash_seed), "HOME": folder}
        variables["TMPDIR"] = folder
        try:
            process = subprocess.Popen(  # noqa: S603 - what there is of a sandbox
                words,
                stdin=subprocess.DEVNULL,
                stdout=writing["stdout"],
                stderr=writing["stderr"],
                env=variables,
                cwd=folder,
                start_new_session=True,
                pass_fds=tuple(passed.values()),
            )
        except OSError as error:
            raise SandboxLost(f"the interpreter does not start: {error}") from error
        started.append(process)
        return os.pidfd_open(process.pid)


EXECUTOR = PlainExecutor


@lru_cache(maxsize=16)
def _allowed(shown: tuple[Path, ...], covered: frozenset[Path]) -> tuple[list[str], list[str]]:
    """Return what scripts may read, and the folders that they may list besides.

    Landlock's permissions on a folder cover all its contents, so a folder with a covered one inside
    is permitted entry by entry.
    """
    libraries = system_files.library_folders()
    programs = [path for path, _ in system_files.programs()]
    system = [*libraries, *system_files.data(), *programs, *map(Path, _SYSTEM)]
    hidden = frozenset((*covered, *pythons_in(libraries)))
    tops = tuple(dict.fromkeys((*system, *shown)))
    listed = {
        parent
        for each in hidden
        for parent in each.parents
        if any(parent.is_relative_to(top) for top in tops)
    }
    readable = [each for top in tops for each in _uncovered(top, hidden)]
    return [str(each) for each in readable if each.exists()], [str(each) for each in sorted(listed)]


def _uncovered(top: Path, hidden: frozenset[Path]) -> Iterator[Path]:
    if top in hidden:
        return
    if any(each.is_relative_to(top) for each in hidden):
        for entry in sorted(top.iterdir()):
            yield from _uncovered(entry, hidden)
    else:
        yield top


def _terminate(handle: int) -> None:
    signal.pidfd_send_signal(handle, signal.SIGTERM)


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
