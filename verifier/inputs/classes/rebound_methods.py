"""Methods that a class replaces by another function when it is created."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....slicer.analysis.inference import Inference
from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.analysis.values.abstract_values import ClassValue, FunctionValue, ordered
from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode, TargetFunction


def is_rebound(inference: Inference, function: TargetFunction) -> bool:
    """Whether a metaclass, `__init_subclass__` or class decorator replaces the method.

    The replacement may name its parameters differently.
    """
    owner = function.owner
    if owner is None:
        return False
    return any(_sets(node, function.node.name) for node in _makers(inference, owner))


def _makers(inference: Inference, owner: ClassInfo) -> Iterator[FunctionNode]:
    """Yield the repository's functions that run when the class or a subclass is created."""
    for value in ordered(inference.metaclass(owner)):
        if isinstance(value, ClassValue):
            yield from (node for cls in inference.mro(value.cls) for node in cls.functions)
    for cls in inference.mro(owner):
        yield from (node for node in cls.functions if node.name == "__init_subclass__")
        for decorator in cls.node.decorator_list if cls is owner else ():
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            for value in ordered(inference.evaluate(func, cls.enclosing)):
                if isinstance(value, FunctionValue):
                    yield value.function.node


def _sets(node: FunctionNode, name: str) -> bool:
    """Whether a function sets an attribute of that name, or one with a computed name."""
    for each in ast.walk(node):
        match each:
            case ast.Attribute(attr=attr, ctx=ast.Store()) if attr == name:
                return True
            case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=attr), _]):
                if attr == name:
                    return True
            case ast.Call(func=ast.Name(id="setattr")):
                return True
            case _:
                continue
    return False
