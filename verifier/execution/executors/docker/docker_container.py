"""One hardened container whose first process serves jobs: settings, start and end."""

from __future__ import annotations

import contextlib
import json
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....errors import SandboxError
from ....sandbox.contained import digest
from ....sandbox.isolation import frames
from ..host.bubblewrap import PACKAGE, RUNNER, environment
from ..host.interpreters import exposed, find_interpreter, refuse_exposed
from ..host.other_user import next_slot, user_of
from ..interface import NOT_PRELOADED, Profile
from . import docker_filter, docker_owners
from .docker_client import Client, connect, translate_errors
from .docker_image import Image, find_image
from .docker_stream import ContainerStreams

START_BYTES = 2 << 30
"""Memory limit of the container until its first job sets another one."""
_ENTRY = f"import sys; sys.path.insert(0, {RUNNER!r}); from {PACKAGE}.contained import main; del sys.path[:2]; main(*sys.argv[1:])"  # noqa: E501
_STREAMS = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
_START_SECONDS = 60.0
_CLOSE_SECONDS = 3.0
_KILL_SECONDS = 30.0
_REMOVAL_SECONDS = 5
_PAUSE_SECONDS = 0.1
_PROCESSES = 512
_LAST_USER = (1 << 31) - 1  # the daemon accepts no higher one
_MOST_USERS = 1 << 27


@dataclass(frozen=True, slots=True)
class Container:
    """A container whose zygote is ready."""

    client: Client
    identifier: str
    labels: dict[str, str]
    attached: ContainerStreams
    protections: tuple[str, ...]
    """Protections in force for each script."""
    outside: tuple[str, ...]
    """Protections of the container as a whole."""
    lacks: tuple[str, ...]
    used_bytes: int
    """Memory in use before the first job."""

    def limit(self, memory_bytes: int) -> None:
        """Limit the memory of all its processes together."""
        with translate_errors("the container takes no limit"):
            self.client.update_container(
                self.identifier, mem_limit=memory_bytes, memswap_limit=memory_bytes
            )

    def process(self) -> int:
        """Return the id of its first process on the daemon's machine."""
        with translate_errors("the container is not known"):
            return int(self.client.inspect_container(self.identifier)["State"]["Pid"])

    def end(self) -> None:
        """End it by closing its input, or by force; its streams are drained either way."""
        with contextlib.suppress(OSError):
            self.attached.end_input()
        drain = self.attached.draining(_KILL_SECONDS)
        drain.join(_CLOSE_SECONDS)
        _remove(self.client, self.identifier)
        docker_owners.release(self.labels)
        drain.join(_KILL_SECONDS)
        self.attached.close()
        self.client.close()


def start_container(profile: Profile) -> Container:
    """Start a container from the profile's image, which is built first if missing.

    Raises:
        SandboxError: the container cannot start; the message says why.
    """
    interpreter = find_interpreter(profile.python)
    client = connect()
    with ExitStack() as ending:  # undone in reverse order
        ending.callback(client.close)
        with translate_errors("the container does not start"):
            daemon = client.info()
            if not docker_filter.is_known(daemon["Architecture"]):
                raise SandboxError(
                    f"no system-call filter for {daemon['Architecture']}", "use another machine"
                )
            image = find_image(client, interpreter, profile)
            refuse_exposed(profile.hidden, image.built_in)
            for orphan in docker_owners.orphans(client):
                _remove(client, orphan)
            labels = docker_owners.owner_labels()
            ending.callback(docker_owners.release, labels)
            identifier = _create(client, daemon, image, profile, labels)
            ending.callback(_remove, client, identifier)
            attached = ContainerStreams(client.attach_socket(identifier, params=_STREAMS))
            ending.callback(attached.close)
            client.start(identifier)
        ready = _shake_hands(attached)
        ending.pop_all()
        return Container(
            client,
            identifier,
            labels,
            attached,
            protections=tuple(ready["protections"]),
            outside=_outside(daemon),
            lacks=_lacks(ready, daemon),
            used_bytes=int(ready["used_bytes"]),
        )


def container_user(slot: int) -> int:
    """Return the user id of a worker's container, different from those of other processes."""
    return _LAST_USER - user_of(slot) % _MOST_USERS


