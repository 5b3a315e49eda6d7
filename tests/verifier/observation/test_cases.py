"""A case goes through its one call of the target, and what the call did is reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from slicefunc.verifier.observation.observation import Malformed, Node, Observation, Value
from slicefunc.verifier.observation.run_records import decode_run
from slicefunc.verifier.observation.short_text import render

from tests.verifier.observation.running import observe, run, run_records


def shown(value: Value, observation: Observation) -> str:
    return render(value, observation)


def test_a_returned_value(tmp_path: Path) -> None:
    found = observe(tmp_path, "def f(x): return [x, 2.5]", "f", "f(1)")
    assert found.outcome == "returned"
    assert shown(found.value, found) == "[1, 2.5]"
    assert found.arguments == found.globals == found.files == ()


def test_a_raised_exception_and_its_arguments(tmp_path: Path) -> None:
    found = observe(tmp_path, "def f(): raise KeyError('k', 2)", "f", "f()")
    assert found.outcome == "raised"
    assert shown(found.exception, found) == "KeyError('k', 2)"


def test_leaving_the_interpreter_is_an_exception_too(tmp_path: Path) -> None:
    found = observe(tmp_path, "import sys\ndef f(): sys.exit(0)", "f", "f()")
    assert shown(found.exception, found) == "SystemExit(0)"


def test_only_changed_arguments_are_reported(tmp_path: Path) -> None:
    source = "def f(a, b, *, c): b.append(1); c['k'] = a"
    found = observe(tmp_path, source, "f", "f([], [0], c={})")
    names = [(name, shown(value, found)) for name, value in found.arguments]
    assert names == [("1", "[0, 1]"), ("c", "{'k': []}")]


def test_self_changes_and_is_returned(tmp_path: Path) -> None:
    source = "class C:\n    n = 0\n    def m(self): self.x = 1; C.n += 1; return self"
    found = observe(tmp_path, source, "C.m", "return C().m()")
    assert found.value_is == "self"
    assert [(name, shown(value, found)) for name, value in found.arguments] == [("self", "C(x=1)")]
    assert found.globals == (("<script>.C.n", 1),)


def test_the_result_may_be_an_argument(tmp_path: Path) -> None:
    source = "def f(a, b): return b"
    assert observe(tmp_path, source, "f", "f([], [])").value_is == "1"


def test_class_static_and_property_targets(tmp_path: Path) -> None:
    source = """class C:
    def __init__(self, x=0): self.x = x
    @classmethod
    def make(cls, x): return cls(x)
    @staticmethod
    def twice(x): return 2 * x
    @property
    def half(self): return self.x / 2
"""
    made = observe(tmp_path, source, "C.make", "C.make(3)")
    assert shown(made.value, made) == "C(x=3)"
    assert observe(tmp_path, source, "C.twice", "C().twice(4)").value == 8
    half = observe(tmp_path, source, "C.half", "return C(3).half")
    assert shown(half.value, half) == "1.5"
    new = observe(tmp_path, source, "C.__init__", "C(5)")
    assert shown(new.value, new) == "C(x=5)"


def test_globals_that_were_changed_added_and_deleted(tmp_path: Path) -> None:
    source = """LOG, COUNT, OLD, SAME = [], 0, 1, {1: 2}
def f():
    global COUNT, NEW, OLD
    LOG.append(1); COUNT += 1; NEW = 5
    del OLD
"""
    found = observe(tmp_path, source, "f", "f()")
    names = {name: shown(value, found) for name, value in found.globals}
    assert names == {
        "<script>.LOG": "[1]",
        "<script>.COUNT": "1",
        "<script>.NEW": "5",
        "<script>.OLD": "'deleted'",
    }


def test_a_global_that_is_set_to_an_equal_value_is_unchanged(tmp_path: Path) -> None:
    source = """A, B, C = [1, "x" * 9], {"k": 1.5}, {1, 2}
def f(n):
    global A, B, C
    A, B, C = [1, "x" * n], {"k": n / 6}, {2, n - 8}
