"""Runs beside a target: what the tests of a file reach of it, and which of its mutants they kill.

    python -B -P measure.py REQUEST ANSWER

pytest collects the tests once. Then all of them run in forks of this process: twice on the
original, the first time under our tracer, and once for each mutant, which is swapped in as the
search for cases does it. A test counts where it passes on the original both times; a mutant is
killed where one of those does not pass, does not end in time, or ends the process. Standard library
and pytest only.

`request`: `folder` (goes to the import path), `test` (file), `file`, `first` and `last` (where the
target stands), `parts` (folder with `arcs` and `swap`), `mutants` (name and text of each),
`seconds` (for all tests on the original; as much and twice more for all mutants), `examples` (of
Hypothesis, for each test), `seed`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import random
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

Request = dict[str, Any]
Send = Callable[[dict[str, Any]], None]

# Copies: the script under test may replace what it finds in modules, the clock for example.
_clock, _fork, _leave, _pipe, _close = time.monotonic, os.fork, os._exit, os.pipe, os.close
_read, _write, _wait, _killpg, _setpgid = os.read, os.write, os.waitpid, os.killpg, os.setpgid
_select, _signal, _set_timer = select.select, signal.signal, signal.setitimer
_make_folder, _enter = os.mkdir, os.chdir
_encoded, _decoded = json.dumps, json.loads

_TIMES_SLOWER = 10.0
_LEAST_SECONDS = 1.0
_WAITING = 3.0
"""How many times as long a mutant may wait as it may compute: the machine may be busy."""
_TIMES_FOR_MUTANTS = 3.0


def main(request_file: str, answer_file: str) -> int:
    """Measure, and write the answer."""
    request: Request = json.loads(Path(request_file).read_text(encoding="utf-8"))
    sys.path.insert(0, request["folder"])
    _settle_hypothesis(request["examples"])
    measure = Measure(request)
    words = [request["test"], "-q", "-p", "no:cacheprovider", "--capture=sys", "-c", os.devnull]
    pytest.main([*words, "--rootdir", os.path.dirname(request["test"])], plugins=[measure])
    Path(answer_file).write_text(json.dumps(measure.answer), encoding="utf-8")
    return 0


def _settle_hypothesis(examples: int) -> None:
    """The same examples in each run, and nothing kept between them."""
    if not examples:
        return
    import hypothesis
    from hypothesis import strategies

    hypothesis.settings.register_profile(
        "measure", max_examples=examples, derandomize=True, deadline=None, database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    hypothesis.settings.load_profile("measure")

    @hypothesis.given(strategies.text(), strategies.floats())
    def once(_text: str, _number: float) -> None:
        """What the first test makes, its tables of characters, need not be made in each fork."""

    once()


class Measure:
    """A plugin of pytest that runs the collected tests in its own way."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._count = 0
        self.answer: Request = {"failure": "there is no test"}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note what cannot be collected."""
        if report.failed:
            self.answer = {"failure": last_line(str(report.longrepr))}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """All runs."""
        if session.items:
            self.answer = self._measured(session.items)
        return True

    def _measured(self, items: Sequence[pytest.Item]) -> Request:
        seconds: float = self._request["seconds"]
        arcs, swap = (_part(self._request["parts"], name) for name in ("arcs", "swap"))
        functions = swap.Functions(*_place(self._request))
        started = _clock()
        first, end = self._forked(lambda send: self._traced(items, arcs, seconds, send), seconds)
        taken = _clock() - started
        again, _ = self._forked(lambda send: self._each(items, send), seconds)
        ran = [line for line in first if "test" in line]
        passed = {line["test"] for line in ran if not line["why"]}
        passed &= {line["test"] for line in again if not line["why"]}
        kept = [item for item in items if item.nodeid in passed]
        found: dict[str, list[str]] = {"killed": [], "survived": [], "not_applied": [], "open": []}
        until = _clock() + seconds * _TIMES_FOR_MUTANTS
        limit = max(_LEAST_SECONDS, _TIMES_SLOWER * taken)
        for mutant in self._request["mutants"]:
            if not kept or _clock() > until:
                found["survived" if not kept else "open"].append(mutant["name"])
                continue
            how = self._mutant(kept, functions, swap, mutant["text"], limit)
            found[how].append(mutant["name"])
        return {
            "failure": "",
            "tests": len(items),
            "passing": len(kept),
            "is_late": end != "ended",
            "run": round(taken, 3),
            "arcs": [arc for line in first for arc in line.get("arcs", ())],
            "why": [line["why"] for line in ran if line["why"]],
            **found,
        }

    # ------------------------------------------------------------------- in the forks

    def _traced(
        self, items: Sequence[pytest.Item], arcs: ModuleType, seconds: float, send: Send
    ) -> None:
        """All tests under the tracer; when time is up, the arcs that were found until then."""
        with arcs.collecting(*_place(self._request)) as collector:

            def ring(_number: int, _frame: object) -> None:
                send({"arcs": collector.arcs()})
                _leave(0)

            _signal(signal.SIGALRM, ring)
            _set_timer(signal.ITIMER_REAL, seconds)
            self._each(items, send, lambda: sys.settrace(collector.trace))
            _set_timer(signal.ITIMER_REAL, 0)
        send({"arcs": collector.arcs()})

    def _each(
        self, items: Sequence[pytest.Item], send: Send, prepare: Callable[[], object] = int
    ) -> None:
        for item in items:
            _restart(self._request["seed"])
            prepare()
            send({"test": item.nodeid, "why": _why_not(item)})

    def _mutant(
        self,
        items: Sequence[pytest.Item],
        functions: Any,  # noqa: ANN401
        swap: ModuleType,
        text: str,
        limit: float,
    ) -> str:
        def work(send: Send) -> None:
            _signal(signal.SIGPROF, signal.SIG_DFL)
            _set_timer(signal.ITIMER_PROF, limit)
            try:
                functions.swap(functions.bodies(text))
            except (swap.SwapError, SyntaxError, ValueError):
                send({"how": "not_applied"})
                return
            for item in items:
                _restart(self._request["seed"])
                if _why_not(item):
                    send({"how": "killed"})
                    return
            send({"how": "survived"})

        lines, _ = self._forked(work, limit * _WAITING)
        return lines[0]["how"] if lines else "killed"

    def _forked(self, work: Callable[[Send], None], seconds: float) -> tuple[list[Request], str]:
        """What a fork sends, and whether it `ended`, or `died` or was too `late`."""
        self._count += 1
        folder = f"{os.getcwd()}/run{self._count}"
        reader, writer = _pipe()
        child = _fork()
        if child == 0:
            _close(reader)
            _in_fork(work, writer, folder)
        _close(writer)
        data, is_late = _received(reader, _clock() + seconds + 2)
        _close(reader)
        with contextlib.suppress(OSError):  # it has no group yet, or is gone
            _killpg(child, signal.SIGKILL)
        _wait(child, 0)
        *lines, _ = data.decode("utf-8", "replace").split("\n")
        has_ended = lines[-1:] == ["end"]
        found = [_decoded(line) for line in lines if line != "end"]
        return found, "ended" if has_ended else "late" if is_late else "died"


def _in_fork(work: Callable[[Send], None], writer: int, folder: str) -> None:
    """Work in a folder of one's own, and end; never returns."""

    def send(line: dict[str, Any]) -> None:
        put(_encoded(line))

    def put(text: str) -> None:
        data = text.encode() + b"\n"
        while data:
            data = data[_write(writer, data) :]

    try:
        _setpgid(0, 0)
        _make_folder(folder)
        _enter(folder)
        work(send)
        put("end")
    except BaseException:  # noqa: BLE001 - whatever it is, it must not go up into pytest
        traceback.print_exc(file=sys.__stderr__)
    finally:
        _leave(0)


