"""Cases in which it shows how the original is written are left out, and no others."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

import pytest
from slicefunc.verifier.execution.executors.choose_executor import ORDER
from slicefunc.verifier.execution.executors.interface import Case, Executor, Limits, Profile
from slicefunc.verifier.mutation.mutated_block import Block
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record
from slicefunc.verifier.scoring.rewrites.wording_checks import reworded, without_wording_cases
from slicefunc.verifier.script.module_statements import first_line_of

LIMITS = Limits(wall_seconds=60, cpu_seconds=5)


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    """The sandbox that needs no daemon."""
    made = next(make for name, make, _ in ORDER if name == "embedded")()
    made.start(Profile())
    yield made
    made.close()


def left_out(executor: Executor, script: str, *calls: str) -> list[str]:
    """Which calls of the script's last function are left out, each with where it differs."""
    script = textwrap.dedent(script).strip("\n") + "\n"
    cases = [Case(f"c{i}", f"def c{i}():\n    return {call}\n") for i, call in enumerate(calls)]
    oracle, rejected = record(executor.run, Oracle(script, "a.py", "f", ()), cases, LIMITS)
    assert not rejected
    node = ast.parse(script).body[-1]
    block = Block(script, first_line_of(node), script.count("\n"))
    kept, gone = without_wording_cases(executor.run, oracle, block, reworded(block), (), LIMITS)
    assert [each.code for each in gone] == ["unstable"] * len(gone)
    assert all(each.is_excused == ("decides" in each.detail) for each in gone)
    assert len(kept.recorded) + len(gone) == len(calls)
    return [f"{each.case}: {each.detail.partition(': ')[2].split(':')[0]}" for each in gone]


def test_names_and_lines_that_show(executor: Executor) -> None:
    unbound = """
    def f(x):
        try:
            if x:
                value = 2
            return value
        except UnboundLocalError as error:
            return str(error)
    """
    assert left_out(executor, unbound, "f(0)", "f(1)") == ["c0: value"]
    line = "import sys\ndef f(x):\n    x += 1\n    return x and sys._getframe().f_lineno\n"
    assert left_out(executor, line, "f(0)", "f(-1)") == ["c0: value"]
    logged = """
    import logging
    logging.basicConfig(filename="log", format="%(lineno)d %(message)s")
    def f(x):
        y = x
        if y:
            logging.warning(y)
        return y
    """
    assert left_out(executor, logged, "f(0)", "f(1)") == ['c1: file log["text"]']


def test_what_is_only_written_otherwise(executor: Executor) -> None:
    text = """
    import traceback
    def f(rows):
        out = []
        total = 0
        for row in rows:
            out.append(1 / row)
        for each in out:
            total += 1
        try:
            value = out[1]
        except IndexError:
            print(traceback.format_exc())
            raise
        return (total, value) if total else out
    """
    assert left_out(executor, text, "f([1, 2])", "f([])", "f([0])") == []
    generator = (
        "def f(n):\n    for i in range(n):\n        if i % 2: yield i\n        else: yield -i\n"
    )
    assert left_out(executor, generator, "f(3)", "list(f(2))") == []


ASKS = """
class Source:
    def __init__(self):
        self.calls = []

    def take_name(self):
        self.calls.append(("take_name",))
        return "a"

    def take_size(self):
        self.calls.append(("take_size",))
        return 2

def f(source, plain):
    if plain:
        return 0
    name = source.take_name()
    size = source.take_size()
    return name * size
"""


def test_the_order_of_independent_calls_alone_decides_no_case(executor: Executor) -> None:
    assert left_out(executor, ASKS, "f(Source(), False)", "f(Source(), True)") == [
        "c0: argument 0.calls[0][0]"
    ]


def test_which_of_two_faults_is_told_first_decides_no_case(executor: Executor) -> None:
    compared = "def f(a, b):\n    return int(a) < len(b)\n"
    calls = ("f('x', None)", "f('x', 'y')", "f(1, None)", "f(1, 'yz')")
    assert left_out(executor, compared, *calls) == ["c0: exception"]
    checked = """
    def f(a, b):
        if a < 0:
            raise ValueError(a)
        if not b:
            raise KeyError(b)
        return a, b
    """
    assert left_out(executor, checked, "f(-1, 0)", "f(-1, 1)", "f(1, 0)", "f(1, 1)") == [
        "c0: exception"
    ]


def test_a_check_that_another_one_is_for_comes_first(executor: Executor) -> None:
    checked = """
    def f(a):
        if not isinstance(a, str):
            raise TypeError(a)
        if not a:
            raise ValueError(a)
        return a
    """
    assert left_out(executor, checked, "f(0)", "f('')", "f('a')") == []
    called = checked.replace("not isinstance(a, str)", "a.isdigit()").replace(
        "not a:", "a.isalnum():"
    )
    assert left_out(executor, called, "f('0')", "f('a')", "f(' ')") == []


def test_a_name_that_is_bound_anew_keeps_no_calls_in_order(executor: Executor) -> None:
    anew = ASKS.replace("size = source.take_size()", "plain = source.take_size() + plain").replace(
        "name * size", "name * plain"
    )
    assert left_out(executor, anew, "f(Source(), False)", "f(Source(), True)") == [
        "c0: argument 0.calls[0][0]"
    ]


def test_what_was_asked_before_a_fault_was_told_decides_no_case(executor: Executor) -> None:
    failing = ASKS.replace("source.take_size()", "int(plain or '2')").replace(
        "if plain:", "if source:"
    )
    asked = failing.replace("if source:", "if not source:")
    calls = ("f(Source(), 'x')", "f(Source(), '')")
    assert left_out(executor, asked, *calls) == ["c0: argument 0"]


def test_calls_whose_order_is_all_that_is_seen_or_that_matters_are_kept(executor: Executor) -> None:
    assert left_out(executor, ASKS, "f(Source(), False)") == []
    taken = "def f(items):\n    a = items.pop()\n    b = items.pop()\n    return a, b\n"
    assert left_out(executor, taken, "f([1, 2, 3])", "f([1, 2, 4])") == []


HANDS_ON = """
class Maker:
    def __init__(self):
        self.calls = []

    def made(self, pairs):
        self.calls.append(("made", pairs))
        return 1

def f(maker, plain):
    return 0 if plain else maker.made(zip("ab", "cd"))
"""


def test_whether_an_iterator_or_a_list_is_passed_on_decides_no_case(executor: Executor) -> None:
    assert left_out(executor, HANDS_ON, "f(Maker(), False)", "f(Maker(), True)") == [
        "c0: argument 0.calls[0][1]"
    ]
    eager = "def f(n):\n    return any(1 // (3 - i) for i in range(n))\n"
    assert left_out(executor, eager, "f(2)", "f(9)") == []
