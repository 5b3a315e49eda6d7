"""RepoST (arXiv 2503.07358): one list of eval scripts a split, and one image for all of them.

An eval script runs the candidate in the process that judges it, so a candidate can fool it; scores
come from the other formats. Where two environments pin different versions of a distribution, the
image has the newer one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from packaging.version import Version

from ......slicer.model import EmittedFile
from ...exporter import Consumer, Exporter, Pair
from ...task_files import fenced

_DOCKERFILE = """\
FROM python:{python}
WORKDIR /home/user
COPY requirements.txt .
RUN pip install --no-cache-dir --no-deps -r requirements.txt
"""
_FOLDERS = {"train": "ExecTrain", "eval": "ExecEval"}
_NAME = "checked_test_set_final.json"


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    rows: dict[str, list[dict[str, Any]]] = {}
    pins: dict[str, str] = {}
    pythons: set[str] = set()
    for row, environment in pairs:
        script = environment.record["eval_script"]
        if script is None:
            continue
        some = rows.setdefault(row.split, [])
        some.append(
            {
                "func_name": row.qualname,
                "idx": str(len(some)),
                "repo_name": row.repo.replace("/", "___"),
                "commit_id": row.commit,
                "func_path": row.path,
                "orig_func": row.code,
                "orig_context": fenced(row.prompt),
                "eval_script": environment.files[script],
                "coverage_rate": row.branch_coverage,
                "sandbox_ast_check": environment.record["metrics"]["ast_equal"],
                "environment": row.id,
            }
        )
        pythons.add(row.python)
        for each in environment.lock.packages if environment.lock else ():
            pins[each.name] = max(pins.get(each.name, each.version), each.version, key=Version)
    for split, some in sorted(rows.items()):
        text = json.dumps(some, indent=1, sort_keys=True)
        yield EmittedFile(f"data/{_FOLDERS[split]}/{_NAME}", f"{text}\n".encode())
    requirements = "".join(f"{name}=={version}\n" for name, version in sorted(pins.items()))
    yield EmittedFile("requirements.txt", requirements.encode())
    python = max(pythons - {""}, key=Version, default="3.11")
    yield EmittedFile("Dockerfile", _DOCKERFILE.format(python=python).encode())


EXPORTER = Exporter(
    gives="RepoST's list of eval scripts, and one image for them",
    consumers=(Consumer("RepoST", "e66c171", "3.11"),),
    files=_files,
    hidden=("data/*",),
)
