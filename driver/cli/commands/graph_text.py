"""The call graph and the dependency graph as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....slicer import Repository
from ....slicer.graph import call_graph, to_dot, to_json, to_pycg
from ...console.streams import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....slicer.graph import CallGraph

WRITERS = {"json": to_json, "dot": to_dot, "pycg": to_pycg}


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """Options of `slice-func graph`."""

    roots: tuple[str, ...] = ()
    """Extra import roots."""
    form: str = "json"
    """Name of the format, one of `WRITERS`."""
    infers: bool = False
    """Whether jedi is queried about open calls."""
    seconds: float = 60.0
    """Time limit for these queries."""


def graph_text(repo: str, target: str | None, options: GraphOptions) -> str:
    """Return the graph of a repository, or of what `target` reaches, in the named format.

    Files that do not parse, and calls not queried for lack of time, are named on standard error.

    Raises:
        SliceFuncError: the repository or the target cannot be used, or a library is not installed.
    """
    repository = Repository(repo, roots=options.roots)
    entries = [target] if target else None
    if options.infers:
        graph = _inferred(repository, entries, options)
    else:
        graph = call_graph(repository, entries)
    for reason in graph.skipped:
        say(f"warning: left out: {reason}")
    return WRITERS[options.form](graph)


def _inferred(
    repository: Repository, entries: Sequence[str] | None, options: GraphOptions
) -> CallGraph:
    from ....slicer.graph.receivers import Budget, check_installed, infer_calls

    check_installed()  # before the work, not after it
    budget = Budget(seconds=options.seconds)
    inference = infer_calls(repository, call_graph(repository), budget, entries)
    for text in inference.warnings(budget):
        say(f"warning: --infer: {text}")
    return inference.graph
