"""The graph as JSON, as DOT, and as PyCG's adjacency lists."""

from __future__ import annotations

import dataclasses
import json
from typing import NotRequired, TypedDict

from .dependency_graph import CallGraph, Edge
from .facts import EdgeKind


class EdgeRecord(TypedDict):
    """An edge in the JSON document."""

    source: str
    target: str
    kind: EdgeKind
    line: int
    inferred_by: NotRequired[str]
    """The library that found the edge."""


_COLOURS: dict[EdgeKind, str] = {
    "calls": "black",
    "uses": "gray50",
    "inherits": "blue",
    "decorates": "purple",
    "initialises": "darkgreen",
    "mutates": "red",
}
_SHAPES = {
    "module": "folder",
    "class": "box",
    "variable": "note",
    "external": "plaintext",
}


def to_json(graph: CallGraph) -> str:
    """Return the whole graph as a JSON document, one node or edge a line."""
    nodes = [json.dumps(dataclasses.asdict(node), ensure_ascii=False) for node in graph.nodes]
    edges = [json.dumps(_edge_record(edge), ensure_ascii=False) for edge in graph.edges]
    skipped = [json.dumps(text, ensure_ascii=False) for text in graph.skipped]
    parts = [
        f'"{name}": [\n' + ",\n".join(lines) + "\n]" if lines else f'"{name}": []'
        for name, lines in (("nodes", nodes), ("edges", edges), ("skipped", skipped))
    ]
    libraries = sum(call.library for call in graph.open_calls)
    parts.append(f'"open_calls": {len(graph.open_calls) - libraries}')
    parts.append(f'"library_results": {libraries}')
    return '{"schema": "slice-func-graph/1",\n' + ",\n".join(parts) + "}\n"


def _edge_record(edge: Edge) -> EdgeRecord:
    record = EdgeRecord(source=edge.source, target=edge.target, kind=edge.kind, line=edge.line)
    if edge.inferred_by is not None:
        record["inferred_by"] = edge.inferred_by
    return record


def to_dot(graph: CallGraph) -> str:
    """Return the whole graph for Graphviz; colours show kinds of edges, dashes inferred ones."""
    lines = ["digraph slice_func {", "  rankdir=LR;", "  node [shape=ellipse, fontsize=10];"]
    for node in graph.nodes:
        shape = _SHAPES.get(node.kind)
        attribute = f" [shape={shape}]" if shape else ""
        lines.append(f"  {_quoted(node.id)}{attribute};")
    for edge in graph.edges:
        colour = _COLOURS[edge.kind]
        origin = f", inferred_by={edge.inferred_by}, style=dashed" if edge.inferred_by else ""
        lines.append(
            f"  {_quoted(edge.source)} -> {_quoted(edge.target)}"
            f" [label={edge.kind}, color={colour}{origin}];"
        )
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def adjacency(graph: CallGraph) -> dict[str, list[str]]:
    """Return callers and callees in PyCG's naming: modules, functions, lambdas and externals."""
    lists: dict[str, list[str]] = {
        node.id: [] for node in graph.nodes if node.kind not in ("variable", "class", "external")
    }
    for edge in graph.edges:
        if edge.kind == "calls":
            lists.setdefault(edge.source, []).append(edge.target)
            lists.setdefault(edge.target, [])
    return lists


def to_pycg(graph: CallGraph) -> str:
    """Return the call graph in PyCG's format: a JSON object of adjacency lists."""
    return json.dumps(adjacency(graph), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
