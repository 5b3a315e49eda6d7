"""Start a service, and stop it so that everything accepted is answered."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from ....slicer.errors import OptionError
from ....verifier.execution.executors.choose_executor import choose
from ....verifier.execution.executors.shared_sandboxes import MEMORY, SharedSandboxes
from ...datasets.scoring.catalogue import open_catalogue
from ...datasets.scoring.warm_scorers import WarmScorers
from ...places.environment_scorer import ScoreOptions
from ...places.listener import is_loopback, listening
from ...record.score_log import ScoreLog
from .http_app import make_app
from .metrics import Metrics
from .reward_service import RewardService, ServiceOptions


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Options of `slice-func serve`."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0 for any free one."""
    token: str | None = None
    memory_bytes: int = MEMORY
    """Bound on the memory of warm sandboxes."""
    score: ScoreOptions = field(default_factory=ScoreOptions)
    service: ServiceOptions = field(default_factory=ServiceOptions)
    log: Path | None = None
    """File to which each scored candidate is appended."""


def serve(location: str, options: ServeOptions, report: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT; then answer what was accepted, and return.

    Args:
        location: a dataset.
        options: how it is served.
        report: prints a line for people.

    Raises:
        SliceFuncError: no dataset, no sandbox, no place for the log, or a port that is taken.
    """
    if options.token is None and not is_loopback(options.host):
        raise OptionError(
            f"{options.host} can be reached by others, and no token is set",
            "name a file with --token-file, or serve on 127.0.0.1",
        )
    catalogue = open_catalogue(location)
    choice = choose(wanted=options.score.executor)
    for line in choice.lines():
        report(line)
    log = ScoreLog(options.log, report) if options.log else None
    sandboxes = SharedSandboxes(choice.make, options.memory_bytes)
    scorers = WarmScorers(catalogue, sandboxes, options.score)
    service = RewardService(scorers, options.service, Metrics(), report, log)
    try:
        with listening(options.host, options.port) as (listener, url):
            report(f"serving {len(catalogue.ids)} environments on {url}")
            _run(make_app(service, options.token), service, listener)
    finally:
        service.close()
        sandboxes.close()
        if log is not None:
            log.close()
    report("stopped: every accepted candidate was answered")


class _Server(uvicorn.Server):
    """Tells the service when it is to stop."""

    service: RewardService | None = None

    def handle_exit(self, sig: int, frame: object) -> None:
        """Accept nothing more; `run` returns when all requests are answered."""
        if self.service is not None:
            self.service.is_stopping = True
        super().handle_exit(sig, frame)  # pyright: ignore[reportArgumentType] - a frame


def _run(app: Callable[..., object], service: RewardService, listener: socket.socket) -> None:
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, lifespan="off", server_header=False
    )
    server = _Server(config)
    server.service = service
    before = {each: signal.signal(each, _ignore) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        server.run([listener])  # it raises the signal that stopped it once more
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignore(_number: int, _frame: object) -> None:
    """Do nothing: the server has stopped by then."""
