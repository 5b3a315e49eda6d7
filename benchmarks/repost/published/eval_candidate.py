"""Puts a candidate into a published eval script, and finds where it stands there.

Such a script holds a copy of the function and a test that compares it with a second one, whose name
ends in `_new_implementation` and which is missing. The candidate goes right after the copy, under
that name, so that a range of lines spans both.
"""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass
from typing import Literal

from slicefunc.verifier.script.bare_trees import bare

from ..data.examples import FunctionNode, definitions
from ..repost_published import NEW

CONTAINER_FOLDER = "/home/user/tmp"
"""Where the scripts write: a folder of the container that they were made in. Here it is `/tmp`."""

Span = tuple[int, int]
"""First and last line, decorators included."""
Kind = Literal["repository", "copy"]
"""The repository's function, or once more the copy that the script holds."""
KINDS: tuple[Kind, ...] = ("repository", "copy")


class NoPlaceError(Exception):
    """A script that does not hold the function, or has no test for it."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A script that is complete."""

    text: str
    candidate: Span
    test: str
    """Name of the function that runs the tests."""
    brings_own: bool
    """Whether the script defines a candidate of its own besides."""
    is_rewritten: bool
    """Whether its copy differs from the repository's function in more than docstring and
    annotations."""


def fill(script: str, qualname: str, function: str, kind: Kind) -> Filled:
    """The script with a candidate in it.

    Args:
        script: the published eval script.
        qualname: qualified name of the function.
        function: the repository's definition of it.
        kind: what is put in.

    Raises:
        NoPlaceError: there is no copy to put it after, or no test.
    """
    script = script.replace(CONTAINER_FOLDER, "/tmp")
    found = definitions(script, qualname)
    if not found:
        raise NoPlaceError(f"{qualname} is not defined in the script")
    copy, name = found[-1], qualname.rpartition(".")[2]
    first, last = _span(copy)
    lines = script.split("\n")
    if kind == "copy":
        added = _renamed(lines[first - 1 : last], name, copy.lineno - first)
    else:
        indent = lines[copy.lineno - 1][: copy.col_offset]
        added = _indented(_candidate(function, name), indent).split("\n")
    text = "\n".join([*lines[:last], *added, *lines[last:]])
    return Filled(
        text,
        (last + 1, last + len(added)),
        _test(script, name),
        brings_own=f"def {name}{NEW}" in script,
        is_rewritten=ast.dump(bare(copy)) != ast.dump(bare(_parsed(function))),
    )


def _span(node: FunctionNode) -> Span:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return first, node.end_lineno or node.lineno


def _renamed(lines: list[str], name: str, at: int) -> list[str]:
    head = re.sub(rf"\bdef(\s+){re.escape(name)}\b", rf"def\g<1>{name}{NEW}", lines[at], count=1)
    return [*lines[:at], head, *lines[at + 1 :]]


def _candidate(function: str, name: str) -> ast.stmt:
    node = _parsed(function)
    node.name = f"{name}{NEW}"
    return node


def _parsed(function: str) -> ast.FunctionDef | ast.AsyncFunctionDef:
    node = ast.parse(textwrap.dedent(function)).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return node


def _indented(node: ast.stmt, indent: str) -> str:
    """The definition's text at this depth; strings of several lines stay what they are."""
    depth = len(indent) // 4
    if indent != "    " * depth:
        return textwrap.indent(ast.unparse(node), indent)
    for _ in range(depth):
        node = ast.fix_missing_locations(ast.If(ast.Constant(1), [node], []))
    return "\n".join(ast.unparse(node).split("\n")[depth:]).lstrip("\n")


def _test(script: str, name: str) -> str:
    tests = [
        node.name
        for node in ast.walk(ast.parse(script))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    ]
    if not tests:
        raise NoPlaceError("the script has no test")
    return f"test_{name}" if f"test_{name}" in tests else tests[-1]
