"""Which changes of a function leave its digest as it is, and which do not."""

from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.datasets.deduplication.tree_digest import tree_digest

FUNCTION = '''
def total(prices, rate=0.2, *, ship=None):
    """Return the total."""
    # all of them
    result = 0
    for price in prices:
        if price > LIMIT:
            raise ValueError(f"{price} is too much")
        result += price * (1 + rate)
    with open("log") as log:
        log.write(str([each for each in prices if each]))
    return result + (ship.cost if ship else 0)
'''

SAME = {
    "a docstring": ('    """Return the total."""\n', ""),
    "a comment": ("# all of them", "# everything"),
    "an annotation": ("rate=0.2", "rate: float = 0.2"),
    "an annotated assignment": ("result = 0", "result: float = 0"),
    "the kind of quotes": ('"log"', "'log'"),
    "parentheses": ("price * (1 + rate)", "(price * ((1 + rate)))"),
    "a pass": ("    result = 0\n", "    result = 0\n    pass\n"),
    "a parameter's name": ("ship", "delivery"),
    "a loop variable": ("each", "item"),
    "the name after `as`": (" as log:\n        log.write", " as journal:\n        journal.write"),
    "the function's name": ("def total", "def whole_sum"),
}

OTHER = {
    "an operator": ("price > LIMIT", "price >= LIMIT"),
    "a constant": ("rate=0.2", "rate=0.25"),
    "a number's type": ("result = 0", "result = 0.0"),
    "an attribute": ("ship.cost", "ship.price"),
    "a global name": ("LIMIT", "MOST"),
    "the kind of a parameter": (", *, ship", ", ship"),
    "which local variable is read": ("return result", "return prices"),
    "a text": ("is too much", "is too little"),
    "a decorator": ("def total", "@cache\ndef total"),
    "async": ("def total", "async def total"),
    "where a statement stands": ("        result += price", "    result += price"),
}


@pytest.mark.parametrize("change", SAME)
def test_change_leaves_the_digest(change: str) -> None:
    assert tree_digest(FUNCTION.replace(*SAME[change])) == tree_digest(FUNCTION)


@pytest.mark.parametrize("change", OTHER)
def test_change_gives_another_digest(change: str) -> None:
    other = FUNCTION.replace(*OTHER[change])
    ast.parse(other)
    assert other != FUNCTION
    assert tree_digest(other) != tree_digest(FUNCTION)


def test_every_replacement_changes_the_text() -> None:
    assert all(old in FUNCTION for old, _ in (*SAME.values(), *OTHER.values()))


def test_indented_code_has_the_digest_of_the_same_code_in_a_module() -> None:
    assert tree_digest(textwrap.indent(FUNCTION, "    ")) == tree_digest(FUNCTION)


def test_a_text_over_several_lines_is_not_dedented() -> None:
    code = 'def f():\n    return """a\n    b"""\n'
    shifted = 'def f():\n    return """a\nb"""\n'
    assert tree_digest(code) != tree_digest(shifted)


def test_a_recursive_function_may_be_renamed() -> None:
    code = "def fact(n): return n * fact(n - 1)"
    assert tree_digest(code) == tree_digest(code.replace("fact", "product"))


def test_a_method_calls_no_function_by_its_own_name() -> None:
    code = "def dumps(self): return dumps(self.value)"
    renamed = code.replace("def dumps", "def as_text")
    assert tree_digest(code, "Value.dumps") == tree_digest(renamed, "Value.as_text")
    other = code.replace("dumps", "dump")
    assert tree_digest(code, "Value.dumps") != tree_digest(other, "Value.dump")


def test_a_name_bound_only_in_an_inner_function_is_global_outside_it() -> None:
    code = "def f():\n    def g():\n        x = 1\n        return x\n    return g, {}"
    assert tree_digest(code.format("x")) != tree_digest(code.format("y"))


def test_names_in_an_inner_class_are_attributes() -> None:
    code = "def f():\n    class Point:\n        {0} = 1\n    return Point"
    assert tree_digest(code.format("x")) != tree_digest(code.format("y"))


def test_a_name_declared_global_is_not_renamed() -> None:
    code = "def f():\n    global {0}\n    {0} = 1"
    assert tree_digest(code.format("x")) != tree_digest(code.format("y"))


def test_an_import_may_have_another_local_name() -> None:
    code = "def f(x):\n    import numpy as {0}\n    return {0}.sum(x)"
    assert tree_digest(code.format("np")) == tree_digest(code.format("numpy"))


def test_an_import_of_another_module_counts() -> None:
    code = "def f(x):\n    import {0} as m\n    return m.loads(x)"
    assert tree_digest(code.format("json")) != tree_digest(code.format("yaml"))


@pytest.mark.parametrize("code", ["print 1", "def f(:", "x = " + "(" * 5000, "def f():\0"])
def test_what_cannot_be_parsed_has_no_digest(code: str) -> None:
    assert tree_digest(code) is None


_NAMES = sorted({"prices", "rate", "ship", "result", "price", "log", "each"})


@given(st.permutations([f"v{number}" for number in range(len(_NAMES))]))
def test_all_local_names_may_change_at_once(names: list[str]) -> None:
    class Renamer(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.Name(new.get(node.id, node.id), node.ctx)

        def visit_arg(self, node: ast.arg) -> ast.arg:
            return ast.arg(new.get(node.arg, node.arg))

    new = dict(zip(_NAMES, names, strict=True))
    tree = ast.fix_missing_locations(Renamer().visit(ast.parse(FUNCTION)))
    assert tree_digest(ast.unparse(tree)) == tree_digest(FUNCTION)
