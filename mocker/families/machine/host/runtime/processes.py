"""The processes that a slice asks psutil about: each is there, and none of them is a real one."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

from .....world.core.own_code import is_own_frame
from .....world.core.world import choices, chosen_name, record

OWN_PROCESS = 4242
_STARTED = 1_704_067_200.0


def process_facts(psutil: Any) -> dict[str, Any]:
    """What `psutil` says of processes."""
    own = _process_class(psutil)
    listed: Any = type("Process", (own,), {})  # asked for by us, who are no code of the slice

    def process_iter(attrs: Any = None, ad_value: Any = None) -> Any:
        process = listed()
        process.info = process.as_dict(attrs, ad_value)
        yield process

    return {
        "Process": own,
        "process_iter": process_iter,
        "pids": lambda: [1, OWN_PROCESS],
        "pid_exists": lambda pid: True,
        "wait_procs": lambda procs, timeout=None, callback=None: (list(procs), []),
    }


def _process_class(psutil: Any) -> Any:
    """`Process` for the slice's own code; libraries get the real one."""
    facts: dict[str, Any] = {
        "name": "python", "exe": "/usr/bin/python3", "cmdline": ["python"], "cwd": "/",
        "username": "user", "status": "running", "create_time": _STARTED, "terminal": None,
        "cpu_percent": 1.0, "memory_percent": 1.0, "num_threads": 1, "num_fds": 4, "nice": 0,
        "environ": {}, "open_files": [], "threads": [], "connections": [], "net_connections": [],
        "children": [], "parents": [], "parent": None, "is_running": True,
    }  # fmt: skip
    real: Any = psutil.Process

    class Process(real):
        def __new__(cls, pid: Any = None) -> Any:
            is_own = cls is not Process or is_own_frame(sys._getframe(1))
            return super().__new__(cls) if is_own else real(pid)

        def __init__(self, pid: Any = None) -> None:
            super().__init__()  # ours stands for all of them
            self._pid = OWN_PROCESS if pid is None else pid
            self._hash = None
            self._ident = (self._pid, _STARTED)
            known = choices.get("psutil.Process", "default")
            if chosen_name("psutil.Process", known, "default", "gone") == "gone":
                raise psutil.NoSuchProcess(self._pid)

        def as_dict(self, attrs: Any = None, ad_value: Any = None) -> dict[str, Any]:
            told = {name: getattr(self, name) for name in (*facts, "memory_info", "cpu_times")}
            wanted = [name for name in told if name not in _RELATED] if attrs is None else attrs
            pairs = {name: told[name]() if name in told else ad_value for name in wanted}
            return {**pairs, **({"pid": self._pid} if attrs is None or "pid" in attrs else {})}

        def memory_info(self) -> Any:
            found = real.memory_info(self._real())
            return type(found)(*range(1 << 20, (1 << 20) + len(found)))

        memory_full_info = memory_info

        def cpu_times(self) -> Any:
            found = real.cpu_times(self._real())
            return type(found)(*(0.5 for _ in found))

        def wait(self, timeout: Any = None) -> int:
            return 0

        def oneshot(self) -> Any:
            return contextlib.nullcontext()

        def send_signal(self, sig: int) -> None:
            record("command", f"kill -{int(sig)} {self._pid}")

        def suspend(self) -> None:
            self.send_signal(19)

        def resume(self) -> None:
            self.send_signal(18)

        def terminate(self) -> None:
            self.send_signal(15)

        def kill(self) -> None:
            self.send_signal(9)

        def _real(self) -> Any:
            return real()

    for name, value in facts.items():
        setattr(Process, name, _giving(value))
    Process.__name__ = Process.__qualname__ = "Process"
    Process.__module__ = real.__module__
    return Process


_RELATED = ("children", "parents", "parent", "is_running")


def _giving(value: Any) -> Any:
    """A method that gives a value, each time a list or dictionary of its own."""

    def fact(self: Any, *arguments: Any, **named: Any) -> Any:
        return value.copy() if isinstance(value, (list, dict)) else value

    return fact
