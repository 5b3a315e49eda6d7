"""A program of its own: which functions call which while a fixture's calls are evaluated.

Run as `python -I -B observed_calls.py SETTINGS`. The program `settings["evaluator"]`, which is that
of the fixtures' tests, evaluates `settings["request"]`; a second line on standard output then tells
the calls between functions of the files in `settings["modules"]`.

A call is *direct* when the caller's own code makes it, and *by a library* when a builtin or code of
another folder stands between. A generator runs where it is consumed, not where it is called: its
call counts for those that name it. Functions are named as `module.Class.method.inner`.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
import threading
from collections.abc import Collection, Mapping
from types import CodeType, FrameType
from typing import Any

GENERATORS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
WITHIN = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>")
"""Code without a name, which belongs to the function around it."""

Edge = tuple[str, str]


class CallObserver:
    """A profile function that collects edges, and what ran."""

    def __init__(self, modules: Mapping[str, str], targets: Collection[str]) -> None:
        self._modules = modules
        self._targets = targets
        """Functions and classes whose calls are followed; a class stands for its methods."""
        self._names: dict[CodeType, str | None] = {}
        self._busy: set[FrameType] = set()
        """Frames in which a builtin is running."""
        self.direct: set[Edge] = set()
        self.by_library: set[Edge] = set()
        self.ran: set[str] = set()
        self.ran_below: set[str] = set()
        """What ran while a target was running."""

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """One event of the interpreter."""
        if event == "call":
            callee = self._name(frame.f_code)
            if callee is not None and _has_name(frame.f_code):
                self._note(frame, callee)
        elif event == "c_call":
            if self._name(frame.f_code) is not None:
                self._busy.add(frame)
        elif event in ("c_return", "c_exception"):
            self._busy.discard(frame)

    def _note(self, frame: FrameType, callee: str) -> None:
        self.ran.add(callee)
        caller, direct = frame.f_back, True
        while caller is not None and self._name(caller.f_code) is None:
            caller, direct = caller.f_back, False
        if caller is not None:
            code = frame.f_code
            if not code.co_flags & GENERATORS or self._mentions(caller, code.co_name):
                direct = direct and caller not in self._busy
                found = self.direct if direct else self.by_library
                found.add((self._name(caller.f_code) or "", callee))
        if self._is_below(frame):
            self.ran_below.add(callee)

    def _mentions(self, caller: FrameType, name: str) -> bool:
        """Whether the caller's code has a name, or the function around a comprehension has."""
        function = self._name(caller.f_code)
        above: FrameType | None = caller
        while above is not None and self._name(above.f_code) == function:
            if _names(above.f_code, name):
                return True
            above = above.f_back
        return False

    def _is_below(self, frame: FrameType) -> bool:
        above: FrameType | None = frame
        while above is not None:
            name = self._name(above.f_code)
            if name is not None and any(f"{name}.".startswith(f"{t}.") for t in self._targets):
                return True
            above = above.f_back
        return False

    def _name(self, code: CodeType) -> str | None:
        if code not in self._names:
            module = self._modules.get(code.co_filename)
            self._names[code] = None if module is None else named(module, code.co_qualname)
        return self._names[code]


def named(module: str, qualname: str) -> str:
    """The dotted name of the function that a code object belongs to, or that of the module."""
    parts = [p for p in qualname.split(".") if p not in ("<locals>", "<module>", *WITHIN)]
    return ".".join([module, *parts])


def _has_name(code: CodeType) -> bool:
    return code.co_name not in ("<module>", *WITHIN)


def _names(code: CodeType, name: str) -> bool:
    return name in code.co_names or name in code.co_varnames or name in code.co_freevars


def main() -> None:
    """Evaluate and tell."""
    settings: dict[str, Any] = json.loads(sys.argv.pop())
    spec = importlib.util.spec_from_file_location("evaluator", settings["evaluator"])
    assert spec is not None
    assert spec.loader is not None
    evaluator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(evaluator)
    observer = CallObserver(settings["modules"], settings["targets"])
    threading.setprofile(observer)
    sys.setprofile(observer)
    try:
        evaluator.main(settings["request"])
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    told = {
        "direct": sorted(observer.direct),
        "by_library": sorted(observer.by_library - observer.direct),
        "ran": sorted(observer.ran),
        "ran_below": sorted(observer.ran_below),
    }
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
