"""Our own graph, in the environment of the project."""

from __future__ import annotations

from typing import Any

from common import answer
from slicefunc.slicer.graph import adjacency, call_graph
from slicefunc.slicer.repo.repository import Repository


def edges_of(case: dict[str, Any]) -> list[tuple[str, str]]:
    """All call edges of the folder."""
    lists = adjacency(call_graph(Repository(case["folder"])))
    return [(source, target) for source, targets in lists.items() for target in targets]


answer(edges_of)
