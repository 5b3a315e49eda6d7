"""Runs inside an environment: loads one script in one of four ways and tells what is to be seen."""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import runpy
import subprocess
import sys
import traceback

FOLDER = str(pathlib.Path(__file__).resolve().parent)
OBSERVER = f"{FOLDER}/observer"

sys.path[:0] = [FOLDER, OBSERVER]
runner = importlib.import_module("import_runner")
observer = importlib.import_module("sitecustomize")
del sys.path[:2]


def load(request: dict[str, str]) -> dict[str, object]:
    """Load the script in the way asked for; returns exit status, names, and the target's own."""
    path, qualname, way = request["script"], request["qualname"], request["way"]
    if way == "script":
        return _as_script(path, qualname)
    name = {"import": pathlib.Path(path).stem, "runpy": "__main__"}
    run_name = name.get(way, "another_name")
    try:
        namespace = _WAYS[way](path, run_name)
    except SystemExit as error:
        code = error.code
        return {"exit": code if isinstance(code, int) else int(code is not None)}
    except BaseException as error:  # noqa: BLE001  # as the interpreter itself would end
        print("".join(traceback.format_exception_only(error)), file=sys.stderr)
        return {"exit": 1}
    return {"exit": 0, **observer.observation(namespace, run_name, qualname)}


def _as_script(path: str, qualname: str) -> dict[str, object]:
    """A process of its own, as from the prompt; only the observer is on its path."""
    file = pathlib.Path("observation.json").resolve()
    variables = {"PYTHONPATH": OBSERVER, "OBSERVE_TO": str(file), "OBSERVE_TARGET": qualname}
    done = subprocess.run(
        (sys.executable, "-B", path), env={**os.environ, **variables}, check=False
    )
    if done.returncode:
        return {"exit": done.returncode}
    return {"exit": 0, **json.loads(file.read_text(encoding="utf-8"))}


def _imported(path: str, name: str) -> dict[str, object]:
    sys.path.insert(0, str(pathlib.Path(path).parent))
    return vars(importlib.import_module(name))


def _run(path: str, name: str) -> dict[str, object]:
    return runpy.run_path(path, run_name=name)


def _from_location(path: str, name: str) -> dict[str, object]:
    return vars(runner.from_location(path, name))


_WAYS = {"import": _imported, "runpy": _run, "spec": _from_location}

if __name__ == "__main__":
    sys.exit(runner.main(load))
