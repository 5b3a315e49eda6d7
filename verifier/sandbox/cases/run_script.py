"""The task `script`: run the text as `__main__`, and end, like the interpreter."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from types import ModuleType, TracebackType
from typing import Any

_exit = os._exit
_run_exit_functions: Callable[[], None] = vars(atexit)["_run_exitfuncs"]
_wait_for_threads: Callable[[], None] = vars(threading)["_shutdown"]
_collect = gc.collect
_OWN_FOLDER = os.path.dirname(os.path.dirname(__file__)) + os.sep
_INTERRUPTED = 130
_BAD_FLUSH = 120


def run_script(request: dict[str, Any]) -> None:
    """Run the script in a fresh `__main__`. Its exceptions propagate."""
    path = f"{request['folder']}/{request['name']}"
    sys.argv = [path, *request["argv"]]
    sys.path.insert(0, os.path.dirname(path))
    module = ModuleType("__main__")
    module.__dict__.update(
        __file__=path, __builtins__=sys.modules["builtins"], __cached__=None,
        __loader__=SourceFileLoader("__main__", path), __annotations__={},
    )  # fmt: skip
    sys.modules["__main__"] = module
    source = request["source"].encode("utf-8", "surrogatepass")
    code = compile(source, path, "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102 - the sandbox is what this is for


def exit_status_of(task: Callable[[], None]) -> int:
    """Return the exit status of a task that returns or raises; print the error message, too."""
    try:
        task()
    except SystemExit as leave:
        return _status_of_exit(leave.code)
    except KeyboardInterrupt as error:
        _show(error)
        return _INTERRUPTED
    except BaseException as error:  # noqa: BLE001 - this is the end of the program
        _show(error)
        return 1
    return 0


def finish(status: int) -> None:
    """End the process like the interpreter: threads, exit functions, finalisers, flush."""
    try:
        _wait_for_threads()
        _run_exit_functions()
        main = sys.modules.get("__main__")
        if main is not None:
            main.__dict__.clear()  # runs finalisers
            _collect()
    except BaseException as error:  # noqa: BLE001 - the end comes all the same
        _show(error)
    leave(status)


def leave(status: int) -> None:
    """End the process at once, after flushing its output."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # noqa: BLE001 - a closed or replaced stream is the script's affair
            status = status or (_BAD_FLUSH if stream is sys.stdout else 0)
    _exit(status)


def _status_of_exit(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    sys.stderr.write(f"{code}\n")
    return 1


def _show(error: BaseException) -> None:
    """Print the traceback, through the script's hook if any, without the sandbox's frames."""
    try:
        error.__traceback__ = _of_script(error.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
    except BaseException:  # noqa: BLE001, S110 - a broken hook must not keep the process
        pass


def _of_script(entry: TracebackType | None) -> TracebackType | None:
    while entry is not None and entry.tb_frame.f_code.co_filename.startswith(_OWN_FOLDER):
        entry = entry.tb_next
    return entry
