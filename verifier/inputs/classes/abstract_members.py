"""Abstract members: subclasses must define them before there are instances."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ....slicer.analysis.inference import Inference
from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode

_ABSTRACT = frozenset(
    "abstractmethod abstractproperty abstractclassmethod abstractstaticmethod".split()
)
_PROPERTIES = frozenset("property abstractproperty cached_property".split())


def completed(
    inference: Inference,
    cls: ClassInfo,
    name: str,
    returned: Callable[[FunctionNode, ClassInfo], str],
    own: Callable[[FunctionNode, ClassInfo], str | None],
    is_left: Callable[[FunctionNode, ClassInfo], bool] | None = None,
) -> str:
    """Return an expression for a class with instances: the class itself, or a subclass of it.

    Args:
        inference: of the repository.
        cls: the class.
        name: an expression for it.
        returned: returns an expression for the result of a class's member.
        own: returns an expression for the class whose own member should run, or `None`.
        is_left: whether to supply a member that is not marked as abstract.
    """
    missing = _missing(inference, cls, is_left)
    if not missing:
        return name
    members: list[str] = []
    for node, owner, is_property in missing.values():
        place = own(node, owner)
        if place is None:
            member = _giving(returned(node, owner), node, is_property)
        else:
            member = _running(place, node, is_property)
        members.append(f"{node.name!r}: {member}")
    return f"type({_concrete(cls.node.name)!r}, ({name},), {{{', '.join(members)}}})"


def _giving(text: str, node: FunctionNode, is_property: bool) -> str:
    """Return a member that gives a fixed value, whatever its arguments are."""
    if isinstance(node, ast.AsyncFunctionDef):
        text = f'__import__("asyncio").sleep(0, {text})'
    return text if is_property else f"lambda self, *args, **named: {text}"


def _running(place: str, node: FunctionNode, is_property: bool) -> str:
    """Return a member that runs a class's own one; by subscript, as a case calls that name once."""
    member = f"vars({place})[{node.name!r}]"
    if is_property:
        return f"property(lambda self: {member}.fget(self))"
    return f"lambda self, *args, **named: {member}(self, *args, **named)"


def is_unwritten(node: FunctionNode) -> bool:
    """Whether a function only raises `NotImplementedError`."""
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


def is_declared(node: FunctionNode, cls: ClassInfo) -> bool:
    """Whether a protocol only declares a function: its body is `...`, `pass` or a docstring."""
    bases = (each.value if isinstance(each, ast.Subscript) else each for each in cls.node.bases)
    return "Protocol" in map(_last, bases) and all(
        isinstance(each, ast.Pass)
        or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in node.body
    )


def _concrete(name: str) -> str:
    """Return a name for the subclass, different from the class's, since a case may define both."""
    for prefix in ("Abstract", "Base"):
        rest = name.removeprefix(prefix)
        if rest[:1].isupper():
            name = rest
    return f"Some{name}"


def _missing(
    inference: Inference, cls: ClassInfo, is_left: Callable[[FunctionNode, ClassInfo], bool] | None
) -> dict[str, tuple[FunctionNode, ClassInfo, bool]]:
    """Return the missing members by name: each with its class, and whether it is a property."""
    found: dict[str, tuple[FunctionNode, ClassInfo, bool]] = {}
    for each in reversed(list(inference.mro(cls))):
        for node in each.node.body:
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    found.pop(name, None)
                    decorators = {_last(decorator) for decorator in node.decorator_list}
                    if decorators & _ABSTRACT or (is_left is not None and is_left(node, each)):
                        found[name] = (node, each, bool(decorators & _PROPERTIES))
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
