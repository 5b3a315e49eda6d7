"""Records calls to a package's functions while its own test suite runs.

Runs inside the package's environment: `record(settings)` starts pytest with a plug-in that looks at
every call through `sys.setprofile` and encodes the arguments at the time of the call.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import signal
import sys
import threading
import time
import traceback
import types
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from .carry import Encoder, Globals, UncarriableError, World
from .nodes import arguments_of, body_starts, packed

CALLS_KEPT = 20
CALLS_TRIED = 45
TEST_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Settings:
    """What one recording needs to know; read from JSON by the process that records."""

    root: str
    """The unpacked sdist, the working folder of the suite."""
    packages: tuple[str, ...]
    """Folders of the package inside it."""
    own: tuple[str, ...]
    """Top-level module names of the package."""
    tests: tuple[str, ...]
    """Arguments for pytest: files or folders of the suite."""
    test_folders: tuple[str, ...]
    output: str
    forget: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    """More arguments for pytest."""
    seconds: float = 900.0
    """When the suite is ended."""


def is_sampled(count: int) -> bool:
    """Whether the call of that number is recorded: the first ones, then ever more sparsely."""
    if count < 8:
        return True
    step = 1 << (count.bit_length() - 3)
    return count % step == 0


@dataclass(slots=True)
class Called:
    """What is known about one function that was called."""

    path: str
    qualname: str
    digest: str
    calls: int = 0
    tried: int = 0
    kept: int = 0


class Recorder:
    """The pytest plug-in."""

    def __init__(self, settings: Settings, output: TextIO) -> None:
        self._settings = settings
        self._output = output
        self._world = World(
            own=frozenset(settings.own),
            tests=tuple(f"{folder}{os.sep}" for folder in settings.test_folders),
            forget=frozenset(settings.forget),
        )
        self._names = Globals(self._world)
        self._prefix = f"{settings.root}{os.sep}"
        self._known: dict[types.CodeType, Called | None] = {}
        self._seen: set[str] = set()
        self._busy = threading.local()
        self._pid = os.getpid()
        self._test = ""
        self._outcomes: dict[str, int] = {}
        self._lines: list[str] = []
        self._session: object = None
        self._end = time.monotonic() + settings.seconds

    # Hooks of pytest ----------------------------------------------------------------------------

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note which test runs, and take the hook back if a test took it away."""
        self._test = nodeid
        self.start()
        # A test that waits for ever, for the network for example, fails instead.
        signal.signal(signal.SIGALRM, _too_long)
        signal.alarm(TEST_SECONDS)
        if time.monotonic() > self._end and self._session is not None:
            self._session.shouldstop = "time limit"  # pyright: ignore

    def pytest_sessionstart(self, session: object) -> None:
        """Keep the session, to end it when its time is over."""
        self._session = session

    def pytest_runtest_logreport(self, report: object) -> None:
        """Count passed and failed tests."""
        outcome: str = report.outcome  # pyright: ignore
        if report.when == "call" or outcome != "passed":  # pyright: ignore
            self._outcomes[outcome] = self._outcomes.get(outcome, 0) + 1

    def pytest_collection(self) -> None:
        """Begin before the test modules are imported: their decorators call the package."""
        self.start()

    def start(self) -> None:
        """Look at every call from now on."""
        if os.getpid() == self._pid and sys.getprofile() is not self._hook_used:
            sys.setprofile(self._hook_used)
            threading.setprofile(self._hook_used)

    @property
    def _hook_used(self) -> object:
        return self.__dict__.setdefault("_bound", self._hook)

    def stop(self) -> None:
        """Look at no more calls, and write what was called how often."""
        sys.setprofile(None)
        threading.setprofile(None)  # pyright: ignore[reportArgumentType]
        for called in self._known.values():
            if called is not None:
                line = {"path": called.path, "qualname": called.qualname, "calls": called.calls}
                self._write(line)
        self._write({"outcomes": self._outcomes})
        self.pytest_runtest_logfinish()

    # The hook -----------------------------------------------------------------------------------

    def _hook(self, frame: types.FrameType, event: str, _argument: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        try:
            called = self._known[code]
        except KeyError:
            called = self._known[code] = self._look_up(code)
        if called is None:
            return
        if code.co_flags & 0x2A0 and frame.f_lasti > body_starts(code):
            return  # a generator or coroutine that goes on
        count = called.calls
        called.calls += 1
        wanted = called.kept < CALLS_KEPT and called.tried < CALLS_TRIED and is_sampled(count)
        if wanted and os.getpid() == self._pid:
            called.tried += 1
            self._record(called, code, frame, count)

    def _look_up(self, code: types.CodeType) -> Called | None:
        file = code.co_filename
        if not file.startswith(self._prefix) or "<" in code.co_qualname:
            return None
        path = file[len(self._prefix) :].replace(os.sep, "/")
        inside = any(path.startswith(f"{package}/") for package in self._settings.packages)
        outside = {"tests", "test", "docs", "examples"} & set(path.split("/")[:-1])
        if not inside or outside or not code.co_flags & 0x2:  # not a function: a class body
            return None
        return Called(path, code.co_qualname, digest_of(code))

    def _record(
        self, called: Called, code: types.CodeType, frame: types.FrameType, count: int
    ) -> None:
        line: dict[str, object] = {
            "path": called.path,
            "qualname": called.qualname,
            "digest": called.digest,
            "call": count,
            "test": self._test,
        }
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(limit + 6000)
        try:
            encoder = Encoder(self._world, self._names)
            positional, named = arguments_of(code, frame.f_locals)
            roots = (
                tuple(encoder.lenient(value) for value in positional),
                tuple((key, encoder.lenient(value)) for key, value in named.items()),
            )
            data = packed((tuple(encoder.nodes), *roots))
        except UncarriableError as error:
            self._write({**line, "skip": str(error)})
            return
        except RecursionError:
            self._write({**line, "skip": "arguments too deep"})
            return
        except Exception as error:  # noqa: BLE001 - an encoder's fault must not change the test
            where = traceback.extract_tb(error.__traceback__)[-1]
            reason = f"encoder: {type(error).__name__}: {error} ({where.name}:{where.lineno})"
            self._write({**line, "skip": reason})
            return
        finally:
            sys.setrecursionlimit(limit)
        key = hashlib.sha256(f"{called.path}{called.qualname}{data}".encode()).hexdigest()
        if key in self._seen:
            return
        self._seen.add(key)
        called.kept += 1
        self._write({**line, "data": data, "holes": sorted(set(encoder.holes))})

    def _write(self, line: dict[str, object]) -> None:
        # Not to the file: suites may forbid blocking calls, or replace what writes.
        self._lines.append(json.dumps(line) + "\n")

    def pytest_runtest_logfinish(self) -> None:
        """Write what the test gave."""
        signal.alarm(0)
        lines, self._lines = self._lines, []
        self._output.writelines(lines)
        self._output.flush()


def _too_long(_number: int, _frame: object) -> None:
    raise TimeoutError("the test takes too long under the recorder")


def digest_of(code: types.CodeType) -> str:
    """What is the same for the same function wherever its file and line are."""
    parts = (code.co_qualname, code.co_code, code.co_names, code.co_varnames, code.co_freevars)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def record(settings: Settings) -> int:
    """Run the suite and write the recordings; returns pytest's exit status."""
    import pytest

    for name in settings.own:
        importlib.import_module(name)
    with Path(settings.output).open("a", encoding="utf-8") as output:
        recorder = Recorder(settings, output)
        arguments = ("-qq", "-p", "no:cacheprovider", *settings.arguments)
        try:
            return int(pytest.main([*arguments, *settings.tests], plugins=[recorder]))
        finally:
            recorder.stop()


def main() -> int:
    """Record as the JSON in the first argument says."""
    settings = {
        k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(sys.argv[1]).items()
    }
    return record(Settings(**settings))
