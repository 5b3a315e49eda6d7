"""The functions of a repository, with what a choice among them needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .....slicer.errors import SourceError
from .....slicer.repo.repository import Repository
from .....slicer.repo.target_paths import walk_definitions

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Listed:
    """A function or method."""

    path: str
    qualname: str
    node: Function

    @property
    def has_docstring(self) -> bool:
        """Whether it says what it does."""
        return ast.get_docstring(self.node, clean=False) is not None


def functions_of(repository: Repository) -> Iterator[Listed]:
    """Yield the functions that a build would try, sorted by path, in source order.

    Of several definitions of one name, the last one counts.
    """
    for path in repository.python_files():
        try:
            tree = repository.source(path).tree
        except SourceError:
            continue
        found = {
            qualname: node
            for qualname, node in walk_definitions(tree.body)
            if not isinstance(node, ast.ClassDef)
        }
        for qualname, node in found.items():
            yield Listed(path, qualname, node)
