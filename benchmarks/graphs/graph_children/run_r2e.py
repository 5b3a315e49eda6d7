"""R2E's slicer: the text that it cuts out for one function.

It looks for repositories below the home folder and, in other commands, deletes what it works on;
so it gets a home of its own with a copy of the sources.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from typing import Any

HOME = tempfile.mkdtemp(prefix="slice-func-peer-")
os.environ["HOME"] = HOME
SOURCE = os.environ["PEER_SOURCE"]
if os.environ.get("PEER_REPAIR"):
    # as published it fails on every module with an annotated variable: a list is taken for a name
    SOURCE = shutil.copytree(SOURCE, os.path.join(HOME, "src"))
    PLACE = os.path.join(SOURCE, "r2e/pat/dependency_slicer/ast_statements.py")
    with open(PLACE, encoding="utf-8") as file:
        TEXT = file.read()
    WRONG = "if assigned_target is not None:\n                    var_to_stmt_idxs[assigned_target]"
    RIGHT = WRONG.replace(
        "if assigned_target is not None", "for assigned_target in assigned_target or ()"
    )
    with open(PLACE, "w", encoding="utf-8") as file:
        file.write(TEXT.replace(WRONG, RIGHT))
sys.path.insert(0, SOURCE)

# the path above comes first
from common import answer  # noqa: E402
from r2e.models import Function, Identifier, Repo  # noqa: E402
from r2e.pat.dependency_slicer import DependencySlicer  # noqa: E402
from r2e.paths import REPOS_DIR  # noqa: E402


def edges_of(case: dict[str, Any]) -> dict[str, Any]:
    """No edges; the number of lines of the slice goes into the record."""
    folder = os.path.join(REPOS_DIR, "owner___copy")
    shutil.rmtree(folder, ignore_errors=True)  # the copy for another case
    shutil.copytree(case["folder"], folder)
    repo = Repo.from_file_path(folder)
    module = case["path"].removesuffix(".py").replace("/", ".")
    identifier = Identifier(identifier=f"{module}.{case['name']}")
    slicer = DependencySlicer.from_function_models(Function.from_id_and_repo(identifier, repo))
    slicer.run()
    text = slicer.dependency_graph.unparse()
    return {"lines": text.count("\n") + 1, "names": _names(text)}


def _names(text: str) -> list[str]:
    import ast

    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return sorted({node.name for node in ast.parse(text).body if isinstance(node, definitions)})


try:
    answer(edges_of)
finally:
    shutil.rmtree(HOME, ignore_errors=True)
