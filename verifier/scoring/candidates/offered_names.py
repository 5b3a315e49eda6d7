"""What of the target's file a candidate may use without writing it.

Who writes a candidate sees the whole file. What the original does not need of it the slice has not,
so such an import, definition or member is taken in with a candidate that uses its name.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ....slicer.repo.units import is_typing_test
from .candidate_scopes import bound_in, parameters, read_of_module
from .text_pieces import split_lines

Kind = Literal["import", "definition", "member"]


@dataclass(frozen=True, slots=True)
class OfferedName:
    """An import from outside of the repository, or a definition of the target's file."""

    name: str
    """What it binds."""
    code: str
    """The statements."""
    kind: Kind = "import"
    """A `member` is of the target's class."""

    @property
    def nodes(self) -> list[ast.stmt]:
        """The statements, as trees."""
        return ast.parse(self.code).body

    @property
    def imports(self) -> Iterator[tuple[ast.Import | ast.ImportFrom, ast.alias]]:
        """The import, or the alternatives of a `try`."""
        if self.kind != "import":
            return
        for statement in self.nodes:
            for node in ast.walk(statement):
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    yield from ((node, alias) for alias in node.names)


def read_of(
    offered: Iterable[OfferedName], nodes: Iterable[ast.stmt], *, evaluates_annotations: bool
) -> tuple[OfferedName, ...]:
    """Those whose names some code reads as the module's.

    Args:
        offered: imports and definitions; members are not the module's.
        nodes: the code, none of which binds these names for the module.
        evaluates_annotations: whether annotations are code.
    """
    offered = tuple(each for each in offered if each.kind != "member")
    if not offered:
        return ()
    nodes = tuple(nodes) if evaluates_annotations else unannotated(nodes)
    read = read_of_module(nodes, {each.name for each in offered}) - _declared(nodes)
    return tuple(each for each in offered if each.name in read)


def appended(
    lines: Sequence[str], offered: Iterable[OfferedName]
) -> tuple[tuple[str, ...], tuple[ast.stmt, ...]]:
    """Lines with what is offered behind them, and these statements."""
    text = "".join(f"{each.code}\n" for each in offered)
    tree = ast.increment_lineno(ast.parse(text), len(lines))
    return (*lines, *split_lines(text)), tuple(tree.body)


def run_time(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module without those for type checkers."""
    for node in body:
        if isinstance(node, ast.If) and is_typing_test(node.test):
            yield from run_time(node.orelse)
        else:
            yield node


def is_future_import(node: ast.stmt) -> bool:
    """Whether a statement switches features on: the names in it are for nobody."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def local_names(tops: Iterable[ast.stmt], owners: Collection[str]) -> frozenset[str]:
    """What the functions of these names bind, for what is defined inside of them."""
    found: set[str] = set()
    for top in tops:
        for node in ast.walk(top):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in owners:
                found |= bound_in(node.body) | parameters(node)
    return frozenset(found)


def _declared(nodes: Iterable[ast.stmt]) -> frozenset[str]:
    """Names that code declares to be the module's: it binds them itself."""
    found = (inner for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Global))
    return frozenset(name for inner in found for name in inner.names)


def unannotated(nodes: Iterable[ast.stmt]) -> tuple[ast.stmt, ...]:
    """Copies without annotations."""
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
