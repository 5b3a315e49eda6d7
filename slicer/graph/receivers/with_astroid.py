"""Query astroid, which infers values of expressions in its own trees."""

from __future__ import annotations

import contextlib
from importlib import import_module
from itertools import islice
from operator import methodcaller
from typing import Any, Protocol

from ...repo.repository import Repository
from ..dependency_graph import CallGraph
from ..open_calls import OpenCall
from .receiver_answers import Answer, in_order

_MOST_ANSWERS = 16


class _Module(Protocol):
    """The attributes of a module that are used here."""

    file: str | None


class _Value(Protocol):
    """The attributes that are used of a function or class; an instance has its class's."""

    name: str
    lineno: int | None

    def root(self) -> _Module: ...
    def qname(self) -> str: ...


class Astroid:
    """Trees of all modules of the repository, under the names by which they import each other.

    Args:
        repository: the repository whose calls are queried.
        graph: the graph, which knows those names.
    """

    def __init__(self, repository: Repository, graph: CallGraph) -> None:
        self._repository = repository
        self._astroid = import_module("astroid")
        self._bases = import_module("astroid.bases")
        self._names = {n.path: n.id for n in graph.nodes if n.kind == "module" and n.path}
        self._inside = {str(repository.path / path): path for path in self._names}
        self._modules: dict[str, Any] = {}
        self._indexed = ""
        self._functions: dict[tuple[int, int], Any] = {}
        """Callee expressions in the indexed file, by the position of their end."""

    def prepare(self) -> None:
        """Read all modules.

        `AstroidBuilder.string_build` works in two halves. The second imports other modules, so all
        modules are put into the table after the first. A module that astroid rejects for any reason
        is left out.
        """
        if self._modules:
            return
        manager = self._astroid.MANAGER
        manager.clear_cache()
        builder = import_module("astroid.builder").AstroidBuilder(manager)
        begun: list[tuple[Any, Any]] = []
        for path, name in self._names.items():
            full = str(self._repository.path / path)
            first = methodcaller("_data_build", self._repository.source(path).text, name, full)
            with contextlib.suppress(Exception):
                module, rebuilder = first(builder)
                manager.astroid_cache[module.name] = module
                begun.append((module, rebuilder))
                self._modules[path] = module
        for module, rebuilder in begun:
            with contextlib.suppress(Exception):
                methodcaller("_post_build", module, rebuilder, "utf-8")(builder)

    def definitions_of_call(self, call: OpenCall) -> tuple[Answer, ...]:
        """Return the definitions that the call may run."""
        if call.path != self._indexed:
            self._index(call.path)
        function = self._functions.get((call.line, call.column + len(call.name or "")))
        if function is None:
            return ()
        try:
            found: list[_Value] = list(islice(function.infer(), _MOST_ANSWERS))
        except self._astroid.InferenceError:
            return ()
        return in_order(map(self._answer, found))

    def forget(self) -> None:
        """Clear all of astroid's caches, which are global."""
        self.close()

    def close(self) -> None:
        """Leave no tree in astroid's table of modules."""
        self._indexed = ""
        self._functions.clear()
        self._modules.clear()
        self._astroid.MANAGER.clear_cache()

    def _index(self, path: str) -> None:
        self._indexed = path
        self._functions.clear()
        if path not in self._modules:
            return
        lines = self._repository.source(path).lines
        for call in self._modules[path].nodes_of_class(self._astroid.nodes.Call):
            match call.func.end_lineno, call.func.end_col_offset:
                case int(line), int(column) if line <= len(lines):
                    end = len(lines[line - 1].encode()[:column].decode(errors="replace"))
                    self._functions[line, end] = call.func
                case _:
                    pass

    def _answer(self, value: _Value) -> Answer | None:
        what = self._kind(value)
        if what is None:
            return None
        path = self._inside.get(value.root().file or "")
        if path is None:
            return Answer(None, 0, value.qname(), what)
        return Answer(path, value.lineno or 0, value.name, what)

    def _kind(self, value: object) -> str | None:
        nodes, bases = self._astroid.nodes, self._bases
        if isinstance(value, (bases.UnboundMethod, nodes.Lambda)):  # functions are Lambdas too
            return "function"
        if isinstance(value, nodes.ClassDef):
            return "class"
        return "instance" if isinstance(value, bases.Instance) else None
