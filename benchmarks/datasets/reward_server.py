"""A reward service that is watched: its processor time, memory, counts, and sandboxes."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_ACCOUNTS = Path("/sys/fs/cgroup/cpuacct")


@dataclass
class Server:
    """A running service."""

    port: int
    process: subprocess.Popen[str]
    group: Path
    kills: int = 0

    def processor_seconds(self) -> float:
        """Return the processor time of the service and all its sandboxes."""
        return int((self.group / "cpuacct.usage").read_text()) / 1e9

    def metrics(self) -> dict[str, float]:
        """Return its metrics by name and labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics") as answer:
            lines = [each for each in answer.read().decode().splitlines() if each[:1] != "#"]
        return {name: float(value) for name, _, value in (each.rpartition(" ") for each in lines)}

    def scored(self) -> int:
        """Return how many verdicts it has counted."""
        found = self.metrics().items()
        return int(sum(n for name, n in found if name.startswith("slice_func_scores_total")))

    def memory(self) -> dict[str, int]:
        """Return its memory and that of its sandboxes, in MiB, and the number of both."""
        found = self.metrics()
        return {
            "service": int(found["process_resident_memory_bytes"]) >> 20,
            "sandboxes": int(found["slice_func_sandbox_bytes"]) >> 20,
            "warm": int(found["slice_func_warm_sandboxes"]),
            "starts": int(found["slice_func_sandbox_starts_total"]),
        }

    def sandboxes(self) -> list[int]:
        """Return the outermost process of each sandbox."""
        return list(_children(self.process.pid))


@contextlib.contextmanager
def served(place: Path, words: Sequence[str]) -> Generator[Server]:
    """Start a service in a group of its own, and stop it in the end.

    Raises:
        OSError: no control group can be made.
        RuntimeError: it does not start, or does not stop as it should.
    """
    script = "import sys; from slicefunc.driver.cli.command import main; sys.exit(main())"
    group = Path(tempfile.mkdtemp(prefix="rewards-", dir=_ACCOUNTS))
    process = subprocess.Popen(
        [sys.executable, "-c", script, "serve", str(place), "--port", "0", *words],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        (group / "cgroup.procs").write_text(str(process.pid))  # before it starts anything
        assert process.stderr is not None
        port = next(filter(None, map(_port, process.stderr)), None)
        if port is None:
            raise RuntimeError("the service does not start")
        yield Server(port, process, group)
        process.terminate()
        if process.wait(60) != 0:
            raise RuntimeError(f"it ended with status {process.returncode}")
    finally:
        process.kill()
        process.wait()
        with contextlib.suppress(OSError):
            group.rmdir()


def _port(line: str) -> int | None:
    found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
    return int(found[1]) if found else None


def _children(process: int) -> Iterator[int]:
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            yield from map(int, file.read_text().split())
