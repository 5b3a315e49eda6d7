"""Runs inside the sandbox: loads one script in one way and reports what came of it.

Standard library only; `repost_stubs` lies beside it. `install` is called from a `sitecustomize`
before anything else, so that a script can be run as the real `__main__` and still be looked at when
it is over. What to do comes in the variable REPOST_PROBE (JSON): `way`, `report` (file to write),
`name` (that the script must bind), `stub` (whether to stub missing modules), `local` (top-level
names that are never stubbed).
"""

from __future__ import annotations

import atexit
import builtins
import dis
import gc
import importlib
import importlib.util
import json
import os
import runpy
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

OTHER_NAME = "some_other_name"
STORES = frozenset({"STORE_NAME", "STORE_GLOBAL"})
LOADS = frozenset({"LOAD_GLOBAL", "LOAD_NAME"})
PREFIXES = (
    *(os.path.join(prefix, "") for prefix in (sys.prefix, sys.base_prefix)),  # noqa: PTH118
    str(Path(os.__file__).parent),
    "<frozen",
)
Namespace = dict[str, Any]
state: dict[str, Any] = {"namespace": None, "error": None, "stubbed": set()}


def install() -> None:
    """Stub if asked to, and report at exit."""
    order = json.loads(os.environ["REPOST_PROBE"])
    if order["stub"]:
        import repost_stubs  # type: ignore[import-not-found]

        finder = repost_stubs.StubFinder(frozenset(order["local"]), is_installed)
        state["stubbed"] = finder.found
        sys.meta_path.append(finder)
    sys.excepthook = lambda _kind, error, _trace: note_error(error)
    atexit.register(write_report, order)


def main(way: str, *arguments: str) -> None:
    """Load in one of the ways that are not `python script.py`."""
    try:
        state["namespace"] = WAYS[way](*arguments)
    except BaseException as error:  # noqa: BLE001 - a script may also exit or be interrupted
        note_error(error)
        sys.exit(1)


def load_import(path: str) -> Namespace:
    """`import script`, from its own folder."""
    sys.path[0] = str(Path(path).parent)
    return vars(importlib.import_module(Path(path).stem))


def load_runpy(path: str) -> Namespace:
    """`runpy.run_path`, under its default name."""
    return runpy.run_path(path)


def load_renamed(path: str) -> Namespace:
    """From the file, under another name, not entered in `sys.modules` before it runs."""
    spec = importlib.util.spec_from_file_location(OTHER_NAME, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


def load_module(name: str, *roots: str) -> Namespace:
    """A module of a tree by its dotted name."""
    sys.path[:1] = roots
    return vars(importlib.import_module(name))


WAYS: dict[str, Callable[..., Namespace]] = {
    "import": load_import,
    "runpy": load_runpy,
    "renamed": load_renamed,
    "module": load_module,
}


def note_error(error: BaseException) -> None:
    """Keep what is needed to sort failures: the exception and the last lines it went through."""
    frames = [
        {"file": f.filename, "line": f.lineno, "text": f.line or ""}
        for f in traceback.extract_tb(error.__traceback__)
        if not f.filename.startswith("<frozen") and f.filename != __file__
    ]
    state["error"] = {
        "type": type(error).__name__,
        "message": str(error)[:500],
        "module": error.name if isinstance(error, ImportError) else None,
        "own": [f for f in frames if not is_installed(str(f["file"]))][-1:],
        "last": frames[-1:],
    }


def write_report(order: dict[str, Any]) -> None:
    """Called at exit: the bound name, names that nothing binds, modules that were stubbed."""
    namespace = state["namespace"]
    if namespace is None:
        namespace = vars(sys.modules["__main__"]) if order["way"] == "script" else {}
    report = {
        "bound": order["name"] in namespace,
        "names": sorted(name for name in namespace if not name.startswith("__")),
        "error": state["error"],
        "undefined": [] if state["error"] else undefined_names(namespace),
        "stubbed": sorted(state["stubbed"]),
    }
    Path(order["report"]).write_text(json.dumps(report), "utf-8")


def undefined_names(namespace: Namespace) -> list[tuple[str, str, str]]:
    """Global names that the loaded functions would look up in vain: module, function, name.

    A name that some function of the same module declares `global` and sets counts as bound.
    """
    everything: list[object] = gc.get_objects()
    functions = [f for f in everything if isinstance(f, FunctionType) and is_own(f, namespace)]
    later: dict[int, set[str]] = {}
    for function in functions:
        stored = later.setdefault(id(function.__globals__), set())
        for code in codes(function.__code__):
            stored |= names_of(code, frozenset({"STORE_GLOBAL"}))
    missing: set[tuple[str, str, str]] = set()
    for function in functions:
        space = function.__globals__
        known = space.keys() | later[id(space)] | vars(builtins).keys()
        for code in codes(function.__code__):
            for name in names_of(code, LOADS) - names_of(code, STORES) - known:
                missing.add((str(space.get("__name__", "")), function.__qualname__, name))
    return sorted(missing)


def is_own(function: FunctionType, namespace: Namespace) -> bool:
    """Whether this is a function of the script or of a module that it carries."""
    if function.__globals__ is namespace:
        return True
    file = function.__code__.co_filename
    ours = Path(file).name in {"repost_probe.py", "repost_stubs.py", "sitecustomize.py"}
    return not (ours or file.startswith("<") or is_installed(file))


def is_installed(file: str) -> bool:
    """Whether a file belongs to Python or to an installed package."""
    return file.startswith(PREFIXES)


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def names_of(code: CodeType, operations: frozenset[str]) -> set[str]:
    """The names that the given operations of a code object mention."""
    return {i.argval for i in dis.get_instructions(code) if i.opname in operations}


if __name__ == "__main__":
    # The copy that `sitecustomize` installed is the one that reports.
    sys.modules["repost_probe"].main(*sys.argv[1:])
