"""The task `trials`: load the script once, then try many cases, or each mutant of the target.

It decides nothing about candidates: only the repository's code and its mutants run. Cases run one
after another in the process that loaded the script. Each mutant runs in a fork with its code in
place of the target's (`swap_code`), and so does the instrumented target (`operands`).

Records, in order: `ready` (or `load` if the script raised); a `trial` for each case with its arcs,
or for each mutant what `differs` from the original's observations and then `mutant`, or the
operands `compared` in each case; `end`.
"""

from __future__ import annotations

import builtins
import gc
import importlib
import itertools
import json
import os
import select
import signal
import sys
import time

from ..cases.arcs import Collector
from ..cases.case_runner import loaded_script, pairs
from ..encoders.nodes import quoted
from ..state.leftovers import Folder
from ..state.observed_state import Bounds
from .asked_paths import PathRequests
from .operands import Log
from .swap_code import Functions, SwapError
from .time_limit import WAITING, TimeBudget, limited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..cases.case_runner import Loaded
    from ..raw import Raw
    from .swap_code import Bodies

__builtins__ = dict(vars(builtins))

_islice = itertools.islice
_clock, _processor, _sleep = time.perf_counter, time.process_time, time.sleep
_fork, _read, _write, _kill, _killpg = os.fork, os.read, os.write, os.kill, os.killpg
_leave, _pipe, _close, _wait, _getpid = os._exit, os.pipe, os.close, os.wait4, os.getpid
_open, _dup2, _setpgid = os.open, os.dup2, os.setpgid
_is_collecting, _start_collecting, _stop_collecting = gc.isenabled, gc.enable, gc.disable
_signal, _set_timer, _select = signal.signal, signal.setitimer, select.select
_LEAST_SECONDS = 0.15
"""Least time limit of a mutant in processor seconds, however fast the original is."""
_TIMES_SLOWER = 5.0
_MAX_GLOBAL = 300
"""Most objects of one global that are compared: there are thousands of trials, and none is
final."""
_MAX_GLOBALS = 2_000
"""Most objects of all globals together."""
_MOST_BYTES = 32 << 20
"""Largest output of one mutant."""
_END = "end"


def run_trials(request: Mapping[str, Raw], emit: Callable[[str], None], channel: int = -1) -> None:
    """Answer one request with records, one `emit` each.

    `request` has the fields of a job: those of the task `cases`, `seconds` as the limit of one
    case, and `mutants` (each with `name`, `text`, the positions of its `cases` unless all, and
    `until_differs`, the number of differing cases after which it ends), or `instrumented`, a text.
    `channel` is the descriptor that `emit` writes to, which mutants do not get.
    """
    modules = len(sys.modules)
    loaded = loaded_script(request, emit)
    if loaded is None:
        return
    loaded.bounds = Bounds(_MAX_GLOBAL, _MAX_GLOBALS)
    loaded.look()
    if request["mutants"]:
        _all_mutants(loaded, request, emit, channel)
    elif request["instrumented"]:
        _all_compared(loaded, request, emit, channel)
    else:
        _all_cases(loaded, request, emit, modules)
    emit('{"kind":"end"}')


def _all_cases(
    loaded: Loaded, request: Mapping[str, Raw], emit: Callable[[str], None], modules: int
) -> None:
    """Send one record for each case, and one for the modules imported after the first `modules`."""
    first, last = request["trace"]
    folder, own = Folder(loaded.folder), _getpid()
    patience, path_requests = TimeBudget(request["seconds"]), PathRequests(loaded.folder)
    for case in request["cases"]:
        text = _trial(loaded, case, (first, last), patience, path_requests)
        if _getpid() != own:
            _leave(0)  # a fork made by the target that has not ended
        emit(text)
        folder.restore()
    names = ",".join([quoted(name) for name in _imported(modules) if name not in _carried()])
    emit(f'{{"kind":"imported","names":[{names}]}}')


def _trial(
    loaded: Loaded,
    case: Raw,
    span: tuple[int, int],
    patience: TimeBudget,
    path_requests: PathRequests,
) -> str:
    """Run one case on the original. Return its observation, arcs and time."""
    start, spent = _clock(), _processor()
    path_requests.start()
    collector = Collector(loaded.traced, *span)

    def traced() -> str:
        run = loaded.ready(case, collector.trace)
        collector.start()  # not before: preparing the case makes many calls that would be traced
        return run()

    try:
        text = limited(traced, patience.seconds)
    finally:
        collector.stop()
    path_requests.stop()
    taken, spent = _clock() - start, _processor() - spent
    patience.record_duration(taken, is_late=not text)
    return (
        f'{{"kind":"trial","arcs":{pairs(collector.arcs())},"seconds":{taken:.6f},"cpu":{spent:.6f},'
        f'"places":{_places()},"asked":[{",".join(map(quoted, path_requests.paths))}],'
        f'"observation":{text or "null"}}}'
    )


