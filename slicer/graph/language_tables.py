"""Tables of the language: operators with their special methods, and in-place operations."""

from __future__ import annotations

import ast
import builtins

OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("__add__", "__radd__"),
    ast.Sub: ("__sub__", "__rsub__"),
    ast.Mult: ("__mul__", "__rmul__"),
    ast.MatMult: ("__matmul__", "__rmatmul__"),
    ast.Div: ("__truediv__", "__rtruediv__"),
    ast.Mod: ("__mod__", "__rmod__"),
    ast.Pow: ("__pow__", "__rpow__"),
    ast.LShift: ("__lshift__", "__rlshift__"),
    ast.RShift: ("__rshift__", "__rrshift__"),
    ast.BitOr: ("__or__", "__ror__"),
    ast.BitXor: ("__xor__", "__rxor__"),
    ast.BitAnd: ("__and__", "__rand__"),
    ast.FloorDiv: ("__floordiv__", "__rfloordiv__"),
}
"""Binary operator → its special method and the reflected one."""

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("__eq__", "__eq__"),
    ast.NotEq: ("__ne__", "__ne__"),
    ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"),
    ast.Gt: ("__gt__", "__lt__"),
    ast.GtE: ("__ge__", "__le__"),
    ast.In: ("__contains__", "__iter__"),
    ast.NotIn: ("__contains__", "__iter__"),
}

UNARY: dict[type[ast.unaryop], str] = {
    ast.USub: "__neg__",
    ast.UAdd: "__pos__",
    ast.Invert: "__invert__",
}

LARGEST_INDEX = 64
"""Larger integers are not used as keys."""

MUTATORS = frozenset(
    "add append appendleft clear discard extend extendleft insert move_to_end pop popitem popleft "
    "register remove reverse setdefault sort subscribe update __setitem__ connect".split()
)
"""Methods that change their object in place."""

BUILTIN_NAMES = frozenset(dir(builtins))
