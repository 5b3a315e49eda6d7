"""The task `calls`: run the repository's tests, and record how they call the target.

Tests run by pytest if installed, else by `unittest`; so do functions named as `file::name`, which
need not wait for pytest. The records decide nothing: they are proposals that are tried like all
others.

Records: a `call` for each of the first distinct calls, `error` with the text of a collection error
or of the first few test failures, and `end`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import sys
import time
import traceback
import types

from ..raw import class_of
from ..state.determinism import Determinism
from .notes import Notes, instrument_imports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..raw import Class, Raw

_cpu = time.process_time
_MOST_RUNS = 5
"""Most runs of one test with other parameters before all other tests had their turn."""
_PATIENCE = 10
"""Ticks of the clock, of half of a test's seconds each, that it may take on a busy machine."""
_PROGRESS = 0.002
"""Least processor seconds between two ticks; a test with less is only waiting."""
_TICKS_WITHOUT = 3
_TOO_LONG = "the test takes too long"
_MOST_REPORTED = 3
"""Most test failures that are reported."""
_MOST_LATE = 4
"""Most tests without a new call that wait or take too long; the others would, too."""


def run_calls(request: Mapping[str, Raw], emit: Callable[[str], None]) -> None:
    """Answer one request with records, one `emit` each.

    `request["suite"]` has the fields of a `Suite`.
    """
    suite = {**request["suite"], "root": os.getcwd()}
    same = Determinism(**request["determinism"])
    same.install()
    same.restart()
    notes = Notes(suite, emit)
    instrument_imports(suite, notes)
    sys.path[:0] = [os.path.join(suite["root"], root) for root in suite["roots"]]
    _run_of(suite)(suite, notes, emit)
    notes.is_busy = True
    emit('{"kind":"end"}')


def _run_of(suite: Raw) -> Callable[[Raw, Notes, Callable[[str], None]], None]:
    """Return the function that runs the suite."""
    if suite["how"] == "doctests":
        return _run_doctests
    if suite["how"] == "program":
        return _run_program
    is_named = all("::" in test for test in suite["tests"])
    has_pytest = not is_named and importlib.util.find_spec("pytest") is not None
    return _run_pytest if has_pytest else _run_unittest


def _paths(suite: Raw) -> list[str]:
    return [os.path.join(suite["root"], path) for path in suite["tests"]]


def _run_doctests(suite: Raw, notes: Notes, emit: Callable[[str], None]) -> None:
    """Run the examples in the docstrings of modules."""
    import doctest

    patience = _Patience(suite, notes)
    errors = _Errors(suite, emit)
    runner: Raw = doctest.DocTestRunner(verbose=False)
    for name in suite["tests"]:
        try:
            module = importlib.import_module(name)
            found: list[Raw] = doctest.DocTestFinder(exclude_empty=True).find(module)
        except BaseException as error:  # noqa: BLE001 - a module may fail to load in any way
            errors.raised(error)
            continue
        for test in found:
            notes.test = test.name
            _ring_in(suite["seconds"], patience.count_timed_out)
            try:
                runner.run(test, out=_silent)
            except BaseException as error:  # noqa: BLE001 - so may what it runs
                errors.raised(error)
            _ring_in(0)
            if patience.is_over():
                return


def _silent(_text: str) -> None:
    """Ignore the report of a failing example."""


def _run_program(suite: Raw, notes: Notes, emit: Callable[[str], None]) -> None:
    """Run each file as a program without arguments."""
    import runpy

    errors = _Errors(suite, emit)
    for path in _paths(suite):
        notes.test = os.path.basename(path)
        sys.argv = [path]
        _ring_in(suite["seconds"])
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit:
            pass
        except BaseException as error:  # noqa: BLE001 - a program may end in any way
            errors.raised(error)
        _ring_in(0)


