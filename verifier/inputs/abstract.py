"""Members that a class leaves to its subclasses: until they are there, it has no instances."""

from __future__ import annotations

import ast

from ...slicer.definitions import ClassInfo
from ...slicer.infer import Inference

_ABSTRACT = frozenset(
    "abstractmethod abstractproperty abstractclassmethod abstractstaticmethod".split()
)
_PROPERTIES = frozenset("property abstractproperty cached_property".split())


def completed(inference: Inference, cls: ClassInfo, name: str) -> str:
    """An expression for a class with instances: the class of that name, or a subclass of it."""
    missing = _missing(inference, cls)
    if not missing:
        return name
    members = ", ".join(
        f"{member!r}: {'None' if is_property else 'lambda self, *args, **named: None'}"
        for member, is_property in missing.items()
    )
    return f"type({_concrete(cls.node.name)!r}, ({name},), {{{members}}})"


def _concrete(name: str) -> str:
    """What a subclass is named; another name, since a case defines it beside the class."""
    for prefix in ("Abstract", "Base"):
        rest = name.removeprefix(prefix)
        if rest[:1].isupper():
            name = rest
    return f"Some{name}"


def _missing(inference: Inference, cls: ClassInfo) -> dict[str, bool]:
    """Names of the abstract members, each with whether it is a property."""
    found: dict[str, bool] = {}
    for each in reversed(list(inference.mro(cls))):
        for node in each.node.body:
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    found.pop(name, None)
                    said = {_last(decorator) for decorator in node.decorator_list}
                    if said & _ABSTRACT:
                        found[name] = bool(said & _PROPERTIES)
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
