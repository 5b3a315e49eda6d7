"""Mutants that do not heed what a parameter is given."""

from __future__ import annotations

import pytest

from tests.verifier.mutation.blocks import only

# parameters and body -> what is read, and what stands there instead
READS: list[tuple[str, str, list[str]]] = [
    ("a, b=1", "return a + b", ["b -> 1"]),
    ("a, b=-1", "return a * b", ["b -> (-1)"]),
    ("a, *, b='x', c", "return a.split(b, c)", ["b -> 'x'"]),
    ("a=1, /, b=None", "return a, b", ["a -> 1", "b -> None"]),
    ("a, b=2", "if b: return b", ["b -> 2", "b -> 2"]),
    ("a, b=()", "return b", []),
    ("a, b=N", "return b", []),
    ("a, b", "return b", []),
    ("a, b=1", "b = b or a\n    return b", []),
    ("a, b=1", "b += a\n    return b", []),
    ("a, b=1", "return [b for b in a]", []),
    ("a, b=1", "return f'{b}'", []),
    ("a, b=1", "def g(b):\n        return b\n    return g", []),
    ("a, b=1", "'''Says b.'''", []),
]


@pytest.mark.parametrize(("parameters", "body", "expected"), READS)
def test_a_read_of_a_parameter(parameters: str, body: str, expected: list[str]) -> None:
    found = only("ignored argument", f"def f({parameters}):\n    {body}\n")
    assert found == expected
