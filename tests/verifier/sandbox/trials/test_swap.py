"""Another body for functions that are there: every reference to them gets it."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from slicefunc.verifier.mutation.mutants import mutants_of
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.sandbox.trials.swap_code import Functions, SwapError

_numbers = count()


def loaded(text: str, file: str = "") -> dict[str, Any]:
    """The namespace of a script, which has a file name of its own."""
    file = file or f"/box/{next(_numbers)}/script.py"
    space: dict[str, Any] = {"__name__": "script", "__file__": file}
    exec(compile(text, file, "exec", dont_inherit=True), space)
    return space


def _swap(functions: Functions, text: str) -> None:
    functions.swap(functions.bodies(text))


def swap(space: dict[str, Any], text: str) -> dict[str, Any]:
    """A script after its functions were given the bodies in a text."""
    _swap(Functions(space["__file__"], 1, text.count("\n")), text)
    return space


def swapped(text: str, old: str, new: str) -> dict[str, Any]:
    """A script in which functions were given bodies that have `new` where they had `old`."""
    assert text.count(old) == 1
    return swap(loaded(text), text.replace(old, new))


# a script, and the value of `r()` before and after `+ 1` became `- 1`
SCRIPTS = [
    ("def f(x):\n    return x + 1\nr = lambda: f(1)\n", 2, 0),
    ("def f(x): return x + 1\nkept = [f]\ndel f\nr = lambda: kept[0](1)\n", 2, 0),
    ("f = lambda x: x + 1\nr = lambda: f(1)\n", 2, 0),
    ("f = [lambda x: x * 5, lambda x: x + 1]\nr = lambda: f[1](1) + f[0](1)\n", 7, 5),
    ("def deco(g):\n    def inner(*a): return g(*a)\n    return inner\n"
     "@deco\ndef f(x):\n    return x + 1\nr = lambda: f(1)\n", 2, 0),
    ("from functools import lru_cache\n@lru_cache\ndef f(x):\n    return x + 1\nf(1)\n"
     "r = lambda: f(1)\n", 2, 0),
    ("from functools import lru_cache, wraps\n@lru_cache\n@lambda g: wraps(g)(lambda x: g(x))\n"
     "def f(x):\n    return x + 1\nf(1)\nr = lambda: f(1)\n", 2, 0),
    ("from functools import singledispatch\n@singledispatch\ndef f(x): return 0\n"
     "@f.register\ndef _(x: int):\n    return x + 1\nr = lambda: f(1)\n", 2, 0),
    ("def outer(y):\n    def f(x):\n        return x + 1\n    return f\nr = lambda: outer(0)(1)\n",
     2, 0),
    ("def outer(y):\n    def f(x):\n        return x + 1 + y\n    return f\n"
     "old = outer(10)\nr = lambda: old(1)\n", 12, 10),
    ("class A:\n    def f(self): return 1\nclass B(A):\n    def f(self):\n"
     "        return super().f() + 1\nr = lambda: B().f()\n", 2, 0),
    ("class A:\n    __x = 1\n    def f(self):\n        return self.__x + 1\nr = lambda: A().f()\n",
     2, 0),
    ("class A:\n    @property\n    def f(self):\n        return 1 + 1\n"
     "    @f.setter\n    def f(self, v): pass\nr = lambda: A().f\n", 2, 0),
    ("class A:\n    @staticmethod\n    def f(x):\n        return x + 1\nr = lambda: A.f(1)\n",
     2, 0),
    ("class A:\n    x = 1\n    @classmethod\n    def f(cls):\n        return cls.x + 1\n"
     "r = lambda: A.f()\n", 2, 0),
    ("def f(x):\n    yield x + 1\nr = lambda: next(f(1))\n", 2, 0),
    ("def f(x, y=1):\n    return x + 1 * y\nr = lambda: f(1)\n", 2, 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "before", "after"), SCRIPTS)
def test_all_that_refer_to_a_function_see_its_new_body(text: str, before: int, after: int) -> None:
    assert loaded(text)["r"]() == before
    assert swapped(text, "+ 1", "- 1")["r"]() == after


@pytest.mark.parametrize("text", [text for text, *_ in SCRIPTS])
def test_the_same_body_changes_nothing(text: str) -> None:
    space = loaded(text)
    before = space["r"]()
    assert swap(space, text)["r"]() == before


def test_a_body_without_its_super_still_has_the_class_cell() -> None:
    text = "class A:\n    def f(self):\n        return super().__init__()\nr = lambda: A().f()\n"
    assert swapped(text, "super().__init__()", "3")["r"]() == 3


def test_a_body_that_uses_less_of_its_surroundings_is_taken() -> None:
    text = "def outer(y):\n    def f(x):\n        return x + y\n    return f\nr = outer(1)\n"
    assert swapped(text, "x + y", "x")["r"](5) == 5


def test_a_body_that_uses_more_of_its_surroundings_is_refused() -> None:
    text = "def outer(y, z):\n    def f(x):\n        return x + y\n    return f\nr = outer(1, 2)\n"
    with pytest.raises(SwapError, match="other variables"):
        swapped(text, "x + y", "x + z")


def test_future_statements_of_the_script_hold_in_the_new_body() -> None:
    text = (
        "from __future__ import annotations\ndef f():\n"
        "    def g(x: missing) -> 1 + 1: pass\n    return g.__annotations__\nr = lambda: f()\n"
    )
    assert swapped(text, "1 + 1", "1 - 1")["r"]() == {"x": "missing", "return": "1 - 1"}


def test_only_the_lines_that_are_named_are_taken() -> None:
    text = "def f(): return 1\ndef g(): return 1\n"
    space = loaded(text)
    _swap(Functions(space["__file__"], 2, 2), "def f(): return 2\ndef g(): return 2\n")
    assert (space["f"](), space["g"]()) == (1, 2)


def test_a_carried_module_is_known_by_the_end_of_its_path() -> None:
    text = "def f(): return 1\n"
    right, wrong = loaded(text, "/tmp/x/pkg/m.py"), loaded(text, "/tmp/x/other_pkg/m.py")
    _swap(Functions("pkg/m.py", 1, 1), "def f(): return 2\n")
    assert (right["f"](), wrong["f"]()) == (2, 1)


def test_where_there_is_no_such_function_nothing_is_swapped() -> None:
    with pytest.raises(SwapError, match="no function"):
        _swap(Functions("/box/nowhere.py", 1, 9), "def f(): return 2\n")


def test_lines_that_move_within_the_target_do_not_matter() -> None:
    text = (
        "def f(x):\n    y = (\n        x + 1\n    )\n    def g(): return y\n    return g\n"
        "r = lambda: f(1)()\n"
    )
    assert swapped(text, "(\n        x + 1\n    )", "x")["r"]() == 1


def test_every_mutant_of_lambdas_on_a_line_hits_the_right_one() -> None:
    text = "f = [lambda x: x * 2, lambda x: x * 3]\n"
    for made in mutants_of(Block(text, 1, 1)).records:
        space = swap(loaded(text), made.mutant.text)
        want = loaded(made.mutant.text)
        assert [g(4) for g in space["f"]] == [g(4) for g in want["f"]], made
