"""The entry of the sandbox: import what scripts will use, then start the forker.

It runs inside an outer sandbox (bubblewrap, a container) that shows only readable files and leaves
the rights to mount and to make namespaces. How it was started does not matter: all it needs is a
datagram socket as a descriptor.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import platform
import socket
import sys
from typing import Any

from . import rehearsal, tasks
from .isolation import capabilities, forker, isolate, libc, tree, wire
from .state import determinism

PROFILES: dict[str, tuple[str, ...]] = {
    "bare": (),
    "test": ("unittest", "unittest.mock", "pytest", "coverage"),
    "scientific": ("numpy", "pandas"),
}
"""Modules that each profile imports first; missing ones are skipped."""
_SCRATCH = "/tmp"  # noqa: S108 - there is one here and one where scripts run


def main(arguments: str) -> None:
    """Serve until the other end closes.

    Args:
        arguments: JSON with the `descriptor` of the socket, `profile`, `preload`, the folders that
            scripts may read (`shown`), and whether the parent keeps a memory group
            (`has_memory_group`).
    """
    given: dict[str, Any] = json.loads(arguments)
    channel = socket.socket(fileno=given["descriptor"])
    _close_others(channel.fileno())
    _enter_own_namespace(channel)
    channel.send(b"hello")
    if channel.recv(64) != b"go":  # the parent has put this process into its groups by now
        return
    missing = _preload((*PROFILES[given["profile"]], *given["preload"]))
    capabilities.forget_bounding_set()
    means = isolate.find_means(
        platform.machine(), has_memory_group=given["has_memory_group"], shown=given["shown"]
    )
    ready = {
        "protections": isolate.protections(means),
        "landlock": means.landlock_version,
        "missing": missing,
        "python": platform.python_version(),
    }
    channel.send(json.dumps(ready).encode())
    del given, ready, missing
    run = forker.serve(channel, means)
    _become_script(run, means)


def _close_others(kept: int) -> None:
    """Close descriptors left open by the outer sandbox, perhaps of outside folders."""
    os.closerange(3, kept)
    os.closerange(kept + 1, tasks.DESCRIPTORS)


def _enter_own_namespace(channel: socket.socket) -> None:
    """Continue in a child whose pid namespace belongs to the process's own user namespace.

    The outer sandbox's namespace may belong to an outer user namespace. Then a process that left it
    for its next child could not return.
    """
    libc.unshare(libc.CLONE_NEWPID)
    child = os.fork()
    if child:
        channel.close()
        os.waitpid(child, 0)
        os._exit(0)


def _preload(names: tuple[str, ...]) -> list[str]:
    """Import each module. Return those that could not be imported."""
    missing: list[str] = []
    os.environ["MPLCONFIGDIR"] = _SCRATCH  # otherwise it makes a folder, which it removes at exit
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:  # noqa: BLE001 - a package may raise anything while it loads
            missing.append(name)
    del os.environ["MPLCONFIGDIR"]
    _look_up_modules()
    determinism.find_holders()
    rehearsal.rehearse()
    return missing


def _look_up_modules() -> None:
    """Let `inspect` cache the files of all modules, since libraries ask for them in each run."""
    inspect: Any = sys.modules.get("inspect")
    if inspect is not None:
        with contextlib.suppress(Exception):  # `sys.modules` may hold anything
            inspect.getmodule(compile("", "<none>", "exec"))


def _become_script(run: tree.Run, means: isolate.HostCapabilities) -> None:
    """Read the request and perform its task; never return."""
    try:
        request: dict[str, Any] = json.loads(wire.read_all(run.request))
        request["own_folders"] = isolate.OWN_FOLDERS
        tasks.prepare(request)
        wire.write_line(run.status, {"protections": isolate.protections(means)})
    except BaseException as error:  # noqa: BLE001 - whatever it was, the set-up failed
        wire.write_line(run.status, {"error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    tasks.perform(request, run.records)
