"""Alternative imports: two imports of the same file by different names, of which one runs.

Examples are `try: from .shapes import Shape` with `except ImportError: from shapes import Shape`,
and `if "." in __name__`. One works inside the package, the other when the file is run as a script.
A slice gives each module its name in the package, so the first one runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from ..syntax.memo import memo
from ..syntax.nodes import walk
from .module import Module

ImportNode = ast.Import | ast.ImportFrom

_PLACES = frozenset({"__name__", "__package__", "__spec__"})
_COMMENTS = r"(?:[ \t]*+(?:#[^\n]*+)?\n)*+"
_SECOND_BRANCH = re.compile(
    rf"^[ \t]*+(?:else|except\b[^\n:]*+):[^\n]*+\n{_COMMENTS}[ \t]*+(?:from|import)\b", re.M
)


@memo
def running_instead(module: Module) -> dict[ast.stmt, tuple[ImportNode, ...]]:
    """Return the imports of a module, each with the alternatives of which one has run before it."""
    text = module.source.text
    if not _SECOND_BRANCH.search(text):
        return {}
    found: dict[ast.stmt, tuple[ImportNode, ...]] = {}
    for node in walk(module.source.tree):
        match node:
            case ast.Try(body=body, handlers=handlers):
                first = _imports(body)
                if len(first) == len(body):  # otherwise another statement may fail
                    for handler in handlers:
                        found.update(dict.fromkeys(_imports(handler.body), first))
            case ast.If(test=test, body=body, orelse=orelse) if (
                orelse and _tests_package_membership(test)
            ):
                for one, other in ((body, orelse), (orelse, body)):
                    # inside a package, its relative imports run
                    first = tuple(each for each in _imports(one) if _is_relative(each))
                    if first:
                        absolute = (each for each in _imports(other) if not _is_relative(each))
                        found.update(dict.fromkeys(absolute, first))
            case _:
                continue
    return found


def _tests_package_membership(test: ast.expr) -> bool:
    """Whether a test may determine if the module is inside a package."""
    return any(isinstance(node, ast.Name) and node.id in _PLACES for node in walk(test))


def _imports(body: Iterable[ast.stmt]) -> tuple[ImportNode, ...]:
    return tuple(node for node in body if isinstance(node, ImportNode))


def _is_relative(node: ImportNode) -> bool:
    return isinstance(node, ast.ImportFrom) and node.level > 0
