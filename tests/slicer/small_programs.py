"""Small programs, each below a comment that names it, run as they stand and sliced."""

from __future__ import annotations

import re
import subprocess
import sys
import types
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function


def programs(text: str, before: str = "") -> dict[str, str]:
    """The programs of a text, by their titles; `before` stands above each."""
    parts = re.split(r"^# (.*)\n", text, flags=re.MULTILINE)[1:]
    return {title: before + body for title, body in zip(parts[::2], parts[1::2], strict=True)}


def check(program: str, folder: Path) -> None:
    """Calling `f` gives the same in the slice of it, which holds nothing else."""
    (folder / "program.py").write_text(program)
    sliced = slice_function(Repository(folder), "program.py::f")
    assert _given(sliced.source) == _given(program)


def _given(text: str) -> object:
    module = types.ModuleType("program")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "program", module)  # dataclasses look it up
        exec(compile(text, "program", "exec", dont_inherit=True), vars(module))
        return module.f()


def check_files(files: dict[str, str], folder: Path, module: str = "m") -> None:
    """Calling `f` of the module gives the same in its slice, each in a process of its own."""
    repository, apart = folder / "repository", folder / "apart"
    for path, text in files.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text)
    apart.mkdir()
    target = f"{module.replace('.', '/')}.py::f"
    (apart / "m.py").write_text(slice_function(Repository(repository), target).source)
    assert _printed(apart, "m") == _printed(repository, module)


def _printed(folder: Path, module: str) -> str:
    program = f"import sys; sys.path.insert(0, '.'); from {module} import f; print(repr(f()))"
    command = [sys.executable, "-I", "-c", program]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
