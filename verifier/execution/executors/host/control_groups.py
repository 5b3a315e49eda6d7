"""Control groups limit memory and processes of a whole tree, if the parent may make them.

Without them, a script with many processes would take the processors from other workers, which then
run into their time limits. Groups share the processors evenly.

Both versions of the interface are supported. Without groups each process is limited separately,
which is reported among what the executor lacks.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from ..interface import Outcome

_PREFIX = "slice-func-"
_MOUNT = Path("/sys/fs/cgroup")
_SPARE_BYTES = 16 << 20  # the kernel's page tables and buffers for these processes
_SPARE_PROCESSES = 2  # the tree's first process, and the previous run's until it is reaped
_REMOVE_TRIES = 100


@dataclass(frozen=True, slots=True)
class Files:
    """File names of one version of the interface."""

    limit: str
    usage: str
    peak: str | None
    """Peak usage since a write of 0; `None` where it cannot be reset."""
    events: str


_FIRST = Files(
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    "memory.max_usage_in_bytes",
    "memory.oom_control",
)
_SECOND = Files("memory.max", "memory.current", None, "memory.events")


class Bounds(Protocol):
    """What a group bounds."""

    @property
    def memory_bytes(self) -> int:
        """Memory of all processes together."""
        ...

    @property
    def disk_bytes(self) -> int:
        """Files that are in memory."""
        ...

    @property
    def processes(self) -> int:
        """Processes and threads."""
        ...


class Group:
    """No group: every method does nothing."""

    protections: tuple[str, ...] = ()
    lacks: tuple[str, ...] = (
        "memory and processes of a whole tree: no control group can be made",
        "a fair share of the processors: a busy script slows those beside it",
    )

    def adopt(self, process: int) -> None:
        """Put a process, and all its later children, into the group."""

    def measure(self) -> None:
        """Record the usage before the first run."""

    def limit(self, bounds: Bounds) -> None:
        """Set the limits for the next run."""

    def explain(self, outcome: Outcome) -> Outcome:
        """Return the outcome with what only the group knows."""
        return outcome

    def remove(self) -> None:
        """Remove the group; its processes have ended."""


NO_GROUP = Group()


class ControlGroup(Group):
    """One group for memory and processes; with version 1 a folder for each."""

    def __init__(
        self, memory: Path, processes: Path, files: Files, processors: Path | None
    ) -> None:
        named = ("memory group", "process group", "processor group")
        self.protections = named if processors else named[:2]
        self.lacks = () if processors else NO_GROUP.lacks[1:]
        self._memory = memory
        self._processes = processes
        self._folders = tuple({memory, processes, processors or memory})
        self._files = files
        self._used_bytes = 0
        self._used_processes = 0
        self._set: tuple[int, int] | None = None
        self._kills = 0

    def adopt(self, process: int) -> None:
        """Put a process, and all its later children, into the group."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(process))

    def measure(self) -> None:
        """Record the usage before the first run."""
        self._used_bytes = int((self._memory / self._files.usage).read_text())
        self._used_processes = int((self._processes / "pids.current").read_text())

    def limit(self, bounds: Bounds) -> None:
        """Set the limits for the next run."""
        wanted = (
            self._used_bytes + bounds.memory_bytes + bounds.disk_bytes + _SPARE_BYTES,
            self._used_processes + bounds.processes + _SPARE_PROCESSES,
        )
        if wanted != self._set:
            (self._memory / self._files.limit).write_text(str(wanted[0]))
            (self._processes / "pids.max").write_text(str(wanted[1]))
            self._set = wanted
        if self._files.peak:
            (self._memory / self._files.peak).write_text("0")

    def explain(self, outcome: Outcome) -> Outcome:
        """Return the outcome with the tree's peak usage, and whether it ran out of memory."""
        if self._files.peak:
            peak = int((self._memory / self._files.peak).read_text()) - self._used_bytes
            outcome = replace(outcome, peak_bytes=max(peak, 0))
        if outcome.end == "signaled" and outcome.signal == signal.SIGKILL:
            before, self._kills = self._kills, self._count_kills()
            if self._kills > before:
                outcome = replace(outcome, detail="out of memory")
        return outcome

    def remove(self) -> None:
        """Remove the group; its processes have ended."""
        for folder in self._folders:
            for _ in range(_REMOVE_TRIES):
                try:
                    folder.rmdir()
                    break
                except FileNotFoundError:
                    break
                except OSError:  # the kernel counts the last process a moment longer
                    time.sleep(0.01)

    def _count_kills(self) -> int:
        for line in (self._memory / self._files.events).read_text().splitlines():
            name, _, value = line.partition(" ")
            if name == "oom_kill":
                return int(value)
        return 0


def make_group(slot: int, mount: Path = _MOUNT, own: Path = Path("/proc/self/cgroup")) -> Group:
    """Return a new group below the process's own, or the null object if impossible.

    Args:
        slot: number of the group within this process.
        mount: mount point of control groups.
        own: file that names the process's own group.
    """
    places: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for line in own.read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            places.update(dict.fromkeys(controllers.split(","), path))
    memory = _make(mount / "memory", places.get("memory", "/"), slot, "memory.limit_in_bytes")
    if memory is not None:
        processes = _make(mount / "pids", places.get("pids", "/"), slot, "pids.max")
        if processes is not None:
            processors = _make(mount / "cpu", places.get("cpu", "/"), slot, "cpu.shares")
            return ControlGroup(memory, processes, _FIRST, processors)
        memory.rmdir()
    both = _make(mount, places.get("", "/"), slot, "memory.max")
    if both is None:
        return NO_GROUP
    has_shares = _has(both, "cpu.weight") or (
        _enable(both.parent, "+cpu") and _has(both, "cpu.weight")
    )
    return ControlGroup(both, both, _SECOND, both if has_shares else None)


def _make(top: Path, own: str, slot: int, needed: str) -> Path | None:
    """Make a folder below the own group, or below its parent, with the required file."""
    place = top / own.lstrip("/")
    for parent in dict.fromkeys((place, place.parent if place != top else top, top)):
        _sweep(parent)
        folder = parent / f"{_PREFIX}{os.getpid()}-{slot}"
        try:
            folder.mkdir()
        except OSError:
            continue
        if _has(folder, needed) or (_enable(parent, "+memory +pids") and _has(folder, needed)):
            return folder
        folder.rmdir()
    return None


def _sweep(parent: Path) -> None:
    """Remove groups of killed processes; those in use cannot be removed."""
    for folder in parent.glob(f"{_PREFIX}*-*"):
        process = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", process).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()


def _has(folder: Path, needed: str) -> bool:
    return (folder / needed).exists() and (folder / "cgroup.procs").exists()


def _enable(parent: Path, controllers: str) -> bool:
    """Enable controllers below a group of version 2, which fails if it has processes."""
    try:
        with (parent / "cgroup.subtree_control").open("r+") as control:
            control.write(controllers)
    except OSError:
        return False
    return True
