"""The pieces of the runtime, which share one module in a script."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import slicefunc.mocker.runtime

FOLDER = Path(slicefunc.mocker.runtime.__file__).parent


def bound(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            return [target.id for target in node.targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


def test_no_two_pieces_bind_one_name():
    pieces: dict[str, list[str]] = defaultdict(list)
    for file in sorted(FOLDER.glob("*.py")):
        if not file.name.startswith(("stand_in_", "__init__")):  # these are modules of their own
            for name in {n for node in ast.parse(file.read_text()).body for n in bound(node)}:
                pieces[name].append(file.stem)
    assert {name: files for name, files in pieces.items() if len(files) > 1} == {}