"""
    assert observe(tmp_path, source, "f", "f(9)").globals == ()
    assert len(observe(tmp_path, source, "f", "f(8)").globals) == 3


def test_a_module_that_was_imported_meanwhile_is_no_state(tmp_path: Path) -> None:
    source = """
import json as known
def f():
    global late
    import colorsys as late
    return late.rgb_to_hls(1, 1, 1)
def g():
    global known
    known = None
"""
    assert observe(tmp_path, source, "f", "f()").globals == ()
    assert len(observe(tmp_path, source, "g", "g()").globals) == 1


def test_files_left_behind(tmp_path: Path) -> None:
    source = """import os
def f():
    os.mkdir("d")
    open("d/a.txt", "w").write("hi")
    open("b.bin", "wb").write(b"\\xff")
    os.symlink("d", "l")
"""
    found = observe(tmp_path, source, "f", "f()")
    assert {name: shown(value, found) for name, value in found.files} == {
        "b.bin": "{'bytes': b'\\xff', 'now': 'file'}",
        "d": "{'now': 'folder'}",
        "d/a.txt": "{'now': 'file', 'text': 'hi'}",
        "l": "{'now': 'link', 'to': 'd'}",
    }


def test_names_that_are_no_proper_text_are_observed(tmp_path: Path) -> None:
    source = """import os
def f(o, **names):
    open(b"a\\xff", "w").close()
    setattr(o, "\\udcfe", 1)
    for value in names.values(): value.append(1)
    raise type("E", (Exception,), {"__module__": "\\udcfd"})
class O: pass
"""
    found = observe(tmp_path, source, "f", 'f(O(), **{"\\udcfc": []})')
    assert [name for name, _ in found.files] == ["a\\udcff"]
    assert [name for name, _ in found.arguments] == ["0", "\\udcfc"]
    assert isinstance(found.exception, Node)
    assert found.exception.text("type") == "\\udcfd.E (local)"


def test_a_file_that_a_call_rewrites_in_place_with_its_old_times_is_seen(tmp_path: Path) -> None:
    source = """import os
def prepare(): open("a", "w").write("old")
def f():
    before = os.stat("a")
    open("a", "w").write("new")
    os.utime("a", ns=(before.st_atime_ns, before.st_mtime_ns))
"""
    found = observe(tmp_path, source, "f", "prepare()\nf()")
    assert [name for name, _ in found.files] == ["a"]


def test_what_is_printed_by_the_call_alone_by_any_means(tmp_path: Path) -> None:
    source = """import os, sys, logging
print("at import")
KEPT = sys.stdout
def f():
    print("a")
    KEPT.write("b\\n")
    sys.stdout.flush()
    os.write(1, b"c\\n")
    os.system("echo d")
    logging.warning("w")
    print(object())
"""
    found = observe(tmp_path, source, "f", "print('before')\nf()\nprint('after')")
    assert found.stdout == "a\nb\nc\nd\n<object object at 0x…>\n"
    assert found.stderr == "WARNING:root:w\n"


def test_numbers_that_are_no_addresses_are_seen(tmp_path: Path) -> None:
    found = observe(tmp_path, "def f(n): print(hex(n))", "f", "f(0xDEADBEEF)")
    assert found.stdout == "0xdeadbeef\n"


@pytest.mark.parametrize(
    "case", ["f(1)", "return f(1)", "async await f(1)", "async return await f(1)"]
)
def test_coroutines_run_to_their_end(tmp_path: Path, case: str) -> None:
    source = "import asyncio\nasync def f(x): await asyncio.sleep(0); return x + 1"
    found = observe(tmp_path, source, "f", case)
    assert (found.value, found.awaited) == (2, True)


def test_a_coroutine_that_raises(tmp_path: Path) -> None:
    found = observe(tmp_path, "async def f(): raise KeyError(1)", "f", "async await f()")
    assert (found.outcome, found.awaited) == ("raised", True)


@pytest.mark.parametrize("case", ["f(2)", "async return [x async for x in f(2)]"])
def test_asynchronous_generators(tmp_path: Path, case: str) -> None:
    source = "async def f(n):\n    for i in range(n): yield i"
    found = observe(tmp_path, source, "f", case)
    assert shown(found.value, found) == "<async_generator of 0, 1>"


def test_generators_are_driven_and_what_they_print_counts(tmp_path: Path) -> None:
    source = """def f(n, log):
    for i in range(n):
        print(i); log.append(i); yield i
    return 'r'
