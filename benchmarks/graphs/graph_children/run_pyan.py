"""pyan3: its "uses" edges, without those to what is no function (modules, classes, attributes)."""

from __future__ import annotations

import os
from typing import Any

from common import answer
from pyan.analyzer import CallGraphVisitor

_CALLABLE = {"function", "method", "staticmethod", "classmethod"}
_CALLERS = _CALLABLE | {"module", "class"}


def edges_of(case: dict[str, Any]) -> list[tuple[str, str]]:
    """Edges between what can call and what can be called; it is given all files, as it needs."""
    paths = []
    for base, folders, names in os.walk(case["folder"]):
        folders.sort()
        paths += [os.path.join(base, name) for name in sorted(names) if name.endswith(".py")]
    visitor = CallGraphVisitor(paths, root=case["folder"])
    edges = []
    for source, targets in visitor.uses_edges.items():
        if source.flavor.value not in _CALLERS:
            continue
        edges += [
            (source.get_name(), target.get_name())
            for target in targets
            if target.flavor.value in _CALLABLE and target.defined
        ]
    return edges


answer(edges_of)
