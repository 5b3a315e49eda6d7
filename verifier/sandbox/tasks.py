"""The tasks of a run: write its files, open its streams, then perform the requested task."""

from __future__ import annotations

import base64
import gc
import io
import os
import sys
from collections.abc import Callable
from typing import Any

from .cases import run_script
from .cases.case_code import run_codes
from .cases.case_runner import run_cases
from .recording.record_calls import run_calls
from .recording.symbolic_paths import run_paths
from .state.determinism import Determinism
from .trials.trial_runner import run_trials

DESCRIPTORS = 1 << 16
"""More descriptors than a sandbox process ever has open."""

Emit = Callable[[str], None]
Request = dict[str, Any]


def prepare(request: Request) -> None:
    """Write the request's files into the working folder and open the standard streams."""
    os.chdir(request["folder"])
    script = (request["name"], request["source"].encode("utf-8", "surrogatepass"))
    given = [(path, base64.b64decode(content)) for path, content in request["files"]]
    for path, content in [*given, script]:
        _write(path, content)
    _open_streams(base64.b64decode(request["stdin"]))


def perform(request: Request, records: int) -> None:
    """Perform the task and end the process; never return.

    A script ends as in Python. For tasks with records the process ends after the last one, since a
    thread that still waits, perhaps for a connection, would keep it until its time is up. From here
    on only the channel for records stays open, and only for such tasks; the sandbox's modules
    cannot be imported.
    """
    kept = -1 if request["task"] == "script" else records
    os.closerange(3, max(kept, 3))
    os.closerange(max(kept + 1, 3), DESCRIPTORS)
    for name in [each for each in sys.modules if each.partition(".")[0] == __package__]:
        del sys.modules[name]
    gc.enable()
    end = run_script.finish if request["task"] == "script" else run_script.leave
    end(run_script.exit_status_of(lambda: run_task(request, _emitter(kept), kept)))


def run_task(request: Request, emit: Emit, channel: int = -1) -> None:
    """Perform the request's `task`.

    Args:
        request: the job, as JSON.
        emit: takes one line for the result channel.
        channel: the descriptor of the result channel, for writing and for reading further cases.
    """
    if request["task"] != "script":
        _hide_seed()
    if request["task"] == "script":
        same = Determinism(**request["determinism"])
        same.install()
        same.restart()
        run_script.run_script(request)
    elif request["task"] == "cases":
        run_cases(request, emit, channel)
    elif request["task"] == "codes":
        run_codes(request, emit)
    elif request["task"] == "calls":
        run_calls(request, emit)
    elif request["task"] == "paths":
        run_paths(request, emit)
    else:
        run_trials(request, emit, channel)


def _hide_seed() -> None:
    """Hide the hash seed, which differs between runs, from cases.

    Python subprocesses still get it.
    """
    variables: Any = os.environ
    variables._data.pop(b"PYTHONHASHSEED", None)  # noqa: SLF001 - only `os.environ`'s copy of it


def _write(path: str, content: bytes) -> None:
    if folder := os.path.dirname(path):
        os.makedirs(folder, exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def _open_streams(given: bytes) -> None:
    """Make descriptor 0 the given input, and open the three streams like a new interpreter."""
    path = "/dev/null"
    if given:  # an unlinked file
        path = ".standard-input"
        _write(path, given)
    source = os.open(path, os.O_RDONLY)
    if given:
        os.unlink(path)
    os.dup2(source, 0)
    os.close(source)
    sys.stdin = _stream(0, "<stdin>", "strict")
    sys.stdout = _stream(1, "<stdout>", "strict")
    sys.stderr = _stream(2, "<stderr>", "backslashreplace")
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))


def _stream(descriptor: int, name: str, errors: str) -> io.TextIOWrapper:
    raw = io.FileIO(descriptor, "rb" if descriptor == 0 else "wb", closefd=False)
    raw.name = name
    buffered = io.BufferedReader(raw) if descriptor == 0 else io.BufferedWriter(raw)
    lines = descriptor == 2  # errors are line-buffered
    return io.TextIOWrapper(buffered, "utf-8", errors, line_buffering=lines)


def _emitter(records: int) -> Emit:
    write = os.write

    def emit(line: str) -> None:
        data = line.encode("utf-8", "surrogatepass") + b"\n"
        while data:
            data = data[write(records, data) :]

    return emit
