"""The task `trials`: load the script once, try many cases, then each mutant of the target.

Nothing here decides about a candidate: what runs is the repository's code and mutants of it. Cases
run one after another in the process that has loaded the script, and each mutant in a fork of it,
which has the mutant's code in place of the target's (`swap`).

Records, in order: `ready` (or `load`, where the script raised), a `trial` for each case with its
arcs, for each mutant what `differs` from the original's observations and then `mutant`, and `end`.
"""

from __future__ import annotations

import builtins
import os
import select
import signal
import sys
import time

from .arcs import collecting
from .cases import loaded_script, pairs
from .nodes import quoted
from .swap import Functions, SwapError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .cases import Loaded
    from .raw import Raw

__builtins__ = dict(vars(builtins))

_clock = time.perf_counter
_fork, _read, _write, _kill = os.fork, os.read, os.write, os.kill
_leave, _pipe, _close, _wait = os._exit, os.pipe, os.close, os.waitpid
_LEAST_SECONDS = 1.0
"""Of a mutant, however fast the original is."""
_TIMES_SLOWER = 10.0
_MAX_GLOBAL = 300
"""Nodes of one global that are compared: thousands of trials are made before anything counts."""
_WAITING = 5.0
"""How much more time may pass than is spent: the machine may be busy."""


class _TimeIsUp(BaseException):
    """Raised in a case that takes too long."""


def run_trials(request: Mapping[str, Raw], emit: Callable[[str], None]) -> None:
    """Answer one request with records, one `emit` each.

    `request` has the fields of a job: those of the task `cases`, `seconds` that one case may take,
    and `mutants` (each with `name` and `text`).
    """
    loaded = loaded_script(request, emit)
    if loaded is None:
        return
    loaded.max_global = _MAX_GLOBAL
    first, last = request["trace"]
    for case in request["cases"]:
        emit(_trial(loaded, case, (first, last), request["seconds"]))
    if request["mutants"]:
        _all_mutants(loaded, request, emit)
    emit('{"kind":"end"}')


def _trial(loaded: Loaded, case: Raw, span: tuple[int, int], seconds: float) -> str:
    """One case on the original: what it showed, the arcs that it took, and its time."""
    before = _listing(loaded.folder)
    start = _clock()
    with collecting(loaded.traced, *span) as collector:
        text = _limited(lambda: loaded.observed(case, collector.trace), seconds)
    taken = _clock() - start
    _remove_new(loaded.folder, before)
    return (
        f'{{"kind":"trial","arcs":{pairs(collector.arcs())},"seconds":{taken:.6f},'
        f'"places":{_places()},'
        f'"observation":{text or "null"}}}'
    )


def _places() -> str:
    """The places of the mocked world that were asked so far, with their variants, as JSON."""
    known: Raw = vars(sys.modules.get("slice_func_mocks", builtins)).get("places") or {}
    texts = [
        f"{quoted(str(place))}:[{','.join([quoted(str(name)) for name in names])}]"
        for place, names in known.items()
    ]
    return "{" + ",".join(texts) + "}"


def _limited(run: Callable[[], str], seconds: float) -> str:
    """What it returns; empty where it computes for longer, or waits much longer."""
    is_late = False

    def ring(_signal: int, _frame: Raw) -> None:
        nonlocal is_late
        is_late = True
        raise _TimeIsUp

    signal.signal(signal.SIGALRM, ring)
    signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * _WAITING, seconds)
    try:
        text = run()
    except _TimeIsUp:
        text = ""
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "" if is_late else text


# ------------------------------------------------------------------------------- mutants


def _all_mutants(loaded: Loaded, request: Mapping[str, Raw], emit: Callable[[str], None]) -> None:
    """One record for each mutant; the first has no name and is the original itself."""
    functions = Functions(loaded.traced, *request["trace"])
    cases = request["cases"]
    start = _clock()
    known, end, _ = _forked(loaded, cases, lambda: None, request["seconds"] * len(cases))
    limit = max(_LEAST_SECONDS, _TIMES_SLOWER * (_clock() - start))
    _emit_mutant(emit, "", end, list(enumerate(known)))
    if end != "ended":
        return
    for mutant in request["mutants"]:

        def swapped(text: str = mutant["text"]) -> None:
            functions.swap(text)

        texts, end, count = _forked(loaded, cases, swapped, limit)
        found = [(i, text) for i, text in enumerate(texts) if text != known[i]]
        if end not in ("ended", "not applied"):
            found.append((count, "null"))  # the case that did not end
        _emit_mutant(emit, mutant["name"], end, found)


def _emit_mutant(
    emit: Callable[[str], None], name: str, end: str, found: Sequence[tuple[int, str]]
) -> None:
    for position, text in found:
        emit(f'{{"kind":"differs","case":{position},"observation":{text}}}')
    emit(f'{{"kind":"mutant","name":{quoted(name)},"end":{quoted(end)}}}')


def _forked(
    loaded: Loaded, cases: Sequence[Raw], prepare: Callable[[], None], seconds: float
) -> tuple[list[str], str, int]:
    """Texts of the observations of a fork of this process, how it ended, and how many there are."""
    before = _listing(loaded.folder)
    reader, writer = _pipe()
    child = _fork()
    if child == 0:
        _close(reader)
        _child(loaded, cases, prepare, writer)
    _close(writer)
    data, is_late = _received(reader, _clock() + seconds)
    _close(reader)
    if is_late:
        _kill(child, signal.SIGKILL)
    _wait(child, 0)
    _remove_new(loaded.folder, before)
    *lines, rest = data.decode("utf-8", "replace").split("\n")
    if lines and lines[-1] == "end":
        return lines[:-1], "ended", len(lines) - 1
    if rest == "not applied":
        return [], rest, 0
    return lines, "timeout" if is_late else "died", len(lines)


def _child(loaded: Loaded, cases: Sequence[Raw], prepare: Callable[[], None], writer: int) -> None:
    """Run the cases and end; nothing of a mutant comes back into this process's life."""

    def send(text: str) -> None:
        data = text.encode("utf-8", "surrogatepass")
        while data:
            data = data[_write(writer, data) :]

    try:
        try:
            prepare()
        except (SwapError, SyntaxError, ValueError):
            send("not applied")
            _leave(0)
        for case in cases:
            send(loaded.observed(case) + "\n")
        send("end\n")
    finally:
        _leave(0)


def _received(reader: int, until: float) -> tuple[bytes, bool]:
    """All that comes before the other end is closed, and whether time was up first."""
    parts: list[bytes] = []
    while True:
        left = until - _clock()
        if left <= 0 or not select.select([reader], [], [], left)[0]:
            return b"".join(parts), True
        data = _read(reader, 1 << 16)
        if not data:
            return b"".join(parts), False
        parts.append(data)


# ------------------------------------------------------------------------------- files


def _listing(folder: str) -> set[str]:
    return set(os.listdir(folder))


def _remove_new(folder: str, before: set[str]) -> None:
    """Take away what a case has left in the working folder."""
    import shutil

    for name in sorted(_listing(folder) - before):
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
