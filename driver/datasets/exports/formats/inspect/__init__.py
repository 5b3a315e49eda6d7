"""inspect_ai: a package with one task, whose scorer is ours.

The scorer runs in inspect's own process and starts the sandbox itself, so the task needs no
container: what the model writes runs in a process that has neither the original nor what is
expected of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ......slicer.model import EmittedFile
from ...exporter import Consumer, Exporter, Pair
from ...task_files import (
    ANSWER,
    ENVIRONMENTS,
    environment_files,
    instruction,
    json_lines,
    provenance,
    requirement,
    task_name,
    text_of,
)

_PACKAGE = "slice_func_tasks"
_PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "slice-func-tasks"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["inspect_ai>=0.3.285", "{requirement}"]

[project.entry-points.inspect_ai]
slice_func_tasks = "slice_func_tasks.functions"

[tool.setuptools]
packages = ["slice_func_tasks"]

[tool.setuptools.package-data]
slice_func_tasks = ["samples.jsonl", "environments/**/*"]
"""


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    samples: list[dict[str, Any]] = []
    for row, environment in pairs:
        name = task_name(row)
        told = f"{instruction(row, environment)}\n{ANSWER}"
        samples.append({"id": name, "input": told, "metadata": provenance(row)})
        yield from environment_files(f"{_PACKAGE}/{ENVIRONMENTS}/{name}", environment)
    yield EmittedFile(f"{_PACKAGE}/__init__.py", b'"""Functions of real repositories."""\n')
    yield EmittedFile(f"{_PACKAGE}/functions.py", text_of(__name__, "functions.py.txt").encode())
    yield json_lines(f"{_PACKAGE}/samples.jsonl", samples)
    project = _PROJECT.format(version=requirement().partition("==")[2], requirement=requirement())
    yield EmittedFile("pyproject.toml", project.encode())


EXPORTER = Exporter(
    gives="an inspect_ai package with one task and its scorer",
    consumers=(Consumer("inspect_ai", "0.3.285", "3.12"),),
    files=_files,
    hidden=(f"{_PACKAGE}/{ENVIRONMENTS}/*",),
)
