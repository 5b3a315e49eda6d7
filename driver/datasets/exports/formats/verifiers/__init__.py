"""verifiers: a package with one taskset, whose reward is ours.

The reward runs in the process of the environment worker and starts the sandbox itself, so tasks
need no container. `vf-validate` scores the original and an empty body.
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

_PACKAGE = "slice_func_taskset"
_PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "slice-func-taskset"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["verifiers>=0.4", "{requirement}"]

[tool.setuptools]
packages = ["slice_func_taskset"]

[tool.setuptools.package-data]
slice_func_taskset = ["tasks.jsonl", "environments/**/*"]
"""


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    tasks: list[dict[str, Any]] = []
    for row, environment in pairs:
        name = task_name(row)
        told = f"{instruction(row, environment)}\n{ANSWER}"
        tasks.append({"id": row.id, "name": name, "prompt": told, "source": provenance(row)})
        yield from environment_files(f"{_PACKAGE}/{ENVIRONMENTS}/{name}", environment)
    yield EmittedFile(f"{_PACKAGE}/__init__.py", text_of(__name__, "taskset.py.txt").encode())
    yield json_lines(f"{_PACKAGE}/tasks.jsonl", tasks)
    project = _PROJECT.format(version=requirement().partition("==")[2], requirement=requirement())
    yield EmittedFile("pyproject.toml", project.encode())


EXPORTER = Exporter(
    gives="a verifiers taskset with its reward and its check of the original",
    consumers=(Consumer("verifiers", "0.4.0", "3.12"),),
    files=_files,
    hidden=(f"{_PACKAGE}/{ENVIRONMENTS}/*",),
)
