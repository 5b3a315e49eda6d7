"""The part of a script that a writer of candidates reads: the repository's own code only.

The loader, the mocks and the content of data files say nothing about the function to write, and may
be a hundred times longer than the code that does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...slicer.syntax.script_header import header_lines
from ...verifier.scoring.candidates.text_pieces import split_lines
from ...verifier.script.source_map import assembled

_LOADER = "_slice_func"
_OURS = frozenset({_LOADER, "_slice_func_mocks"})
"""Names that a script defines, calls and deletes before its own statements."""
_BLANK = 2
"""Maximum number of consecutive blank lines, which stand for left-out code."""
_SHOWN = 20
"""Maximum number of data files that are named."""


def context_of(script: str, path: str, data_files: Sequence[str] = ()) -> str:
    """Return a script without the tool's own code; carried modules appear as code.

    Args:
        script: the script in the layout `flat` or `modules`.
        path: path of the target's file, which comes last.
        data_files: paths of the carried data files.
    """
    body = ast.parse(script).body
    ours = [node for node in body if _is_ours(node)]
    if not ours:
        return script
    header, own = _without(script, ours)
    carried = sorted(dict.fromkeys(_carried(ours)), key=lambda each: (each[0] == path, each))
    if path in [file for file, _ in carried]:
        own = ""  # which only binds the target's name
    more = len(data_files) - _SHOWN
    named = [*data_files[:_SHOWN], *([f"{more} more"] if more > 0 else [])]
    files = f"# data files: {', '.join(named)}\n" if named else ""
    parts = [f"# {file}\n{text}" for file, text in carried]
    titled = f"# {path}\n{own}" if own and parts else own
    return "\n\n".join(filter(None, [header, files, *parts, titled]))


def _is_ours(node: ast.stmt) -> bool:
    match node:
        case ast.FunctionDef(name=name):
            return name in _OURS
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name in _OURS
        case ast.Assign(value=ast.Call(func=ast.Name(id=name))):
            return name in _OURS
        case ast.Delete(targets=[ast.Name(id=name)]):
            return name in _OURS
        case _:
            return False


def _without(script: str, ours: Sequence[ast.stmt]) -> tuple[str, str]:
    """Return the header, and the rest without these statements and the comments around them."""
    lines = split_lines(script)
    first, last = header_lines(script)
    header = "".join(lines[first - 1 : last])
    lines[first - 1 : last] = [""] * (last - first + 1)
    for node in ours:
        above = isinstance(node, ast.FunctionDef)
        below = isinstance(node, ast.Delete)
        for line in range(node.lineno - above, (node.end_lineno or node.lineno) + below + 1):
            lines[line - 1] = ""
    return header, _collapse_blank_lines("".join(lines))


def _collapse_blank_lines(text: str) -> str:
    """Return the text with fewer consecutive blank lines, except inside literals."""
    tree = ast.parse(text)
    literal_lines = {
        line
        for node in ast.walk(tree)
        if isinstance(node, (ast.Constant, ast.JoinedStr))
        for line in range(node.lineno, node.end_lineno or node.lineno)
    }
    kept: list[str] = []
    blank = 0
    for number, line in enumerate(split_lines(text), 1):
        blank = 0 if line.strip() or number in literal_lines else blank + 1
        if blank <= (_BLANK if kept else 0):
            kept.append(line)
    while kept and not kept[-1].strip():
        kept.pop()
    return "".join(kept).removesuffix("\n") + "\n" if kept else ""


def _carried(ours: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield path and text of each non-empty module that the loader carries."""
    for node in ours:
        match node:
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), keywords=given)):
                found = [each.value for each in given if each.arg == "sources"]
                for modules in found if name == _LOADER else []:
                    yield from _texts(modules)
            case _:
                continue


def _texts(modules: ast.expr) -> Iterator[tuple[str, str]]:
    for module in modules.values if isinstance(modules, ast.Dict) else ():
        match module:
            case ast.Tuple(elts=[ast.Constant(value=str(path)), _, ast.Tuple() as pieces]):
                text = _collapse_blank_lines(assembled(pieces))
                if text:
                    yield path, text
            case _:
                continue
