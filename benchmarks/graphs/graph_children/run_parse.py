"""The limit: `ast.parse` of every file, and nothing else."""

from __future__ import annotations

import ast
import gc
import os
from typing import Any

from common import answer


def edges_of(case: dict[str, Any]) -> dict[str, Any]:
    """How many lines there are."""
    gc.disable()
    lines = 0
    failed = []
    for name in case["files"]:
        with open(os.path.join(case["folder"], name), "rb") as file:
            data = file.read()
        lines += data.count(b"\n")
        try:
            ast.parse(data)
        except (SyntaxError, ValueError) as error:
            failed.append(f"{name}: {type(error).__name__}")
    return {"lines": lines, "failed": failed}


answer(edges_of)
