"""Of what kinds an attribute is, as its classes say or show."""

from __future__ import annotations

import ast

import pytest
from slicefunc.verifier.inputs.classes.attribute_kinds import attribute_kinds, of_kinds

KINDS = {
    "names: ClassVar[List[str]] = []": {"list"},
    "names = []": {"list"},
    "names = None": set(),
    "names = ()\n    def fill(self):\n        self.names = [1]": {"tuple", "list"},
    "names = ()\n    def fill(self):\n        self.names = made()": set(),
    "names = ()\n    def fill(self, given: str):\n        self.names = given": {"tuple", "str"},
    "names = ()\n    def fill(self):\n        self.names, self.b = 1, 2": set(),
    "names = 0\n    def more(self):\n        self.names += 1": {"int", "float"},
    "names = []\n    def has(self):\n        return self.names is not None": {"list", "NoneType"},
    "def __init__(self):\n        self.names: str | None = None": {"str", "NoneType"},
    "other = []": set(),
}


@pytest.mark.parametrize(("body", "kinds"), KINDS.items())
def test_the_kinds_of_an_attribute(body: str, kinds: set[str]) -> None:
    (cls,) = ast.parse(f"class A:\n    {body}\n").body
    assert isinstance(cls, ast.ClassDef)
    assert attribute_kinds([cls], "names") == kinds


def test_values_of_other_kinds_give_way_to_usual_ones() -> None:
    assert list(of_kinds(["'shown-1'", "''"], frozenset({"bool"}))) == ["True", "False"]
    assert list(of_kinds(["'a'", "None"], frozenset({"str"}))) == ["'a'"]
    assert list(of_kinds(["'a'", "3"], frozenset())) == ["'a'", "3"]


def test_what_is_declared_is_nothing_that_a_call_makes() -> None:
    texts = ["Revision(id='a')", "('a',)", "MADE"]
    assert list(of_kinds(texts, frozenset({"tuple"}), is_declared=True)) == ["('a',)", "MADE"]
    assert list(of_kinds(texts[:1], frozenset({"tuple"}), is_declared=True)) == [
        "('item-1', 'item-2')", "()",
    ]  # fmt: skip
    assert list(of_kinds(texts[:1], frozenset({"tuple"}))) == texts[:1]
