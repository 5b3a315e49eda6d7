"""The text that is mutated, wherever it stands and however it is written."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.mutation.mutants import mutants_of
from slicefunc.verifier.mutation.mutated_block import Block, block_of
from slicefunc.verifier.script.target_lines import traced_lines

from tests.verifier.mutation.blocks import block


def of_target(folder: Path, text: str, qualname: str) -> Block:
    """The block of a target in a repository of one file."""
    (folder / "m.py").write_bytes(textwrap.dedent(text).lstrip("\n").encode())
    sliced = slice_function(Repository(folder), f"m.py::{qualname}")
    return block_of(traced_lines(folder, sliced)[0], qualname)


def sources(found: Block) -> list[str]:
    """The texts of the functions that are mutated."""
    return [found.source(function) for function in found.functions]


PLACES = [
    ("f", "def f(x):\n    return x + 1\n"),
    ("f", "def f(x): return x + 1\n"),
    ("f", "import functools\n@functools.cache\n@functools.wraps(f)\ndef f(x):\n    return x + 1\n"),
    ("f", "x = 1\r\ndef f(x):\r\n    return x + 1\r\n"),
    ("f", "def f(x):\n\treturn x + 1\n"),
    ("f", "\ufeffdef f(x):\n    return x + 1\n"),
    ("f", "def f(ä, x):\n    ö = 'äöü'; return x + 1, 'ß'\n"),
    ("f", 'def f(x):\n    """Doc\nat column 0"""\n    return """\nx\n  y""", x + 1\n'),
    ("f", "if True:\n    def f(x):\n        return x + 1\n"),
    ("f", "try:\n    import a\nexcept ImportError:\n    def f(x): return x + 1\n"),
    ("A.f", "class A:\n    def f(self, x):\n        return x + 1\n"),
    ("A.f", "class A:\n\tdef f(self, x):\n\t\treturn x + 1\n"),
    ("A.B.f", "class A:\n  class B:\n    @staticmethod\n    def f(x):\n        return x + 1\n"),
    ("A.B.f", "class A:\n\tclass B:\n\t\tdef f(x):\n\t\t\treturn x + 1\n"),
    ("A.B.f", "class A:\n class B:\n  def f(x):\n   return x + 1\n"),
    ("f", "f = lambda x: x + 1\n"),
    ("f", "f = g(lambda x: (\n    x + 1\n))\n"),
]  # fmt: skip


@pytest.mark.parametrize(("qualname", "text"), PLACES)
def test_a_change_is_made_in_place(qualname: str, text: str, tmp_path: Path) -> None:
    found = of_target(tmp_path, text, qualname)
    (mutant,) = [m for m in mutants_of(found).records if m.after == "(x - 1)"]
    normal = found.text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    wanted = "\n".join(normal[found.first - 1 : found.last]).replace("x + 1", "(x - 1)")
    made = mutant.mutant.text.split("\n")
    assert "\n".join(made[found.first - 1 : found.last]) == wanted
    assert mutant.line == next(i for i, line in enumerate(normal, 1) if "x + 1" in line)


@pytest.mark.parametrize(("qualname", "text"), PLACES)
def test_the_definition_stays_on_its_line(qualname: str, text: str, tmp_path: Path) -> None:
    found = of_target(tmp_path, text, qualname)
    (function,) = found.functions
    for made in mutants_of(found).records:
        standing = Block(made.mutant.text, 1, made.mutant.text.count("\n"))
        kinds = type(function)
        lines = [n.lineno for n in ast.walk(standing.tree) if isinstance(n, kinds)]
        assert function.lineno in lines


def test_of_a_function_in_a_function_only_that_one_is_mutated(tmp_path: Path) -> None:
    text = """
        def outer(x):
            y = x + 1
            def f(z):
                return z * 2
            class C:
                def f(self):
                    return 3
            return f, C, y
    """
    inner = of_target(tmp_path, text, "outer.<locals>.f")
    assert sources(inner) == ["def f(z):\n        return z * 2"]
    method = of_target(tmp_path, text, "outer.<locals>.C.<locals>.f")
    assert sources(method) == ["def f(self):\n            return 3"]
    assert len(of_target(tmp_path, text, "outer").functions) == 1


def test_of_a_property_with_a_setter_the_getter_is_the_first(tmp_path: Path) -> None:
    text = """
        class A:
            @property
            def f(self):
                return self.x + 1
            @f.setter
            def f(self, value):
                self.x = value - 1
    """
    assert sources(of_target(tmp_path, text, "A.f")) == ["def f(self):\n        return self.x + 1"]


def test_lambdas_count_only_where_nothing_else_is_defined() -> None:
    assert len(block("f = [lambda x: x, lambda y: lambda z: y]").functions) == 2
    assert sources(block("def f(x): return lambda: x")) == ["def f(x): return lambda: x"]


def test_lines_that_do_not_stand_alone_hold_nothing() -> None:
    found = Block("if a:\n    pass\nelse: f = lambda x: x\n", 3, 3)
    assert found.functions == ()
    assert mutants_of(found).records == ()


def test_edits_of_several_nodes_leave_each_others_place() -> None:
    found = block("def f(a): return a + b + c")
    names = [n for n in ast.walk(found.tree) if isinstance(n, ast.Name)]
    edited = found.edited([(n, n.id * 9) for n in names])
    assert edited == "def f(a): return aaaaaaaaa + bbbbbbbbb + ccccccccc\n"


def test_each_mutant_knows_the_lines_of_its_statement() -> None:
    made = mutants_of(
        block("""
        def f(x, y):
            def inner(z=1):
                return z
            if x > (
                0
            ):
                return [
                    y + 2,
                ]
            return inner()
        """)
    ).records
    lines = {(each.before, each.lines) for each in made}
    assert ("y + 2", (7, 9)) in lines
    assert {of for text, of in lines if text == "x > ( 0 )"} == {(4, 9)}
    assert ("1", None) in lines  # a default is evaluated where nothing is traced
