"""Programs of which the recipes are made: commands that end, and services that run meanwhile."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

HOST = "127.0.0.1"
START_SECONDS = 180
"""How long a service may take until it answers."""
OFFLINE = {"HF_HUB_OFFLINE": "1"}
"""Setting of the libraries of Hugging Face: nothing is looked up on their hub."""
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
"""Setting of PyTorch for tiny models: on a busy machine two threads take ten times as long."""


class ServiceError(Exception):
    """A command has failed, or a service does not answer."""


def program(name: str) -> str:
    """Return the path of a program that is installed beside the running Python."""
    return str(Path(sys.executable).parent / name)


def run_command(
    command: Sequence[str | Path], log: Path, variables: Mapping[str, str] | None = None
) -> None:
    """Run a command to its end; what it prints goes into a file.

    Raises:
        ServiceError: the command fails; the message has the last lines of what it printed.
    """
    with log.open("w") as output:
        done = subprocess.run(
            [str(word) for word in command],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=_variables(variables),
            check=False,
        )
    if done.returncode:
        raise ServiceError(f"{_shown(command)}: status {done.returncode}\n{_end_of(log)}")


@contextmanager
def running_service(
    command: Sequence[str | Path],
    path: str,
    log: Path,
    variables: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Run a service on a free port; yield its address once it answers, and stop it afterwards.

    Args:
        command: the service's command; `--host` and `--port` are appended.
        path: path that the service answers, with anything but 503, once it is ready.
        log: file for what it prints.
        variables: of its environment, beside those of this process.

    Raises:
        ServiceError: it ends, or does not answer in time.
    """
    address = f"http://{HOST}:{(port := _free_port())}"
    words = [*map(str, command), "--host", HOST, "--port", str(port)]
    with log.open("w") as output:
        process = subprocess.Popen(
            words, stdout=output, stderr=subprocess.STDOUT, env=_variables(variables)
        )
    try:
        _wait_until_ready(process, address + path, log)
        yield address
    finally:
        process.terminate()
        process.wait()


def serve_model(
    model: Path, log: Path, variables: Mapping[str, str] | None = None
) -> AbstractContextManager[str]:
    """Serve a model with OpenAI's protocol; yield the service's address."""
    command = [program("transformers"), "serve", model.resolve()]
    return running_service(command, "/health", log, variables)


def serve_rewards(slice_func: str, dataset: Path, log: Path) -> AbstractContextManager[str]:
    """Serve the rewards of a dataset; yield the service's address."""
    return running_service([slice_func, "serve", dataset], "/ready", log)


def _variables(more: Mapping[str, str] | None) -> dict[str, str]:
    return {**os.environ, **OFFLINE, **(more or {})}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def _wait_until_ready(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise ServiceError(f"{url}: the service has ended\n{_end_of(log)}")
        try:
            with urllib.request.urlopen(url, timeout=10):
                return
        except urllib.error.HTTPError as error:
            if error.code != 503:
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise ServiceError(f"{url}: no answer in {START_SECONDS} s\n{_end_of(log)}")


def _shown(command: Sequence[str | Path]) -> str:
    return shlex.join(map(str, command))


def _end_of(log: Path, lines: int = 20) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
