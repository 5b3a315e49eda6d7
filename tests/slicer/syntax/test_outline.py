"""The functions and classes of a file, told by text."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.slicer.syntax.outline import Outline
from slicefunc.slicer.syntax.prefiltered_regex import PrefilteredRegex

_NAMES = st.sampled_from(["a", "b", "c"])
_LINES = st.sampled_from(["pass", "a()", "b(1)", "import os", "x = c()", "from a import b"])


@st.composite
def _functions(draw: st.DrawFn, indent: str = "") -> str:
    head = f"{indent}{draw(st.sampled_from(['def', 'async def']))} {draw(_NAMES)}(x=1)"
    if draw(st.booleans()):
        return f"{head}: {draw(_LINES)}\n"
    body = draw(st.lists(_LINES, min_size=1, max_size=3))
    return f"{head}:\n" + "".join(f"{indent}    {line}\n" for line in body)


@st.composite
def _classes(draw: st.DrawFn) -> str:
    body = draw(st.lists(_functions("    "), min_size=1, max_size=3))
    return f"class {draw(_NAMES).upper()}:\n" + "".join(body)


_FILES = st.lists(_functions() | _classes() | _LINES.map(lambda line: f"{line}\n"), max_size=6).map(
    "".join
)


@given(_FILES)
def test_functions_are_those_of_the_tree(text: str) -> None:
    outline, top = Outline(text), ast.parse(text).body
    functions = [node for node in top if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    assert set(outline.functions) == {node.name for node in functions}


@given(_FILES)
def test_functions_that_import_are_those_of_the_tree(text: str) -> None:
    importing = {
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and any(isinstance(each, (ast.Import, ast.ImportFrom)) for each in node.body)
    }
    assert Outline(text).importing.keys() == importing


@given(st.lists(_functions() | st.sampled_from(["x = 1\n", "import os\n"]), max_size=6))
def test_without_calls_what_runs_is_what_stands_in_no_function(parts: list[str]) -> None:
    run = Outline("".join(parts)).run
    assert run == "".join(part for part in parts if "def " not in part)


def test_functions_that_are_called_run_and_what_they_call() -> None:
    text = (
        "def a():\n    b()\ndef b():\n    1\ndef c():\n    2\nclass D:\n    def __init__(self):\n"
    )
    run = Outline(f"{text}        3\na()\nD()\n").run
    assert [each in run for each in ("b()", "    1", "    2", "    3")] == [True, True, False, True]


def test_a_rare_pattern_finds_what_the_pattern_finds() -> None:
    rare = PrefilteredRegex(r"\b(?:one|two)\((\w)?", "one(", "two(")
    assert rare.findall("one(a) two(b) three(c) one()") == [("a",), ("b",), ("",)]
    assert rare.findall("three(c)") == []
    assert rare.search("alone(a)") is None
    assert rare.search("x = two(b)") is not None