def _run_pytest(suite: Raw, notes: Notes, emit: Callable[[str], None]) -> None:
    import pytest

    tests = _paths(suite)

    plugin = _Plugin(suite, notes, emit)
    settings = ("addopts=", "filterwarnings=", "required_plugins=", "xfail_strict=false")
    options = [word for setting in settings for word in ("-o", setting)]
    extra: list[str] = []

    def run() -> None:
        pytest.main(
            ["-qq", "-p", "no:cacheprovider", "-p", "no:randomly", "--assert=plain", "--tb=no",
             "--continue-on-collection-errors", f"--rootdir={suite['root']}", *extra, *options,
             *tests],
            plugins=[plugin],
        )  # fmt: skip

    run()
    if not plugin.has_begun:  # shared fixtures cannot be loaded, which some tests do not need
        extra += ["--noconftest"]
        run()
    tests = [os.path.join(suite["root"], path) for path in plugin.unprepared()]
    if tests:  # for nose, any `setup` of a module prepares its tests, be it only imported
        extra += ["-p", "no:nose"]
        run()


class _Plugin:
    """The pytest plugin that watches and steers the run."""

    def __init__(self, suite: Raw, notes: Notes, emit: Callable[[str], None]) -> None:
        self._suite = suite
        self._notes = notes
        self._emit = emit
        self._patience = _Patience(suite, notes)
        self._errors = _Errors(suite, emit)
        self.has_begun = False
        """Whether tests were collected, even without success."""
        self._is_over = False
        self._prepared: set[str] = set()
        self._unprepared: dict[str, str] = {}

    def unprepared(self) -> list[str]:
        """Return the files in which nose's conventions let no test begin; unload their modules."""
        if self._is_over:
            return []
        left = {file: name for file, name in self._unprepared.items() if file not in self._prepared}
        for name in left.values():  # pytest leaves the failed set-up in the module
            sys.modules.pop(name, None)
        return list(left)

    def pytest_internalerror(self, excrepr: Raw) -> None:
        self._errors.write_text(str(excrepr))

    def pytest_collectreport(self, report: Raw) -> None:
        if report.failed:
            self._errors.write_text(str(report.longrepr))

    def pytest_collection_modifyitems(self, items: list[Raw]) -> None:
        self.has_begun = True
        words, callers = set(self._suite["words"]), set(self._suite["callers"])
        counts: dict[str, int] = {}

        def place(item: Raw) -> tuple[bool, int, bool]:
            names = _names(getattr(item, "function", None))
            test = item.nodeid.partition("[")[0]
            counts[test] = counts.get(test, 0) + 1
            return counts[test] > _MOST_RUNS, -len(words & names), not callers & names

        items.sort(key=place)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._notes.test = nodeid.partition("[")[0]
        _ring_in(self._suite["seconds"], self._patience.count_timed_out)

    def pytest_runtest_logfinish(self) -> None:
        _ring_in(0)

    def pytest_runtest_makereport(self, item: Raw, call: Raw) -> None:
        is_done = call.when == "call" or (call.when == "setup" and call.excinfo is not None)
        if is_done and self._patience.is_over():
            item.session.shouldstop = "enough"
            self._is_over = True
        if call.when == "setup" and item.config.pluginmanager.has_plugin("nose"):
            file = item.nodeid.partition("::")[0]
            if call.excinfo is None:
                self._prepared.add(file)
            else:
                self._unprepared[file] = getattr(getattr(item, "module", None), "__name__", "")
        if call.excinfo is not None and call.when in ("setup", "call"):
            self._errors.raised(call.excinfo.value)


class _Errors:
    """Reports what kept tests from finishing."""

    def __init__(self, suite: Raw, emit: Callable[[str], None]) -> None:
        self._files = {_file(suite, test) for test in suite["tests"]}
        self._emit = emit
        self._left = _MOST_REPORTED

    def raised(self, error: Raw) -> None:
        """Report an exception of a test, with the line of the test's file."""
        if self._left:
            self._left -= 1
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.line for frame in frames if frame.filename in self._files]
            place = f" (at `{lines[-1]}`)" if lines else ""
            message = "".join(traceback.format_exception_only(class_of(error), error))
            self.write_text(f"{message.strip()}{place}")

    def write_text(self, text: str) -> None:
        """Report a text."""
        self._emit(json.dumps({"kind": "error", "text": text[-2000:]}))


def _file(suite: Raw, test: str) -> str:
    return os.path.join(suite["root"], test.partition("::")[0])


