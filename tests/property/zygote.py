"""Process side: forks one fresh process for each job, so that no interpreter start is paid for.

Run as `python -I -S zygote.py`. It reads one JSON list of jobs a line and writes one JSON list of
outcomes. Each job loads a module (the original, or a slice in one of four ways), calls the target,
and tells what happened in a form that carries no addresses. It imports nothing of the project.
"""

# ruff: noqa: ANN001, ANN201, BLE001 (whatever a job does is an outcome; start-up counts)

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import json
import linecache
import os
import runpy
import signal
import sys
import traceback
import types

# Loaded once here, so that no job pays for them.
import abc, asyncio, collections, dataclasses, enum, functools, logging, pickle, typing  # noqa: E401, F401  # isort: skip

SECONDS = 20
"""Of the processor, and fifteen times as many by the clock."""


def canonical(value: object, depth: int = 0) -> object:
    """`value` as JSON, with the class of everything that is not plain."""
    if depth > 12:
        return "deep"
    if value is None or (isinstance(value, (bool, int, str)) and type(value) in (bool, int, str)):
        return value
    kind = type(value).__qualname__
    if isinstance(value, float):
        return [kind, repr(value)]
    if isinstance(value, dict):
        pairs = [[canonical(k, depth + 1), canonical(v, depth + 1)] for k, v in value.items()]
        return [kind, pairs]
    if isinstance(value, (list, tuple)):
        return [kind, [canonical(v, depth + 1) for v in value]]
    if isinstance(value, (set, frozenset)):
        return [kind, sorted(json.dumps(canonical(v, depth + 1)) for v in value)]
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type)):
        return [kind, value.__qualname__]
    if isinstance(value, BaseException):
        return [kind, canonical(value.args, depth + 1), canonical(vars(value), depth + 1)]
    state = getattr(value, "__dict__", None)
    return [kind, canonical(dict(state), depth + 1) if isinstance(state, dict) else "opaque"]


def classes_of(value: object, depth: int = 0) -> list[str]:
    """Full names of the classes of everything inside `value`, in order."""
    if depth > 12:
        return []
    found = [f"{type(value).__module__}|{type(value).__qualname__}"]
    parts: list[object] = []
    if isinstance(value, dict):
        parts = [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple)):
        parts = list(value)
    elif hasattr(value, "__dict__") and not isinstance(value, (type, types.FunctionType)):
        parts = list(vars(value).values())
    return found + [name for part in parts for name in classes_of(part, depth + 1)]


def drive(coroutine):
    """Run a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise RuntimeError("the coroutine waits")


def observe(top: object, call: str, arguments: list[str]) -> list[dict[str, object]]:
    """What each call does: value or exception, printed text, changed arguments."""
    compiled = compile(call, "<call>", "eval")
    seen: list[dict[str, object]] = []
    for literal in arguments:
        args = ast.literal_eval(literal)
        printed = io.StringIO()
        value, error = None, None
        with contextlib.redirect_stdout(printed):
            try:
                value = eval(compiled, {"T": top, "args": args, "drive": drive})
            except Exception as caught:  # every failure of the target is an observation
                error = caught
        seen.append(
            {
                "value": canonical(value),
                "error": canonical(error),
                "cause": canonical(error and error.__cause__),
                "printed": printed.getvalue(),
                "arguments": canonical(args),
                "classes": classes_of(value) + classes_of(error),
            }
        )
        if os.environ.get("SHOW_TRACES") and error is not None:
            seen[-1]["trace"] = "".join(traceback.format_exception(error))
    return seen


def load_original(job: dict[str, str]) -> object:
    """The target's top-level name, from the repository."""
    sys.path.insert(0, job["folder"])
    module = importlib.import_module(job["module"])
    return getattr(module, job["name"])


def load_run(job: dict[str, str]) -> object:
    """As `python script.py`."""
    module = types.ModuleType("__main__")
    module.__file__ = job["script"]
    module.__builtins__ = __builtins__
    sys.modules["__main__"] = module
    sys.argv = [job["script"]]
    sys.path.insert(0, os.path.dirname(job["script"]))  # noqa: PTH120
    with open(job["script"], "rb") as file:  # noqa: PTH123
        code = compile(file.read(), job["script"], "exec")
    exec(code, module.__dict__)
    return module.__dict__[job["name"]]


def load_imported(job: dict[str, str]) -> object:
    """As `import script`."""
    folder, file = os.path.split(job["script"])
    sys.path.insert(0, folder)
    return getattr(importlib.import_module(file.removesuffix(".py")), job["name"])


def load_path(job: dict[str, str]) -> object:
    """Through `runpy.run_path`."""
    return runpy.run_path(job["script"])[job["name"]]


def load_renamed(job: dict[str, str]) -> object:
    """Through `spec_from_file_location`, under another name."""
    spec = importlib.util.spec_from_file_location("another_name", job["script"])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["another_name"] = module
    spec.loader.exec_module(module)
    return getattr(module, job["name"])


LOADERS = {
    "original": load_original,
    "run": load_run,
    "imported": load_imported,
    "run_path": load_path,
    "renamed": load_renamed,
}


def carried_text(paths: list[str]) -> dict[str, str]:
    """Source lines that `linecache` knows for the modules whose file ends like one of `paths`."""
    found: dict[str, str] = {}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None) or ""
        path = max((p for p in paths if file.endswith("/" + p)), key=len, default=None)
        if path is not None:
            found[path] = "".join(linecache.getlines(file, vars(module)))
    return found


def perform(job: dict) -> dict[str, object]:
    """One job, in the process that was made for it."""
    outcome: dict[str, object] = {"failed": None, "import_printed": "", "calls": []}
    printed = io.StringIO()
    os.chdir(job["cwd"])
    sys.stdin = io.StringIO("")
    try:
        with contextlib.redirect_stdout(printed):
            top = LOADERS[job["way"]](job)
    except BaseException as error:  # also SystemExit: a slice must not exit when it is loaded
        trace = traceback.format_exception(error)
        outcome["failed"] = f"{type(error).__name__}: {error}"
        outcome["trace"] = "".join(trace)[-4000:]
        return outcome
    finally:
        outcome["import_printed"] = printed.getvalue()
    outcome["calls"] = observe(top, job["call"], job["arguments"])
    outcome["carried"] = carried_text(job.get("carried", []))
    return outcome


def fork(job: dict) -> dict[str, object]:
    """Perform the job in a child process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(15 * SECONDS)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            with os.fdopen(writer, "w") as out:
                json.dump(perform(job), out)
        except BaseException:
            traceback.print_exc()
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    if text:
        return json.loads(text)
    return {"failed": f"the process ended with status {status}", "import_printed": "", "calls": []}


def main() -> None:
    """Serve until standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a job prints past sys.stdout must not mix with the answers
    for line in sys.stdin:
        answers.write(json.dumps([fork(job) for job in json.loads(line)]) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
