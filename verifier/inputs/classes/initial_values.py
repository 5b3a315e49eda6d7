"""Values other than an attribute's initial one: of its kind, and falsy ones."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ....mocker.shapes.shape import Anything
from ....mocker.shapes.shape_values import value_of
from ....slicer.analysis.scopes.definitions import ClassInfo
from ..types.tested_values import BUILTIN_EXPRESSIONS

_FILLED = {
    **{kind: BUILTIN_EXPRESSIONS[kind] for kind in ("list", "dict", "set", "tuple")},
    **dict.fromkeys(("defaultdict", "OrderedDict"), BUILTIN_EXPRESSIONS["dict"]),
}
_DISPLAYS: dict[type[ast.expr], str] = {
    ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.DictComp: "dict",
    ast.Set: "set", ast.SetComp: "set", ast.Tuple: "tuple",
}  # fmt: skip


def alternative_values(owner: ClassInfo, name: str) -> tuple[str, ...]:
    """Return expressions for an attribute, one for each value that the class assigns to it.

    Args:
        owner: the class.
        name: name of the attribute.
    """
    found = [_other(value, name) for value in _assigned(owner.node, name)]
    if any(isinstance(v, ast.Constant) and v.value is None for v in _assigned(owner.node, name)):
        found += ["0", "None"]  # truth tests and tests for `None` then take the default
    for value in _assigned(owner.node, name):
        if isinstance(value, ast.Name):
            found += _constants(owner.module.source.tree, value.id)
    return tuple(dict.fromkeys(text for text in found if text is not None))


def is_literal_pattern(classes: Iterable[ClassInfo], name: str) -> bool:
    """Whether an attribute always holds a compiled pattern from a literal.

    Such a pattern is code and no state: its readers know its groups.

    Args:
        classes: the class with the attribute, and its bases.
        name: name of the attribute.
    """
    values = [value for cls in classes for value in _assigned(cls.node, name)]
    return bool(values) and all(map(_is_pattern, values))


def _is_pattern(value: ast.expr) -> bool:
    match value:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="re" | "regex"), attr="compile"),
            args=[ast.Constant(), *_],
        ):
            return True
        case _:
            return False


def _constants(module: ast.Module, name: str) -> Iterator[str]:
    """Yield the constants that a module assigns to a name, where there are several."""
    given = [
        ast.unparse(node.value)
        for node in ast.walk(module)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and any(isinstance(each, ast.Name) and each.id == name for each in node.targets)
    ]
    yield from given if len(set(given)) > 1 else ()


def _assigned(cls: ast.ClassDef, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(cls):
        match node:
            case ast.Assign(targets=[target], value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pass
            case _:
                continue
        match target:
            case ast.Name(id=bound) if node in cls.body and bound == name:
                yield value
            case ast.Attribute(value=ast.Name("self"), attr=bound) if bound == name:
                yield value
            case _:
                continue


def _other(value: ast.expr, name: str) -> str | None:
    match value:
        case ast.Constant(value=bool() as flag):
            return repr(not flag)
        case ast.Constant(value=int() | float() as number):
            return repr(number + 1)
        case ast.Constant(value=str() | None):
            return repr(value_of(Anything(name)))
        case ast.Call(func=ast.Name(id=kind), args=[], keywords=[]):
            return _FILLED.get(kind)
        case _:
            return _FILLED.get(_DISPLAYS.get(type(value), ""))
