"""Run in a process of its own: load a mocked script in one of four ways, and call into it.

python ways_to_load.py WAY SCRIPT CALL   → JSON: what the call gives, its effects, connections
python ways_to_load.py RUNS MODULE…   → one such line for each run, from a process of its own that
    begins with these modules loaded: libraries are slow to load, and may be there already; RUNS is
    JSON, a list of [WAY, SCRIPT, CALL]
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import gc
import importlib
import importlib.util
import inspect
import json
import os
import runpy
import socket
import sys
from pathlib import Path
from typing import NoReturn

connections: list[str] = []


def refuse(_self, address, *_rest):
    """In place of every connection to somewhere else."""
    connections.append(str(address))
    raise ConnectionRefusedError(f"the network is out of bounds: {address}")


def load(way: str, script: Path) -> dict[str, object]:
    """The names that the script binds."""
    match way:
        case "run":
            return runpy.run_path(str(script), run_name="__main__")
        case "runpy":
            sys.path.insert(0, str(script.parent))
            return runpy.run_module(script.stem)
        case "import":
            sys.path.insert(0, str(script.parent))
            return vars(importlib.import_module(script.stem))
        case _:
            spec = importlib.util.spec_from_file_location("another_name", script)
            module = importlib.util.module_from_spec(spec)
            sys.modules["another_name"] = module
            spec.loader.exec_module(module)
            return vars(module)


def main() -> None:
    """Load and call: here, or in a child for each run."""
    if not sys.argv[1].startswith("["):
        show(*sys.argv[1:])
        end()
    runs, *modules = sys.argv[1:]
    for module in modules:
        with contextlib.suppress(Exception):
            importlib.import_module(module)
    gc.collect()
    gc.freeze()
    for number, (way, script, call) in enumerate(json.loads(runs)):
        print(flush=True)
        child = os.fork()
        if not child:
            folder = Path(f"{way}-{number}")
            folder.mkdir()
            os.chdir(folder)
            show(way, script, call)
            end()
        if os.waitpid(child, 0)[1]:
            sys.exit(f"{way}, {call}: the process failed")


def end() -> NoReturn:
    """To take libraries down takes longer than most examples."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def show(way: str, script: str, call: str) -> None:
    """Load, call, and print what came out."""
    names = load(way, Path(script))
    # after loading: a mock that sits on sockets is above this, real sockets are not
    real = socket.socket.connect
    if getattr(real, "__objclass__", None) is not None or "socket" in repr(real):
        socket.socket.connect = refuse
    before = len(names.get("_effects", ()))
    code = compile(call, "<call>", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    try:
        value = eval(code, names)
        if inspect.iscoroutine(value):

            async def run():
                return await value

            value = asyncio.run(run())
        gives = repr(value)
    except Exception as error:
        gives = type(error).__name__
        import traceback

        traceback.print_exc()
    effects = [f"{kind} {target}" for kind, target, *_ in names.get("_effects", ())[before:]]
    print()  # what was asked last ends no line
    print(json.dumps({"gives": gives, "effects": effects, "connections": connections}))


main()