"""
    found = observe(tmp_path, source, "f", "f(2, [])")
    assert isinstance(found.value, Node)
    assert (found.value.text("end"), found.value.group("last").values[0]) == ("returned", "r")
    assert found.stdout == "0\n1\n"
    assert [name for name, _ in found.arguments] == ["1"]


def test_endless_and_raising_generators(tmp_path: Path) -> None:
    source = """import itertools
def f(): return itertools.count()
def g():
    yield 1
    raise KeyError(2)
"""
    endless = observe(tmp_path, source, "f", "f()").value
    raising = observe(tmp_path, source, "g", "g()").value
    assert isinstance(endless, Node)
    assert isinstance(raising, Node)
    assert (endless.text("end"), len(endless.group("items").values)) == ("cut", 1000)
    assert raising.text("end") == "raised"


def test_what_is_left_of_an_iterator_argument_is_seen(tmp_path: Path) -> None:
    source = "def f(it): return next(it)"
    found = observe(tmp_path, source, "f", "f(iter([1, 2, 3]))")
    assert [shown(value, found) for _, value in found.arguments] == ["<list_iterator of 2, 3>"]


@pytest.mark.parametrize(
    ("case", "outcome", "text"),
    [
        ("f(f(1))", "invalid", "2 calls"),
        ("pass", "invalid", "0 calls"),
        ("for i in range(2): f(i)", "invalid", "more than once"),
        ("if False: f(1)", "not_called", "without a call"),
        ("unknown\nf(1)", "not_called", "unknown"),
        ("f(unknown)", "not_called", "unknown"),
    ],
)
def test_a_case_that_does_not_call_the_target_once(
    tmp_path: Path, case: str, outcome: str, text: str
) -> None:
    found = observe(tmp_path, "def f(x): return x", "f", case)
    assert found.outcome == outcome
    assert text in shown(found.exception, found)


def test_lines_of_a_generator_that_is_returned_are_traced(tmp_path: Path) -> None:
    source = "def f(n):\n    for i in range(n):\n        yield i\n"
    records = run_records(tmp_path, source, "f", "return f(1)", trace=(1, 3))
    arcs = next(found["arcs"] for line in records if "arcs" in (found := json.loads(line)))
    assert arcs == [[-1, 2], [2, -1], [2, 3], [3, 2]]


def test_an_exception_after_the_call_does_not_hide_what_was_observed(tmp_path: Path) -> None:
    assert observe(tmp_path, "def f(x): return x", "f", "f(1)\n1/0").value == 1


def test_recursion_and_aliases_are_not_further_calls(tmp_path: Path) -> None:
    source = "def f(n): return 1 if n < 2 else n * f(n - 1)"
    assert observe(tmp_path, source, "f", "f(5)").value == 120


def test_a_script_that_does_not_load(tmp_path: Path) -> None:
    found = run(tmp_path, "raise KeyError(1)", "f", "f()")
    assert found.load_failure is not None
    assert shown(found.load_failure.exception, found.load_failure) == "KeyError(1)"
    broken = run(tmp_path, "def (", "f", "f()")
    assert broken.load_failure is not None


def test_cases_run_in_order_in_one_process(tmp_path: Path) -> None:
    source = "import collections\nSEEN = collections.deque()\n"
    source += "def f(x): SEEN.append(x); return list(SEEN)"
    found = run(tmp_path, source, "f", "f(1)", "f(2)").observations
    assert [shown(one.value, one) for _, one in found] == ["[1]", "[1, 2]"]


def test_what_a_case_enters_ends_with_it(tmp_path: Path) -> None:
    source = """
from contextvars import ContextVar
from threading import local

VARIABLE = ContextVar("variable", default="unset")
LOCAL = local()


def both():
    return VARIABLE.get(), getattr(LOCAL, "stack", None)
