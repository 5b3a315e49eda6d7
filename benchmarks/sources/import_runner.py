"""Runs inside an environment: imports scripts one by one, each in a fork of one warm process.

It reads one JSON request a line, and answers each with one line. It uses the standard library only,
and preloads nothing that a script could forget to import and still find: `PRELOADED` holds plain
modules and packages that have no submodule left to load.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Callable
from pathlib import Path

PRELOADED = (
    *("abc", "ast", "asyncio", "collections", "contextlib", "copy", "dataclasses", "datetime"),
    *("decimal", "enum", "fractions", "functools", "inspect", "io", "itertools", "json"),
    *("linecache", "logging", "math", "operator", "os", "pathlib", "pickle", "random", "re"),
    *("shutil", "socket", "ssl", "string", "struct", "subprocess", "tempfile", "textwrap"),
    *("threading", "time", "types", "typing", "uuid", "warnings", "weakref"),
)
OUTPUT_CAP = 1_000_000
MEMORY_CAP = 4_000_000_000


Request = dict[str, object]
Answer = dict[str, object]


def main(do: Callable[[Request], Answer]) -> int:
    """Answer requests until standard input ends, doing each with `do` in a fork."""
    for name in PRELOADED:
        importlib.import_module(name)
    # Scripts must not read the requests, and what they print must not land among the answers.
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    codes = _import_codes()
    held: dict[tuple[str, str], types.CodeType] = {}
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    with requests, answers:
        for line in requests:
            request = json.loads(line)
            if "script" in request:
                codes.prepare(held, str(request["script"]))

            def done(request: Request) -> Answer:
                if "script" in request:
                    codes.serve(held)
                return do(request)

            print(json.dumps(_in_fork(done, request)), file=answers, flush=True)
    return 0


def _import_codes() -> types.ModuleType:
    """The file beside this one, under no name that a script could find."""
    path = Path(__file__).absolute().with_name("import_codes.py")
    spec = importlib.util.spec_from_file_location("import_codes", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _in_fork(do: Callable[[Request], Answer], request: Request) -> Answer:
    """Do one request in a child; returns its answer, or what became of the child."""
    timeout = float(str(request.get("timeout", 60)))
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as output:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _child(do, request, folder, output.fileno(), writer)
        os.close(writer)
        answer = _answer(reader, timeout)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        output.seek(0)
        printed = output.read(OUTPUT_CAP).decode("utf-8", "backslashreplace")
    if answer is None:
        late = time.monotonic() - started >= timeout
        code = os.waitstatus_to_exitcode(status)
        error = "timeout" if late else "exit"
        answer = {"ok": False, "error": error, "message": f"status {code}"}
    return {**answer, "printed": printed, "seconds": time.monotonic() - started}


def _answer(reader: int, timeout: float) -> Answer | None:
    """The child's answer; `None` where it died or took too long."""
    deadline = time.monotonic() + timeout
    received = b""
    while not received.endswith(b"\n"):
        ready, _, _ = select.select([reader], [], [], max(0.0, deadline - time.monotonic()))
        chunk = os.read(reader, 65536) if ready else b""
        if not chunk:
            break
        received += chunk
    os.close(reader)
    return json.loads(received) if received.endswith(b"\n") else None


def _child(
    do: Callable[[Request], Answer], request: Request, folder: str, output: int, writer: int
) -> None:
    """Do the request in an empty folder; never returns."""
    try:
        os.setpgid(0, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_CAP, OUTPUT_CAP))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_CAP, MEMORY_CAP))
        os.chdir(folder)
        answer = do(request)
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os.write(writer, json.dumps(answer).encode() + b"\n")
    finally:
        os._exit(0)


def import_one(request: Request) -> Answer:
    """Import a script or an installed module, and look whether a name is bound."""
    try:
        if "module" in request:
            module = importlib.import_module(str(request["module"]))
        else:
            module = from_location(str(request["script"]), "slice_under_test")
    except BaseException as error:  # noqa: BLE001  # SystemExit is an answer too
        return {
            "ok": False,
            "error": type(error).__name__,
            "message": str(error)[:500],
            "traceback": "".join(traceback.format_exception(error))[-3000:],
        }
    bound = str(request["name"])
    if bound not in vars(module):
        return {"ok": False, "error": "unbound", "message": f"'{bound}' is not bound"}
    own = request.get("own")
    return {"ok": True, "own_name": own is None or own in sys.modules}


def from_location(path: str, name: str) -> types.ModuleType:
    """Load a file as a module, by the recipe of importlib's documentation."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main(import_one))
