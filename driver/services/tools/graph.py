"""`graph`: calls and other dependencies between definitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from ....llm.tools import Parameters, Tool, ToolInputError
from ....slicer.graph import CallGraph, Edge
from ....slicer.graph.build_graph import entry_names
from ....slicer.graph.facts import EdgeKind
from .parameters import NAMED
from .workspace import Workspace


class GraphParameters(Parameters):
    """A part of the graph."""

    target: str = Field(
        default="",
        description=f"The definition to begin at, {NAMED} A path alone (`shop/pricing.py`) means "
        "all of the file. Leave it out for the whole repository.",
    )
    direction: Literal["needs", "needed_by"] = Field(
        default="needs",
        description="`needs`: what the target calls and uses; `needed_by`: what calls and uses it.",
    )
    depth: int = Field(
        default=1, ge=1, le=50, description="How many steps to follow from the target."
    )
    kinds: tuple[EdgeKind, ...] = Field(
        default=(), description="Only edges of these kinds; all if left out."
    )


def answer(workspace: Workspace, given: GraphParameters) -> str:
    """Return the edges, one a line."""
    with workspace.turn():
        graph = workspace.graph
        starts = None
        if given.target:
            is_file = given.target.endswith(".py") and "::" not in given.target
            entry = given.target if is_file else str(workspace.target(given.target))
            starts = entry_names(workspace.repository, graph, entry)
    edges = [each for each in graph.edges if not given.kinds or each.kind in given.kinds]
    if starts is not None:
        edges = _near(edges, starts, given.depth, is_reverse=given.direction == "needed_by")
    if not edges:
        whose = given.target or "the repository"
        raise ToolInputError(
            f"{whose} has no such edge", "try the other direction, or leave kinds out"
        )
    paths = {node.id: node.path for node in graph.nodes}
    lines = [f"{e.source} {e.kind} {e.target}  ({paths[e.source]}:{e.line})" for e in edges]
    return "\n".join([*lines, *_open_calls(graph, {e.source for e in edges}, given)])


def _near(
    edges: Sequence[Edge], starts: Sequence[str], depth: int, *, is_reverse: bool
) -> list[Edge]:
    """Return the edges within so many steps of the starts, nearest first."""
    near: dict[str, list[Edge]] = {}
    for each in edges:
        near.setdefault(each.target if is_reverse else each.source, []).append(each)
    found: dict[Edge, None] = {}
    seen, level = set(starts), list(starts)
    for _ in range(depth):
        following: list[str] = []
        for name in level:
            for edge in near.get(name, ()):
                found.setdefault(edge)
                other = edge.source if is_reverse else edge.target
                if other not in seen:
                    seen.add(other)
                    following.append(other)
        level = following
    return list(found)


def _open_calls(graph: CallGraph, sources: set[str], given: GraphParameters) -> list[str]:
    if given.direction != "needs":
        return []
    count = sum(each.caller in sources and not each.library for each in graph.open_calls)
    return [f"({count} calls in these definitions have an unknown callee)"] if count else []


GRAPH: Tool[Workspace] = Tool(
    "graph",
    "Call and dependency graph",
    "Get who calls and uses whom, resolved statically over the whole repository (imports, "
    "inheritance, decorators, callbacks): one edge a line, `source kind target (file:line)`. Kinds "
    "are calls, uses, inherits, decorates, initialises, mutates. Use direction `needed_by` before "
    "you change a definition, to find all callers; use `needs` to see what it relies on.",
    GraphParameters,
    answer,
)
