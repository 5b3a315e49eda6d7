"""Evaluate calls in a fresh process: of an original in its repository, or of its slice.

Run as `python -I -B observe_calls.py`, with a line of JSON for each request on standard input: the
`request` that `main` documents, the folder `cwd` and a limit of `seconds`. Each is answered by a
process of its own, forked before anything was loaded, with what it wrote to standard output and
standard error. The first line of its output is JSON: per call its value or exception and what it
printed. This file is a program of its own and imports nothing of the project.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import importlib.util
import io
import json
import os
import runpy
import signal
import sys
import tempfile
import traceback
from collections.abc import Mapping


def main(request: Mapping[str, object]) -> None:
    """Answer one request.

    `names` maps a name to the module it comes from. `load` says how to come by it:
    `import` finds the modules on `path`; `runpy` and `spec` load the one script at `path`.
    """
    outside = sys.stdout
    names, path, load = request["names"], request["path"], request["load"]
    assert isinstance(names, dict)
    assert isinstance(path, list)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            namespace = _namespace(names, [str(p) for p in path], str(load))
        except BaseException:  # noqa: BLE001 - a slice may fail in any way, and that is reported
            answer: object = {"import_failed": traceback.format_exc()}
        else:
            calls = request["calls"]
            assert isinstance(calls, list)
            answer = [_observe(str(call), namespace) for call in calls]
    outside.write(json.dumps(answer) + "\n")


def _namespace(names: Mapping[str, str], path: list[str], load: str) -> dict[str, object]:
    namespace: dict[str, object] = {"asyncio": asyncio}
    if load == "import":
        sys.path[:0] = path
        script: dict[str, object] = {}
    elif load == "runpy":
        script = runpy.run_path(path[0], run_name="__main__")
    else:
        spec = importlib.util.spec_from_file_location("a_slice_by_another_name", path[0])
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[module.__name__] = module
        spec.loader.exec_module(module)
        script = vars(module)
    for name, origin in names.items():
        if name in script:
            namespace[name] = script[name]
        else:
            namespace[name] = getattr(importlib.import_module(origin), name)
    return namespace


def _observe(call: str, namespace: dict[str, object]) -> dict[str, str]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            outcome = {"value": repr(eval(call, namespace))}
        except BaseException as error:  # noqa: BLE001 - SystemExit and the like are outcomes too
            outcome = {"exception": f"{type(error).__qualname__}: {error}"}
    return {"call": call, **outcome, "printed": printed.getvalue()}


def serve() -> None:
    """Answer requests until standard input ends."""
    for line in iter(sys.stdin.readline, ""):
        asked = json.loads(line)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            pid = os.fork()
            if pid == 0:
                os.chdir(asked["cwd"])
                nothing = os.open(os.devnull, os.O_RDONLY)
                for number, file in enumerate((nothing, out.fileno(), err.fileno())):
                    os.dup2(file, number)
                signal.alarm(asked["seconds"])
                main(asked["request"])
                sys.stdout.flush()
                os._exit(0)  # nobody looks at what an interpreter does in the end: most of the time
            os.waitpid(pid, 0)
            out.seek(0)
            err.seek(0)
            answer = {"out": out.read().decode(), "err": err.read().decode()}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
