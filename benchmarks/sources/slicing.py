"""Slice many targets with one `Repository`, in a process of its own, so that memory is its own."""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import queue
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slicefunc.slicer.model import Manifest

SECONDS_PER_TARGET = 120.0
"""After so much CPU time without an answer the target counts as failed, and a new process goes on.

On a machine that others keep busy, the wall clock would count their work."""
PATIENCE = 20
"""After so many times that long by the wall clock it counts as failed in any case."""


@dataclass(frozen=True, slots=True)
class Sliced:
    """What slicing one target gave."""

    path: str
    qualname: str
    seconds: float
    """CPU time; the first target of a process also pays for what is loaded lazily."""
    peak_mb: float
    """Peak resident memory of the process so far."""
    source: str = ""
    manifest: Manifest | None = None
    """`None` where slicing failed, and in a lean run."""
    error: str = ""
    """Class of the exception, or `timeout` or `crash`."""
    message: str = ""


def slice_all(
    folder: Path,
    targets: Sequence[tuple[str, str]],
    *,
    emit: str = "script",
    lean: bool = False,
    mock: bool = False,
) -> Iterator[Sliced]:
    """Slice the targets in order in one worker process; a new one follows where one dies.

    With `mock` each gets its mocks. With `lean` the slices themselves stay in the worker and are
    dropped, so that its memory is the slicer's and not that of handing them over.
    """
    left = list(targets)
    while left:
        for result in _one_process(folder, tuple(left), (emit, lean, mock)):
            yield result
            left.pop(0)


def slice_beside(
    workers: int,
    folder: Path,
    targets: Sequence[tuple[str, str]],
    *,
    emit: str = "script",
    mock: bool = False,
) -> Iterator[Sliced]:
    """The same in several worker processes; each has a `Repository` and every n-th target.

    Results come as they are made. Each process has the memory of one: sympy's takes 1.1 GB.
    """
    if workers == 1:
        yield from slice_all(folder, targets, emit=emit, mock=mock)
        return
    results: queue.Queue[Sliced | None] = queue.Queue(maxsize=workers)

    def work(part: Sequence[tuple[str, str]]) -> None:
        try:
            for result in slice_all(folder, part, emit=emit, mock=mock):
                results.put(result)
        finally:
            results.put(None)

    for start in range(workers):
        threading.Thread(target=work, args=(targets[start::workers],), daemon=True).start()
    working = workers
    while working:
        result = results.get()
        if result is None:
            working -= 1
        else:
            yield result


def peak_megabytes() -> float:
    """Peak resident memory of this process, in MB of 10^6 bytes.

    From `/proc` where there is one: `ru_maxrss` survives exec, and so counts the parent's memory.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return kilobytes / 1e6 if sys.platform == "darwin" else kilobytes * 1024 / 1e6
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 / 1e6


def _one_process(
    folder: Path, targets: tuple[tuple[str, str], ...], ways: tuple[str, bool, bool]
) -> Iterator[Sliced]:
    """Results of one worker: all of them, or up to and with the target on which it died."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(sender, folder, targets, *ways), daemon=True)
    process.start()
    sender.close()
    try:
        for path, qualname in targets:
            if not answers(receiver.poll, process.pid, SECONDS_PER_TARGET):
                yield Sliced(path, qualname, SECONDS_PER_TARGET, 0.0, error="timeout")
                return
            try:
                result = receiver.recv()
            except EOFError:
                process.join()
                status = f"the process ended with {process.exitcode}"
                yield Sliced(path, qualname, 0.0, 0.0, error="crash", message=status)
                return
            yield result
    finally:
        process.kill()
        process.join()
        receiver.close()


def answers(poll: Callable[[float], bool], worker: int | None, seconds: float) -> bool:
    """Wait for a worker's answer so many seconds of its CPU time; whether there is one."""
    started = _cpu_seconds(worker)
    ends = time.monotonic() + seconds * PATIENCE
    while not poll(min(5.0, seconds)):
        spent = _cpu_seconds(worker) - started
        if spent > seconds or time.monotonic() > ends:
            return False
    return True


def _cpu_seconds(process: int | None) -> float:
    """CPU time of a process so far; the wall clock where `/proc` does not tell."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    except OSError:
        return time.monotonic()
    user, system = status.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _work(
    sender: Connection, folder: Path, targets: tuple[tuple[str, str], ...], emit: str, lean: bool,
    mock: bool,
) -> None:  # fmt: skip
    """The worker: slice each target and send what came of it."""
    # Not imported at the top: the parent, whose memory nobody measures, does not need it.
    slicer = importlib.import_module("slicefunc.slicer")
    repository = slicer.Repository(folder)
    for path, qualname in targets:
        started = time.process_time()
        try:
            made = slicer.slice_function(repository, f"{path}::{qualname}", emit=emit)
            if mock:
                made = importlib.import_module("slicefunc.mocker").mock_slice(repository, made)
        except Exception as error:  # noqa: BLE001  # anything it raises is a result here
            seconds = time.process_time() - started
            sender.send(
                Sliced(
                    *(path, qualname, seconds, peak_megabytes()),
                    error=type(error).__name__,
                    message=str(error)[:1000],
                )
            )
        else:
            seconds = time.process_time() - started
            handed = () if lean else (made.source, made.manifest)
            sender.send(Sliced(path, qualname, seconds, peak_megabytes(), *handed))
        # What the repository has learned stays: nobody shall look for garbage among it again.
        gc.collect()
        gc.freeze()
    sender.close()
