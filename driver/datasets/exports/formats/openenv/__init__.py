"""OpenEnv: a package that serves all functions as one environment, and its semantic checks.

The server starts the sandbox itself, so it runs where bubblewrap works: on a machine, or in a
container that may make user namespaces. `openenv validate` names five checks of meaning that it
does not implement; `checks.py` of the package does.
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

_CODE = {
    "__init__.py": "models.py.txt",
    "checks.py": "checks.py.txt",
    "server/__init__.py": "environment.py.txt",
    "server/app.py": "app.py.txt",
}
"""Path in the package → text beside this file."""
_PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "slice-func-openenv"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["openenv>=0.10", "{requirement}"]

[project.scripts]
server = "slice_func_openenv.server.app:main"

[tool.setuptools]
packages = ["slice_func_openenv", "slice_func_openenv.server"]
package-dir = {{ slice_func_openenv = ".", "slice_func_openenv.server" = "server" }}

[tool.setuptools.package-data]
slice_func_openenv = ["openenv.yaml", "tasks.jsonl", "environments/**/*"]
"""
_MANIFEST = """\
spec_version: 1
name: slice_func_openenv
version: {version}
type: space
runtime: fastapi
app: server.app:app
port: 8000
validation:
  reward:
    range: [0.0, 1.0]
    oracle_tolerance: 0.0
    floor_margin: 1.0
  resources:
    cpu: 1.0
    memory_mb: 2048
    disk_mb: 1024
    episode_timeout_s: 120.0
  network:
    mode: no-network
  capabilities:
    verifier:
      kind: reward_channel
    task_api: true
    declared_task_count:
{counts}
  types:
    tags: [swe]
"""


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    tasks: list[dict[str, Any]] = []
    for row, environment in pairs:
        name = task_name(row)
        told = f"{instruction(row, environment)}\n{ANSWER}"
        tasks.append({"name": name, "instruction": told, "source": provenance(row)})
        yield from environment_files(f"{ENVIRONMENTS}/{name}", environment)
    for path, text in _CODE.items():
        yield EmittedFile(path, text_of(__name__, text).encode())
    yield json_lines("tasks.jsonl", tasks)
    version = requirement().partition("==")[2]
    project = _PROJECT.format(version=version, requirement=requirement())
    yield EmittedFile("pyproject.toml", project.encode())
    splits = [task["source"]["split"] for task in tasks]
    counts = "\n".join(f"      {each}: {splits.count(each)}" for each in sorted(set(splits)))
    yield EmittedFile("openenv.yaml", _MANIFEST.format(version=version, counts=counts).encode())


EXPORTER = Exporter(
    gives="an OpenEnv environment, and the checks that its validator leaves out",
    consumers=(Consumer("openenv", "0.10.0", "3.12"),),
    files=_files,
    hidden=(f"{ENVIRONMENTS}/*",),
)
