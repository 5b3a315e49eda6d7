"""The task `trials`: load the script once, then try many cases, or each mutant of the target.

It decides nothing about candidates: only the repository's code and its mutants run. Cases run one
after another in the process that loaded the script, or each in a fork if they are isolated. Each
mutant runs in a fork with its code in place of the target's (`swap_code`), one for each case if
they are isolated, and so does the instrumented target (`operands`).

Records, in order: `ready` (or `load` if the script raised); a `trial` for each case with its arcs,
or for each mutant what `differs` from the original's observations and then `mutant`, or the
operands `compared` in each case; `end`.
"""

from __future__ import annotations

import builtins
import gc
import json
import os
import sys
import time
from functools import partial

from ..cases.arcs import Collector
from ..cases.case_runner import loaded_script, pairs
from ..cases.forks import WAITING, carried_modules, import_here, imported_after, run_in_fork
from ..encoders.nodes import quoted
from ..state.observed_state import Bounds
from .asked_paths import PathRequests
from .operands import Log
from .swap_code import Functions, SwapError
from .time_limit import TimeBudget, limited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..cases.case_runner import Loaded
    from ..cases.forks import Send
    from ..raw import Raw
    from .swap_code import Bodies

__builtins__ = dict(vars(builtins))

_clock, _processor = time.perf_counter, time.process_time
_leave, _getpid = os._exit, os.getpid
_is_collecting, _start_collecting, _stop_collecting = gc.isenabled, gc.enable, gc.disable
_LEAST_SECONDS = 0.15
"""Least time limit of a mutant in processor seconds, however fast the original is."""
_TIMES_SLOWER = 5.0
_MAX_GLOBAL = 4_000
"""Most objects of one global that are compared: there are thousands of trials, and none is
final."""
_MAX_GLOBALS = 10_000
"""Most objects of all globals together."""
_NO_TRIAL = '{"kind":"trial","arcs":[],"seconds":0,"cpu":0,"observation":null}'
"""The record of a case that has ended its fork."""


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
        _all_cases(loaded, request, emit, channel, modules)
    emit('{"kind":"end"}')


def _all_cases(
    loaded: Loaded,
    request: Mapping[str, Raw],
    emit: Callable[[str], None],
    channel: int,
    modules: int,
) -> None:
    """Send one record for each case, and one for the modules imported after the first `modules`."""
    first, last = request["trace"]
    folder, own = loaded.recorded_folder(), _getpid()
    patience, path_requests = TimeBudget(request["seconds"]), PathRequests(loaded.folder)
    imported: dict[str, None] = {}
    for case in request["cases"]:
        trial = partial(_trial, loaded, case, (first, last), patience, path_requests)
        if request["isolated"]:
            found = run_in_fork(lambda send, trial=trial: send(trial()), channel)
            text = found.lines[0] if found.lines else _NO_TRIAL
            imported.update(dict.fromkeys(found.imported or ()))
        else:
            text = trial()
        if _getpid() != own:
            _leave(0)  # a fork made by the target that has not ended
        emit(text)
        folder.restore()
    imported.update(dict.fromkeys(imported_after(modules)))
    carried = carried_modules()
    names = ",".join([quoted(name) for name in imported if name not in carried])
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
    original = _Original(loaded, request, channel)
    known, end = original.run(lambda: None, request["seconds"] * len(request["cases"]))
    limit = original.limit
    if end == "ended" and import_here(original.imported):  # once here, and not in each fork
        known, end = original.run(lambda: None, request["seconds"] * len(request["cases"]))
        limit = original.limit
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
        if numbers not in alone and not request["isolated"]:
            texts, end = original.run(lambda: None, limit, numbers)
            alone[numbers] = end == "ended" and texts == [known[i] for i in numbers]
        if not alone.get(numbers, True):  # some results depend on earlier cases
            numbers = every
        until = [known[i] for i in numbers] if mutant["until_differs"] else None
        texts, end = original.run(swapped, limit, numbers, until, mutant["until_differs"] or 1)
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

    original = _Original(loaded, request, channel, compared)
    seconds = request["seconds"] * len(request["cases"])
    bodies = _bodies(functions, request["instrumented"])
    if bodies is None:
        return
    texts, _ = original.run(lambda: functions.swap(bodies), seconds)
    for text in texts:
        emit(f'{{"kind":"compared","pairs":{text}}}')


class _Original:
    """Runs cases in forks of this process, which stays unchanged."""

    def __init__(
        self,
        loaded: Loaded,
        request: Mapping[str, Raw],
        channel: int,
        shown: Callable[[Raw], str] | None = None,
    ) -> None:
        self._compile = loaded.code
        self._shown = shown or loaded.observed
        """Runs a case; returns its record."""
        self._cases: Sequence[Raw] = request["cases"]
        self._is_isolated: bool = request["isolated"]
        self._folder = loaded.recorded_folder()
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
            prepare: called first in each fork.
            seconds: limit in processor time of each fork.
            numbers: positions of the cases to run; all by default.
            known: expected texts of these cases.
            limit: number of differing texts after which it ends.
        """
        cases = [self._cases[i] for i in numbers] if numbers else self._cases
        for case in cases:
            self._compile(case)  # here, and not in each fork
        together = 1 if self._is_isolated else len(cases)
        texts: list[str] = []
        self.imported, self._spent, self._taken = [], 0.0, 0.0
        for first in range(0, len(cases), together):
            some = slice(first, first + together)
            expected = known[some] if known else None
            work = self._work(prepare, cases[some], expected, limit)
            found = run_in_fork(work, self._channel, seconds=seconds, is_quiet=True)
            self._folder.restore()
            self.imported += found.imported or ()
            self._spent += found.cpu
            self._taken += found.seconds
            texts += found.lines[:together]
            if found.end != "ended":
                return texts, found.end
            limit -= _number_of_differences(found.lines, expected)
            if limit <= 0:
                break
        return texts, "ended"

    def _work(
        self,
        prepare: Callable[[], None],
        cases: Sequence[Raw],
        expected: Sequence[str] | None,
        limit: int,
    ) -> Callable[[Send], None]:
        """Return what a fork does."""

        def work(send: Send) -> None:
            left = limit
            prepare()
            for position, case in enumerate(cases):
                if position:
                    self._folder.restore()  # otherwise the case would find the last one's files
                text = self._shown(case)
                send(text)
                left -= bool(expected) and text != expected[position]
                if left <= 0:
                    break

        return work


def _number_of_differences(texts: Sequence[str], expected: Sequence[str] | None) -> int:
    return sum(a != b for a, b in zip(texts, expected or (), strict=False))
