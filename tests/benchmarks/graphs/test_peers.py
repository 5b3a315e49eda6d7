"""What the benchmark of other tools counts: observed calls, comparable edges, closures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.graphs.graph_edges import (
    Names,
    comparable,
    judged_closure,
    judged_edges,
    kept_by,
    outgoing,
    reached,
    started,
)
from benchmarks.graphs.observed_calls import named
from benchmarks.graphs.peers import markdown, older_record
from benchmarks.graphs.peers_fixtures import EVALUATOR, OBSERVER, dotted, kept_names, module_of

SOURCE = """\
def numbers(limit):
    yield from range(limit)

def total(items):
    return sum(items)

def by_key(items):
    return sorted(items, key=lambda item: key(item))

def key(item):
    return -item

class Shape:
    kind = str(total([1]))

    def __init__(self, width):
        self.width = width

    def area(self):
        def square(side):
            return side * side
        return square(self.width)

def run():
    made = [Shape(n) for n in numbers(3)]
    return sum(shape.area() for shape in made), by_key([1, 2])
"""


@pytest.fixture
def names() -> Names:
    found = Names()
    found.read("shapes", SOURCE.encode())
    return found


def observed(folder: Path, targets: list[str], calls: list[str]) -> dict[str, Any]:
    """What the observer tells of calls into `shapes.py`."""
    file = folder / "shapes.py"
    file.write_text(SOURCE, encoding="utf-8")
    origins = {"run": "shapes", "Shape": "shapes"}
    request = {"names": origins, "load": "import", "path": [str(folder)], "calls": calls}
    settings = {"request": request, "evaluator": str(EVALUATOR), "modules": {str(file): "shapes"},
                "targets": targets}  # fmt: skip
    command = [sys.executable, "-I", "-B", str(OBSERVER), json.dumps(settings)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    outcomes, told = map(json.loads, done.stdout.splitlines())
    assert all("value" in outcome for outcome in outcomes), outcomes
    return told


def test_observed_calls_name_who_calls_whom(tmp_path: Path) -> None:
    told = observed(tmp_path, ["shapes.run"], ["run()"])
    assert told["direct"] == [
        ["shapes.Shape", "shapes.total"],
        ["shapes.Shape.area", "shapes.Shape.area.square"],
        ["shapes.by_key", "shapes.key"],
        ["shapes.run", "shapes.Shape.__init__"],
        ["shapes.run", "shapes.Shape.area"],
        ["shapes.run", "shapes.by_key"],
        ["shapes.run", "shapes.numbers"],
    ]


def test_what_ran_at_import_did_not_run_below_the_target(tmp_path: Path) -> None:
    told = observed(tmp_path, ["shapes.Shape"], ["Shape(2).area()", "run()"])
    assert set(told["ran"]) - set(told["ran_below"]) >= {"shapes.run", "shapes.numbers"}
    assert "shapes.Shape.area.square" in told["ran_below"]


def test_comprehensions_and_lambdas_belong_to_their_function() -> None:
    assert named("m", "C.f.<locals>.<lambda>") == "m.C.f"
    assert named("m", "f.<locals>.g.<locals>.<genexpr>") == "m.f.g"
    assert named("m", "<module>") == "m"


def test_edges_of_classes_and_lambdas_are_those_of_what_is_around(names: Names) -> None:
    given = [
        ("shapes.Shape", "shapes.total"),
        ("shapes.by_key.<lambda1>", "shapes.key"),
        ("shapes.by_key", "shapes.by_key.<lambda1>"),
        ("shapes.run", "<builtin>.sum"),
        ("elsewhere.f", "shapes.key"),
        ("shapes.run", "shapes.Shape"),
    ]
    expected = {("shapes", "shapes.total"), ("shapes.by_key", "shapes.key")}
    assert comparable(given, names) == expected


def test_edges_are_counted_by_how_they_were_called() -> None:
    direct, library = {("a", "b"), ("a", "c")}, {("a", "d")}
    assert judged_edges({("a", "b"), ("a", "d"), ("x", "y")}, direct, library) == {
        "found": 1,
        "missed": 1,
        "found_by_library": 1,
        "missed_by_library": 0,
        "not_observed": 1,
    }


def test_what_is_reached_is_followed_through_cycles() -> None:
    targets = outgoing([("a", "b"), ("b", "a"), ("b", "c"), ("d", "e")])
    assert reached(["a"], targets) == {"a", "b", "c"}


def test_a_class_starts_at_its_methods_and_inner_functions_keep_their_outer(names: Names) -> None:
    starts = started(["shapes.Shape"], names)
    assert starts == {"shapes.Shape.__init__", "shapes.Shape.area", "shapes.Shape.area.square"}
    assert kept_by(starts, names) == {"shapes.Shape.__init__", "shapes.Shape.area"}


def test_a_closure_may_cover_the_call_but_not_the_import() -> None:
    told = judged_closure({"f", "g", "h"}, {"f", "g"}, below={"f"}, ran={"f", "i"})
    assert told == {"closures": 1, "covers_below": 1, "covers_all": 0, "same": 0, "extra": 2}


def test_manifest_names_of_statements_and_of_inner_classes() -> None:
    names = Names()
    names.read("m", b"class A:\n class B:\n  def f(self): pass\n def g(self): pass\n")
    kept = kept_names([("m.py", "A"), ("m.py", "A.B"), ("m.py", "h, LEAST")], ".", names)
    assert kept == {"m.A", "m.A.B", "m.A.B.f", "m.h", "m.LEAST"}


def test_names_are_those_below_the_import_root() -> None:
    assert dotted("src/pkg/__init__.py::C.m", "src") == "pkg.C.m"
    assert module_of("pkg/mod.py") == "pkg.mod"


def test_a_kept_record_says_its_date_and_its_size() -> None:
    record = {"name": "PyCG", "seconds": 3.0, "error": "", "peak_mb": 5.0}
    package = {"name": "p", "date": "2026-11-01", "lines": 10, "tools": [record]}
    older = {"date": "2026-11-02", "packages": [package]}
    assert older_record(older, "p", 10, "PyCG") == {"measured": "2026-11-01", **record}
    assert older_record(older, "p", 7, "PyCG")["of_lines"] == 10
    assert "left_out" in older_record(older, "q", 7, "PyCG")
    assert "left_out" in older_record({}, "p", 7, "PyCG")


def test_fixtures_are_told_with_what_is_left_out() -> None:
    edges = {"found": 3, "missed": 1, "found_by_library": 0, "missed_by_library": 2,
             "not_observed": 5}  # fmt: skip
    closures = {"closures": 4, "covers_below": 3, "covers_all": 2, "same": 1, "extra": 9}
    ran = {"name": "x", "done": 1, "failed": {"b": "crash"}, "seconds": 1.5,
           "edges": edges, "closures": closures}  # fmt: skip
    tools = [ran, {"name": "y", "left_out": "not installed"}]
    text = markdown({"fixtures": {"fixtures": 3, "left_out": {"c": "no calls"}, "tools": tools}})
    assert "2 of 3 fixtures; left out: no calls 1." in text
    assert "| x | 1 | 1 | 3 of 4 | 0 of 2 | 5 | 1.5 |" in text
    assert "| y | not installed | - |" in text
    assert "| x | 1 | 4 | 3 | 2 | 1 | 9 |" in text
