"""Import scripts in an environment, with the repository out of sight and the network cut."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from .sdists import interpreter

RUNNER = Path(__file__).with_name("import_runner.py")


@dataclass(frozen=True, slots=True)
class Imported:
    """What importing one script, or one module, gave."""

    ok: bool
    error: str
    """Class of the exception, or `timeout`, `exit` or `unbound`; empty where all went well."""
    message: str
    traceback: str
    printed: str
    """What the import wrote to standard output and standard error."""
    seconds: float
    own_name: bool
    """Whether a module stands under the name that was asked about."""


@dataclass(frozen=True, slots=True)
class Importer:
    """A running import process; made by `importer`."""

    requests: TextIO
    answers: TextIO

    def script(
        self, path: Path, name: str, *, own: str | None = None, timeout: float = 60.0
    ) -> Imported:
        """Import a script and look whether it binds the name.

        `own` is the name that the target's module has in its repository; whether a module stands
        under it afterwards is told too.
        """
        return self._ask({"script": str(path), "name": name, "own": own, "timeout": timeout})

    def module(self, module: str, name: str, *, timeout: float = 60.0) -> Imported:
        """Import a module that is installed in the environment; look whether it binds the name."""
        return self._ask({"module": module, "name": name, "timeout": timeout})

    def _ask(self, request: dict[str, object]) -> Imported:
        answer = self.ask(request)
        return Imported(
            ok=answer["ok"],
            error=answer.get("error", ""),
            message=answer.get("message", ""),
            traceback=answer.get("traceback", ""),
            printed=answer["printed"],
            seconds=answer["seconds"],
            own_name=answer.get("own_name", False),
        )

    def ask(self, request: dict[str, object]) -> dict[str, Any]:
        """The runner's answer to any request that it knows."""
        self.requests.write(json.dumps(request) + "\n")
        self.requests.flush()
        line = self.answers.readline()
        if not line:
            raise SystemExit("benchmarks: the import process ended; its errors are above")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextlib.contextmanager
def importer(
    environment: Path, work: Path, *, runner: Path = RUNNER, **variables: str
) -> Iterator[Importer]:
    """A warm process of the environment that forks once for each request."""
    # -P keeps the runner's own folder off the import path.
    command = [*isolation(work), str(interpreter(environment)), "-B", "-P", str(runner)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=clean_environ(**variables),
        cwd="/",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Importer(process.stdin, process.stdout)
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def clean_environ(**extra: str) -> dict[str, str]:
    """Environment variables for a child that shall not see those of this process."""
    return {
        "PATH": os.defpath,
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        **extra,
    }


def isolation(work: Path) -> tuple[str, ...]:
    """The command prefix that cuts the network and hides the sources; empty without bubblewrap."""
    if not isolated():
        return ()
    work = work.resolve()
    # Any of these may be below /tmp, which the scripts see empty.
    needed = (sys.base_prefix, str(RUNNER.parent), str(work))
    return (
        *("bwrap", "--unshare-all", "--die-with-parent", "--new-session"),
        *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"),
        *(word for place in needed for word in ("--ro-bind", place, place)),
        *("--tmpfs", str(work / "sdists")),
    )


@functools.cache
def isolated() -> bool:
    """Whether bubblewrap is there and may be used; said once on standard error where not."""
    probe = ("bwrap", "--unshare-all", "--ro-bind", "/", "/", "true")
    works = (
        shutil.which("bwrap") is not None
        and subprocess.run(probe, capture_output=True, check=False).returncode == 0
    )
    if not works:
        print("benchmarks: no bubblewrap: scripts run with the network", file=sys.stderr)
    return works
