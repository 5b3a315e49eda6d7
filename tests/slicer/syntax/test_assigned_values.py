"""Expressions that a name may stand for: a running function holds the value of one of them."""

from __future__ import annotations

import ast
import inspect
import os
import pkgutil
import textwrap
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.slicer.syntax.nodes import defaults_of, walk
from slicefunc.slicer.syntax.scopes import assigned_values, imported_names, own_nodes

NAMES = st.sampled_from("abc")
FORMS = (
    "{0} = {2}", "{0}: int = {2}", "print({0} := {2}, file=out)", "{0} = {1} = {2}",
    "for {0} in ({2}, 5): pass", "if {2} % 2: {0} = {2}", "{0}, {1} = {2}, 7", "import {0}",
    "with open(__file__) as {0}: pass", "{0} = lambda {1}: {0}", "[{0} for {0} in ({2},)]",
    "def {0}({1}=({0} := {2})): {1} = 9", "del {0}", "{0} = 1; {0} += {2}",
)  # fmt: skip
STATEMENTS = st.builds(
    lambda form, one, other, number: form.format(one, other, number),
    st.sampled_from(FORMS), NAMES, NAMES, st.integers(0, 9),
)  # fmt: skip


@given(st.lists(STATEMENTS, min_size=1, max_size=6))
def test_a_name_holds_one_of_its_expressions(statements: list[str]) -> None:
    body = textwrap.indent("\n".join(statements), "    ")
    text = f"def f(out):\n{body}\n    return locals()"
    names: dict[str, object] = {"__file__": __file__}
    exec(text, names)
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    given_values = assigned_values(own_nodes(function.body))
    with Path(os.devnull).open("w", encoding="utf-8") as out:
        try:
            held = names["f"](out)
        except (ImportError, UnboundLocalError, TypeError):
            return
    for name in held.keys() & set("abc"):
        expressions = given_values[name]
        known = [ast.unparse(each) for each in expressions if isinstance(each, ast.Constant)]
        is_closed = len(known) == len(expressions)
        assert not is_closed or repr(held[name]) in known


PARAMETERS = st.sampled_from(
    [
        "",
        "a",
        "a=1",
        "a, b=2",
        "a=1, /, b=2",
        "a, /, b, *, c=3, d",
        "*a, b=1, c",
        "a=1, *b, c=2, **d",
    ]
)


@given(PARAMETERS)
def test_defaults_are_those_of_the_signature(parameters: str) -> None:
    text = f"def f({parameters}): pass"
    names: dict[str, object] = {}
    exec(text, names)
    signature = inspect.signature(names["f"])
    expected = [(each.name, repr(each.default)) for each in signature.parameters.values()
                if each.default is not each.empty]  # fmt: skip
    (function,) = [each for each in walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    found = [(arg.arg, ast.unparse(default)) for arg, default in defaults_of(function.args)]
    assert found == expected


IMPORTS = (
    "import os", "import os.path", "import os.path as a", "import json.decoder, sys as b",
    "from os import path", "from os.path import join as c, split", "from json import decoder",
)  # fmt: skip


@given(st.lists(st.sampled_from(IMPORTS), min_size=1, max_size=4))
def test_names_of_imports_stand_for_what_python_binds(statements: list[str]) -> None:
    names: dict[str, object] = {}
    exec("\n".join(statements), names)
    found = [
        pair for node in ast.parse("\n".join(statements)).body for pair in imported_names(node)
    ]
    assert {name for name, _ in found} == names.keys() - {"__builtins__"}
    for name, dotted in found:
        assert names[name] is pkgutil.resolve_name(dotted)


def test_relative_imports_keep_their_dots() -> None:
    (node,) = ast.parse("from ..a import b as c, d").body
    assert list(imported_names(node)) == [("c", "..a.b"), ("d", "..a.d")]
