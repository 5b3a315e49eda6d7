"""The graph around the calls: kinds of edges, parts, formats; nothing depends on chance."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, TargetError
from slicefunc.slicer.graph import adjacency, call_graph, to_dot, to_json, to_pycg

from tests.slicer.graph.graphs import edges, graph_of

SOURCE = """
    import other
    from other import LIMIT, decorator

    TABLE = other.make()
    HANDLER = lambda: other.helper()

    class Base:
        pass

    class Child(Base):
        size = LIMIT

    @decorator
    def change(key):
        TABLE[key] = Child
        TABLE.update(other.SETTINGS)

    def reset():
        global TABLE
        TABLE = None

    def alone():
        def inner():
            return LIMIT
        return inner
    """
OTHER = """
    LIMIT = 3
    SETTINGS = {}
    def make():
        return {}
    def helper():
        return LIMIT
    def decorator(function):
        return function
    """


def test_kinds_of_edges(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, SOURCE, other=OTHER)
    assert edges(graph, "inherits") == {("main.Child", "main.Base")}
    assert edges(graph, "decorates") == {("main.change", "other.decorator")}
    assert edges(graph, "initialises") == {
        ("main.TABLE", "other.make"),
        ("main.HANDLER", "main.HANDLER"),
        ("main.HANDLER", "main.<lambda1>"),
    } - {("main.HANDLER", "main.HANDLER")}
    assert edges(graph, "mutates") == {("main.change", "main.TABLE")}
    assert edges(graph, "uses") >= {
        ("main.Child", "other.LIMIT"),
        ("main.change", "main.TABLE"),
        ("main.change", "main.Child"),
        ("main.change", "other.SETTINGS"),
        ("other.helper", "other.LIMIT"),
        ("main.alone", "main.alone.inner"),
        ("main.alone.inner", "other.LIMIT"),
    }


def test_nodes_say_what_and_where_they_are(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, SOURCE, other=OTHER)
    nodes = {node.id: node for node in graph.nodes}
    change = nodes["main.change"]
    assert (change.kind, change.path, change.qualname, change.line) == (
        "function", "main.py", "change", 13,
    )  # fmt: skip
    assert nodes["other"].kind == "module"
    assert nodes["other.LIMIT"].kind == "variable"
    assert nodes["main.Child"].kind == "class"


def test_a_target_gives_the_part_that_it_needs(tmp_path: Path) -> None:
    graph_of(tmp_path, SOURCE, other=OTHER)
    part = call_graph(Repository(tmp_path), ["main.py::alone"])
    assert {node.id for node in part.nodes} == {"main.alone", "main.alone.inner", "other.LIMIT"}


def test_an_unknown_target_is_an_error(tmp_path: Path) -> None:
    graph_of(tmp_path, SOURCE, other=OTHER)
    with pytest.raises(TargetError, match=r"main\.py::alon: .*did you mean alone"):
        call_graph(Repository(tmp_path), ["main.py::alon"])
    with pytest.raises(TargetError, match=r"nothing\.py: no such file"):
        call_graph(Repository(tmp_path), ["nothing.py"])


def test_files_that_do_not_parse_are_left_out_and_named(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "import bad\nbad.f()\n", bad="def f(:\n")
    assert len(graph.skipped) == 1
    assert graph.skipped[0].startswith("bad.py:1:")
    assert {node.kind for node in graph.nodes if node.id.startswith("bad")} == {"external"}


def test_json_holds_every_node_and_edge(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, SOURCE, other=OTHER)
    document = json.loads(to_json(graph))
    assert {node["id"] for node in document["nodes"]} == {node.id for node in graph.nodes}
    assert {(e["source"], e["target"], e["kind"]) for e in document["edges"]} == {
        (e.source, e.target, e.kind) for e in graph.edges
    }


def test_pycg_lists_callees_of_functions_and_modules(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, SOURCE, other=OTHER)
    lists = json.loads(to_pycg(graph))
    assert lists == adjacency(graph)
    assert lists["main.<lambda1>"] == ["other.helper"]
    assert lists["other.helper"] == []
    assert "other.LIMIT" not in lists


def test_dot_quotes_names(tmp_path: Path) -> None:
    text = to_dot(graph_of(tmp_path, 'run = lambda: print("x")\nrun()\n'))
    assert text.startswith("digraph")
    assert '"main" -> "main.<lambda1>" [label=calls' in text


def test_networkx_graph_has_an_edge_for_each_kind(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, SOURCE, other=OTHER).to_networkx()
    assert set(graph["main.change"]["main.TABLE"]) == {"uses", "mutates"}
    assert graph.nodes["main.change"]["path"] == "main.py"


def test_the_same_text_under_every_hash_seed(tmp_path: Path) -> None:
    graph_of(tmp_path, SOURCE, other=OTHER)
    program = (
        "import sys; from slicefunc.slicer import Repository; "
        "from slicefunc.slicer.graph import call_graph, to_json; "
        "sys.stdout.write(to_json(call_graph(Repository(sys.argv[1]))))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(texts) == 1


def test_an_unrelated_module_changes_nothing(tmp_path: Path) -> None:
    before = graph_of(tmp_path, SOURCE, other=OTHER)
    after = graph_of(tmp_path, SOURCE, other=OTHER, aside="def aside():\n    pass\n")
    assert set(after.edges) == set(before.edges)
    assert {n.id for n in after.nodes} - {n.id for n in before.nodes} == {"aside", "aside.aside"}
