"""Names of the target's file that a candidate may use without defining them.

An author sees the whole file, while the slice lacks what the original does not need. Such an
import, definition or member is added to a candidate that uses its name.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ....slicer.repo.units import is_typing_test
from ....slicer.syntax.scopes import bound_in, declared_in, parameters
from .candidate_scopes import read_of_module
from .text_pieces import split_lines

Kind = Literal["import", "definition", "member"]


@dataclass(frozen=True, slots=True)
class OfferedName:
    """An import from outside the repository, or a definition of the target's file."""

    name: str
    """The name that it binds."""
    code: str
    """The text of its statements."""
    kind: Kind = "import"
    """Kind of offer; a `member` belongs to the target's class."""

    @property
    def nodes(self) -> list[ast.stmt]:
        """Return the statements as trees."""
        return ast.parse(self.code).body

    @property
    def imports(self) -> Iterator[tuple[ast.Import | ast.ImportFrom, ast.alias]]:
        """Yield the import, or the alternatives in a `try`."""
        if self.kind != "import":
            return
        for statement in self.nodes:
            for node in ast.walk(statement):
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    yield from ((node, alias) for alias in node.names)


def read_of(
    offered: Iterable[OfferedName], nodes: Iterable[ast.stmt], *, evaluates_annotations: bool
) -> tuple[OfferedName, ...]:
    """Return the offers whose names some code reads from the module's scope.

    Args:
        offered: imports and definitions; members are skipped.
        nodes: the code, none of which binds these names for the module.
        evaluates_annotations: whether annotations are code.
    """
    offered = tuple(each for each in offered if each.kind != "member")
    if not offered:
        return ()
    nodes = tuple(nodes) if evaluates_annotations else unannotated(nodes)
    read = read_of_module(nodes, {each.name for each in offered})
    own = declared_in((inner for node in nodes for inner in ast.walk(node)), ast.Global)
    return tuple(each for each in offered if each.name in read - own)


def appended(
    lines: Sequence[str], offered: Iterable[OfferedName]
) -> tuple[tuple[str, ...], tuple[ast.stmt, ...]]:
    """Return lines with the offers appended, and the trees of these."""
    text = "".join(f"{each.code}\n" for each in offered)
    tree = ast.increment_lineno(ast.parse(text), len(lines))
    return (*lines, *split_lines(text)), tuple(tree.body)


def run_time(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module without those for type checkers."""
    for node in body:
        if isinstance(node, ast.If) and is_typing_test(node.test):
            yield from run_time(node.orelse)
        else:
            yield node


def is_future_import(node: ast.stmt) -> bool:
    """Whether a statement is a `__future__` import, which binds no useful name."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def local_names(tops: Iterable[ast.stmt], owners: Collection[str]) -> frozenset[str]:
    """Return names bound in functions of these names, visible to functions nested there."""
    found: set[str] = set()
    for top in tops:
        for node in ast.walk(top):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in owners:
                found |= bound_in(node.body) | parameters(node)
    return frozenset(found)


def unannotated(nodes: Iterable[ast.stmt]) -> tuple[ast.stmt, ...]:
    """Return copies without annotations."""
    copies = copy.deepcopy(tuple(nodes))
    for node in copies:
        for inner in ast.walk(node):
            match inner:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    inner.returns = None
                case ast.arg():
                    inner.annotation = None
                case ast.AnnAssign():
                    inner.annotation = ast.Constant(None)
                case _:
                    pass
    return copies
