"""Tests that a model writes: what is asked, what is refused, and the file that is run."""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from slicefunc.llm.client.model_settings import Settings
from slicefunc.llm.stages import written_tests
from slicefunc.llm.stages.written_tests import (
    ENTRY,
    UntestedFunction,
    UnusableTestError,
    WrittenTest,
)

SHOP = """
    import math

    RATE = 20
    _HIDDEN = 1
    __dunder__ = 2

    def total(net):
        return net + RATE

    class Order:
        def __init__(self, net):
            self.net = net

        def size(self):
            return self.net

        @property
        def tax(self):
            return RATE

        @classmethod
        def of(cls, net):
            return cls(net)

        @staticmethod
        def plain(net):
            return net

        def __private(self):
            return "private"

        class Line:
            def first(self):
                return 1
"""
SETTINGS = Settings("m")
UNTESTED = UntestedFunction(
    "    1  def total(net):", "RATE = 20", "The function is total.", "", "tests of total"
)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a module that can be imported while a test runs."""
    (tmp_path / "written_shop.py").write_text(textwrap.dedent(SHOP))
    (tmp_path / "written_other.py").write_text("OTHER, RATE = 3, 4\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "written_shop"
    for name in ("written_shop", "written_other"):
        sys.modules.pop(name, None)


def ran(
    test: str, qualname: str, *imports: str, others: tuple[str, ...] = (), module: str = ""
) -> Any:
    """What a test puts into the list `seen`, in the file that is made of it."""
    answer = WrittenTest(imports=list(imports), test=textwrap.dedent(test))
    text = written_tests.written_file(answer, module or "written_shop", qualname, others)
    names: dict[str, Any] = {"seen": [], "__name__": "written"}
    exec(compile(text, "written.py", "exec"), names)
    names[ENTRY]()
    return names["seen"]


def test_the_test_sees_the_names_of_the_targets_module(shop: str) -> None:
    test = """
        def test_total():
            seen.extend([RATE, _HIDDEN, math.pi > 3, "__dunder__" in globals()])
    """
    assert ran(test, "total", module=shop) == [20, 1, True, False]


def test_names_of_other_modules_are_seen_where_they_are_loaded(shop: str) -> None:
    test = "def test_total(): seen.extend([RATE, globals().get('OTHER')])"
    assert ran(test, "total", others=("written_other",)) == [20, None]
    importlib.import_module("written_other")
    assert ran(test, "total", others=("written_other", "never_loaded")) == [20, 3]


def test_an_import_that_fails_is_left_out(shop: str) -> None:
    test = """
        import nowhere_2
        from json import dumps

        def test_total():
            seen.extend([dumps([1]), string.digits[:2], total(1)])
    """
    imports = ("import nowhere_1", "import string", "seen.append(1)", "def", "from x import total")
    assert ran(test, "total", *imports) == ["[1]", "01", 21]


def test_no_import_takes_the_targets_name(shop: str) -> None:
    test = "def test_total(): seen.append(total(1) == total_new_implementation(1) == 21)"
    assert ran(test, "total", "from json import dumps as total") == [True]


@pytest.mark.parametrize(
    ("qualname", "call"),
    [
        ("total", "total_new_implementation(1) == 21"),
        ("Order.size", "Order(3).size_new_implementation() == 3"),
        ("Order.tax", "Order(3).tax_new_implementation == 20"),
        ("Order.of", "Order.of_new_implementation(3).net == 3"),
        ("Order.plain", "Order.plain_new_implementation(4) == 4"),
        ("Order.__private", "Order(1)._Order__private_new_implementation() == 'private'"),
        ("Order.Line.first", "Order.Line().first_new_implementation() == 1"),
        ("Order.__init__", "not hasattr(Order, '__init___new_implementation')"),
        ("Order.gone", "not hasattr(Order, 'gone_new_implementation')"),
    ],
)
def test_the_target_has_another_name(shop: str, qualname: str, call: str) -> None:
    assert ran(f"def test_it(): seen.append({call})", qualname) == [True]


def test_a_module_of_the_library_does_not_stand_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "colorsys.py").write_text("def mixed(): return 7\n")
    monkeypatch.setitem(sys.modules, "colorsys", importlib.import_module("colorsys"))
    monkeypatch.syspath_prepend(tmp_path)
    assert ran("def test_mixed(): seen.append(mixed())", "mixed", module="colorsys") == [7]


def test_what_is_run_is_the_function_that_was_asked_for(shop: str) -> None:
    test = """
        def helper(): return 1
        def test_more(): seen.append("more")
        def test_total(): seen.append(helper())
        def test_last(): seen.append("last")
        test_last()
        if __name__ == "__main__" or True:
            test_last()
    """
    assert ran(test, "total") == [1]
    assert ran("def check(): seen.append(2)", "total") == [2]
    assert ran("async def test_total(): seen.append(3)", "total") == [3]


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ("def test_it(:\n    pass", "no Python: line 1: invalid syntax"),
        ("def test_it():\n    f('\ud800')", "no Python"),
        ("(" * 500, "no Python"),
        ("x = 1", "holds no function"),
        ("", "holds no function"),
        ("def test_it(tmp_path, *, n=1): pass", "test_it takes parameters"),
        ("def test_it(): " + "pass;" * 20_000, "more than 40000 characters"),
    ],
)
def test_what_is_no_test_is_refused_on_one_line(test: str, why: str) -> None:
    with pytest.raises(UnusableTestError, match=why) as error:
        written_tests.written_file(WrittenTest(test=test), "shop", "total")
    assert "\n" not in str(error.value)


def test_the_question_says_what_is_known() -> None:
    request = written_tests.written_request(UNTESTED, SETTINGS)
    _, asked = request.messages
    for part in (UNTESTED.function, UNTESTED.context, UNTESTED.calls, "nothing has reached any"):
        assert part in asked.text
    assert request.purpose == "tests of total"
    long = UntestedFunction("f", "x" * 30_000, "c", "line 7", "p")
    text = written_tests.written_request(long, SETTINGS).messages[1].text
    assert "and 6000 characters more" in text
    assert "line 7" in text


def test_asking_again_says_what_came_of_the_answer() -> None:
    request = written_tests.written_request(UNTESTED, SETTINGS)
    again = written_tests.again_request(request, "said </data>", "OSError: no", "line 3", SETTINGS)
    assert [message.role for message in again.messages] == ["system", "user", "assistant", "user"]
    assert "OSError: no" in again.messages[3].text
    assert "line 3" in again.messages[3].text
