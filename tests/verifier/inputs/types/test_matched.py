"""Arguments for targets that hold them against patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs.argument_pools import inputs_of
from slicefunc.verifier.inputs.types.isinstance_classes import isinstance_classes

if TYPE_CHECKING:
    from pathlib import Path

NODES = """
class Num:
    def __init__(self, value):
        self.value = value

class Bin:
    __match_args__ = ("op", "left", "right")
    def __init__(self, text, left, right):
        self.op, self.left, self.right = text, left, right

class Unused:
    pass
"""
EVALUATE = """
from nodes import Bin, Num

def lifted(tree):
    return tree

def value(tree):
    match lifted(tree):
        case Num(value=v) if v:
            return v
        case Bin("+" | "-" as op, left, Num(0)):
            return op
        case {"key": [first, *rest]}:
            return first
        case [] | None:
            return 0
"""


def test_each_pattern_has_a_value_that_it_matches(tmp_path: Path) -> None:
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "nodes.py").write_text(NODES)
    (folder / "evaluate.py").write_text(EVALUATE)
    repository = Repository(tmp_path)
    sliced = slice_function(repository, "pkg/evaluate.py::value")
    asked = isinstance_classes(repository, sliced)
    assert set(asked) <= {"pkg/nodes.py::Num", "pkg/nodes.py::Bin"}
    sliced = slice_function(repository, "pkg/evaluate.py::value", keep=asked)
    found = inputs_of(repository, sliced)
    assert found is not None
    texts = [text.replace('__import__("importlib").import_module(\'nodes\').', "")
             for text in found.pools[0].texts]  # fmt: skip
    wanted = (
        "Num(value=1)",
        "Bin(text='+', left=1, right=Num(value=0))",
        "Bin(text='-', left=1, right=Num(value=0))",
        "{'key': [1, 1, 2]}",
        "[]",
        "None",
    )
    assert [each for each in wanted if each not in texts] == []
