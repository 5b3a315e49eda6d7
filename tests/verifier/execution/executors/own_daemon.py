"""A Docker daemon of a test's own, which it may kill; started as `.ci/docker` starts one."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[4] / ".ci" / "docker"
WAIT_SECONDS = 30


class OwnDaemon:
    """One at a time in a folder; what it holds stays there from one start to the next."""

    def __init__(self, folder: Path, python: str) -> None:
        """Take the folder; its name must be short, for there will be a socket in it."""
        path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
        if os.geteuid() != 0 or shutil.which("dockerd", path=path) is None:
            pytest.skip("only root with the package docker.io can start a daemon")
        self.folder = folder
        self.url = f"unix://{folder}/docker.sock"
        self._python = python
        self._shell: subprocess.Popen[str] | None = None

    def start(self, *options: str) -> None:
        """Start it, and wait until it answers.

        Raises:
            RuntimeError: it does not; the message has what was told.
        """
        words = " ".join(("docker_start", str(self.folder), self._python, *options))
        program = f"source {SCRIPT}; unset DOCKER_HOST; {words}; read; docker_stop"
        self._shell = subprocess.Popen(
            ["bash", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._shell.stdout is not None
        told = self._shell.stdout.readline()
        if "answers at" not in told:
            rest, _ = self._shell.communicate()
            self._shell = None
            raise RuntimeError(told + rest)

    def kill(self) -> None:
        """End it as nobody should."""
        number = self.folder / "dockerd.pid"
        os.kill(int(number.read_text()), signal.SIGKILL)
        number.unlink()  # by the next start it may be somebody else's
        assert self._shell is not None
        self._shell.kill()  # it would take down the mounts
        self._shell.communicate()
        self._shell = None
        helper = self.folder / "exec" / "containerd" / "containerd.pid"
        ended = Path("/proc", helper.read_text().strip())  # goes along with its parent
        deadline = time.monotonic() + WAIT_SECONDS
        while ended.exists():  # else the next daemon takes it for one that can be used
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def stop(self) -> None:
        """End it, and take down what it has mounted."""
        if self._shell is not None:
            self._shell.communicate("\n", timeout=WAIT_SECONDS)
            self._shell = None

    def remove(self) -> None:
        """End it, and whatever a test that failed has left."""
        self.stop()
        for process in self.processes():
            place = Path(f"/proc/{process}/task/{process}/children")
            for each in (*map(int, place.read_text().split()), process):
                os.kill(each, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def mounts(self) -> list[str]:
        """What is mounted in its folder."""
        lines = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
        return [line.split()[1] for line in lines if line.split()[1].startswith(f"{self.folder}/")]

    def processes(self) -> list[int]:
        """What it has started, as far as command lines tell."""
        found: list[int] = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    if str(self.folder).encode() in (entry / "cmdline").read_bytes():
                        found.append(int(entry.name))
        return found