class _Patience:
    """How long tests run: until nothing more is wanted, or nothing new comes."""

    def __init__(self, suite: Raw, notes: Notes) -> None:
        self._suite = suite
        self._notes = notes
        self._left = suite["most_tests"]
        self._count = self._late = 0
        self._start = self._last = 0.0

    def count_timed_out(self) -> None:
        """Count a test that timed out."""
        self._late += 1

    def is_over(self) -> bool:
        """Whether to stop; called after each test."""
        now = _cpu()
        self._left -= 1
        self._start = self._start or now
        if self._count != self._notes.count or not self._last:
            self._count, self._last, self._late = self._notes.count, now, 0
        return (
            self._left <= 0
            or self._late >= _MOST_LATE
            or self._notes.is_full
            or now - self._start > self._suite["cpu_seconds"]
            or now - self._last > self._suite["idle_seconds"]
        )


def _names(function: Raw) -> set[str]:
    """Return the names in a test and its nested functions."""
    code = getattr(function, "__code__", None)
    found: set[str] = set()
    left: list[Raw] = [code] if code is not None else []
    while left:
        each = left.pop()
        found.update(each.co_names)
        left += [const for const in each.co_consts if isinstance(const, types.CodeType)]
    return found


def _run_unittest(suite: Raw, notes: Notes, emit: Callable[[str], None]) -> None:
    import unittest

    usual: Raw = unittest.TestResult.startTest
    patience = _Patience(suite, notes)
    errors = _Errors(suite, emit)

    def start(result: Raw, test: Raw) -> None:
        usual(result, test)
        notes.test = test.id()
        _ring_in(suite["seconds"], patience.count_timed_out)
        if patience.is_over():
            result.stop()

    def fail(_result: Raw, _test: Raw, error: Raw) -> None:
        errors.raised(error[1])

    loader = unittest.TestLoader()
    whole: Raw = unittest.TestSuite()
    for number, test in enumerate(_paths(suite)):
        path, _, only = test.partition("::")
        module: Raw = _loaded(path, f"slice_func_tests_{number}", errors)
        if module is None:
            continue
        if not only:
            whole.addTests(loader.loadTestsFromModule(module))
        names: dict[str, Raw] = dict(module.__dict__)
        for key, value in names.items():
            is_wanted = key == only if only else key.startswith("test")
            if is_wanted and _takes_nothing(value):
                whole.addTest(unittest.FunctionTestCase(value))
    members = {"startTest": start, "addError": fail, "addFailure": fail}
    kind: Class = type("Result", (unittest.TestResult,), members)
    whole.run(kind())


def _takes_nothing(value: Raw) -> bool:
    return isinstance(value, types.FunctionType) and not value.__code__.co_argcount


def _loaded(path: str, name: str, errors: _Errors) -> Raw:
    sys.path.insert(0, os.path.dirname(path))
    spec: Raw = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:  # noqa: BLE001 - a test may fail to load in any way
        errors.raised(error)
        return None
    return module


def _ring_in(seconds: float, note_late: Callable[[], None] | None = None) -> None:
    """Make a test that takes longer fail: by processor time, or if it only waits.

    Args:
        seconds: time limit; 0 ends the watch.
        note_late: called once if the test takes longer.
    """
    spent, idle, left = _cpu(), 0, _PATIENCE
    rings = 0

    def ring(_number: int, _frame: Raw) -> None:
        nonlocal rings
        rings += 1
        # reporting takes time, too; but the test may go on waiting for its tasks to be cancelled
        signal.setitimer(signal.ITIMER_REAL, seconds)
        if note_late is not None and rings == 1:
            note_late()
        # an event loop only logs exceptions from callbacks, but lets this one through
        raise SystemExit(_TOO_LONG) if rings > 1 else TimeoutError(_TOO_LONG)

    def tick(number: int, frame: Raw) -> None:
        nonlocal spent, idle, left
        now = _cpu()
        idle = idle + 1 if now - spent < _PROGRESS else 0
        spent, left = now, left - 1
        if idle >= _TICKS_WITHOUT or left <= 0 or rings:
            ring(number, frame)

    if seconds:
        signal.signal(signal.SIGPROF, ring)
        signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds / 2, seconds / 2)
