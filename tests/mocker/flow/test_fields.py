"""Fields as the text of a class declares them: as Python's own `dataclasses` reads them."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.mocker.flow.fields import Field, declared_in

VALUES = st.sampled_from(
    [
        "", " = 1", " = None", " = 'a'", " = len", " = field()", " = field(default=2)",
        " = field(default_factory=list)", " = dataclasses.field(init=False)",
        " = field(default=3, init=False)", " = field(repr=False, init=True)",
    ]
)  # fmt: skip


@given(st.lists(VALUES, min_size=1, max_size=6))
def test_fields_and_defaults_are_those_of_the_dataclass(values: list[str]) -> None:
    lines = [f"f{number}: object{value}" for number, value in enumerate(values)]
    text = "class C:\n" + textwrap.indent("\n".join(lines), "    ")
    names = {"dataclasses": dataclasses, "field": dataclasses.field}
    exec(text, names)
    made = dataclasses.dataclass(kw_only=True)(names["C"])
    parameters = inspect.signature(made).parameters
    (tree,) = ast.parse(text).body
    assert isinstance(tree, ast.ClassDef)
    fields = list(declared_in(tree.body))
    assert [each.name for each in fields] == [each.name for each in dataclasses.fields(made)]
    assert [each.name for each in fields if each.is_in_constructor] == list(parameters)
    for each in fields:
        if each.name in parameters:
            has_default = parameters[each.name].default is not inspect.Parameter.empty
            assert each.is_needed is not has_default
        default = {f.name: f.default for f in dataclasses.fields(made)}[each.name]
        known = None if each.default is None else eval(ast.unparse(each.default))
        assert known == (None if default is dataclasses.MISSING else default)


@pytest.mark.parametrize(
    ("text", "name", "needed"),
    [
        ("x: int = ...", "", True),
        ("x: int = Field(..., alias='y')", "y", True),
        ("x: int = Field(0, validation_alias='z', alias='y')", "z", False),
        ("x = Column(String)", "", False),
    ],
)
def test_options_of_pydantic_are_read(text: str, name: str, needed: bool) -> None:
    (found,) = declared_in(ast.parse(text).body)
    assert (found.text_of("alias", "validation_alias"), found.is_needed) == (name, needed)


def test_only_single_names_are_declared() -> None:
    body = ast.parse("a, b = 1, 2\nc.d = 1\ndef e(): pass\nf = g = 1\nh = 1").body
    assert [(each.name, type(each)) for each in declared_in(body)] == [("h", Field)]
