"""Map a source position to a node of the graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...repo.repository import Repository
from ..dependency_graph import CallGraph
from .receiver_answers import Answer

_CREATORS = ("__new__", "__init__")


class Places:
    """Finds the graph nodes that answers denote."""

    def __init__(self, repository: Repository, graph: CallGraph) -> None:
        self._repository = repository
        self._ids = {(node.path, node.qualname): node.id for node in graph.nodes if node.path}
        self._callable = {n.id for n in graph.nodes if n.kind in ("function", "method")}
        self._lambdas: dict[tuple[str, int], list[str]] = {}
        for node in graph.nodes:
            if node.kind == "lambda" and node.path is not None and node.line is not None:
                self._lambdas.setdefault((node.path, node.line), []).append(node.id)
        self._bases: dict[str, list[str]] = {}
        for edge in graph.edges:
            if edge.kind == "inherits":
                self._bases.setdefault(edge.source, []).append(edge.target)
        self._qualnames: dict[str, dict[tuple[int, str], str]] = {}

    def callees(self, answer: Answer) -> tuple[str, ...]:
        """Return the functions that run when the answer is called.

        A class without repository code to run stands for itself.
        """
        if answer.path is None:
            return ()
        if answer.name == "<lambda>":
            found = self._lambdas.get((answer.path, answer.line), [])
            return tuple(found) if len(found) == 1 else ()
        qualname = self._table(answer.path).get((answer.line, answer.name))
        node = None if qualname is None else self._ids.get((answer.path, qualname))
        if node is None:
            return ()
        if answer.what == "function":
            return (node,)
        names = _CREATORS if answer.what == "class" else ("__call__",)
        methods = [self._method(node, name) for name in names]
        run = tuple(method for method in methods if method is not None)
        return run or ((node,) if answer.what == "class" else ())

    def is_function(self, node: str) -> bool:
        """Whether the node is a function and not a class."""
        return node in self._callable or "<lambda" in node

    def _method(self, klass: str, name: str) -> str | None:
        """Return the method of that name, from the class or its nearest base that has one."""
        queue = [klass]
        for current in queue:
            own = f"{current}.{name}"
            if own in self._callable:
                return own
            queue += [base for base in self._bases.get(current, ()) if base not in queue]
        return None

    def _table(self, path: str) -> dict[tuple[int, str], str]:
        known = self._qualnames.get(path)
        if known is None:
            known = self._qualnames[path] = dict(_qualnames(self._repository.source(path).tree))
        return known


def _qualnames(tree: ast.Module) -> Iterator[tuple[tuple[int, str], str]]:
    """Yield line and name of each definition, with its qualified name in the graph's spelling."""
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, outer = stack.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            outer = f"{outer}.{node.name}" if outer else node.name
            yield (node.lineno, node.name), outer
        stack += [(child, outer) for child in ast.iter_child_nodes(node)]
