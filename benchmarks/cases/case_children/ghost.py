"""Runs beside a target: Hypothesis' ghostwriter writes a test for it.

    python -B -P ghost.py FOLDER MODULE QUALNAME TEST

What it writes goes to the file TEST as it is. Where it writes nothing, or nothing that could run
because it knows no strategy for a parameter, one line on standard output says why.
"""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from pathlib import Path
from typing import Any


def main(folder: str, module: str, qualname: str, test: str) -> int:
    """Write the test; the exit status is 0 where there is one."""
    sys.path.insert(0, folder)
    ghostwriter: Any = importlib.import_module("hypothesis.extra.ghostwriter")
    try:
        target: Any = importlib.import_module(module)
        target = functools.reduce(getattr, qualname.split("."), target)
        text = ghostwriter.magic(target) if callable(target) else ""
        text = text or ghostwriter.fuzz(target)
    except BaseException as error:  # noqa: BLE001 - a script may also exit
        print(f"{type(error).__name__}: {error}".splitlines()[0])
        return 1
    unknown = without_strategy(text)
    if unknown:
        print(f"no strategy for: '{', '.join(unknown)}'")
        return 1
    Path(test).write_text(text, encoding="utf-8")
    return 0


def without_strategy(text: str) -> list[str]:
    """Parameters whose strategy is `st.nothing()`, to be replaced by whoever reads it."""
    given = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("given")
    ]
    return [
        word.arg or "**"
        for node in given
        for word in node.keywords
        if ast.unparse(word.value) == "st.nothing()"
    ]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
