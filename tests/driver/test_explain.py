from __future__ import annotations

import dataclasses

from slicefunc.driver.explain import explain
from slicefunc.slicer.model import Definition, Manifest

EMPTY = Manifest((), "flat", "", (), (), (), (), (), (), (), (), (), (), 0.0)


def _explained(*definitions: Definition) -> list[str]:
    return list(explain(dataclasses.replace(EMPTY, definitions=definitions)))


def _function(name: str, line: int, reason: str, path: str = "m.py") -> Definition:
    return Definition(path, name, "function", line, line + 1, reason)


def test_each_definition_stands_below_the_one_that_brought_it_in() -> None:
    lines = _explained(
        _function("f", 1, "the target"),
        _function("h", 5, "m.py::g uses h (m.py:9)"),
        _function("g", 9, "m.py::f uses g (m.py:2)"),
        _function("k", 12, "m.py::f uses k (m.py:3)"),
    )
    assert lines == [
        "f (function, m.py:1): the target",
        "  g (function, m.py:9): m.py::f uses g (m.py:2)",
        "    h (function, m.py:5): m.py::g uses h (m.py:9)",
        "  k (function, m.py:12): m.py::f uses k (m.py:3)",
    ]


def test_names_with_spaces_are_found_whole() -> None:
    lines = _explained(
        _function("f", 1, "the target", "my module.py"),
        _function("a, b", 3, "my module.py::f uses a (my module.py:2)", "my module.py"),
        _function("g", 5, "my module.py::a, b uses g (my module.py:3)", "my module.py"),
    )
    assert [len(line) - len(line.lstrip()) for line in lines] == [0, 2, 4]


def test_reasons_that_form_a_ring_are_all_shown_once() -> None:
    lines = _explained(
        _function("f", 1, "m.py::g uses f (m.py:4)"),
        _function("g", 3, "m.py::f uses g (m.py:2)"),
    )
    assert sorted(line.lstrip()[0] for line in lines) == ["f", "g"]


def test_a_long_chain_needs_no_deep_stack() -> None:
    chain = [
        _function(f"f{n}", n, f"m.py::f{n - 1} uses f{n} (m.py:{n})" if n else "the target")
        for n in range(5000)
    ]
    assert len(_explained(*chain)) == 5000