def _places() -> str:
    """Return the places of the mocked world asked so far, with their variants, as JSON."""
    known: Raw = vars(sys.modules.get("slice_func_mocks", builtins)).get("places") or {}
    texts = [
        f"{quoted(str(place))}:[{','.join([quoted(str(name)) for name in names])}]"
        for place, names in known.items()
    ]
    return "{" + ",".join(texts) + "}"


# ------------------------------------------------------------------------------- mutants


def _all_mutants(
    loaded: Loaded, request: Mapping[str, Raw], emit: Callable[[str], None], channel: int
) -> None:
    """Send one record for each mutant; the first has no name and is the original."""
    functions = Functions(loaded.traced, *request["trace"])
    fork = _Fork(loaded, request["cases"], Folder(loaded.folder), channel)
    known, end = fork.run(lambda: None, request["seconds"] * len(request["cases"]))
    limit = fork.limit
    if end == "ended" and _imported_here(fork.imported):  # once here, and not in each fork
        known, end = fork.run(lambda: None, request["seconds"] * len(request["cases"]))
        limit = fork.limit
    _emit_mutant(emit, "", end, list(enumerate(known)))
    loaded.bounds = Bounds(_MAX_GLOBAL, _MAX_GLOBALS, _changed_globals(known))
    every = tuple(range(len(known)))
    alone = {every: True}
    if end != "ended":
        return
    for mutant in request["mutants"]:
        bodies = _bodies(functions, mutant["text"])  # here, where no memory is copied for it
        if bodies is None:
            _emit_mutant(emit, mutant["name"], "not applied", ())
            continue

        def swapped(bodies: Bodies = bodies) -> None:
            functions.swap(bodies)

        numbers = tuple(mutant["cases"] or every)
        if numbers not in alone:
            texts, end = fork.run(lambda: None, limit, numbers)
            alone[numbers] = end == "ended" and texts == [known[i] for i in numbers]
        if not alone[numbers]:  # some results depend on earlier cases
            numbers = every
        until = [known[i] for i in numbers] if mutant["until_differs"] else None
        texts, end = fork.run(swapped, limit, numbers, until, mutant["until_differs"] or 1)
        found = [(i, text) for i, text in zip(numbers, texts, strict=False) if text != known[i]]
        if end != "ended":
            found.append((numbers[min(len(texts), len(numbers) - 1)], "null"))  # it did not end
        _emit_mutant(emit, mutant["name"], end, found)


