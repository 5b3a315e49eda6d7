"""Cheap solutions: each compiles, stands where the target stood, and does what its name says."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from slicefunc.verifier.mutation.cheap_solutions import cheap_solutions, failing
from slicefunc.verifier.mutation.mutated_block import Block

from tests.verifier.mutation.blocks import block

Call = Callable[[dict[str, Any]], Any]


def named(text: str, name: str, answers: tuple[str, ...] = ()) -> dict[str, Any]:
    """The namespace of a cheap solution."""
    found = {m.name: m.text for m in cheap_solutions(block(text), answers)}
    space: dict[str, Any] = {}
    exec(found[name], space)
    return space


async def _all(generator: Any) -> list[Any]:
    return [item async for item in generator]


KINDS: list[tuple[str, tuple[str, ...], Call, object]] = [
    ("def f(x):\n    '''Doc.'''\n    return x + 1\n", (), lambda s: s["f"](1), None),
    ("def f(x): return x + 1\n", (), lambda s: s["f"](1), None),
    ("f = lambda x: x + 1\n", (), lambda s: s["f"](1), None),
    ("def f(x):\n    yield x\n", (), lambda s: list(s["f"](1)), []),
    ("def f(x):\n    def g(): yield x\n    return g\n", (), lambda s: s["f"](1), None),
    ("async def f(x):\n    return x\n", (), lambda s: asyncio.run(s["f"](1)), None),
    ("async def f(x):\n    yield x\n", (), lambda s: asyncio.run(_all(s["f"](1))), []),
    ("    @property\n    def f(self):\n        return 1\n", ("A",), lambda s: s["A"]().f, None),
    ("    @staticmethod\n    def f(x): return x\n", ("A",), lambda s: s["A"].f(1), None),
    ("    @classmethod\n    def f(cls): return cls\n", ("A",), lambda s: s["A"].f(), None),
    ("def f(x):\n    @g\n    def h(): pass\n    return h\n", (), lambda s: s["f"](1), None),
]


@pytest.mark.parametrize(("text", "around", "call", "nothing"), KINDS)
def test_an_empty_body(text: str, around: tuple[str, ...], call: Call, nothing: object) -> None:
    head = "class A:\n" if around else ""
    found = Block(head + text, 1 + bool(around), (head + text).count("\n"), around)
    space: dict[str, Any] = {}
    (empty,) = [m for m in cheap_solutions(found) if m.name == "empty body"]
    exec(empty.text, space)
    assert call(space) == nothing
    exec(failing(found).text, space)
    with pytest.raises(SystemError, match="forced"):
        call(space)


def test_constants_identity_and_echoes() -> None:
    text = "def f(self, a, b, c):\n    return g(a)\n"
    names = [m.name for m in cheap_solutions(block(text), ("'x'", "[1]", "'x'"))]
    assert names == [
        "empty body", "returns True", "returns False", "returns 0", "returns 1", "returns -1",
        "returns ''", "returns []", "returns {}", "returns ()", "echoes 'x'", "echoes [1]",
        "returns self", "returns a", "returns b",
    ]  # fmt: skip
    assert named(text, "returns a")["f"](0, 7, 0, 0) == 7
    assert named(text, "returns {}")["f"](0, 0, 0, 0) == {}
    assert named("f = lambda a: g(a)", "returns a")["f"](7) == 7


def test_long_echoes_that_begin_alike_are_told_apart() -> None:
    answers = tuple(f"'{'x' * 100}{n}'" for n in range(3))
    found = [m for m in cheap_solutions(block("def f(): return g()"), answers) if "x" in m.name]
    assert len({m.name for m in found}) == len({m.text for m in found}) == 3


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def f(self):\n    pass\n", "empty body"),
        ("def f(self):\n    return True\n", "returns True"),
        ("def f(self):\n    return self\n", "returns self"),
    ],
)
def test_what_the_target_does_itself_is_no_cheap_solution(text: str, name: str) -> None:
    assert name not in [m.name for m in cheap_solutions(block(text))]


def test_the_first_line_stays_where_it_is() -> None:
    text = "\n\n@g\ndef f(\n    x,\n):\n    '''Doc.'''\n    return x\n"
    for mutant in (failing(found := Block(text, 3, 8)), *cheap_solutions(found)):
        (node,) = ast.parse(mutant.text).body
        assert node.lineno == 4


def test_of_what_is_no_function_there_is_none() -> None:
    assert cheap_solutions(block("f = g(1)\n")) == ()


def test_who_raises_what_a_case_does_is_an_echo() -> None:
    space = named("def f(a):\n    return g(a)\n", "echoes raise KeyError", ("raise KeyError",))
    with pytest.raises(KeyError):
        space["f"](1)
    always = "def f(a):\n    raise KeyError\n"
    assert "echoes raise KeyError" not in [
        m.name for m in cheap_solutions(block(always), ("raise KeyError",))
    ]
