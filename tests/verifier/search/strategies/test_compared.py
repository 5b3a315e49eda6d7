"""Instrumented targets do what they did, and tell what their tests compare."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from slicefunc.verifier.execution.batched_trials import parsed_pairs
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.sandbox.trials.operands import Log
from slicefunc.verifier.search.strategies.instrumented_tests import (
    ComparedOperands,
    compared,
    instrumented,
)


def _block(text: str) -> Block:
    text = textwrap.dedent(text).strip("\n") + "\n"
    return Block(text, 1, text.count("\n"))


@contextmanager
def _logging(monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    log = Log()
    with monkeypatch.context() as patched:
        patched.setattr("builtins.__slice_func_seen__", log.record_operand, raising=False)
        yield log


def _seen(monkeypatch: pytest.MonkeyPatch, text: str, *args: object) -> list[ComparedOperands]:
    """What a call of `f` compares; it returns what the original returns."""
    block = _block(text)
    code = instrumented(block)
    original: dict[str, object] = {}
    exec(block.text, original)
    changed: dict[str, object] = {}
    with _logging(monkeypatch) as log:
        exec(code.text, changed)
        assert _ended(changed["f"], args) == _ended(original["f"], args)
    return list(compared(parsed_pairs(json.loads(log.text())), code.sites))


def _ended(function: object, args: tuple[object, ...]) -> object:
    assert callable(function)
    try:
        return function(*args)
    except Exception as error:  # noqa: BLE001 - it may raise anything
        return repr(error)


@pytest.mark.parametrize(
    ("body", "args", "expected"),
    [
        ("return x == 3", (2,), [ComparedOperands(2, "==", 2, 3)]),
        (
            "return 0 < x <= 9",
            (4,),
            [ComparedOperands(2, "<", 0, 4), ComparedOperands(2, "<=", 4, 9)],
        ),
        ("return 0 < x <= 9", (0,), [ComparedOperands(2, "<", 0, 0)]),
        (
            "return x not in {1: 2, 3: [4]}",
            (5,),
            [ComparedOperands(2, "not in", 5, {1: 2, 3: [4]})],
        ),
        ("return {'a': 1}[x]", ("b",), [ComparedOperands(2, "[]", {"a": 1}, "b")]),
        ("return {'a': 1}.get(x, 0)", ("b",), [ComparedOperands(2, "[]", {"a": 1}, "b")]),
        (
            "return x.startswith(('a', 'b'))",
            ("c",),
            [ComparedOperands(2, "startswith", "c", ("a", "b"))],
        ),
        (
            "return isinstance(x, (int, str))",
            (1.5,),
            [ComparedOperands(2, "isinstance", 1.5, ("int", "str"))],
        ),
        ("return ['a'].index(x)", ("a",), [ComparedOperands(2, "[]", ["a"], "a")]),
        ("return len(x) >= 2", ("a",), [ComparedOperands(2, "len >=", "a", 2)]),
        ("return 2 < len(x)", ("a",), [ComparedOperands(2, "len >", "a", 2)]),
        (
            "import re\n    return bool(re.search(rf'<{x}>', '<b>'))",
            ("a",),
            [ComparedOperands(3, "match", "<a>", "<b>")],
        ),
        (
            "import re\n    return re.compile('a+').match(x)",
            ("b",),
            [ComparedOperands(3, "match", "a+", "b")],
        ),
        (
            "return [y for y in x if y < 1]",
            ([0, 2],),
            [ComparedOperands(2, "<", 0, 1), ComparedOperands(2, "<", 2, 1)],
        ),
        ("return x is object", (object(),), [ComparedOperands(2, "==", ..., "object")]),
        ("if not x: return 1", ([],), [ComparedOperands(2, "truth", [], [])]),
        ("return 1 if x.strip() else 2", (" a",), [ComparedOperands(2, "truth", "a", "a")]),
        ("return x or 3", (0,), [ComparedOperands(2, "truth", 0, 0)]),
        (
            "return x['a'] and x",
            ({"a": ""},),
            [
                ComparedOperands(2, "[]", {"a": ""}, "a"),
                ComparedOperands(2, "truth", "", ""),
            ],
        ),
        (
            "return [y for y in x if y]",
            ([0, "a"],),
            [
                ComparedOperands(2, "truth", 0, 0),
                ComparedOperands(2, "truth", "a", "a"),
            ],
        ),
        (
            "while len(x): x = x[1:]",
            ("a",),
            [
                ComparedOperands(2, "truth", "a", "a"),
                ComparedOperands(2, "truth", "", ""),
            ],
        ),
        ("assert x or x == 1", (2,), [ComparedOperands(2, "truth", 2, 2)]),
        (
            "if isinstance(x, int) or callable(x): return 1",
            (2,),
            [
                ComparedOperands(2, "isinstance", 2, "int"),
            ],
        ),
    ],
)
def test_both_operands_of_each_test_are_told(
    body: str,
    args: tuple[object, ...],
    expected: list[ComparedOperands],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert _seen(monkeypatch, f"def f(x):\n    {body}\n", *args) == expected


def test_tests_have_the_line_of_their_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
        def f(x):
            if (
                x == 1
                or x == 2
            ):
                return x
            return 0
    """
    assert {each.line for each in _seen(monkeypatch, text, 5)} == {2}