"""
    entered = "VARIABLE.set('set')\nLOCAL.stack = [1]\nreturn both()"
    found = run(tmp_path, source, "both", entered, "return both()").observations
    assert [shown(one.value, one) for _, one in found] == ["('set', [1])", "('unset', None)"]


def test_the_script_finds_its_own_text_and_name(tmp_path: Path) -> None:
    source = """import inspect, sys
def f(): return inspect.getsource(f), __name__, f.__module__ in sys.modules
"""
    found = observe(tmp_path, source, "f", "f()")
    assert "'example', True" in shown(found.value, found) or isinstance(found.value, Node)
    assert isinstance(found.value, Node)
    items = list(found.value.group("items").values)
    assert items == [source.splitlines(keepends=True)[1], "example", True]


def test_a_script_is_called_the_same_under_every_name(tmp_path: Path) -> None:
    source = "class C: pass\ndef f(): return C(), C, f\n"
    main = (
        source
        + "C.__module__ = f.__module__ = '__main__'\n"
        + "import sys\nsys.modules['__main__'] = sys.modules[__name__]\n"
    )
    texts = [
        json.loads(run_records(tmp_path, s, "f", "f()")[1])["observation"] for s in (source, main)
    ]
    assert texts[0] == texts[1]
    assert "<script>.C" in str(texts[0])


def test_the_names_of_the_harness_are_not_in_the_script(tmp_path: Path) -> None:
    source = "def f(): return sorted(n for n in globals() if n not in ('__builtins__', 'f'))"
    found = observe(tmp_path, source, "f", "f()")
    assert "observe" not in shown(found.value, found)


def test_a_script_may_break_everything_that_the_harness_uses(tmp_path: Path) -> None:
    source = """import builtins, gc, json, os, sys
def f():
    for module in (builtins, json, os, gc):
        for name in ("len", "type", "sorted", "dumps", "scandir", "dup", "dup2", "isenabled", "id",
                     "isinstance", "str", "list", "dict", "repr", "next", "zip", "any", "all"):
            if hasattr(module, name):
                setattr(module, name, None)
    sys.modules["json"] = sys.modules["linecache"] = None
    sys.setrecursionlimit(120)
    return {"a": [1.5]}
"""
    found = observe(tmp_path, source, "f", "f()")
    assert shown(found.value, found) == "{'a': [1.5]}"


def test_tracing_does_not_see_the_encoding(tmp_path: Path) -> None:
    source = """import sys
SEEN = []
def f():
    sys.settrace(lambda frame, event, arg: SEEN.append(frame.f_code.co_filename))
    return 1
"""
    found = run(tmp_path, source, "f", "f()", "pass\nglobal f\nf()").observations
    assert found[0][1].value == 1
    names = [name for name, _ in found[0][1].globals]
    assert names in ([], ["<script>.SEEN"])


@pytest.mark.parametrize(
    "change",
    [
        lambda records: records[:-1],
        lambda records: [*records, records[-1]],
        lambda records: [records[0], records[1], records[1], records[2]],
        lambda records: [records[0], records[2], records[1], records[3]],
        lambda records: ["{}", *records[1:]],
        lambda records: [records[0], records[1].replace("case_0", "case_1"), *records[2:]],
        lambda records: ["not json", *records],
        lambda records: [r.replace('"kind":"end"', '"kind":"end","x":1') for r in records],
    ],
)
def test_only_the_exact_sequence_of_records_is_a_run(tmp_path: Path, change: object) -> None:
    assert callable(change)
    records = run_records(tmp_path, "def f(x): return x", "f", "f(1)", "f(2)")
    names = ["case_0", "case_1"]
    assert not isinstance(decode_run(records, names), Malformed)
    assert isinstance(decode_run(change(records), names), Malformed)


def test_the_zone_of_a_case_is_left_with_it(tmp_path: Path) -> None:
    source = "import time\ndef f(): return time.localtime(0).tm_hour\n"
    elsewhere = 'import os, time\nos.environ["TZ"] = "XXX-5:45"\ntime.tzset()\nreturn f()'
    _, *records, _ = run_records(tmp_path, source, "f", "return f()", elsewhere, "return f()")
    here, there, again = (json.loads(each)["observation"]["value"] for each in records)
    assert here == again != there
