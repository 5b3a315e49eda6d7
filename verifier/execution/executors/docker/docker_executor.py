"""The Docker executor: the same zygote inside one hardened container for each worker.

The container has no network, a read-only root, no capability, and a system-call filter of its own.
The zygote gets its rights from a user namespace that it makes for itself, so neither the daemon nor
the container has to give any. Jobs and reports go through the container's attached streams, and
nothing is ever executed in a running container from outside.
"""

from __future__ import annotations

import signal
from dataclasses import replace

from ....errors import SandboxError
from ....sandbox.isolation import frames
from ....sandbox.isolation.supervise import Report
from ..host.run_outcome import outcome_of
from ..host.wire_format import caps_of, order_of, request_of
from ..interface import Capabilities, Job, Limits, Outcome, Profile
from .docker_container import START_BYTES, Container, start_container

_ANSWER_SECONDS = 60.0  # beyond the job's own limit, since ended processes may linger
_SPARE_BYTES = 48 << 20  # for the kernel's own use, and small helper objects
_LOST = (SandboxError, EOFError, OSError, ValueError, KeyError, TypeError)
"""Errors of a container that is gone, or that sent something invalid."""


class DockerExecutor:
    """Runs each job as a fork of one zygote in a container, and starts another if one was lost."""

    name = "docker"

    def __init__(self) -> None:
        self._profile = Profile()
        self._container: Container | None = None
        self._limit_bytes = 0
        self._oom_kills = 0

    def start(self, profile: Profile) -> None:
        """Start the container, after building its image if missing."""
        self.close()
        self._profile = profile
        self._container = start_container(profile)
        self._limit_bytes = START_BYTES
        self._oom_kills = 0

    def run(self, job: Job) -> Outcome:
        """Run one job in a process tree of its own."""
        if self._container is None:
            try:
                self.start(self._profile)
            except (SandboxError, OSError) as error:
                return Outcome("infrastructure", detail=str(error))
        container = self._container
        assert container is not None
        try:
            self._limit(container, job.limits)
            report, oom_kills = _exchange(container, job)
        except _LOST as error:
            self.close()
            detail = f"the container was lost: {error}\n{container.attached.stderr_head()}".strip()
            return Outcome("infrastructure", detail=detail)
        promised, also = container.protections, container.outside
        outcome = outcome_of(report, job.limits, promised=promised, also=also)
        has_run_out = oom_kills > self._oom_kills
        self._oom_kills = oom_kills
        if has_run_out and outcome.end == "signaled" and outcome.signal == signal.SIGKILL:
            outcome = replace(outcome, detail="out of memory")
        if outcome.end == "infrastructure":
            self.close()
            detail = f"{outcome.detail}\n{container.attached.stderr_head()}".strip()
            outcome = replace(outcome, detail=detail)
        return outcome

    def close(self) -> None:
        """End the container and remove it."""
        container, self._container = self._container, None
        if container is not None:
            container.end()

    def capabilities(self) -> Capabilities:
        """Return the protections in force, once started."""
        container = self._container
        if container is None:
            return Capabilities(self.name, (), ("nothing is known before the start",))
        return Capabilities(
            self.name, (*container.protections, *container.outside), container.lacks
        )

    @property
    def container(self) -> str | None:
        """Return the container's identifier, for tests that end it."""
        return self._container.identifier if self._container else None

    @property
    def process_id(self) -> int | None:
        """Return the id of the container's first process on the daemon's machine, for tests."""
        return self._container.process() if self._container else None

    def _limit(self, container: Container, limits: Limits) -> None:
        """Limit the container's memory. That costs more than a run, so only on a change."""
        # by the serving process inside
        buffered = 2 * limits.record_bytes + 4 * limits.output_bytes
        wanted = container.used_bytes + limits.memory_bytes + limits.disk_bytes + buffered
        wanted += _SPARE_BYTES
        if wanted != self._limit_bytes:
            container.limit(wanted)
            self._limit_bytes = wanted


EXECUTOR = DockerExecutor


def _exchange(container: Container, job: Job) -> tuple[Report, int]:
    """Send the job and wait for its report. Return it with the number of out-of-memory kills."""
    attached = container.attached
    order, caps = order_of(job.limits), caps_of(job.limits)
    head = {"order": order._asdict(), "caps": caps._asdict()}
    attached.expect_within(job.limits.wall_seconds + _ANSWER_SECONDS)
    attached.send(frames.pack(head, request_of(job)))
    most_bytes = 2 * caps.output_bytes + caps.record_bytes
    fields, (stdout, stderr, records) = frames.unpack(attached.read, most_bytes)
    oom_kills = int(fields.pop("oom_kills"))
    return Report(**fields, stdout=stdout, stderr=stderr, records=records), oom_kills
