"""Whether the contents of a container fit its annotation: items, keys, values, and length.

`list[tuple[int, int]]` promises pairs. Non-literals and unannotated values fit.
"""

from __future__ import annotations

import ast

_SCALARS: dict[str, tuple[type, ...]] = {
    "int": (int,), "float": (int, float), "complex": (int, float, complex), "str": (str,),
    "bytes": (bytes,), "bool": (bool,),
}  # fmt: skip
_COLLECTIONS = frozenset(
    "list set frozenset List Set FrozenSet Sequence MutableSequence Iterable Iterator Collection "
    "Container deque AbstractSet Generator".split()
)
_OF_TEXT = frozenset("Sequence Iterable Iterator Collection Container".split())
"""Annotations that a text satisfies as well."""
_MAPPINGS = frozenset("dict Dict Mapping MutableMapping OrderedDict defaultdict".split())
_TUPLES = frozenset({"tuple", "Tuple"})
_CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict)


def items_fit(annotation: ast.expr, text: str) -> bool:
    """Whether the items of a container literal fit an annotation.

    Args:
        annotation: annotation of a parameter.
        text: expression for the parameter's value.
    """
    try:
        value = ast.parse(text, mode="eval").body
    except SyntaxError:
        return True
    return not isinstance(value, _CONTAINERS) or _fits(annotation, value)


def _fits(annotation: ast.expr, value: ast.expr) -> bool:
    match annotation:
        case ast.Constant(value=str(text)):
            try:
                return _fits(ast.parse(text, mode="eval").body, value)
            except SyntaxError:
                return True
        case ast.Constant(value=None):
            return not isinstance(value, ast.Constant) or value.value is None
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return _fits(left, value) or _fits(right, value)
        case ast.Name(id=name) if name in _SCALARS:
            return _is_scalar(_SCALARS[name], value)
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=given):
            return _holds(name, given, value)
        case _:
            return True


def _is_scalar(classes: tuple[type, ...], value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    if isinstance(value, ast.Constant):
        return isinstance(value.value, classes)
    return not isinstance(value, _CONTAINERS)


def _holds(name: str, given: ast.expr, value: ast.expr) -> bool:
    """Whether a value fits `name[given]`."""
    if isinstance(value, ast.Starred):
        return True
    if name == "Optional":
        return _fits(given, value) or (isinstance(value, ast.Constant) and value.value is None)
    parts = given.elts if isinstance(given, ast.Tuple) else [given]
    if name == "Union":
        return any(_fits(each, value) for each in parts)
    items = value.elts if isinstance(value, ast.List | ast.Tuple | ast.Set) else None
    if name in _TUPLES and isinstance(value, ast.Tuple):
        if len(parts) == 2 and _is_ellipsis(parts[1]):
            return all(_fits(parts[0], each) for each in value.elts)
        return len(parts) == len(value.elts) and all(map(_fits, parts, value.elts))
    if name in _COLLECTIONS and items is not None:
        return all(_fits(parts[0], each) for each in items)
    if name in _MAPPINGS and isinstance(value, ast.Dict) and len(parts) > 1:
        keys = (key for key in value.keys if key is not None)
        return all(_fits(parts[0], key) for key in keys) and all(
            _fits(parts[1], each) for each in value.values
        )
    if isinstance(value, ast.Constant):
        return name in _OF_TEXT or name not in _COLLECTIONS | _MAPPINGS | _TUPLES
    is_known = name in _COLLECTIONS | _MAPPINGS | _TUPLES
    return not (is_known and isinstance(value, _CONTAINERS))


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
