"""Calls that stay open, and what jedi says about them."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slicefunc.driver.cli.command import main
from slicefunc.slicer import Repository
from slicefunc.slicer.graph import CallGraph, Edge, adjacency, call_graph, to_dot, to_json
from slicefunc.slicer.graph.receivers import Budget, Inference, infer_calls
from slicefunc.slicer.graph.receivers.import_guard import installed_paths
from slicefunc.slicer.graph.receivers.time_limits import Clock, TimeUpError

from tests.slicer.graph.graphs import calls, graph_of

BUDGET = Budget(seconds=120.0, seconds_each=30.0)

SHAPES = """
    class Shape:
        def __init__(self):
            self.sides = 4

        def area(self):
            return helper()

        def __call__(self):
            return 1

    class Square(Shape):
        pass

    class Plain:
        pass

    def helper():
        return 2
    """

# what pytest hands to a test is found by name: jedi knows the rule, our graph does not
FIXTURES = """
    import pytest
    from shapes import Shape, Square, Plain

    @pytest.fixture
    def shape():
        return Shape()

    @pytest.fixture
    def kind():
        return Square

    @pytest.fixture
    def plain():
        return Plain
    """
TESTS = """
    def test_area(shape):
        assert shape.area() == 2

    def test_call(shape):
        assert shape() == 1

    def test_kind(kind, plain):
        kind()
        plain()

    def test_unknown(tmp_path_of_nobody):
        tmp_path_of_nobody.area()
    """

# subclasses: neither our graph nor jedi knows them
REGISTRY = """
    from shapes import Shape

    def first():
        return Shape.__subclasses__()[0]().area()
    """


def suite(folder: Path) -> CallGraph:
    return graph_of(folder, REGISTRY, shapes=SHAPES, conftest=FIXTURES, test_shapes=TESTS)


def asked(folder: Path, entry: str | None = None) -> Inference:
    repository = Repository(folder)
    entries = None if entry is None else [entry]
    return infer_calls(repository, call_graph(repository), BUDGET, entries)


def inferred(graph: CallGraph) -> set[tuple[str, str, str, str | None]]:
    return {(e.source, e.kind, e.target, e.inferred_by) for e in graph.edges if e.inferred_by}


# what is open


def test_a_call_on_an_unknown_receiver_is_open(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "def draw(é, shape):\n    é(1); shape.parts[0]. area(2)\n")
    assert [(c.line, c.column, c.name, c.expression, c.caller) for c in graph.open_calls] == [
        (2, 4, "é", "é", "main.draw"),
        (2, 26, "area", "shape.parts[0]. area", "main.draw"),
    ]


def test_calls_that_lead_somewhere_are_not_open(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path,
        """
        import os
        def logged(function):
            def wrapper(*arguments):
                return function(*arguments)
            return wrapper
        @logged
        def run(): return os.getcwd()
        print([].append(run()), "a".upper())
        """,
    )
    assert graph.open_calls == ()


def test_what_is_called_may_have_no_name(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "def run(handlers):\n    handlers[0](1)\n")
    assert [(c.line, c.column, c.name) for c in graph.open_calls] == [(2, 15, None)]


def test_text_that_is_evaluated_has_no_place_in_the_file(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "def run(x):\n    eval('x.go()')\n")
    assert graph.open_calls == ()


def test_what_a_library_gave_is_told_apart(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "import re\ndef run(x):\n    re.compile('a').match('a')\n    x()\n")
    assert [(c.name, c.library) for c in graph.open_calls] == [("match", True), ("x", False)]
    document = json.loads(to_json(graph))
    assert (document["open_calls"], document["library_results"]) == (1, 1)


# what jedi says


def test_jedi_finds_methods_classes_and_instances(tmp_path: Path) -> None:
    suite(tmp_path)
    assert inferred(asked(tmp_path).graph) == {
        ("test_shapes.test_area", "calls", "shapes.Shape.area", "jedi"),
        ("test_shapes.test_call", "calls", "shapes.Shape.__call__", "jedi"),
        ("test_shapes.test_kind", "calls", "shapes.Shape.__init__", "jedi"),
        ("test_shapes.test_kind", "uses", "shapes.Plain", "jedi"),
    }


def test_calls_with_an_answer_are_no_longer_open(tmp_path: Path) -> None:
    before = suite(tmp_path)
    after = asked(tmp_path).graph
    answered = {call.expression for call in before.open_calls} - {
        call.expression for call in after.open_calls
    }
    assert answered == {"Shape.__subclasses__", "shape.area", "shape", "kind", "plain"}


def test_our_own_edges_stay_as_they_are(tmp_path: Path) -> None:
    before = suite(tmp_path)
    after = asked(tmp_path).graph
    assert set(before.edges) == {edge for edge in after.edges if edge.inferred_by is None}
    assert after.nodes == before.nodes


def test_a_target_takes_in_what_its_inferred_callees_need(tmp_path: Path) -> None:
    suite(tmp_path)
    done = asked(tmp_path, entry="test_shapes.py::test_area")
    assert calls(done.graph) == {
        ("test_shapes.test_area", "shapes.Shape.area"),
        ("shapes.Shape.area", "shapes.helper"),
    }
    assert {one.call.caller for one in done.asked} == {"test_shapes.test_area"}


def test_definitions_outside_the_repository_add_no_edge(tmp_path: Path) -> None:
    before = graph_of(tmp_path, "import re\ndef run():\n    re.compile('a').match('a')\n")
    done = asked(tmp_path)
    assert done.graph.edges == before.edges
    assert [[answer.path for answer in one.answers] for one in done.asked] == [[None]]


def test_decorated_and_nested_definitions_are_found_by_their_place(tmp_path: Path) -> None:
    graph_of(
        tmp_path,
        TESTS,
        conftest="""
        import pytest
        @pytest.fixture
        def shape():
            def mark(function):
                return function
            class Inner:
                @staticmethod
                def area():
                    pass
                @mark
                def __call__(self):
                    pass
            return Inner()
        """,
    )
    graph = asked(tmp_path).graph
    assert ("main.test_area", "calls", "conftest.shape.Inner.area", "jedi") in inferred(graph)


# formats


def marked() -> CallGraph:
    edge = Edge("main.f", "main.g", "calls", 3, "jedi")
    return CallGraph((), (edge, Edge("main.f", "main.h", "calls", 4)))


def test_json_marks_inferred_edges_only() -> None:
    edges = json.loads(to_json(marked()))["edges"]
    assert [edge.get("inferred_by") for edge in edges] == ["jedi", None]
    assert "inferred_by" not in edges[1]


def test_dot_marks_inferred_edges() -> None:
    lines = to_dot(marked()).splitlines()
    assert ["inferred_by=jedi" in line for line in lines if "->" in line] == [True, False]


def test_pycg_lists_them_as_edges() -> None:
    assert adjacency(marked())["main.f"] == ["main.g", "main.h"]


def test_networkx_edges_say_who_inferred_them() -> None:
    graph = marked().to_networkx()
    assert graph["main.f"]["main.g"]["calls"]["inferred_by"] == "jedi"
    assert "inferred_by" not in graph["main.f"]["main.h"]["calls"]


@pytest.mark.nightly
def test_the_same_text_under_every_hash_seed(tmp_path: Path) -> None:
    suite(tmp_path)
    command = [
        sys.executable,
        "-m",
        "slicefunc.driver.cli.command",
        "graph",
        tmp_path,
        "--infer",
        "jedi",
    ]
    texts = {
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "77")
    }
    assert len(texts) == 1
    assert b'"inferred_by": "jedi"' in texts.pop()


# limits


def test_what_there_was_no_time_for_is_told(tmp_path: Path) -> None:
    before = suite(tmp_path)
    repository = Repository(tmp_path)
    budget = Budget(seconds=0.0)
    done = infer_calls(repository, call_graph(repository), budget)
    assert done.left_over == before.open_calls
    assert done.graph.edges == before.edges
    total = len(before.open_calls)
    expected = f"no time to ask about {total} of {total} open calls in 0 s"
    assert done.warnings(budget) == (expected,)


def test_every_limit_has_a_warning(tmp_path: Path) -> None:
    suite(tmp_path)
    one = asked(tmp_path).asked[0]
    given_up = dataclasses.replace(one, outcome="given up")
    failed = dataclasses.replace(one, outcome="failed")
    done = Inference(CallGraph((), ()), (given_up, failed, failed), ())
    assert done.warnings(Budget(seconds_each=1.5)) == (
        "1 questions given up after 1.5 s each",
        "2 questions ended in an error of the library",
    )
    assert dataclasses.replace(done, asked=(one,)).warnings(Budget()) == ()


def test_a_question_is_broken_off_even_where_errors_are_caught() -> None:
    def stubborn() -> None:
        while True:
            try:
                time.sleep(0.01)
            except Exception:  # noqa: BLE001 - as jedi does
                continue

    before = signal.getsignal(signal.SIGALRM)
    with Clock(Budget(seconds=600.0, seconds_each=0.2)) as clock:
        with pytest.raises(TimeUpError):
            clock.limited(stubborn)
        assert clock.limited(lambda: 3) == 3
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    import jedi.settings

    suite(tmp_path)
    before = [sys.path, list(sys.path), sys.meta_path, list(sys.meta_path)]
    cache = jedi.settings.cache_directory
    asked(tmp_path)
    assert [sys.path, list(sys.path), sys.meta_path, list(sys.meta_path)] == before
    assert jedi.settings.cache_directory == cache


# foreign code


def test_nothing_of_the_repository_is_run(tmp_path: Path) -> None:
    """Not even where Python would look there first, nor what jedi imports by name elsewhere."""
    marker = tmp_path / "executed"
    hostile = f"open({str(marker)!r}, 'a').write(__name__)\n"
    repo = tmp_path / "repo"
    repo.mkdir()
    graph_of(repo, hostile + "import gi, _tkinter, shapes\ngi.x().y()\n_tkinter.create().z()\n")
    (repo / "shapes.py").write_text(hostile + "def area(shape):\n    shape.area()\n")
    (repo / "test_shapes.py").write_text("def test(shape):\n    shape.area()\n")
    for name in ("gi", "_tkinter", "conftest", "sitecustomize_of_the_repository"):
        (repo / f"{name}.py").write_text(hostile)
    (repo / ".jedi").mkdir()
    (repo / ".jedi/project.json").write_text('[1, {"path": ".", "load_unsafe_extensions": true}]')
    done = subprocess.run(
        [sys.executable, "-m", "slicefunc.driver.cli.command", "graph", ".", "--infer", "jedi"],
        cwd=repo,
        env={**os.environ, "PYTHONPATH": f"{repo}"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["open_calls"]
    assert not marker.exists()


def test_the_search_path_has_nothing_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [path for path in sys.path if Path(path).is_absolute()]
    monkeypatch.setattr(sys, "path", ["", "src", str(tmp_path), str(tmp_path / "src"), *before])
    assert installed_paths(tmp_path) == before


def test_the_running_environment_may_lie_in_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = str(tmp_path / ".venv/lib/site-packages")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "src"), packages])
    assert installed_paths(tmp_path) == [packages]


# the command line


def test_a_library_that_is_missing_is_one_line_and_status_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    suite(tmp_path)
    monkeypatch.setitem(sys.modules, "jedi", None)
    assert main(["graph", str(tmp_path), "--infer", "jedi"]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.splitlines() == [
        "slice-func: error: jedi is not installed",
        "slice-func: hint: pip install 'slice-func[infer]'",
    ]


def test_seconds_without_infer_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["graph", str(tmp_path), "--infer-seconds", "5"]) == 2
    assert "--infer-seconds is for --infer" in capsys.readouterr().err


def test_without_the_option_jedi_is_not_imported(tmp_path: Path) -> None:
    suite(tmp_path)
    program = (
        "import sys; from slicefunc.driver.cli.command import main; main(['graph', sys.argv[1]]); "
        "sys.exit('jedi' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
