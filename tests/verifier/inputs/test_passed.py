"""What calls in a repository pass to a target, said in terms of its script."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from tests.verifier.inputs.test_pools import inputs, texts

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """
    class Point:
        def __init__(self, x, y=0):
            self.x, self.y = x, y

    def total(points):
        return sum(p.x + p.y for p in points if isinstance(p, Point))
"""
CALLS = {
    "instances": ("total([Point(1, y=2)])", ["[Point(1, y=2)]"]),
    "an imported module": ("a.total((a.Point(3),))", ["(Point(3),)"]),
    "a variable": ("points = [Point(4)]\n    total(points)", ["[Point(4)]"]),
    "a variable in another": (
        "one = Point(5)\n    points = [one, one]\n    total(points)",
        ["[Point(5), Point(5)]"],
    ),
    "a constant of the module": ("total(points=KNOWN)", ["[Point(6)]"]),
    "a comprehension": (
        "total([Point(n) for n in range(2)])",
        ["[Point(n) for n in range(2)]"],
    ),
    "the library": (
        "total([decimal.Decimal('1')])",
        ["[__import__('decimal').Decimal('1')]"],
    ),
    "a loop": ("for points in ([Point(7)], [8]):\n        total(points)", ["[Point(7)]", "[8]"]),
    "a lambda": ("total(map(lambda n: Point(n), [9]))", ["map(lambda n: Point(n), [9])"]),
}


def others(tmp_path: Path, tests: str) -> list[str]:
    """What the pool of `points` has from a file of tests."""
    alone = texts(inputs(tmp_path, SOURCE, "total"), "points")
    _ = (tmp_path / "test_a.py").write_text(textwrap.dedent(tests))
    found = texts(inputs(tmp_path, SOURCE, "total"), "points")
    return [text for text in found if text not in alone]


@pytest.mark.parametrize(("call", "expected"), CALLS.values(), ids=CALLS)
def test_arguments_are_said_in_terms_of_the_script(
    tmp_path: Path, call: str, expected: list[str]
) -> None:
    head = "import decimal\n\nimport a\nfrom a import Point, total\n\nKNOWN = [Point(6)]\n\n\n"
    assert others(tmp_path, f"{head}def test_it():\n    {call}\n") == expected


def test_rows_of_a_parametrized_test_are_given_one_by_one(tmp_path: Path) -> None:
    tests = """
        import pytest
        from a import Point, total

        @pytest.mark.parametrize("points, expected", [
            ([Point(1)], 1),
            pytest.param([Point(2)], 2, id="two"),
        ])
        def test_total(points, expected):
            assert total(points) == expected
    """
    assert others(tmp_path, tests) == ["[Point(1)]", "[Point(2)]"]


@pytest.mark.parametrize(
    "call",
    [
        "total([open('x').read()])",
        "total([__import__('os').getcwd()])",
        "total([os.getcwd()])",
        "total([Point.__subclasses__()])",
        "total([made])",
        "total(self)",
        "twice = [Point(1)]\n    twice = [Point(2)]\n    total(twice)",
    ],
)
def test_what_says_nothing_in_the_script_is_left_out(tmp_path: Path, call: str) -> None:
    tests = f"import os\n\nfrom a import Point, total\n\n\ndef test_it(made):\n    {call}\n"
    assert others(tmp_path, tests) == []
