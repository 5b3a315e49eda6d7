"""`slice-func graph`: the call graph and the dependency graph as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..slicer import Repository
from ..slicer.callgraph import call_graph, to_dot, to_json, to_pycg

if TYPE_CHECKING:
    from collections.abc import Sequence


def graph_text(repo: str, roots: Sequence[str], target: str | None, form: str) -> str:
    """The graph of a repository, or of what `target` reaches, in the named format.

    Raises:
        SliceFuncError: the repository or the target cannot be used.
    """
    graph = call_graph(Repository(repo, roots=tuple(roots)), target)
    write = {"json": to_json, "dot": to_dot, "pycg": to_pycg}[form]
    return write(graph)