def _bodies(functions: Functions, text: str) -> Bodies | None:
    """Return the new bodies of functions, or `None`; no finalisers run meanwhile."""
    was_collecting = _is_collecting()
    _stop_collecting()
    try:
        return functions.bodies(text)
    except (SwapError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    finally:
        if was_collecting:
            _start_collecting()


def _changed_globals(known: Sequence[str]) -> frozenset[str]:
    """Return the globals that the original changes in some case; for others identity is enough."""
    found = [json.loads(text).get("globals", ()) for text in known]
    return frozenset(name for pairs in found for name, _ in pairs)


def _emit_mutant(
    emit: Callable[[str], None], name: str, end: str, found: Sequence[tuple[int, str]]
) -> None:
    for position, text in found:
        emit(f'{{"kind":"differs","case":{position},"observation":{text}}}')
    emit(f'{{"kind":"mutant","name":{quoted(name)},"end":{quoted(end)}}}')


def _all_compared(
    loaded: Loaded, request: Mapping[str, Raw], emit: Callable[[str], None], channel: int
) -> None:
    """Send one record for each case: what the tests of the instrumented target compared."""
    functions = Functions(loaded.traced, *request["trace"])

    def compared(case: Raw) -> str:
        log = Log()
        log.install()
        loaded.observed(case)
        return log.text()

    fork = _Fork(loaded, request["cases"], Folder(loaded.folder), channel, compared)
    seconds = request["seconds"] * len(request["cases"])
    bodies = _bodies(functions, request["instrumented"])
    if bodies is None:
        return
    texts, _ = fork.run(lambda: functions.swap(bodies), seconds)
    for text in texts:
        emit(f'{{"kind":"compared","pairs":{text}}}')


class _Fork:
    """Runs cases in forks of this process, which stays unchanged."""

    def __init__(
        self,
        loaded: Loaded,
        cases: Sequence[Raw],
        folder: Folder,
        channel: int,
        shown: Callable[[Raw], str] | None = None,
    ) -> None:
        self._compile = loaded.code
        self._shown = shown or loaded.observed
        """Runs a case; returns its record."""
        self._cases = cases
        self._folder = folder
        self._channel = channel
        self.imported: list[str] = []
        """Installed modules that the cases imported in the last run."""
        self._spent = self._taken = 0.0
        """Processor seconds, and wall-clock seconds, of the last run."""

    @property
    def limit(self) -> float:
        """Return the limit in processor seconds for a slower run of the same work."""
        return max(
            _LEAST_SECONDS, _TIMES_SLOWER * self._spent, _TIMES_SLOWER * self._taken / WAITING
        )

    def run(
        self,
        prepare: Callable[[], None],
        seconds: float,
        numbers: Sequence[int] | None = None,
        known: Sequence[str] | None = None,
        limit: int = 1,
    ) -> tuple[list[str], str]:
        """Run cases. Return their texts, as many as there are, and how the run ended.

        Args:
            prepare: called first in the fork.
            seconds: limit in processor time.
            numbers: positions of the cases to run; all by default.
            known: expected texts of these cases.
            limit: number of differing texts after which it ends.
        """
        cases = [self._cases[i] for i in numbers] if numbers else self._cases
        for case in cases:
            self._compile(case)  # here, and not in each fork
        start = _clock()
        reader, writer = _pipe()
        child = _forked()
        if child == 0:
            _close(reader)
            self._child(prepare, writer, seconds, cases, known, limit)
        _close(writer)
        data, is_late = _received(reader, _clock() + seconds * WAITING)
        _close(reader)
        status, self._spent = _ended(child)
        self._taken = _clock() - start
        self._folder.restore()
        *lines, _ = data.decode("utf-8", "replace").split("\n")
        if lines[-1:] == [_END]:
            *lines, imported, _ = lines
            self.imported = imported.split()
            return lines, "ended"
        is_late = is_late or status in (signal.SIGPROF, signal.SIGVTALRM)
        return lines[: len(cases)], "timeout" if is_late else "died"

    def _child(
        self,
        prepare: Callable[[], None],
        writer: int,
        seconds: float,
        cases: Sequence[Raw],
        expected: Sequence[str] | None,
        limit: int,
    ) -> None:
        """Run the cases and exit; nothing of a mutant returns into this process."""

        def send(text: str) -> None:
            data = text.encode("utf-8", "surrogatepass")
            while data:
                data = data[_write(writer, data) :]

        try:
            own = _getpid()
            _alone(self._channel, seconds)
            prepare()
            known = len(sys.modules)
            for position, case in enumerate(cases):
                text = self._shown(case)
                if _getpid() != own:
                    _leave(0)
                send(text + "\n")
                limit -= bool(expected) and text != expected[position]
                if limit <= 0:
                    break
                self._folder.restore()  # otherwise the next case would find this one's files
            send(f"{' '.join(_imported(known))}\n{_END}\n")
        finally:
            _leave(0)


def _imported(before: int) -> list[str]:
    """Return names of modules after the first `before` ones, both installed and carried ones.

    It touches no older module: a fork that touches an object copies its page.
    """
    if len(sys.modules) <= before:
        return []
    places = (f"{sys.prefix}/", f"{sys.base_prefix}/")
    carried = _carried()
    new = list(_islice(reversed(sys.modules.items()), len(sys.modules) - before))
    return [
        name
        for name, module in reversed(new)
        if name in carried or str(vars(module).get("__file__") or "").startswith(places)
    ]


def _carried() -> set[str]:
    """Return names of the modules that the script carries."""
    return {
        name
        for finder in sys.meta_path
        if "slice_identity" in getattr(finder, "__dict__", ())
        for name in getattr(finder, "names", ())
    }


def _imported_here(names: Sequence[str]) -> bool:
    """Import the modules that a fork imported. Return whether there were any."""
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException:  # noqa: BLE001, S112 - a package may raise anything while it loads
            continue
    return bool(names)


def _forked() -> int:
    """Fork; retry while ended forks still occupy process slots."""
    for _ in range(100):
        try:
            return _fork()
        except BlockingIOError:
            _sleep(0.02)
    return _fork()


def _alone(channel: int, seconds: float) -> None:
    """Lead an own process group, discard output, write no records, and end when time is up."""
    _setpgid(0, 0)
    nowhere = _open("/dev/null", os.O_WRONLY)
    for descriptor in (1, 2, channel):
        if descriptor >= 0:
            _dup2(nowhere, descriptor)
    _close(nowhere)
    for number in (signal.SIGPROF, signal.SIGVTALRM, signal.SIGALRM):
        _signal(number, signal.SIG_DFL)
    _set_timer(signal.ITIMER_PROF, seconds)


def _ended(child: int) -> tuple[int, float]:
    """Kill a fork with its children. Return the signal that had ended it, and its time."""
    for end in (_killpg, _kill):
        try:
            end(child, signal.SIGKILL)
        except OSError:  # it has no group yet, or is gone
            continue
    _, status, usage = _wait(child, 0)
    return status & 0x7F, usage.ru_utime + usage.ru_stime


def _received(reader: int, until: float) -> tuple[bytes, bool]:
    """Return all data until the other end closes, and whether time was up first."""
    parts: list[bytes] = []
    left_bytes = _MOST_BYTES
    while left_bytes > 0:
        left = until - _clock()
        if left <= 0 or not _select([reader], [], [], left)[0]:
            return b"".join(parts), True
        data = _read(reader, 1 << 16)
        parts.append(data)
        if not data or data.endswith(f"\n{_END}\n".encode()):
            return b"".join(parts), False
        left_bytes -= len(data)
    return b"".join(parts), False
