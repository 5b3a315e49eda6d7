"""Classes in annotations that a distribution reads at run time: `@bot.command() def f(x: Id)`.

Decorators that turn functions into commands, routes or tasks look at the classes of the parameters.
They may call members such as `convert` on those classes without an instance. Fields of a class that
derives from an external class are read in the same way.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....repo.repository import STDLIB
from ....syntax.annotation_names import names_in
from ....syntax.nodes import all_parameters
from ...inference import TRANSPARENT_DECORATORS, decorator_name
from ...scopes.definitions import ClassInfo, Scope
from ...values.abstract_values import ClassValue, External, ExternalInstance, ordered
from ..use_records import MemberUse
from ..use_walk import Walk

_OF_CLASSES = frozenset({"classmethod", "staticmethod"})
_DEEPEST = 3
"""Maximum depth of classes in fields of classes that are examined."""


def visit_read_annotations(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Record what external decorators find in the signature of a function."""
    if not any(_may_read(walk, decorator) for decorator in node.decorator_list):
        return
    found: dict[ClassInfo, None] = {}
    for arg in all_parameters(node.args):
        if arg.annotation is not None:
            found |= dict.fromkeys(_classes(walk, arg.annotation, walk.scope, 0))
    for cls in found:
        for name in _class_methods(walk, cls):
            walk.use(MemberUse(frozenset({ClassValue(cls)}), name, "call", node.lineno))


def _class_methods(walk: Walk, cls: ClassInfo) -> list[str]:
    """Return the public methods of a class that can be called without an instance."""
    found = {
        node.name
        for owner in walk.inference.mro(cls)
        for member in owner.members
        for node in member.nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and not node.name.startswith("_")
        and any(decorator_name(d) in _OF_CLASSES for d in node.decorator_list)
    }
    return sorted(found)


def _may_read(walk: Walk, decorator: ast.expr) -> bool:
    """Whether the decorator belongs to a distribution, or to an unknown object."""
    if decorator_name(decorator) in TRANSPARENT_DECORATORS:
        return False
    func = decorator.func if isinstance(decorator, ast.Call) else decorator
    values = walk.values(func)
    if values is None:
        return isinstance(func, ast.Attribute)
    return any(
        isinstance(value, (External, ExternalInstance))
        and value.name.partition(".")[0] not in STDLIB
        for value in values
    )


def _classes(walk: Walk, annotation: ast.expr, scope: Scope, depth: int) -> Iterator[ClassInfo]:
    """Yield the repository classes in an annotation, and in fields of externally derived ones."""
    for node in names_in(annotation):
        for value in ordered(walk.inference.evaluate(node, scope)):
            if not isinstance(value, ClassValue):
                continue
            if not _is_foreign(walk, value.cls):
                yield value.cls
            elif depth < _DEEPEST:
                for member in value.cls.members:
                    if isinstance(member.node, ast.AnnAssign):
                        field = member.node.annotation
                        yield from _classes(walk, field, value.cls.scope, depth + 1)


def _is_foreign(walk: Walk, cls: ClassInfo) -> bool:
    bases = walk.inference.external_bases(cls)
    return any(base.partition(".")[0] not in STDLIB for base in bases)
