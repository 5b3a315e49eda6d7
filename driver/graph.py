"""`slice-func graph`: the call graph and the dependency graph as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..slicer import Repository
from ..slicer.callgraph import call_graph, to_dot, to_json, to_pycg
from .console import say

if TYPE_CHECKING:
    from collections.abc import Sequence

WRITERS = {"json": to_json, "dot": to_dot, "pycg": to_pycg}


def graph_text(repo: str, roots: Sequence[str], target: str | None, form: str) -> str:
    """The graph of a repository, or of what `target` reaches, in the named format.

    Files that do not parse are named on standard error.

    Raises:
        SliceFuncError: the repository or the target cannot be used.
    """
    graph = call_graph(Repository(repo, roots=tuple(roots)), [target] if target else None)
    for reason in graph.skipped:
        say(f"warning: left out: {reason}")
    return WRITERS[form](graph)
