"""What sandboxes could leave on a machine: processes, mounts, groups, files; and their end.

For soaks: counts are taken before and after.
"""

from __future__ import annotations

import gc
import os
import random
import signal
import time
from pathlib import Path

from slicefunc.verifier.execution.executors.docker.docker_container import container_user
from slicefunc.verifier.execution.executors.host.other_user import user_of
from slicefunc.verifier.execution.executors.interface import Executor

NAMESPACES_OF_OTHERS = 20
"""The kernel's count is of the whole machine, and lags behind."""
SETTLING_SECONDS = 20
USERS = 256
"""More workers than one process has at a time."""
OF_A_SCRIPT = 2
"""Processes of a script, or of the next one: the first in its namespace, and its own."""


def kill(executor: Executor, chance: random.Random | None = None) -> int:
    """End its outermost process with -9, or one that this has started; how many were ended."""
    process: int | None = getattr(executor, "process_id", None)
    if process is None:
        return 0
    if chance is not None:
        process = chance.choice(_ours(process))
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return 0
    return 1


def _ours(outermost: int) -> list[int]:
    """A process, the one that it has started, and so on, without those of scripts."""
    found = [outermost]
    while True:
        place = Path(f"/proc/{found[-1]}/task/{found[-1]}/children")
        try:
            words = place.read_text().split()
        except OSError:
            words = []
        if not words:
            return found[:1] if len(found) <= OF_A_SCRIPT else found[:-OF_A_SCRIPT]
        found.append(int(words[0]))


def used_memory() -> dict[str, int]:
    """Kibibytes of this process, and of each sandbox's group."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    used = {"parent": pages * os.sysconf("SC_PAGESIZE") >> 10}
    for file in sorted(_groups(), key=lambda each: each.name):
        for name in ("memory.usage_in_bytes", "memory.current"):
            if (file / name).exists():
                used[f"group {len(used)}"] = int((file / name).read_text()) >> 10
    return used


def left_after(before: dict[str, int]) -> dict[str, int]:
    """Counts, as soon as nothing is more than before, or after a while.

    The kernel takes namespaces down in the background, and the machine's first process may take its
    time to collect what was left to it.
    """
    deadline = time.monotonic() + SETTLING_SECONDS
    while grown(before, after := left_behind()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return after


def left_behind() -> dict[str, int]:
    """Counts of what a sandbox could leave on the machine."""
    processes = 0
    users = {user for slot in range(USERS) for user in (user_of(slot), container_user(slot))}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "status").read_text()
                processes += f"\nPPid:\t{os.getpid()}\n" in status
                processes += int(status.split("\nUid:\t")[1].split()[0]) in users
            except (OSError, IndexError):
                continue
    return {
        "processes": processes,
        "mounts": len(Path("/proc/self/mountinfo").read_text().splitlines()),
        "groups": len(_groups()),
        "files": sum(1 for _ in Path("/tmp").glob("slice-func-*")),
        "descriptors": len([*Path("/proc/self/fd").iterdir()]),
        "network namespaces": _network_namespaces(),
    }


def _groups() -> list[Path]:
    mine = f"slice-func-{os.getpid()}-*"
    return [each for each in Path("/sys/fs/cgroup").rglob(mine) if each.is_dir()]


def _network_namespaces() -> int:
    """Objects of the kernel, those included that no process is in any more."""
    try:
        lines = Path("/proc/slabinfo").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("net_namespace "))


def grown(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """Names of what is more than before."""
    spare = {"network namespaces": NAMESPACES_OF_OTHERS}
    return [name for name, count in after.items() if count > before[name] + spare.get(name, 0)]
