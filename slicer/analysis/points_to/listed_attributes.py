"""Names that a class lists in one of its attributes: `fields = ("left", "right")`."""

from __future__ import annotations

import ast
import re

from ...repo.repository import Module
from ...syntax.builtin_models import MUTATORS
from ...syntax.memo import memo
from ...syntax.nodes import at_path
from ..inference import Inference
from ..scopes.definitions import ClassInfo
from ..values.abstract_values import External, ordered

_SLOTS = "__slots__"
"""The attribute that takes effect when the class is created; later changes do not matter."""
_COMPUTED_WRITES = ("setattr(", "__dict__", "vars(")
_CHANGING = "|".join(sorted(MUTATORS))


def listed_names(
    inference: Inference, cls: ClassInfo, attribute: str, path: tuple[int, ...]
) -> tuple[str, ...] | None:
    """Return the names at the path that an attribute lists in the class and its bases.

    Return `None` if the class bodies do not tell: other code makes or changes the class, or the
    value is not a display of literals. All classes of the resolution order count, since one may
    extend what another lists.
    """
    mro = inference.mro(cls)
    if not _is_created_plainly(inference, cls) or attribute in inference.assigned_attributes(cls):
        return None
    if not attribute.startswith("_") and any(map(_writes_computed, mro)):
        return None  # a keyword argument may be called so
    found: dict[str, None] = {}
    is_listed = False
    for unit in [unit for owner in mro for unit in owner.table.get(attribute, ())]:
        match unit.node:
            case ast.AnnAssign(value=None):
                continue
            case ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(value=value):
                names = _display_texts(value, attribute, path)
            case _:
                names = None
        if names is None:
            return None
        is_listed = True
        found.update(dict.fromkeys(names))
    return tuple(found) if is_listed else None


def may_change(module: Module, attribute: str) -> bool:
    """Whether the text of the module may set or change an attribute with that name."""
    return attribute in module.source.text and _changes(module, attribute)


@memo
def _changes(module: Module, attribute: str) -> bool:
    name = re.escape(attribute)
    text = "" if attribute == _SLOTS else rf"""|["']{name}["']"""
    changed = rf"\.{name}\s*(?:=(?!=)|[-+|&]=|\[[^]]*\]\s*=(?!=)|:[ \t]*[^\s#]|\.(?:{_CHANGING})\b)"
    return re.search(changed + text, module.source.text) is not None


def _is_created_plainly(inference: Inference, cls: ClassInfo) -> bool:
    """Whether no repository code and nothing unknown takes part in creating the class."""
    if "?" in inference.external_bases(cls):
        return False
    makers = inference.metaclass(cls)
    if makers is None or any(not isinstance(maker, External) for maker in ordered(makers)):
        return False
    return not any(
        owner.node.decorator_list or "__init_subclass__" in owner.table
        for owner in inference.mro(cls)
    )


@memo
def _writes_computed(cls: ClassInfo) -> bool:
    """Whether methods of the class may set attributes with computed names."""
    lines = cls.module.source.text.splitlines()[cls.node.lineno - 1 : cls.node.end_lineno]
    return any(write in line for line in lines for write in _COMPUTED_WRITES)


def _display_texts(
    value: ast.expr | None, attribute: str, path: tuple[int, ...]
) -> list[str] | None:
    """Return the texts of a display; the same attribute of another class adds none."""
    match value:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return _joined([_element(part, attribute, path) for part in parts])
        case ast.Dict(keys=keys, values=values):
            unpacked = [v for key, v in zip(keys, values, strict=True) if key is None]
            named = [_element(key, attribute, path) for key in keys if key is not None]
            return _joined([*named, *(_display_texts(v, attribute, path) for v in unpacked)])
        case ast.BinOp(left=left, op=ast.Add() | ast.BitOr(), right=right):
            return _joined([_display_texts(part, attribute, path) for part in (left, right)])
        case ast.Call(
            func=ast.Name(id="frozenset" | "set" | "list" | "tuple"), args=[inner], keywords=[]
        ):
            return _display_texts(inner, attribute, path)
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split"), args=[]
        ):
            return text.split()
        case ast.Attribute(attr=attr) if attr == attribute:
            return []
        case _:
            return None


def _element(node: ast.expr, attribute: str, path: tuple[int, ...]) -> list[str] | None:
    match at_path(node, path):
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Starred(value=value):
            return _display_texts(value, attribute, path)
        case _:
            return None


def _joined(parts: list[list[str] | None]) -> list[str] | None:
    found = [part for part in parts if part is not None]
    return [name for part in found for name in part] if len(found) == len(parts) else None
