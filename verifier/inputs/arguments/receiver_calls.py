"""States of the objects that an instance holds, set by calls that other methods make.

If the target queries such an object, the call gets the same arguments, so that the query finds
something.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode
from ..statements import Statement, on_receiver

_MOST = 8
_IT = "it_"
_OPAQUE = (ast.Call, ast.Lambda, ast.Starred, ast.comprehension, ast.Await, ast.NamedExpr)


@dataclass(frozen=True, slots=True)
class _AttributeCall:
    """A call `self.attribute.method(…)`."""

    attribute: str
    method: str
    arguments: tuple[str, ...] | None
    """Arguments with an open name for the instance and 1 for its local variables; `None` for other
    arguments."""


def statements(target: FunctionNode, others: Iterable[FunctionNode]) -> tuple[Statement, ...]:
    """Return statements that change what an instance holds.

    Args:
        target: the method whose queries matter.
        others: methods of the class that change the held objects.
    """
    calls = list(_calls(target, ast.walk(target)))
    attributes = {each.attribute for each in calls}
    found: dict[str, None] = {}
    late: dict[str, None] = {}
    for other in others:
        alone = [n.value for n in ast.walk(other) if isinstance(n, ast.Expr)]
        for change in _calls(other, alone):
            if change.attribute in attributes:
                found.update(dict.fromkeys(_with_queried_arguments(change, calls)))
                if change.arguments is not None:
                    late[_text(change, change.arguments)] = None
    return tuple(map(Statement, dict.fromkeys((*found, *late))))[:_MOST]


def _with_queried_arguments(
    change: _AttributeCall, calls: Sequence[_AttributeCall]
) -> Iterator[str]:
    count = len(change.arguments or ())
    for each in calls:
        if each.attribute == change.attribute and each.arguments and len(each.arguments) == count:
            yield _text(change, each.arguments)


def _text(call: _AttributeCall, arguments: Sequence[str]) -> str:
    return on_receiver(f".{call.attribute}.{call.method}({', '.join(arguments)})")


def _calls(function: FunctionNode, nodes: Iterable[ast.AST]) -> Iterator[_AttributeCall]:
    """Yield the calls of held objects among some nodes of a method."""
    if not function.args.args:
        return
    own = function.args.args[0].arg
    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id=name), attr=attribute), attr=method
                ),
                args=arguments,
                keywords=[],
            ) if name == own:
                texts = [_argument(each, own) for each in arguments]
                known = tuple(text for text in texts if text is not None)
                yield _AttributeCall(attribute, method, known if len(known) == len(texts) else None)
            case _:
                pass


def _argument(node: ast.expr, own: str) -> str | None:
    if any(isinstance(each, _OPAQUE) for each in ast.walk(node)):
        return None
    made = _Placed(own).visit(ast.parse(ast.unparse(node), mode="eval").body)
    return re.sub(rf"\b{_IT}\b", on_receiver(""), ast.unparse(made))


class _Placed(ast.NodeTransformer):
    """Renames the instance to its name in cases, and replaces other variables by numbers."""

    def __init__(self, own: str) -> None:
        self._own = own

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(_IT, ast.Load()) if node.id == self._own else ast.Constant(1)
