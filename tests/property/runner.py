"""Test side of the processes: writes repositories to disk and asks the zygote to run things."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.property.model import Package

WAYS = ("run", "imported", "run_path", "renamed")
"""The four ways in which a script is loaded."""


SCRIPT_NAMES = {"__main__", "sliced", "<run_path>", "another_name"}
"""Names that a script has when it is loaded in those ways."""

NOISE = "<noise>"
"""What generated modules print when they are loaded, for no reason; a slice need not."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one process saw."""

    failed: str | None
    """Why the module could not be loaded."""
    import_printed: str
    calls: tuple[dict[str, Any], ...]
    trace: str = ""
    carried: dict[str, str] | None = None
    """Text of the modules that a script carries, by their path in the repository."""

    def behaviour(self, *, classes: bool = False, alias: str = "") -> list[dict[str, Any]]:
        """What the calls did, without what modules print for no reason when they are loaded.

        Args:
            classes: with the full names of all classes that were seen.
            alias: name of the target's module; a script may have its own name instead.
        """
        leave = {"trace"} if classes else {"trace", "classes"}
        calls = [{k: v for k, v in call.items() if k not in leave} for call in self.calls]
        for call in calls:
            call["printed"] = call["printed"].replace(f"{NOISE}\n", "")
            if classes:
                call["classes"] = [_under_alias(name, alias) for name in call["classes"]]
        return calls


def _under_alias(name: str, alias: str) -> str:
    module, _, rest = name.partition("|")
    true = alias if module in SCRIPT_NAMES else module
    return f"{true.removeprefix('ns.')}|{rest}"  # a namespace is a guess where nothing imports it


class Runner:
    """A zygote process; each job runs in a fresh fork of it."""

    def __init__(self, hash_seed: str = "0") -> None:
        script = Path(__file__).with_name("zygote.py")
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        self.process = subprocess.Popen(
            # -E and -P in place of -I: -I would ignore the hash seed.
            [sys.executable, "-P", "-s", "-S", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={k: v for k, v in environment.items() if k != "PYTHONPATH"},
            text=True,
        )

    def run(self, jobs: Sequence[dict[str, Any]]) -> list[Outcome]:
        """The outcomes of the jobs, in order."""
        to, answers = _pipe(self.process.stdin), _pipe(self.process.stdout)
        to.write(json.dumps(list(jobs)) + "\n")
        to.flush()
        known = set(Outcome.__slots__)
        return [
            Outcome(**{k: tuple(v) if k == "calls" else v for k, v in one.items() if k in known})
            for one in json.loads(answers.readline())
        ]

    def close(self) -> None:
        """End the zygote."""
        _pipe(self.process.stdin).close()
        self.process.wait()
        _pipe(self.process.stdout).close()


def _pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def write_package(package: Package, folder: Path, *, backwards: bool = False) -> Path:
    """Write the files below `folder`, in order or backwards."""
    for path, content in reversed(package.files) if backwards else package.files:
        write_file(folder, path, content)
    return folder


def write_file(folder: Path, path: str, content: bytes) -> Path:
    """Write one file below `folder`."""
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def original_job(package: Package, repository: Path, cwd: Path) -> dict[str, Any]:
    """Call the target in its repository (or in the pruned tree of a slice)."""
    return {
        "way": "original",
        "folder": str(repository / package.root),
        "module": package.target_module,
        "name": package.top_name,
        "call": package.call,
        "arguments": package.arguments,
        "cwd": str(cwd),
    }


def script_job(package: Package, script: Path, way: str, cwd: Path) -> dict[str, Any]:
    """Call the target in a script that is loaded in one of the four ways."""
    return {
        "way": way,
        "script": str(script),
        "name": package.top_name,
        "call": package.call,
        "arguments": package.arguments,
        "cwd": str(cwd),
        "carried": [path for path, _ in package.files],
    }


def module_name(package: Package, path: str) -> str:
    """The name under which a file of the repository is imported."""
    inside = path.removeprefix(f"{package.root}/") if package.root else path
    return inside.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
