"""The call graph and the dependency graph of a whole repository.

An inclusion-based analysis of assignments over all modules: functions, classes, attributes through
the resolution order, containers by constant key, closures, decorators, generators, partial
applications, computed attribute names, operators and dynamic imports.
"""

from __future__ import annotations

from .build_graph import call_graph
from .dependency_graph import EDGE_KINDS, CallGraph, Edge, Node
from .graph_formats import adjacency, to_dot, to_json, to_pycg
from .open_calls import OpenCall

__all__ = [
    "EDGE_KINDS",
    "CallGraph",
    "Edge",
    "Node",
    "OpenCall",
    "adjacency",
    "call_graph",
    "to_dot",
    "to_json",
    "to_pycg",
]
