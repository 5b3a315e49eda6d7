"""Cases that look at module state after a call.

An entry that an import adds to a table is a difference even if no call looks it up. Only plain
contents are compared: an object's state depends on what is kept of its class.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from ....slicer.syntax.scopes import bound_inside
from ...execution.executors.interface import Case

_MOST = 12
_SHAPE = (
    "(lambda it: sorted(str(key) for key in it if type(key) in (str, int)) if type(it) is dict"
    " else len(it) if type(it) in (list, tuple, set, frozenset)"
    " else it if type(it) in (int, float, bool) or type(it) is str and '/' not in it else None)"
)
"""Keys of a dictionary, length of another collection, or a plain value without paths."""


def state_cases(cases: Sequence[Case], names: Sequence[str]) -> tuple[Case, ...]:
    """Return, for each name, a case that calls the target and then returns that global's shape.

    Args:
        cases: calls of the target, of which the first is used.
        names: globals of the script, of which the first twelve are used.
    """
    for case in cases[:1]:
        tree = ast.parse(case.code)
        function = tree.body[-1]
        last = function.body[-1] if isinstance(function, ast.FunctionDef) else None
        if not (isinstance(function, ast.FunctionDef) and isinstance(last, ast.Return)):
            return ()
        given = ast.unparse(last.value or ast.Constant(None))
        called = [
            *map(ast.unparse, function.body[:-1]),
            f"try:\n    {given}",
            "except Exception: pass",
        ]
        return tuple(_case(n, name, called) for n, name in enumerate(names[:_MOST]))
    return ()


def _case(number: int, name: str, called: Sequence[str]) -> Case:
    title = f"state_{number}"
    lines = "\n".join((*called, f"return {_SHAPE}({name})")).splitlines()
    return Case(title, "\n    ".join((f"def {title}():", *lines)) + "\n")


def read_names(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Yield names of globals that a function reads, without builtins."""
    nodes = [each for statement in node.body for each in ast.walk(statement)]
    bound = bound_inside(node) | vars(builtins).keys()
    read = dict.fromkeys(n.id for n in nodes if isinstance(n, ast.Name))
    yield from (name for name in read if name not in bound)