def _create(
    client: Client,
    daemon: dict[str, Any],
    image: Image,
    profile: Profile,
    labels: dict[str, str],
) -> str:
    """Create a container without starting it. Return its identifier."""
    arguments = {
        "profile": profile.name,
        "preload": profile.preload,
        "has_memory_group": bool(daemon.get("MemoryLimit")),
        "shown": [str(each) for each in (*image.built_in, *image.shown)],
    }
    covered = [str(each) for each in exposed(profile.hidden, image.shown)]
    python = str(image.interpreter.executable)
    user = container_user(next_slot())
    made = client.create_container(
        image.name,
        [python, "-s", "-B", "-c", _ENTRY, json.dumps(arguments), *covered],
        entrypoint=[],
        environment=environment(image.interpreter, profile.hash_seed),
        host_config=_host_config(client, daemon, image.shown),
        hostname="sandbox",
        labels=labels,
        stdin_open=True,
        stop_signal="SIGKILL",  # otherwise a daemon that stops or restarts would wait in vain
        user=f"{user}:{user}",
        working_dir="/",
    )
    return str(made["Id"])


def _host_config(client: Client, daemon: dict[str, Any], shown: tuple[Path, ...]) -> dict[str, Any]:
    """Return the container's rights: only what the zygote needs."""
    from docker.types import LogConfig, Mount, Ulimit

    profile = docker_filter.container_filter(daemon["Architecture"])
    options = ["no-new-privileges", f"seccomp={profile}"]
    if any("apparmor" in each for each in daemon.get("SecurityOptions") or ()):
        options.append("apparmor=unconfined")  # its default profile forbids mounts in any namespace
    config = client.create_host_config(
        auto_remove=True,
        cap_drop=["ALL"],
        dns=["127.0.0.1"],  # otherwise the machine's own servers are visible
        ipc_mode="private",
        log_config=LogConfig(type="none"),
        mem_limit=START_BYTES,
        memswap_limit=START_BYTES,
        mounts=[Mount(str(each), str(each), type="bind", read_only=True) for each in shown],
        network_mode="none",
        pids_limit=_PROCESSES,
        read_only=True,
        security_opt=options,
        shm_size=1 << 16,  # each script mounts its own over it
        ulimits=[Ulimit(name="core", soft=0, hard=0)],
    )
    # like systempaths=unconfined: the kernel refuses to mount a fuller /proc than the caller's own
    config["MaskedPaths"] = []
    config["ReadonlyPaths"] = []
    return config


def _shake_hands(attached: ContainerStreams) -> dict[str, Any]:
    attached.expect_within(_START_SECONDS)
    try:
        ready, _ = frames.unpack(attached.read, 0)
        why = ready.get("error", "")
    except (EOFError, OSError, ValueError) as error:
        ready, why = {}, str(error)
    if why:
        with contextlib.suppress(OSError):
            attached.end_input()
        attached.draining(_CLOSE_SECONDS).join(_CLOSE_SECONDS)
        raise SandboxError(f"the container does not start: {why}\n{attached.stderr_head()}".strip())
    if ready["digest"] != digest():
        raise SandboxError("the image has another version of the sandbox", "build it again")
    return ready


def _outside(daemon: dict[str, Any]) -> tuple[str, ...]:
    groups = (("MemoryLimit", "memory group"), ("PidsLimit", "process group"))
    return ("container", "container seccomp", *(name for key, name in groups if daemon.get(key)))


def _lacks(ready: dict[str, Any], daemon: dict[str, Any]) -> tuple[str, ...]:
    lacks: list[str] = []
    if not daemon.get("MemoryLimit"):
        lacks.append("memory of a whole tree: the daemon cannot limit it")
    if not daemon.get("PidsLimit"):
        lacks.append("processes of a whole tree: the daemon cannot limit them")
    if not ready["landlock"]:
        lacks.append("Landlock: the kernel has none")
    if ready["missing"]:
        lacks.append(NOT_PRELOADED + ", ".join(ready["missing"]))
    return tuple(lacks)


def _remove(client: Client, container: str) -> None:
    """Remove the container, whatever its state, and wait until it is gone.

    A restarted daemon may fail at first, or be removing it already. So the container is checked,
    and removed again if it is still there.
    """
    from docker.errors import DockerException, NotFound
    from requests.exceptions import RequestException

    deadline = time.monotonic() + _KILL_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(DockerException, RequestException):
            client.remove_container(container, force=True)
        with contextlib.suppress(DockerException, RequestException):
            client.wait(container, timeout=_REMOVAL_SECONDS, condition="removed")
        try:
            client.inspect_container(container)
        except NotFound:
            return
        except (DockerException, RequestException):
            return  # the daemon no longer answers
        time.sleep(_PAUSE_SECONDS)
