"""Calls of an instance's public methods that bring it into a state, as its users do.

So its private state is consistent, which single assignments to attributes cannot ensure. Sequences
of calls are the inputs of Pacheco et al., "Feedback-directed random test generation", ICSE 2007.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..argument_builder import ArgumentBuilder
from ..classes.attribute_writes import is_mutator
from ..statements import Statement, on_receiver

_FILLED = 3
"""Calls of one method that fill an instance."""
_LAST_NUMBER = re.compile(r"\d+\Z")


def mutator_calls(
    builder: ArgumentBuilder, function: TargetFunction, owner: ClassInfo
) -> Iterator[Statement]:
    """Yield statements that change an instance.

    One call of each method, then several with other arguments, then with the first ones again.

    Args:
        builder: builds the arguments.
        function: the target, which is not called.
        owner: the target's class.
    """
    seen = {function.node.name}
    for cls in builder.walk.inference.mro(owner):
        for node in cls.functions if builder.keeps_class(cls) else ():
            if node.name not in seen:
                seen.add(node.name)
                if is_mutator(node) and builder.keeps_function(node, cls.module.path):
                    method = TargetFunction(cls.module, node, cls.scope, cls, node.name)
                    yield from _calls(node.name, builder.arguments(method, 1))


def _calls(name: str, arguments: list[tuple[str, str]]) -> Iterator[Statement]:
    yield Statement(_call(name, arguments))
    several = [
        _call(name, [(key, _other(text, n)) for key, text in arguments]) for n in range(_FILLED)
    ]
    if len(set(several)) == _FILLED:
        yield Statement("\n".join(several))
        yield Statement("\n".join((*several[:2], several[0])))


def _call(name: str, arguments: list[tuple[str, str]]) -> str:
    if name == "__setitem__" and len(arguments) == 2:
        (_, key), (_, value) = arguments
        return on_receiver(f"[{key}] = {value}")
    return on_receiver(f".{name}({', '.join(f'{key}={text}' for key, text in arguments)})")


def _other(text: str, number: int) -> str:
    """Return the expression with other literals for each number; unchanged for 0."""
    if not number:
        return text
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return text
    return ast.unparse(_Renumbered(number).visit(tree))


class _Renumbered(ast.NodeTransformer):
    """Changes the values of literals, and keeps names of classes, members and modules."""

    def __init__(self, number: int) -> None:
        """Set the number that is added to literals."""
        self._number = number

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Keep the names of a class made by a call, and of its members."""
        match node:
            case ast.Call(
                ast.Name("type"), [ast.Constant(), _, ast.Dict(values=values) as members]
            ):
                members.values = [self.visit(each) for each in values]
                return node
            case ast.Call(ast.Name("__import__") | ast.Attribute(attr="import_module")):
                return node
            case _:
                return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Raise a number, or the number that ends a text."""
        match node.value:
            case bool():
                pass
            case int() | float() as value:
                node.value = value + self._number
            case str() as value if _LAST_NUMBER.search(value):
                node.value = _LAST_NUMBER.sub(lambda n: str(int(n[0]) + self._number), value)
            case str() as value:
                node.value = f"{value}{self._number}"
            case _:
                pass
        return node