def test_what_is_no_small_literal_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(x):\n    return x == 'a' * 5000\n"
    assert _seen(monkeypatch, text, [object()]) == [ComparedOperands(2, "==", [...], ...)]


def test_operands_that_answer_badly_disturb_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bad(str):
        __slots__ = ()

        def __str__(self) -> str:
            raise RuntimeError

        def __repr__(self) -> str:
            raise RuntimeError

    assert _seen(monkeypatch, "def f(x):\n    return x == 'b'\n", Bad("a")) == [
        ComparedOperands(2, "==", "a", "b")
    ]


def test_a_loop_tells_a_bounded_number_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(x):\n    return sum(i == x for i in range(10000))\n"
    assert 0 < len(_seen(monkeypatch, text, 3)) < 50


def test_a_target_without_tests_is_left_alone() -> None:
    assert not instrumented(_block("def f(x):\n    return x + 1\n")).text


def test_a_target_too_deep_to_walk_is_left_alone() -> None:
    total = " + ".join(["x"] * 5000)
    assert not instrumented(_block(f"def f(x):\n    return x == {total}\n")).text


@pytest.mark.parametrize(
    "record",
    [None, [1], [[0, "1"]], [[0, "1", 2]], [["0", "1", "2"]], [[True, "1", "2"]], [[9, "1", "2"]]],
)
def test_records_of_another_form_tell_nothing(record: object) -> None:
    code = instrumented(_block("def f(x):\n    return x == 1\n"))
    assert not compared(parsed_pairs(record), code.sites)


@pytest.mark.parametrize("text", ["f()", "1 +", "(" * 3000, "x", "9" * 9000, "{[]: 1}"])
def test_operands_that_are_no_literals_are_unknown(text: str) -> None:
    assert parsed_pairs([[0, text, "1"]]) == ((0, ..., 1),)


def test_of_arrays_and_columns_the_values_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    numpy = pytest.importorskip("numpy")
    text = "def f(x, y):\n    return (x == y) is None\n"

    def told(x: object, y: object) -> list[ComparedOperands]:
        return _seen(monkeypatch, text, x, y)[:1]

    assert told(numpy.array(["a", "b"]), "c") == [ComparedOperands(2, "==", ["a", "b"], "c")]
    assert told(numpy.arange(2.0), numpy.int64(3)) == [ComparedOperands(2, "==", [0.0, 1.0], 3)]
    assert told(numpy.zeros((2, 2)), 1) == [ComparedOperands(2, "==", ..., 1)]
