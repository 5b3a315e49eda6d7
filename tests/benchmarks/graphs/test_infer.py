"""What calls really call, as the benchmark of the inferred edges sees it."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from slicefunc.slicer import Repository
from slicefunc.slicer.graph import call_graph
from slicefunc.slicer.graph.receivers import AnsweredCall

from benchmarks.graphs.infer import compared
from benchmarks.graphs.infer_truth import Watcher

SOURCE = """\
class Shape:
    def area(self):
        return 1

def draw(shape):
    return (
        shape
        .area()
    )

def first():
    return Shape.__subclasses__()[0]().area()

def by_area(shapes):
    return sorted(shapes, key=Shape.area)

class Square(Shape):
    pass

draw(Shape()); first(); by_area([Shape()])
"""


def watched(folder: Path) -> Watcher:
    (folder / "main.py").write_text(SOURCE)
    watcher = Watcher(str(folder.resolve()))
    before = sys.getprofile()
    sys.setprofile(watcher)
    try:
        runpy.run_path(str(folder / "main.py"))
    finally:
        sys.setprofile(before)
    return watcher


def test_a_call_is_known_by_its_end_and_one_by_a_builtin_is_left_out(tmp_path: Path) -> None:
    found = watched(tmp_path).found
    area = ("main.py", 2, "area")
    assert [place for place, callee in found if callee == area] == [
        ("main.py", 8, 15),
        ("main.py", 12, 45),
    ]


def test_answers_are_held_against_what_ran(tmp_path: Path) -> None:
    truth = {place: frozenset([callee]) for place, callee in watched(tmp_path).found}
    repository = Repository(tmp_path)
    graph = call_graph(repository)
    found = {"area": ("main.Shape.area",), None: ("main.Shape",)}
    asked = [
        AnsweredCall(call, "answered", (), found.get(call.name, ()), 0.0)
        for call in graph.open_calls
    ]
    assert compared(repository, graph, asked, truth) == {
        "into_repository": 1,
        "found": 1,
        "missed": 0,
        "other_inside": 0,
        "not_seen_inside": 1,  # the class, which has no `__init__` to run
    }
