"""Parameters that are iterated over once, or awaited, are given what can be."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs.argument_pools import inputs_of
from slicefunc.verifier.inputs.arguments.iterables import wrap_iterables

if TYPE_CHECKING:
    from pathlib import Path

SLEEP = '__import__("asyncio").sleep'
LATER = f"(await {SLEEP}(0, each) for each in [1, 2])"

# the parameter, the body, a value -> expressions
CASES: list[tuple[str, str, str, list[str]]] = [
    ("x: Iterator[int]", "return x", "[1, 2]", ["iter([1, 2])"]),
    ("x: 'typing.Iterator[int]'", "return x", "[1, 2]", ["iter([1, 2])"]),
    ("x: Generator", "return x", "[1, 2]", ["(each for each in [1, 2])"]),
    ("x: AsyncIterator[int]", "return x", "[1, 2]", [LATER]),
    ("x: Awaitable[int]", "return x", "1", [f"{SLEEP}(0, 1)"]),
    ("x: Awaitable[int] = None", "return x", "None", ["None"]),
    ("*x: Awaitable[int]", "return x", "[1, 2]", [f"[{SLEEP}(0, 1), {SLEEP}(0, 2)]"]),
    ("x: Iterable[int]", "return x", "[1, 2]", ["[1, 2]"]),
    ("x: Iterator[int]", "return x", "Box()", ["Box()"]),
    ("x", "return next(x)", "[1, 2]", ["iter([1, 2])", "[1, 2]"]),
    ("x", "return next(y)", "[1, 2]", ["[1, 2]"]),
    ("x", "return await x", "1", [f"{SLEEP}(0, 1)", "1"]),
    ("x", "return await asyncio.wait_for(x, 2)", "1", [f"{SLEEP}(0, 1)", "1"]),
    ("*x", "return await asyncio.gather(*x)", "[1]", [f"[{SLEEP}(0, 1)]", "[1]"]),
    ("x", "return [n async for n in x]", "[1, 2]", [LATER, "[1, 2]"]),
    ("x", "async for n in x: return n", "[1, 2]", [LATER, "[1, 2]"]),
]  # fmt: skip


@pytest.mark.parametrize(("parameter", "body", "value", "expected"), CASES)
def test_values_are_put_into_what_gives_them(
    parameter: str, body: str, value: str, expected: list[str]
) -> None:
    (node,) = ast.parse(f"async def f({parameter}):\n    {body}\n").body
    assert isinstance(node, ast.AsyncFunctionDef)
    arg = node.args.vararg or node.args.args[0]
    found = wrap_iterables(node, arg, [value])
    assert [ast.unparse(ast.parse(each)) for each in found] == [
        ast.unparse(ast.parse(each)) for each in expected
    ]


def test_a_coroutine_gives_what_its_annotation_says(tmp_path: Path) -> None:
    text = (
        "from collections.abc import Coroutine\nfrom typing import Any\n\n\n"
        "async def f(x: Coroutine[Any, Any, int]):\n    return await x\n"
    )
    (tmp_path / "a.py").write_text(text)
    repository = Repository(tmp_path)
    inputs = inputs_of(repository, slice_function(repository, "a.py::f"))
    assert inputs is not None
    assert inputs.pools[0].texts[0] == f"{SLEEP}(0, 1)"
