"""Members that a class leaves to its subclasses: until they are there, it has no instances."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ...slicer.definitions import ClassInfo
from ...slicer.infer import Inference
from ...slicer.suggest.functions import FunctionNode

_ABSTRACT = frozenset(
    "abstractmethod abstractproperty abstractclassmethod abstractstaticmethod".split()
)
_PROPERTIES = frozenset("property abstractproperty cached_property".split())


def completed(
    inference: Inference,
    cls: ClassInfo,
    name: str,
    returned: Callable[[FunctionNode, ClassInfo], str],
    is_left: Callable[[FunctionNode, ClassInfo], bool] | None = None,
    own: Callable[[FunctionNode, ClassInfo], str | None] = lambda _, __: None,
) -> str:
    """An expression for a class with instances: the class of that name, or a subclass of it.

    Args:
        inference: of the repository.
        cls: the class.
        name: an expression for it.
        returned: gives an expression for what a member of a class is to give.
        is_left: whether a member is to be there, too, though it is not marked as abstract.
        own: gives an expression for the class whose member is to run as it stands there.
    """
    missing = _missing(inference, cls, is_left)
    if not missing:
        return name
    members: list[str] = []
    for node, owner, is_property in missing.values():
        place = own(node, owner)
        # by subscript, since a case holds one call of the target's name
        inherited = f"vars({place})[{node.name!r}]"
        if place is not None and is_property:
            member = f"property(lambda self: {inherited}.fget(self))"
        elif place is not None:
            member = f"lambda self, *args, **named: {inherited}(self, *args, **named)"
        elif is_property:
            member = returned(node, owner)
        elif isinstance(node, ast.AsyncFunctionDef):
            given = f'__import__("asyncio").sleep(0, {returned(node, owner)})'
            member = f"lambda self, *args, **named: {given}"
        else:
            member = f"lambda self, *args, **named: {returned(node, owner)}"
        members.append(f"{node.name!r}: {member}")
    return f"type({_concrete(cls.node.name)!r}, ({name},), {{{', '.join(members)}}})"


def is_unwritten(node: FunctionNode) -> bool:
    """Whether a function does nothing but raise `NotImplementedError`."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    match body:
        case [
            ast.Raise(
                exc=ast.Name(id="NotImplementedError")
                | ast.Call(func=ast.Name(id="NotImplementedError"))
            )
        ]:
            return True
        case _:
            return False


def _concrete(name: str) -> str:
    """What a subclass is named; another name, since a case defines it beside the class."""
    for prefix in ("Abstract", "Base"):
        rest = name.removeprefix(prefix)
        if rest[:1].isupper():
            name = rest
    return f"Some{name}"


def _missing(
    inference: Inference, cls: ClassInfo, is_left: Callable[[FunctionNode, ClassInfo], bool] | None
) -> dict[str, tuple[FunctionNode, ClassInfo, bool]]:
    """The members to be there by name: each with its class, and whether it is a property."""
    found: dict[str, tuple[FunctionNode, ClassInfo, bool]] = {}
    for each in reversed(list(inference.mro(cls))):
        for node in each.node.body:
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    found.pop(name, None)
                    said = {_last(decorator) for decorator in node.decorator_list}
                    if said & _ABSTRACT or (is_left is not None and is_left(node, each)):
                        found[name] = (node, each, bool(said & _PROPERTIES))
                case (
                    ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr())
                ):
                    found.pop(name, None)
                case _:
                    pass
    return found


def _last(decorator: ast.expr) -> str:
    return getattr(decorator, "attr", getattr(decorator, "id", ""))
