"""Small repositories and their graphs."""

from __future__ import annotations

import textwrap
from pathlib import Path

from slicefunc.slicer import Repository
from slicefunc.slicer.graph import CallGraph, call_graph


def graph_of(folder: Path, main: str, **modules: str) -> CallGraph:
    """The graph of `main.py` and other modules; `a__b` stands for the file `a/b.py`."""
    for name, text in {"main": main, **modules}.items():
        file = folder / (name.replace("__", "/") + ".py")
        if name.endswith("_init"):
            file = folder / name.removesuffix("_init").replace("__", "/") / "__init__.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return call_graph(Repository(folder))


def calls(graph: CallGraph, *, library: bool = False) -> set[tuple[str, str]]:
    """Call edges, without those to what is not of the repository unless asked for."""
    external = {node.id for node in graph.nodes if node.kind == "external"}
    return {
        (edge.source, edge.target)
        for edge in graph.edges
        if edge.kind == "calls" and (library or edge.target not in external)
    }


def edges(graph: CallGraph, kind: str) -> set[tuple[str, str]]:
    """Edges of one kind."""
    return {(edge.source, edge.target) for edge in graph.edges if edge.kind == kind}
