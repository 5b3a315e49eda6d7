"""Which data of the repository a slice reads, and who carries them: ours, or a recorded script."""

from __future__ import annotations

import ast
import base64
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Literal

from slicefunc.slicer import Repository, Slice
from slicefunc.slicer.model import Definition

from ..repost.data.examples import Example

Data = Literal["carried", "invented", "dropped"]


def data_kept(example: Example, repository: Repository, sliced: Slice) -> dict[str, object]:
    """Which files of the repository the slice reads, and whether each script carries them.

    A file is read when the slice's manifest names it as data, or when a text in a kept definition
    is its name, with an ending: our slice may lack it, too. Files of Python are no data. A script
    has *carried* the data if the bytes of every such file stand in it, plain or packed; for a
    recorded script blanks at both ends of a text do not count. Else it has *invented* them if it
    has texts of its own: constants outside its tests that stand neither in a Python file of a kept
    definition nor in the data. Else it has *dropped* them: what read them gives nothing.
    """
    files = sorted({*sliced.manifest.data_files, *_named(repository, sliced)})
    if not files:
        return {}
    data = [repository.read_data(path) for path in files]
    return {
        "files": files,
        "ours": "carried" if _carries(sliced.source, data) else "dropped",
        "recorded": _recorded_data(example, repository, sliced, data),
    }


def _named(repository: Repository, sliced: Slice) -> Iterator[str]:
    folders = {str(PurePosixPath(path).parent) for path in sliced.manifest.files_read}
    for kept in sliced.manifest.definitions:
        for text in _texts(ast.parse(repository.source(kept.path).text), kept):
            path = text.replace("\\", "/")
            for folder in sorted({".", *folders}):
                found = str(PurePosixPath(folder) / path.lstrip("/"))
                if PurePosixPath(found).suffix not in ("", ".py") and repository.is_file(found):
                    yield found


def _texts(tree: ast.Module, kept: Definition) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text), lineno=line) if text.strip() and "\n" not in text:
                if kept.first_line <= line <= kept.last_line:
                    yield text
            case _:
                pass


def _recorded_data(
    example: Example, repository: Repository, sliced: Slice, data: list[bytes]
) -> Data:
    if _carries(example.eval_script, [each.strip() for each in data]):
        return "carried"
    paths = sorted({kept.path for kept in sliced.manifest.definitions})
    known = "\n".join(repository.source(path).text for path in paths).encode()
    invented = (
        text for text in _own_texts(example.eval_script)
        if text and not any(text.encode() in each for each in (known, *data))
    )  # fmt: skip
    return "invented" if any(invented) else "dropped"


def _own_texts(script: str) -> Iterator[str]:
    """The texts of a script outside its tests, what runs them, and docstrings."""
    waiting: list[ast.AST] = [ast.parse(script)]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name=name) if name.startswith("test"):
                continue
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                continue
            case ast.Constant(value=str(text)):
                yield text
            case _:
                waiting += ast.iter_child_nodes(node)


def _carries(script: str, data: list[bytes]) -> bool:
    held = list(_held(script))
    return all(any(each in other for other in held) for each in data)


def _held(script: str) -> Iterator[bytes]:
    """The constants of a script, of scripts in them, and what is packed in them."""
    try:
        tree = ast.parse(script)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str | bytes):
            continue
        value = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        yield node.value.encode() if isinstance(node.value, str) else node.value
        try:
            packed = base64.b64decode(value)
            yield packed
            yield zlib.decompress(packed)
        except (ValueError, zlib.error):
            pass
        if len(value) > 200:
            yield from _held(value)