def _received(reader: int, until: float) -> tuple[bytes, bool]:
    """All that comes before the other end is closed or time is up, and whether that was so."""
    data = b""
    while not data.endswith(b"\nend\n"):
        left = until - _clock()
        if left <= 0 or not _select([reader], [], [], left)[0]:
            return data, True
        more = _read(reader, 1 << 16)
        if not more:
            break
        data += more
    return data, False


def _why_not(item: pytest.Item) -> str:
    """Why a test does not pass; empty where it does, or fails as it says it would."""
    reports = runtestprotocol(item, log=False, nextitem=None)
    for report in reports:
        if report.failed:
            return last_line(str(report.longrepr)) or "failed"
    called = any(r.when == "call" and (r.passed or hasattr(r, "wasxfail")) for r in reports)
    return "" if called else "skipped"


def last_line(text: str) -> str:
    """The line of a report that names the error; else the first that pytest marks, or the last."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    marked = [line[1:].strip(" \t|+-") for line in lines if line[:2] in ("E ", "E\t")]
    named = [line for line in marked if line.partition(":")[0].replace(".", "").isidentifier()]
    return (named[-1:] or marked[:1] or lines[-1:] or [""])[0][:300]


def _restart(seed: int) -> None:
    """What tests share begins anew: chance, and what stands in for the outside world."""
    random.seed(seed)
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed(seed)  # pyright: ignore
    restart = getattr(sys.modules.get("slice_func_mocks"), "restart", None)
    if restart is not None:
        restart()


def _place(request: Request) -> tuple[str, int, int]:
    return request["file"], request["first"], request["last"]


def _part(folder: str, name: str) -> ModuleType:
    """A module of the search for cases, under no name that a script could find."""
    spec = importlib.util.spec_from_file_location(f"_{name}", f"{folder}/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
