"""Owners of containers, by labels, so that leftovers of killed owners are removed.

A container ends with its owner, because its input closes. That does not cover an owner killed
before the start, nor a daemon that was killed and restarted with its old containers.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any, NamedTuple

from ....errors import SandboxError
from .docker_client import Client, translate_errors

_KIND = "slice-func"
_OWNER = "slice-func.owner"
_SERIAL = "slice-func.serial"
_serials = itertools.count(1)
_in_use: set[str] = set()
"""Serial numbers of the containers that this process still uses."""


class Owner(NamedTuple):
    """A process, identified uniquely across time."""

    boot: str
    """Boot id of the machine."""
    namespace: str
    """Namespace of its process id."""
    process: int
    started: str

    def label(self) -> str:
        """Return the owner as text for a label."""
        return ":".join(str(each) for each in self)


def owner_labels() -> dict[str, str]:
    """Return the labels of a new container that this process will use."""
    serial = str(next(_serials))
    _in_use.add(serial)
    return {_KIND: "sandbox", _OWNER: _ourselves().label(), _SERIAL: serial}


def release(labels: dict[str, str]) -> None:
    """Stop using the container. If it still exists, anybody may remove it."""
    _in_use.discard(labels[_SERIAL])


def orphans(client: Client) -> list[str]:
    """Return identifiers of containers that nobody uses any more, as far as can be told."""
    with translate_errors("the daemon does not tell its containers"):
        listed = client.containers(all=True, filters={"label": [f"{_KIND}=sandbox", _OWNER]})
    return [str(each["Id"]) for each in listed if _is_orphan(each)]


def _is_orphan(container: dict[str, Any]) -> bool:
    labels: dict[str, str] = container["Labels"]
    try:
        boot, namespace, process, started = labels[_OWNER].split(":")
        owner = Owner(boot, namespace, int(process), started)
    except ValueError:
        return False  # made by other software
    ours = _ourselves()
    if owner == ours:
        return labels.get(_SERIAL) not in _in_use
    if owner.boot != ours.boot:  # from before the machine's restart
        return container["State"] != "running"
    return owner.namespace == ours.namespace and not _is_alive(owner)


def _is_alive(owner: Owner) -> bool:
    """Whether the process exists; one that may not be inspected does."""
    try:
        os.kill(owner.process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's process
    try:
        return _started(owner.process) == owner.started
    except OSError:  # it just ended, or is hidden
        return True


def _ourselves() -> Owner:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        namespace = str(Path("/proc/self/ns/pid").stat().st_ino)
        return Owner(boot, namespace, os.getpid(), _started(os.getpid()))
    except OSError as error:
        raise SandboxError(
            f"this machine does not tell one process from another: {error}"
        ) from error


def _started(process: int) -> str:
    """Return the process's start time in clock ticks since boot."""
    text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    return text.rpartition(")")[2].split()[19]
