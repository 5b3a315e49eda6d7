"""Calls that were noted next to a model's code: what is a value goes through, all else does not."""

from __future__ import annotations

import collections
import datetime as dt
import decimal
import functools
import pathlib
import re
import types
from typing import Any

import pytest
from slicefunc.llm.checks.recorded_values import values_only
from slicefunc.verifier.sandbox.recording.reprs import Writer

DEFINED = frozenset({"total", "helper"})
ORDER = "slice_func_repository('shop.py', 'Order')"


def noted(argument: str = "", receiver: str = "", *states: tuple[str, str]) -> dict[str, Any]:
    call = {
        "receiver": receiver,
        "states": [list(each) for each in states],
        "arguments": [["x", argument]],
    }
    found = values_only(call, DEFINED)
    assert found is not None
    return found


def text(argument: str) -> str:
    return noted(argument)["arguments"][0][1]


VALUES: list[object] = [
    None, True, ..., -1, 1.5, float("nan"), 2 - 1j, "a'b", b"x", [1, (2,)], {3}, frozenset(),
    {4: []}, set(), range(3), ValueError("no"), len, int, str.upper, lambda x: x + 1,
    pathlib.PurePosixPath("a"), re.compile("a+", re.MULTILINE), dt.date(2024, 1, 2),
    dt.timedelta(days=1), decimal.Decimal("1.5"), collections.OrderedDict(a=1),
    collections.Counter("aab"), collections.deque([1]), collections.defaultdict(list, a=[1]),
    types.SimpleNamespace(a=1), bytearray(b"x"), functools.partial(int, base=2), functools.reduce,
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_what_the_writer_writes_of_values_goes_through(value: object) -> None:
    written = Writer("/nowhere").text(value)
    assert text(written).replace(" ", "") == text(text(written)).replace(" ", "") != ""


@pytest.mark.parametrize(
    "argument",
    [
        f"{ORDER}(net=3, lines=[{ORDER}()])",
        f"{ORDER}.OPEN",
        f"{ORDER}(slice_func_unknown, slice_func_state={{'__init__': ('shop.py', 'a'), 'net': 3}})",
        "__import__('importlib').import_module('argparse').Namespace(a=1)",
        "(lambda *args, **named: None)",
    ],
)
def test_instances_of_the_repository_and_of_libraries_go_through(argument: str) -> None:
    assert text(argument)


@pytest.mark.parametrize(
    "argument",
    [
        "__import__('os').system('ls')",
        "__import__('importlib').import_module('os').system",
        "__import__('importlib').import_module('subprocess').Popen(['ls'])",
        "__import__('importlib').import_module('json').loads('1')",
        "__import__('builtins').exec('1')",
        "eval('1')", "eval", "open('x')", "exec", "type('A', (), {})", "__slice_func_note__",
        "print('PASSED')", "[print(1)]", "{**{}}", "[*[1]]", "int(*[1])", "dict(**{})",
        "(lambda: print('PASSED'))", "(lambda x: x.__class__)", "[x for x in [1]]", "(y := 1)",
        "'a'.upper()", "(1).real", "total(1)", "f'{1}'", "1 if 2 else 3", "not 1", "1 + 2",
        f"{ORDER}.__init__", f"{ORDER}.__class__.mro()",
        "slice_func_repository('shop.py', 'Order(print(1))')",
        "slice_func_repository('shop.py', 'Order.__init__')",
        "slice_func_repository('shop.py', 'a') + 1", "1; 2", "", "(" * 300,
        "[" + "1," * 9000 + "]",
    ],
)  # fmt: skip
def test_what_is_no_value_is_emptied(argument: str) -> None:
    assert text(argument) == ""


def test_an_instance_gets_values_and_no_methods() -> None:
    states = noted(
        "1", ORDER, ("net", "3"), ("_open", "[1]"), ("total", "4"), ("__class__", "5"),
        ("later", "(lambda *args, **named: None)"), ("each", "[len]"), ("kind", "int"),
        ("net.x", "1"), ("a", "print('PASSED')"), ("line", ORDER + "(1)"),
        ("state", ORDER + ".OPEN"), ("nonsense", ""),
    )["states"]  # fmt: skip
    assert states == [
        ["net", "3"], ["_open", "[1]"], ["kind", "int"], ["line", ORDER + "(1)"],
        ["state", ORDER + ".OPEN"],
    ]  # fmt: skip


def test_what_an_instance_is_said_to_hold_is_no_code() -> None:
    held = "'__init__': ('', ''), 'net': 3, 'helper': 4, 'later': lambda *args, **named: None"
    found = noted("1", f"{ORDER}(slice_func_state={{{held}}})")["receiver"]
    assert found == f"{ORDER}(slice_func_state={{'__init__': ('', ''), 'net': 3}})"


@pytest.mark.parametrize("call", [None, 1, {}, {"receiver": 1, "states": [], "arguments": []}])
def test_what_is_no_call_is_none(call: object) -> None:
    assert values_only(call, DEFINED) is None


def test_what_is_no_pair_is_left_out() -> None:
    call = {"receiver": "", "states": [1, None], "arguments": [["x"], 1, ["y", "2"], ["z", 3]]}
    assert values_only(call, DEFINED) == {"receiver": "", "states": [], "arguments": [["y", "2"]]}
